"""A text as a reader sees it: laid out, made safe, with links to the items that it names.

What is dear to lay out is shown as its source. What was laid out is kept in memory for some
minutes (`keeping`), the same for every reader; links are put in after that, for this one.
"""

import re
from collections.abc import Collection, Mapping
from time import thread_time
from typing import Final, Protocol

import nh3
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from conderis.web.markdown.colouring import CLASSES
from conderis.web.markdown.keeping import kept
from conderis.web.markdown.parsing import (
    LINK,
    LOWEST_HEADING,
    Laying,
    TooDearError,
    parse,
)
from conderis.web.markdown.references import linked, names_in
from conderis.web.markdown.values import Rendered
from items.linked_numbers import ItemName

MOST_CHARACTERS: Final = 65_536
MOST_BRACKETS: Final = 1_000
"""`[` in a row; each may begin a link, so every one looks ahead to the end."""
MOST_SECONDS: Final = 1.0
"""Processor time of the thread, so that a busy machine shows a text as an idle one does."""

_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")
_HEADINGS = frozenset(f"h{level}" for level in range(1, LOWEST_HEADING + 1))
# Blocks that may stand outside of all others say which way they run.
_BLOCKS = _HEADINGS | {"blockquote", "ol", "p", "table", "ul"}
_TAGS = _BLOCKS | {
    "a", "br", "code", "div", "em", "figcaption", "figure", "hr", "input", "li", "pre", "s",
    "span", "strong", "tbody", "td", "th", "thead", "tr",
}  # fmt: skip
_ATTRIBUTES: dict[str, set[str]] = {
    "*": set(),  # no titles either: words that show only under a pointer
    **{name: {"dir"} for name in _BLOCKS},
    "a": {"href"},
    "code": {"dir"},
    "div": {"tabindex"},
    "input": {"aria-label", "checked"},
    "pre": {"dir"},
    "ol": {"dir", "start"},
    **{name: {"dir", "id"} for name in _HEADINGS},
}
# One each: several would come in any order.
_ALWAYS = {"input": {"disabled": ""}, "pre": {"tabindex": "0"}}
_VALUES = {"input": {"type": {"checkbox"}}}
_CLASSES = {
    "div": {"prose-scroll"},
    "figure": {"code"},
    "li": {"task-list-item"},
    "span": {"ref", *CLASSES},
    "td": {"r"},
    "th": {"r"},
    "ul": {"contains-task-list"},
    "ol": {"contains-task-list"},
}


class Linker(Protocol):
    """Says which items the reader may read: each of those with the address of its page."""

    def __call__(self, names: Collection[ItemName], /) -> Mapping[ItemName, str]:
        """The addresses; what is left out stays words."""
        ...


def render(text: str, *, base_level: int = 2, linker: Linker | None = None) -> SafeString:
    """The text as HTML, for a block with class `prose`. See `render_outlined`."""
    return render_outlined(text, base_level=base_level, linker=linker).html


def render_outlined(text: str, *, base_level: int = 2, linker: Linker | None = None) -> Rendered:
    """The text as HTML with its headings; a first-level heading gets `base_level`.

    Links lead to http, https and mailto addresses, to headings of the text, and to those of
    the items that it names for which the linker has addresses; anything else in their place
    stays as it was written. An image becomes a link to it. A text of over 65,536 characters,
    or that takes over a second, is shown as source, with a word why. Code is coloured as far
    as that costs no more than 0.3 seconds and 20,000 characters.
    """
    laid = kept(text, base_level, make=_lay_out)
    names = names_in(laid.html) if linker is not None else frozenset()
    addresses = linker(names) if linker is not None and names else {}
    html = linked(laid.html, addresses)
    return Rendered(mark_safe(html), laid.headings)  # noqa: S308 - nh3 made it safe


def _lay_out(text: str, base_level: int) -> Rendered:
    """The text with marks where it names items: what is the same for every reader."""
    clean = _HALF_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", text)
    if len(clean) > MOST_CHARACTERS:
        return _source(clean, _("Shown as written: it has over 65,536 characters."))
    if "[" * (MOST_BRACKETS + 1) in clean:
        return _source(clean, _("Shown as written: it has too many brackets in a row."))
    laying = Laying(base_level, until=thread_time() + MOST_SECONDS)
    try:
        html = parse(clean, laying)
    except TooDearError:
        return _source(clean, _("Shown as written: to lay it out would take over a second."))
    safe = nh3.clean(
        html,
        tags=set(_TAGS),
        attributes=_ATTRIBUTES,
        tag_attribute_values=_VALUES,
        allowed_classes=_CLASSES,
        attribute_filter=_allowed_value,
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer ugc",
        set_tag_attribute_values=_ALWAYS,
    )
    return Rendered(mark_safe(safe), tuple(laying.headings))  # noqa: S308 - nh3 made it safe


def _source(text: str, why: str) -> Rendered:
    html = format_html(
        '<p class="meta">{}</p><pre class="kept source" dir="auto" tabindex="0">{}</pre>',
        why,
        text,
    )
    return Rendered(html, ())


def _allowed_value(_tag: str, name: str, value: str) -> str | None:
    return value if name != "href" or LINK.match(value) else None
