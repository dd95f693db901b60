"""markdown-it with rules of our own: what a text may become on a page.

Its rules are asked at every position of a text, so a rule that looks at the clock ends what
takes too long; no thread is needed, and none is killed.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from time import thread_time
from typing import Any, Final

from django.utils.text import slugify
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from conderis.web.markdown.colouring import Allowance, coloured, language_name, language_of
from conderis.web.markdown.references import REFERENCE, mark_references, reference_html
from conderis.web.markdown.values import Heading

LOWEST_HEADING: Final = 6
ANCHOR: Final = "h-"
"""Before every id made of a heading, so that no text can take an id of the page."""
MOST_OF_LANGUAGE: Final = 40  # characters of a language that is not known

LINK: Final = re.compile(r"(?:https?://|mailto:|#)", re.IGNORECASE)
_REMOTE: Final = re.compile(r"https?://", re.IGNORECASE)
_LANGUAGE: Final = re.compile(r"[^\s,:{}.][^\s,:{}]*")


class TooDearError(Exception):
    """The text takes longer than it may."""


@dataclass(slots=True)
class Laying:
    """What rules know of the text that they are asked about, and what they found."""

    base_level: int
    until: float  # processor time of the thread
    headings: list[Heading] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    seen: dict[str, int] = field(default_factory=dict)  # the last number behind each of them
    allowance: Allowance = field(default_factory=Allowance)


def parse(text: str, laying: Laying) -> str:
    """The text as HTML, which is to be cleaned; its headings are added to `laying`.

    Raises:
        TooDearError: it takes longer than `laying.until`.
    """
    return str(_PARSER.render(text, {"laying": laying}))


# --- Rules of parsing -----------------------------------------------------------------


def _watch_block(state: StateBlock, _start: int, _end: int, _silent: bool) -> bool:  # noqa: FBT001 - the signature of rules
    return _watch(state.env)


def _watch_inline(state: StateInline, _silent: bool) -> bool:  # noqa: FBT001 - the signature of rules
    return _watch(state.env)


def _watch(env: Any) -> bool:
    if thread_time() > env["laying"].until:
        raise TooDearError
    return False


def _adapt(state: StateCore) -> None:
    """Fit what was parsed into a page: levels of headings, links, images, columns, direction."""
    laying: Laying = state.env["laying"]
    for at, token in enumerate(state.tokens):
        if token.level == 0 and token.nesting == 1:
            # A block inside another follows it: a mark of its own would hide it from that.
            token.attrs["dir"] = "auto"
        if token.type in {"heading_open", "heading_close"}:
            level = laying.base_level - 1 + int(token.tag[1])
            token.tag = f"h{min(level, LOWEST_HEADING)}"
        if token.type == "heading_open":
            _name_heading(token, _words(state.tokens[at + 1].children or ()), laying)
        elif token.type in {"th_open", "td_open"}:
            style = str(token.attrs.pop("style", ""))
            if style.endswith("right"):
                token.attrs["class"] = "r"
        elif token.type == "code_block":
            token.attrs["dir"] = "ltr"
        elif token.type == "inline":
            token.children = list(_tamed(token.children or ()))


def _name_heading(token: Token, words: str, laying: Laying) -> None:
    slug = slugify(words, allow_unicode=True) or "section"
    seen = laying.seen.get(slug, 0) + 1
    while (anchor := f"{ANCHOR}{slug}{f'-{seen}' if seen > 1 else ''}") in laying.anchors:
        seen += 1  # another heading says "a 2"
    laying.seen[slug] = seen
    laying.anchors.add(anchor)
    token.attrs["id"] = anchor
    laying.headings.append(Heading(int(token.tag[1]), words, anchor))


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
        elif token.type == "code_inline":
            token.attrs["dir"] = "ltr"  # and so says nothing of the block around it
        yield token


def _image_link(image: Token, *, inside: bool) -> Iterator[Token]:
    source = str(image.attrs.get("src", ""))
    words = Token("text", "", 0, content=_("Image: %s") % (_words(image.children or ()) or source))
    if inside or not _REMOTE.match(source):
        yield words
        return
    yield Token("link_open", "a", 1, attrs={"href": source})
    yield words
    yield Token("link_close", "a", -1)


def _words(tokens: Sequence[Token]) -> str:
    """What the tokens say, without marks."""
    said = []
    for token in tokens:
        if token.type in {"text", "code_inline", REFERENCE}:
            said.append(token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            said.append(" ")
        elif token.type == "image":
            said.append(_words(token.children or ()))
    return "".join(said).strip()


# --- Rules of rendering ---------------------------------------------------------------


def _table_open(renderer: Any, tokens: Sequence[Token], at: int, *_args: object) -> str:
    return f'<div class="prose-scroll" tabindex="0"><table{renderer.renderAttrs(tokens[at])}>\n'


def _table_close(_renderer: object, *_args: object) -> str:
    return "</table></div>\n"


def _list_item_open(renderer: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    html = str(renderer.renderToken(tokens, at, options, env))
    return html if tokens[at + 1].type == "paragraph_open" else html + _task_box(tokens[at])


def _paragraph_open(renderer: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    html = str(renderer.renderToken(tokens, at, options, env))
    return html + _task_box(tokens[at - 1]) if at else html


def _task_box(entry: Token) -> str:
    """What stands before a task of a list and says how it is; of other tokens nothing."""
    done = entry.meta.get("checked")
    if done is None:
        return ""
    word, checked = (_("Done"), " checked") if done else (_("Not done"), "")
    return f'<input type="checkbox" aria-label="{escape(word)}"{checked}> '


def _fence(_renderer: object, tokens: Sequence[Token], at: int, _options: Any, env: Any) -> str:
    """Code; one that names its language shows it above, and is coloured if we know it."""
    token, allowance = tokens[at], env["laying"].allowance
    found = _LANGUAGE.search(token.info)
    if found is None:
        return f'<pre dir="ltr"><code>{escape(token.content)}</code></pre>\n'
    language = language_of(found[0])
    name = language_name(language) if language else found[0][:MOST_OF_LANGUAGE]
    code = coloured(token.content, language, allowance) if language else None
    return (
        f'<figure class="code"><figcaption>{escape(name)}</figcaption>'
        f'<pre dir="ltr"><code>{code or escape(token.content)}</code></pre></figure>\n'
    )


class _Parser(MarkdownIt):
    """markdown-it with our rule of what a link may lead to."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - named by markdown-it
        return LINK.match(url) is not None


def _made_parser() -> MarkdownIt:
    parser = _Parser("commonmark", {"html": False, "linkify": False, "tasklists": True})
    parser.enable(["table", "strikethrough"])
    everywhere = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("table", "watch", _watch_block, {"alt": everywhere})
    parser.inline.ruler.before("text", "watch", _watch_inline)
    parser.core.ruler.before("text_join", "references", mark_references)
    parser.core.ruler.push("adapt", _adapt)
    rules: dict[str, Callable[..., str]] = {
        "table_open": _table_open,
        "table_close": _table_close,
        "list_item_open": _list_item_open,
        "paragraph_open": _paragraph_open,
        "fence": _fence,
        REFERENCE: reference_html,
    }
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    # The lists of rules are made by the first text: here, before threads share them.
    parser.render("*a*", {"laying": Laying(2, thread_time() + 1)})
    return parser


_PARSER: Final = _made_parser()
