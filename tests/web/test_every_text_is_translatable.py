"""A pseudo-language marks every text that goes through gettext: what has no mark, does not.

What people wrote (class kept), machine strings (class num, code, pre) and times are no
texts of the product. Refusals of services, which agents read too, are English alone; the
pages that are walked here show none.
"""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import trans_real

from conderis.accounts.models import Person
from items.models import Item
from projects.models import Project
from tests.web.crawling import crawl
from tests.web.test_addresses_stay_hidden import BACKEND, world

__all__ = ["world"]

OPEN, CLOSE = "⟦", "⟧"
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "use", "path"}
NOT_OURS = {"script", "style", "code", "pre", "kbd", "time", "svg"}
SHOWN = ("aria-label", "alt", "placeholder", "title")
# Names that are the same in every language.
NAMES = re.compile(
    r"\b(Conderis|(?:item|project)_[a-z]+|MCP|JSON|TOML|OAuth|stdio|recall|HTTP|URL|UTC|ID|Markdown|AGENTS\.md|CLAUDE\.md|"
    r"Claude Code|Claude Desktop|Codex|Cursor|VS Code|Gemini CLI|Windsurf|English|Deutsch|x)\b"
)


class Texts(HTMLParser):
    """Collects the texts of a page that people read as the product's."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[bool] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        words = set(given.get("class", "").split())
        foreign = (
            any(self.stack)
            or tag in NOT_OURS
            or bool({"kept", "num", "prose", "version"} & words)
            or given.get("translate") == "no"
            or (tag != "html" and "lang" in given)
        )
        if not foreign:
            self.found += [given[name] for name in SHOWN if given.get(name)]
        if tag not in VOID:
            self.stack.append(foreign)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and self.stack:
            self.stack.pop()

    def handle_data(self, data: str) -> None:
        if not any(self.stack) and data.strip():
            self.found.append(data.strip())


def unmarked(texts: list[str]) -> list[str]:
    """What is left of texts without what is marked, names and everything but letters.

    A mark may begin in one text and end in a later one: a tag can stand between.
    """
    depth, left = 0, []
    for text in texts:
        kept = []
        for sign in text:
            depth += (sign == OPEN) - (sign == CLOSE)
            if depth == 0 and sign not in (OPEN, CLOSE):
                kept.append(sign)
        bare = NAMES.sub("", "".join(kept))
        left.append(" ".join(re.findall(r"[^\W\d_][^\W_]*(?:[-.'/][^\W_]+)*", bare)))
    return left


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    def marking(real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given: f"{OPEN}{real(*given)}{CLOSE}"

    translation.gettext("")  # so that the functions are in place
    functions = vars(translation)["_trans"]
    for name in ("gettext", "ngettext", "pgettext", "npgettext"):
        monkeypatch.setattr(functions, name, marking(getattr(trans_real, name)))


@pytest.mark.no_database
def test_the_marks_tell_a_text_that_goes_through_gettext_from_one_that_does_not() -> None:
    page = Texts()
    page.feed(
        '<h1>⟦Settings⟧</h1><p>Bare</p><p class="kept">Alice</p><input placeholder="Naked">'
        "<p>⟦Sent by ⟦Ann⟧⟧: 12</p><p>⟦Put <b>this</b> there⟧</p>"
    )

    assert unmarked(page.found) == ["", "Bare", "Naked", "", "", "", ""]


def without_titles(text: str) -> str:
    """The text without an item's title at its beginning: that of the window has no mark-up."""
    for title in Item.objects.exclude(title="").values_list("title", flat=True):
        text = text.removeprefix(title)
    return text.strip()


@pytest.mark.parametrize("who", ["nobody", "alice"])
def test_every_text_of_every_page_goes_through_gettext(
    client: Client, world: dict[str, Person], project: Project, pseudo: None, who: str
) -> None:
    names = {word for person in world.values() for word in (person.handle, person.display_name)}
    names |= {"alice/shop", "alice/commons", "guild/handbook", "guild", "Agent", "of"}
    names |= {"The", "Guild", "shop", "commons", "handbook"}
    if who != "nobody":
        client.force_login(world[who], backend=BACKEND)

    pages = crawl(client, "/", "/alice/shop/", "/organizations/guild/")

    bare: dict[str, list[str]] = {}
    for address, answer in pages.items():
        if address.startswith("/admin/") or "text/html" not in answer.get("Content-Type", ""):
            continue
        page = Texts()
        page.feed(answer.content.decode())
        for left in map(without_titles, unmarked(page.found)):
            if left and not names.issuperset(left.split()):
                bare.setdefault(left, []).append(address)
    assert {text: places[0] for text, places in bare.items()} == {}
