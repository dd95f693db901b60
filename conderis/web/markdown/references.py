"""Items that a text names: `#12` of its own project, `owner/name#12` of another.

Parsing marks them, whoever reads; only then is asked which of them the reader may read.
Those become links. The others are the words that were written, whatever the reason.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from django.utils.html import format_html
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from items.linked_numbers import ItemName

REFERENCE: Final = "reference"
MOST_REFERENCES: Final = 500
"""Different ones of a text that are looked up; the rest stay words."""

_NAMED = re.compile(
    r"(?:(?<![\w/.@&#+~%=?-])(?P<project>[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+)"
    r"|(?<![\w/.@&#+~%=?]))"
    r"#(?P<number>[1-9][0-9]{0,8})(?![\w#]|[-./:=@]\w)"
)
# What marking makes; no text can, since what is written in one never becomes a tag.
_MARKED = re.compile(r'<span class="ref">([^<]*)</span>')


def mark_references(state: StateCore) -> None:
    """A rule of markdown-it: what names an item in words becomes a token of its own.

    In code, links and images nothing does, nor after a backslash.
    """
    for token in state.tokens:
        if token.type == "inline" and "#" in token.content:
            token.children = list(_marked(token.children or ()))


def _marked(tokens: Sequence[Token]) -> Iterator[Token]:
    links = 0
    for at, token in enumerate(tokens):
        if token.type in {"link_open", "link_close"}:
            links += token.nesting
        if token.type != "text" or links or "#" not in token.content:
            yield token
            continue
        # An escaped character is a token beside: what is glued to it names nothing.
        before = tokens[at - 1].content[-1:] if _is_escape(tokens, at - 1) else ""
        after = tokens[at + 1].content[:1] if _is_escape(tokens, at + 1) else ""
        yield from _split(token, before, after)


def _is_escape(tokens: Sequence[Token], at: int) -> bool:
    return 0 <= at < len(tokens) and tokens[at].type == "text_special"


def _split(token: Token, before: str, after: str) -> Iterator[Token]:
    text = f"{before}{token.content}{after}"
    done, end = len(before), len(before) + len(token.content)
    for found in _NAMED.finditer(text, done):
        if found.end() > end:
            break
        yield Token("text", "", 0, content=text[done : found.start()], level=token.level)
        yield Token(REFERENCE, "span", 0, content=found[0], level=token.level)
        done = found.end()
    yield Token("text", "", 0, content=text[done:end], level=token.level)


def reference_html(_renderer: object, tokens: Sequence[Token], at: int, *_args: object) -> str:
    """A rule of the renderer: the mark that `names_in` and `linked` find again."""
    return f'<span class="ref">{tokens[at].content}</span>'


def names_in(html: str) -> frozenset[ItemName]:
    """The items that marked HTML names; the first 500."""
    found: dict[ItemName, None] = {}
    for written in _MARKED.findall(html):
        if len(found) == MOST_REFERENCES:
            break
        found[_name(written)] = None
    return frozenset(found)


def linked(html: str, addresses: Mapping[ItemName, str]) -> str:
    """Marked HTML with links to what has an address, and nothing but the words elsewhere."""

    def shown(found: re.Match[str]) -> str:
        address = addresses.get(_name(found[1]))
        return format_html('<a href="{}">{}</a>', address, found[1]) if address else found[1]

    return _MARKED.sub(shown, html)


def _name(written: str) -> ItemName:
    project, _, number = written.rpartition("#")
    return ItemName(project.lower(), int(number))
