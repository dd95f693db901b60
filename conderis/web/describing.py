"""What a link to a public page says elsewhere: title, description, the page's own address.

Only for who is not signed in, as those are who ask for it: search engines and chats. So no
word of what a person may read stands there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from django.http import HttpRequest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from conderis.common.text import cut_at_word
from conderis.web.items.reading import ShownItem
from conderis.web.projects.frame import ProjectFrame
from conderis.web.reaching import public
from conderis.web.robots import LISTED

MOST: Final = 200  # characters of a description
_LOOKED_AT: Final = 2000  # characters of a text that a description is made of
_PARSER: Final = MarkdownIt("commonmark")


@dataclass(frozen=True, slots=True)
class Described:
    """What stands in a page's head. `listed` is false where nothing is left to read."""

    title: str
    description: str
    type: str
    address: str
    listed: bool


def described(context: Mapping[Any, Any]) -> Described | None:
    """The description of the page that a template shows; None where it needs none."""
    request, frame, item = (context.get(name) for name in ("request", "frame", "item"))
    if not isinstance(request, HttpRequest) or not isinstance(frame, ProjectFrame):
        return None
    match = request.resolver_match
    if not frame.caller.is_nobody or match is None or match.view_name not in LISTED:
        return None
    address = public(request.build_absolute_uri(request.path))
    if isinstance(item, ShownItem):
        return _of_item(frame, item, address)
    heading = str(context.get("heading", ""))
    title = f"{heading} · {frame.full_name}" if heading else frame.full_name
    return Described(title, cut_at_word(frame.description, MOST), "website", address, listed=True)


def _of_item(frame: ProjectFrame, item: ShownItem, address: str) -> Described:
    title = item.title or f"#{item.number}"
    said = ""
    if item.is_readable:
        said = str(item.answer.get("summary") or first_words(str(item.answer.get("content") or "")))
    return Described(
        f"{title} · {frame.full_name}",
        cut_at_word(said, MOST),
        "article",
        address,
        listed=item.is_readable,
    )


def first_words(text: str) -> str:
    """The first paragraph of a Markdown text without its marks; "" where it has none."""
    tokens = _PARSER.parse(text[:_LOOKED_AT])
    for before, token in pairwise(tokens):
        if before.type == "paragraph_open":
            words = " ".join(_words(token.children or ()).split())
            if words:
                return words
    return ""


def _words(tokens: Sequence[Token]) -> str:
    said = []
    for token in tokens:
        if token.type in {"text", "code_inline"}:
            said.append(token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            said.append(" ")
    return "".join(said)
