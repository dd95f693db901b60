"""On no page does a text of people or agents run, load or lead anywhere that it must not."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from conderis.accounts.models import Person
from conderis.web.projects.instructions import store_instructions
from items.models import Item
from projects.models import Project
from proposals.organization_instructions import store_organization_instructions
from tests.factories import person_caller
from tests.items.calls import act, change, create
from tests.privacy.deletions import ask
from tests.projects.making import make_organization
from tests.proposals.batches import memory, send
from tests.proposals.reviews import propose, propose_new, robo
from tests.web.markdown_texts import ATTACKS, LEADING_NOWHERE
from tests.web.moderation_pages import at as review_at
from tests.web.moderation_pages import opened
from tests.web.signing_in_steps import BACKEND

HANDED = Path(__file__).parents[3] / "shared" / "cases" / "files" / "tricky-strings-handed.json"
SHOP = "/alice/shop/"
# Half an emoji and U+0000 are refused when they are stored.
STORABLE = [each.replace("\0", "").replace("\ud83d", "") for each in ATTACKS]
TEXT = "\n\n".join(STORABLE)
ATOM = "{http://www.w3.org/2005/Atom}"
OF_FEEDS = {"feed", "title", "subtitle", "link", "id", "updated", "published", "entry", "author",
            "name", "uri", "summary", "content", "rights", "category"}  # fmt: skip
LOADING = {"src", "srcset", "poster", "data", "background", "action", "formaction", "xlink:href"}


class Pages(HTMLParser):
    """What a page would run, load or lead to, without what the product itself puts there."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.handlers: list[tuple[str, str]] = []
        self.loaded: set[str] = set()
        self.led_to: set[str] = set()
        self.inline: list[str] = []
        self._script = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._script = tag in {"script", "style"}
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.handlers.append((tag, name))
            elif name in LOADING or (name == "href" and tag in {"link", "use", "base"}):
                self.loaded.add(value or "")
            elif name == "href":
                self.led_to.add(value or "")

    def handle_data(self, data: str) -> None:
        if self._script and data.strip():
            self.inline.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._script = self._script and tag not in {"script", "style"}


def assert_safe(page: str, path: str) -> None:
    seen = Pages(page)
    assert not seen.handlers, path
    assert not seen.inline, path
    for address in seen.loaded:
        assert re.fullmatch(r"/(?!/).*|\?.*|", address), (path, address)
    for address in seen.led_to:
        assert re.match(r"/(?!/)|\?|#|$|https?:|mailto:", address), (path, address)
        assert not re.match(LEADING_NOWHERE, address, re.IGNORECASE), (path, address)


@pytest.fixture
def paths(project: Project, alice: Person, bob: Person, carol: Person) -> list[str]:
    """Pages of a project whose every text is hostile."""
    owner, title = person_caller(alice), "[x](javascript:alert(1)) <script>alert(1)</script>"
    create(owner, project, "page", title=title, content="before", tags=[title[:40]])
    change(owner, project, 1, 1, content=TEXT, reason=title, complete=True)
    create(owner, project, "task", title=title, content=TEXT, assignee="me")
    act(owner, project, 2, "block", 1, reason=title)
    create(owner, project, "memory", title=title[:80], summary=title, content=TEXT[:19_000],
           visibility="shared")  # fmt: skip
    create(owner, project, "page", title=f"{title} too", content=TEXT)
    create(owner, project, "memory", title=title[:80], summary=title, content=TEXT[:19_000],
           visibility="private")  # fmt: skip
    act(owner, project, 1, "relate", target=3, relation="relates")
    own = str(create(owner, None, "memory", title=title[:80], content=TEXT[:19_000])["ref"])
    change(owner, None, own, 1, summary=title, reason=title)
    store_instructions(owner, "alice/shop", content=TEXT, version=0)
    store_instructions(owner, "alice/shop", content=f"{TEXT}\n\nmore", version=1)
    make_organization(alice, members=(carol,))
    store_organization_instructions(owner, handle="acme", content=TEXT, version=0)
    changed = propose(robo(bob), project, 1, content=f"{TEXT}\n\nmore", title=f"{title}!",
                      complete=True, reason=title)  # fmt: skip
    made = propose_new(robo(bob), project, "page", title=f"{title}?", content=TEXT, reason=title)
    sent = send(robo(bob), project,
                memory("a", title=title[:80], summary=title, content=TEXT[:19_000]),
                memory("b", title=f"{title[:80]}!", tags=[title[:40]], parent="a"),
                source=title)  # fmt: skip
    request = ask(owner, project, 4, reason=title)
    personal = f"/memories/{own.removeprefix('memory:')}/"
    items = [f"{SHOP}items/{number}/" for number in (1, 2, 3)]
    reviews = [f"{review_at(ref)}?view={view}" for ref in (changed, made)
               for view in ("split", "inline")]  # fmt: skip
    return [
        SHOP,
        *(f"{SHOP}{tab}/" for tab in ("tasks", "memories", "docs", "hygiene", "moderation",
                                      "moderation/runs", "moderation/deletions", "activity")),
        *(f"{item}{part}" for item in items for part in ("", "edit/", "history/", "history/1/")),
        f"{items[0]}history/compare/?from=1&to=2",
        f"{SHOP}settings/instructions/",
        *(f"{SHOP}settings/instructions/{part}/" for part in ("edit", "history", "versions/1")),
        *(f"/organizations/acme/instructions/{part}" for part in ("", "edit/", "versions/1/")),
        *reviews,
        review_at(str(sent["kinds"]["memory"]["proposal"])),
        f"/deletions/{request.removeprefix('deletion:')}/",
        f"{items[0]}move/",
        f"{items[0]}relate/?relation=relates&q=javascript",
        f"{items[0]}history/1/restore/",
        f"{SHOP}items/5/share/",
        f"{SHOP}picture/",
        "/memories/",
        *(f"{personal}{part}" for part in ("", "edit/", "history/", "history/1/")),
        "/search/?q=javascript",
        f"{SHOP}docs/?q=javascript",
        "/",
    ]  # fmt: skip


def test_no_page_has_a_link_or_a_script_that_a_text_made(
    client: Client, paths: list[str], alice: Person
) -> None:
    for path in paths:
        answer = opened(client, alice, path)
        assert answer.status_code == 200, path
        assert_safe(answer.content.decode(), path)


def test_a_feed_says_hostile_titles_as_they_are_and_leads_to_this_server_alone(
    client: Client, paths: list[str], project: Project, alice: Person
) -> None:
    project.is_public = True
    project.save()

    answer = client.get(f"{SHOP}activity/feed/")
    feed = ET.fromstring(answer.content)  # noqa: S314 - our own answer

    titles = list(feed.iter(f"{ATOM}title"))
    assert any("<script>alert(1)</script>" in (each.text or "") for each in titles)
    for each in feed.iter():
        if each.get("type") == "html":
            assert_safe(each.text or "", each.tag)
            assert "<script" not in (each.text or "")
    assert {each.tag.removeprefix(ATOM) for each in feed.iter()} <= OF_FEEDS
    led_to = {each.get("href", "") for each in feed.iter(f"{ATOM}link")}
    assert led_to
    assert all(address.startswith("http://testserver/") for address in led_to)


def test_forms_that_come_back_and_revealed_content_are_as_safe(
    client: Client, paths: list[str], project: Project, alice: Person
) -> None:
    client.force_login(alice, backend=BACKEND)
    request = next(path for path in paths if path.startswith("/deletions/"))
    sent = {"title": "", "content": TEXT, "tags": TEXT[:99], "version": "1", "reason": TEXT[:99]}
    posted = {
        f"{SHOP}items/1/edit/": sent,  # nobody may leave out the title
        f"{SHOP}items/new/page/": sent,
        f"{SHOP}items/2/act/": {"action": "block", "reason": TEXT[:99], "version": "1"},
        f"{SHOP}settings/instructions/edit/": {"content": TEXT, "version": "1", "reason": ""},
        f"{request}reveal/": {},
    }

    for path, fields in posted.items():
        answer = client.post(path, fields)
        assert answer.status_code in (200, 302, 400, 409), path
        if answer.status_code != 302:
            assert_safe(answer.content.decode(), path)
    assert Item.objects.get(number=1).version == 2


@pytest.mark.skipif(not HANDED.exists(), reason="the handed strings are not beside this repository")
def test_the_handed_strings_are_as_safe_on_the_page_of_an_item(
    client: Client, project: Project, alice: Person
) -> None:
    texts = [str(text) for text in json.loads(HANDED.read_text(encoding="utf-8")).values()]
    texts = [text for text in texts if "\0" not in text]
    create(person_caller(alice), project, "page", title="Handed", content="\n\n".join(texts))

    page = opened(client, alice, f"{SHOP}items/1/").content.decode()

    assert_safe(page, "item")
    assert "<!-- agents" not in page
