"""What Markdown keeps out of a reader's sight: comments, and where links lead."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple
from urllib.parse import urlsplit

MOST_LINK_TEXT: Final = 300
MOST_LINKS: Final = 2_000

_COMMENT_LINE = re.compile(
    r"^ {0,3}\[[^\[\]\n]{1,99}\]:[ \t]*(?:#|<#?>)(?:[ \t][^\n]*)?$", re.MULTILINE
)
_INLINE = re.compile(r"\]\([ \t\n]*(<[^<>\n]*>|[^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)")
_DEFINED = re.compile(
    r"^ {0,3}\[([^\[\]\n]{1,300})\]:[ \t]*\n?[ \t]*(<[^<>\n]+>|[^\s<>]+)", re.MULTILINE
)
_BARE = re.compile(
    r"\b(?:https?|ftp|data|javascript|vbscript|file):[^\s<>\[\]()\"'`]+", re.IGNORECASE
)
_ADDRESS = re.compile(r"^(?:https?://)?((?:[\w-]+\.)+[a-z]{2,24})(?:[/:?#]|$)", re.IGNORECASE)


class Link(NamedTuple):
    """A link of a text: its words, and the stretch that holds where it leads."""

    words: str
    target: str
    start: int
    end: int

    @property
    def misleads(self) -> bool:
        """Whether its words are an address, and it leads to another."""
        said = _ADDRESS.match(self.words.strip())
        if said is None:
            return False
        try:
            host = urlsplit(self.target).hostname or ""
        except ValueError:
            return True
        return said[1].lower().removeprefix("www.") != host.lower().removeprefix("www.")


def comments_of(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of HTML comments, and of Markdown lines that serve as comments.

    An HTML comment that does not end reaches to the end of the text.
    """
    html, at = [], text.find("<!--")
    while at >= 0:
        close = text.find("-->", at + 4)
        end = len(text) if close < 0 else close + 3
        html.append((at, end))
        at = text.find("<!--", end)
    lines = [(each.start(), each.end()) for each in _COMMENT_LINE.finditer(text)]
    reached = 0
    for start, end in sorted([*html, *lines]):
        if start >= reached:
            yield start, end
            reached = end


def links_of(text: str) -> Iterator[Link]:
    """Links in order: inline ones, images, definitions and bare addresses.

    Of each sort the first 2,000.
    """
    found = [_inline(text, each) for each in _first(_INLINE, text)]
    found += [_link(each[1], each[2], each.start(2)) for each in _first(_DEFINED, text)]
    found += [_link("", each[0].rstrip(".,;:!?*_"), each.start()) for each in _first(_BARE, text)]
    reached = 0
    for link in sorted(found, key=lambda each: (each.start, -each.end)):
        if link.start >= reached:
            yield link
            reached = link.end


def _first(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    return islice(pattern.finditer(text), MOST_LINKS)


def _inline(text: str, match: re.Match[str]) -> Link:
    close = match.start()
    opened = text.rfind("[", max(close - MOST_LINK_TEXT, 0), close)
    words = text[opened + 1 : close] if opened >= 0 else ""
    return _link(words, match[1], match.start(1))


def _link(words: str, target: str, start: int) -> Link:
    inner = target[1:-1] if target.startswith("<") and target.endswith(">") else target
    return Link(words, inner, start, start + len(target))
