"""The Atom feed of a project's activity."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from pytest_django import Settings

from conderis.accounts.models import Person
from projects.models import Project
from projects.services import change_project
from tests.factories import agent_caller, make_project, person_caller
from tests.items.calls import change, create
from tests.privacy.deletions import ask, erase
from tests.web.deletion_pages import opened, text_of

FEED = "/alice/commons/activity/feed/"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def commons(alice: Person) -> Project:
    return make_project(alice, "commons", is_public=True, description="Tea & cake")


def read(answer: Any) -> ET.Element:
    """The feed, parsed."""
    return ET.fromstring(answer.content)  # noqa: S314 - our own answer


def entries(answer: Any, what: str) -> list[str]:
    """A text of each entry."""
    return [str(entry.findtext(f"{ATOM}{what}")) for entry in read(answer).iter(f"{ATOM}entry")]


def test_everybody_reads_the_feed_of_a_public_project(
    commons: Project, alice: Person, client: Client
) -> None:
    create(person_caller(alice), commons, "page", title="<b>Guide</b>")
    create(agent_caller(alice), commons, "task", title="Ship")
    change(person_caller(alice), commons, 2, 1, title="Ship & shop")

    answer = client.get(FEED)
    feed = read(answer)

    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert feed.findtext(f"{ATOM}title") == "Activity in alice/commons"
    assert feed.findtext(f"{ATOM}subtitle") == "Tea & cake"
    assert entries(answer, "title") == [
        "Changed: \u2068Ship & shop\u2069 (#2)",
        "Created: \u2068Ship & shop\u2069 (#2)",
        "Created: \u2068<b>Guide</b>\u2069 (#1)",
    ]
    assert entries(answer, "summary") == ["Changed: Title", "Created", "Created"]
    assert entries(answer, f"author/{ATOM}name") == ["Alice", "Alice through robo", "Alice"]
    assert feed.findtext(f"{ATOM}updated") == entries(answer, "updated")[0]
    assert not answer.cookies
    assert b"canary" not in answer.content


def test_entries_are_at_most_fifty(commons: Project, alice: Person, client: Client) -> None:
    for number in range(52):
        create(person_caller(alice), commons, "task", title=f"Task {number}")

    assert len(entries(client.get(FEED), "id")) == 50


def test_ids_stay_when_item_and_project_are_renamed(
    commons: Project, alice: Person, client: Client
) -> None:
    create(person_caller(alice), commons, "page", title="Guide")
    before = client.get(FEED)
    change(person_caller(alice), commons, 1, 1, title="The guide")
    change_project(person_caller(alice), commons.public_id, fields={"name": "green"})

    assert client.get(FEED)["Location"] == "/alice/green/activity/feed/"
    after = client.get("/alice/green/activity/feed/")

    assert entries(after, "id")[1:] == entries(before, "id")
    assert len(set(entries(after, "id"))) == 2
    assert read(after).findtext(f"{ATOM}id") == read(before).findtext(f"{ATOM}id")
    assert entries(before, "id")[0].startswith("tag:testserver,20")


def test_it_is_valid_xml_whatever_titles_and_names_hold(
    commons: Project, alice: Person, client: Client
) -> None:
    titles = ["a\u0001b", "\u202eright\ufffe", "שלום עולם", "]]> <!-- & \x7f", "🫖"]
    for title in titles:
        create(person_caller(alice), commons, "page", title=title)
    Person.objects.filter(pk=alice.pk).update(display_name="Ali\u0008ce & Co")

    answer = client.get(FEED)

    assert "Created: \u2068שלום עולם\u2069 (#3)" in entries(answer, "title")
    assert set(entries(answer, f"author/{ATOM}name")) == {"Ali\ufffdce & Co"}


def test_a_reader_that_has_it_gets_304_until_something_happens_or_vanishes(
    commons: Project, alice: Person, client: Client
) -> None:
    owner = person_caller(alice)
    create(owner, commons, "page", title="Zanzibar")
    create(owner, commons, "page", title="Other")
    first = client.get(FEED)

    def again(etag: str) -> Any:
        return client.get(
            FEED, headers={"If-None-Match": etag, "If-Modified-Since": first["Last-Modified"]}
        )

    assert again(first["ETag"]).status_code == 304
    assert again(first["ETag"])["Cache-Control"] == "no-cache"

    ask(owner, commons, 1)
    locked = again(first["ETag"])
    assert locked.status_code == 200
    assert b"Zanzibar" not in locked.content

    erase(alice, str(ask(owner, commons, 2)))
    assert again(locked["ETag"]).status_code == 200
    assert entries(client.get(FEED), "id") == []


def test_an_empty_feed_is_the_same_each_time(commons: Project, client: Client) -> None:
    first = client.get(FEED)

    assert client.get(FEED, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_a_private_one_is_for_its_readers_and_ends_with_the_publicity(
    commons: Project, alice: Person, mallory: Person, client: Client
) -> None:
    create(person_caller(alice), commons, "page", title="Guide")
    etag = client.get(FEED)["ETag"]

    Project.objects.update(is_public=False)

    answer = client.get(FEED, headers={"If-None-Match": etag})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in/")
    assert opened(mallory, FEED).status_code == 404
    assert opened(alice, FEED).status_code == 200


def test_pages_name_the_feed_and_addresses_are_those_that_people_use(
    commons: Project, alice: Person, client: Client, settings: Settings
) -> None:
    create(person_caller(alice), commons, "page", title="Guide")
    settings.PUBLIC_ORIGIN = "https://memory.example.com"

    page = text_of(client.get("/alice/commons/items/1/"))
    feed = client.get(FEED)

    named = 'type="application/atom+xml" title="Activity in alice/commons"'
    assert f'<link rel="alternate" {named} href="{FEED}">' in page
    links = [str(each.get("href")) for each in read(feed).iter(f"{ATOM}link")]
    assert links == [
        "https://memory.example.com/alice/commons/activity/",
        f"https://memory.example.com{FEED}",
        "https://memory.example.com/alice/commons/items/1/",
    ]
    assert entries(feed, "id")[0].startswith("tag:memory.example.com,20")
