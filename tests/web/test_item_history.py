"""The history of an item, and an item as it was at a version."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conderis.accounts.models import Person
from items.models import ItemEvent
from items.requests import Address, DeletionCall
from privacy.deciding import erase
from privacy.requesting import request_deletion
from projects.models import Project
from proposals.reviewing import approve
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create
from tests.web.test_item_pages import at, page

CANARY = "zanzibar"


def words_of(shown: str) -> str:
    """The words of a page in a row."""
    main = shown.partition("<main")[2]
    return " ".join(re.sub(r"<[^>]*>", " ", main).split())


def versions(project: Project, alice: Person, count: int, **first: object) -> None:
    """A page with so many versions."""
    create(person_caller(alice), project, "page", title="Guide", content="words 1", **first)
    for version in range(1, count):
        change(person_caller(alice), project, 1, version, content=f"words {version + 1}")


def test_an_event_says_who_did_what_through_which_agent_and_who_approved_it(
    client: Client, project: Project, alice: Person, bob: Person, *, carol: Person, rita: Person
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="one")
    robo = agent_caller(bob, "robo")
    answer = change(robo, project, 1, 1, reason="It was wrong", content="two", title="Manual")
    approve(person_caller(carol), str(answer["proposal"]), version=1)

    words = words_of(page(client, rita, at("item-history", number=1)))

    for said in ("2 versions", "Changed", "Bob", "robo", "approved by Carol", "It was wrong",
                 "Title, Content", "Current", "Created", "Alice"):  # fmt: skip
        assert said in words, said


@pytest.mark.parametrize("kind", ["task", "memory", "page"])
def test_every_kind_has_its_events_in_words(
    client: Client, project: Project, alice: Person, rita: Person, *, kind: str
) -> None:
    owner = person_caller(alice)
    shared = {"visibility": "shared"} if kind == "memory" else {}
    create(owner, project, kind, title="One", **shared)
    if kind == "task":
        act(owner, project, 1, "claim", 1)
        act(owner, project, 1, "block", 2, reason="no network")
        act(owner, project, 1, "unblock", 3)
        act(owner, project, 1, "complete", 4)
        expected: tuple[str, ...] = (
            "Created",
            "Claimed",
            "Blocked",
            "no network",
            "Unblocked",
            "Completed",
        )
    else:
        act(owner, project, 1, "archive", 1)
        act(owner, project, 1, "restore", 2)
        expected = ("Created", "Archived", "Restored")

    words = words_of(page(client, rita, at("item-history", number=1)))

    for said in expected:
        assert said in words, said


def test_times_are_in_the_zone_of_the_reader_with_the_exact_one_on_hover(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    versions(project, alice, 1)
    ItemEvent.objects.update(at=datetime(2026, 1, 31, 23, 30, tzinfo=UTC))
    rita.time_zone = "Asia/Tokyo"
    rita.save()

    shown = page(client, rita, at("item-history", number=1))

    assert (
        '<time datetime="2026-01-31T23:30:00Z" title="2026-02-01 08:30:00 JST">2026-02-01</time>'
        in shown
    )


def test_one_version_is_counted_as_one_and_cannot_be_compared(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    versions(project, alice, 1)

    shown = page(client, rita, at("item-history", number=1))

    assert "1 version<" in shown
    assert 'type="radio"' not in shown
    assert "Compare the two" not in shown


def test_the_newest_two_are_chosen_and_the_form_leads_to_their_comparison(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    versions(project, alice, 5)

    shown = page(client, rita, at("item-history", number=1))

    assert f'action="{at("item-compare", number=1)}"' in shown
    assert re.findall(r'name="(\w+)" value="(\d)" checked', shown) == [("to", "5"), ("from", "4")]
    assert f"{at('item-compare', number=1)}?from=2&amp;to=3" in shown


def test_older_events_come_page_after_page_and_each_just_once(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    versions(project, alice, 45)

    seen: list[str] = []
    path = at("item-history", number=1)
    while path:
        shown = page(client, rita, path)
        seen += re.findall(r'name="from" value="(\d+)"', shown)
        older = re.search(r'href="([^"]*)">Older', shown)
        path = older[1] if older else ""

    assert [int(version) for version in seen] == list(range(45, 0, -1))


def test_the_history_costs_the_same_however_many_versions_it_shows(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    counts = []
    versions(project, alice, 2)
    page(client, rita, at("item-history", number=1))
    for more in (0, 12):
        for version in range(2, 2 + more):
            change(person_caller(alice), project, 1, version, content=f"words {version + 1}")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page(client, rita, at("item-history", number=1))
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_an_older_version_says_which_it_is_and_leads_on(
    client: Client, project: Project, alice: Person, bob: Person
) -> None:
    versions(project, alice, 7)
    ItemEvent.objects.filter(version=3).update(at=timezone.now() - timedelta(hours=2))

    shown = page(client, bob, at("item-version", number=1, version=3))

    assert "Version 3 of 7, changed 2 hours ago by Alice. Version 7 stands." in words_of(
        shown
    ).replace(" ,", ",").replace(" .", ".")
    assert "words 3" in shown
    for href in (
        at("item-version", number=1, version=2),
        at("item-version", number=1, version=4),
        f"{at('item-compare', number=1)}?from=3&amp;to=7",
        at("item-version-restore", number=1, version=3),
        at("item", number=1),
    ):
        assert f'href="{href}"' in shown, href


def test_the_first_and_the_last_version_lead_one_way_only(
    client: Client, project: Project, alice: Person, bob: Person
) -> None:
    versions(project, alice, 2)

    first = page(client, bob, at("item-version", number=1, version=1))
    last = page(client, bob, at("item-version", number=1, version=2))

    assert 'rel="prev"' not in first
    assert 'rel="next"' in first
    assert 'rel="prev"' in last
    assert 'rel="next"' not in last
    assert at("item-version-restore", number=1, version=2) not in last


def test_a_version_shows_the_fields_that_it_had(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "task", title="Then", content="# Old", tags=["red"], priority="high",
           due="2026-12-31", commits=["a" * 40], assignee="me")  # fmt: skip
    change(owner, project, 1, 1, title="Now", content="New", tags=[], priority="low", due=None,
           commits=[], assignee=None)  # fmt: skip

    words = words_of(page(client, rita, at("item-version", number=1, version=1)))

    for said in ("Then", "Old", "red", "High", "2026-12-31", "a" * 40, "Alice"):
        assert said in words, said


def test_a_reader_is_offered_nothing_that_needs_writing(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    versions(project, alice, 3)

    shown = page(client, rita, at("item-history", number=1))
    shown += page(client, rita, at("item-version", number=1, version=2))
    shown += page(client, rita, at("item-compare", number=1))

    assert "/restore/" not in shown


def test_a_locked_and_an_erased_version_are_said_and_not_linked(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content=CANARY)
    change(person_caller(alice), project, 1, 1, reason=CANARY, content="two", complete=True)
    change(person_caller(alice), project, 1, 2, content="three", complete=True)
    ref = [
        str(request_deletion(person_caller(alice), DeletionCall(
            Address(project.path, number=1), version=version, reason="x"))["request"])
        for version in (1, 2)
    ]  # fmt: skip
    erase(person_caller(alice), ref[0])

    shown = page(client, rita, at("item-history", number=1))
    pages = [page(client, rita, at("item-version", number=1, version=n)) for n in (1, 2)]

    assert "Erased" in words_of(shown)
    assert "Locked" in words_of(shown)
    assert at("item-version", number=1, version=3) in shown
    for version in (1, 2):
        assert f'href="{at("item-version", number=1, version=version)}"' not in shown
        assert f'name="from" value="{version}"' not in shown
    assert CANARY not in shown + "".join(pages)
    assert "This version was erased." in pages[0]
    assert "A deletion request has locked this." in pages[1]
