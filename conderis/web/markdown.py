"""Markdown as HTML that is safe to show: no markup of its own, no script, nothing loaded.

What is dear to render is shown as its source. markdown-it's rules are asked at every
position of a text, so a rule that looks at the clock ends what takes too long; no thread
is needed, and none is killed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import thread_time
from typing import Any, Final

import nh3
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

MOST_CHARACTERS: Final = 65_536
MOST_BRACKETS: Final = 1_000
"""`[` in a row; each may begin a link, so every one looks ahead to the end."""
MOST_SECONDS: Final = 1.0
"""Processor time of the thread, so that a busy machine shows a text as an idle one does."""
LOWEST_HEADING: Final = 6
ANCHOR: Final = "h-"
"""Before every id made of a heading, so that no text can take an id of the page."""

_LINK = re.compile(r"(?:https?://|mailto:|#)", re.IGNORECASE)
_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")
_HEADINGS = frozenset(f"h{level}" for level in range(1, LOWEST_HEADING + 1))
_TAGS = _HEADINGS | {
    "a", "blockquote", "br", "code", "div", "em", "hr", "li", "ol", "p", "pre", "s", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES: dict[str, set[str]] = {
    "*": set(),  # no titles either: words that show only under a pointer
    "a": {"href"},
    "div": {"tabindex"},
    "ol": {"start"},
    "pre": {"tabindex"},
    **{name: {"id"} for name in _HEADINGS},
}
_CLASSES = {"div": {"prose-scroll"}, "td": {"r"}, "th": {"r"}}


class _TooDearError(Exception):
    """The text takes longer than it may."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a text: its level on the page, its words, and the id to link to."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text as HTML, and its headings in order; none where the source is shown."""

    html: SafeString
    headings: tuple[Heading, ...]


def render(text: str, *, base_level: int = 2) -> SafeString:
    """The text as HTML, for a block with class `prose`. See `render_outlined`."""
    return render_outlined(text, base_level=base_level).html


def render_outlined(text: str, *, base_level: int = 2) -> Rendered:
    """The text as HTML with its headings; a first-level heading gets `base_level`.

    Links lead to http, https and mailto addresses and to headings of the text; anything
    else in their place stays as it was written. An image becomes a link to it. A text of
    over 65,536 characters, or that takes over a second, is shown as source, with a word why.
    """
    clean = _HALF_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", text)
    if len(clean) > MOST_CHARACTERS:
        return _source(clean, _("Shown as written: it has over 65,536 characters."))
    if "[" * (MOST_BRACKETS + 1) in clean:
        return _source(clean, _("Shown as written: it has too many brackets in a row."))
    env: dict[str, Any] = {
        "base_level": base_level,
        "headings": [],
        "anchors": {},
        "until": thread_time() + MOST_SECONDS,
    }
    try:
        html = _PARSER.render(clean, env)
    except _TooDearError:
        return _source(clean, _("Shown as written: to lay it out would take over a second."))
    safe = nh3.clean(
        html,
        tags=set(_TAGS),
        attributes=_ATTRIBUTES,
        allowed_classes=_CLASSES,
        attribute_filter=_allowed_value,
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener ugc",
        set_tag_attribute_values={"pre": {"tabindex": "0"}},
    )
    return Rendered(mark_safe(safe), tuple(env["headings"]))  # noqa: S308 - nh3 made it safe


def _source(text: str, why: str) -> Rendered:
    html = format_html(
        '<p class="meta">{}</p><pre class="kept source" tabindex="0">{}</pre>', why, text
    )
    return Rendered(html, ())


def _allowed_value(_tag: str, name: str, value: str) -> str | None:
    return value if name != "href" or _LINK.match(value) else None


# --- Rules of our own, beside markdown-it's -------------------------------------------


def _watch_block(state: StateBlock, _start: int, _end: int, _silent: bool) -> bool:  # noqa: FBT001 - the signature of rules
    return _watch(state.env)


def _watch_inline(state: StateInline, _silent: bool) -> bool:  # noqa: FBT001 - the signature of rules
    return _watch(state.env)


def _watch(env: Any) -> bool:
    if thread_time() > env["until"]:
        raise _TooDearError
    return False


def _adapt(state: StateCore) -> None:
    """Fit what was parsed into a page: levels of headings, links, images, columns."""
    for at, token in enumerate(state.tokens):
        if token.type in {"heading_open", "heading_close"}:
            level = state.env["base_level"] - 1 + int(token.tag[1])
            token.tag = f"h{min(level, LOWEST_HEADING)}"
        if token.type == "heading_open":
            _name_heading(token, _words(state.tokens[at + 1].children or ()), state.env)
        elif token.type in {"th_open", "td_open"}:
            style = str(token.attrs.pop("style", ""))
            if style.endswith("right"):
                token.attrs["class"] = "r"
        elif token.type == "inline":
            token.children = list(_tamed(token.children or ()))


def _name_heading(token: Token, words: str, env: Any) -> None:
    slug = slugify(words, allow_unicode=True) or "section"
    seen = env["anchors"][slug] = env["anchors"].get(slug, 0) + 1
    anchor = f"{ANCHOR}{slug}" if seen == 1 else f"{ANCHOR}{slug}-{seen}"
    token.attrs["id"] = anchor
    env["headings"].append(Heading(int(token.tag[1]), words, anchor))


def _tamed(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens with fragments that lead to our ids, and links for images.

    An image inside a link is its words alone: a link cannot hold another.
    """
    inside = False
    for token in tokens:
        if token.type == "image":
            yield from _image_link(token, inside=inside)
            continue
        if token.type == "link_open":
            inside = True
            href = str(token.attrs.get("href", ""))
            if href.startswith("#"):
                token.attrs["href"] = f"#{ANCHOR}{href[1:]}"
        elif token.type == "link_close":
            inside = False
        yield token


def _image_link(image: Token, *, inside: bool) -> Iterator[Token]:
    source = str(image.attrs.get("src", ""))
    words = Token("text", "", 0, content=_("Image: %s") % (_words(image.children or ()) or source))
    if inside:
        yield words
        return
    yield Token("link_open", "a", 1, attrs={"href": source})
    yield words
    yield Token("link_close", "a", -1)


def _words(tokens: Sequence[Token]) -> str:
    """What the tokens say, without marks."""
    said = []
    for token in tokens:
        if token.type in {"text", "code_inline"}:
            said.append(token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            said.append(" ")
        elif token.type == "image":
            said.append(_words(token.children or ()))
    return "".join(said).strip()


def _table_open(_renderer: object, *_args: object) -> str:
    return '<div class="prose-scroll" tabindex="0"><table>\n'


def _table_close(_renderer: object, *_args: object) -> str:
    return "</table></div>\n"


class _Parser(MarkdownIt):
    """markdown-it with our rule of what a link may lead to."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - named by markdown-it
        return _LINK.match(url) is not None


def _made_parser() -> MarkdownIt:
    parser = _Parser("commonmark", {"html": False, "linkify": False})
    parser.enable(["table", "strikethrough"])
    everywhere = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("table", "watch", _watch_block, {"alt": everywhere})
    parser.inline.ruler.before("text", "watch", _watch_inline)
    parser.core.ruler.push("adapt", _adapt)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", _table_close)
    # The lists of rules are made by the first text: here, before threads share them.
    parser.render("*a*", {"base_level": 2, "until": thread_time() + MOST_SECONDS})
    return parser


_PARSER: Final = _made_parser()
