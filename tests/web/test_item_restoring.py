"""Restoring an earlier version: as a new one, by the write door, and what stays as it is."""

import re
from typing import Any

import pytest
from django.test import Client

from conderis.accounts.models import Person
from items.models import Item, ItemEvent
from items.requests import Address, DeletionCall
from privacy.deciding import erase
from privacy.requesting import request_deletion
from projects.models import Project
from proposals.models import Proposal
from tests.factories import person_caller
from tests.items.calls import act, change, create, item_at
from tests.web.test_item_history import words_of
from tests.web.test_item_pages import at, page, post

SHA = "a" * 40
BASE = "/alice/shop/settings/instructions/"


def restored(client: Client, person: Person, version: int, over: int, **more: object) -> Any:
    path = at("item-version-restore", number=1, version=version)
    return post(client, person, path, over=over, reason=more.pop("reason", ""), **more)


def two_versions(project: Project, alice: Person) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Guide", content="first words", tags=["old"],
           verifiedAgainst=SHA)  # fmt: skip
    change(owner, project, 1, 1, title="Manual", content="other words", tags=["new"])


def test_a_restored_version_stands_again_as_a_new_one(
    client: Client, project: Project, alice: Person
) -> None:
    two_versions(project, alice)

    answer = restored(client, alice, 1, 2, reason="Too long")

    item = item_at(project, 1)
    event = ItemEvent.objects.get(item=item, version=3)
    assert (item.version, item.title, item.content, item.tags) == (
        3, "Guide", "first words", ["old"])  # fmt: skip
    assert (item.verified_against or {})["commit"] == SHA
    assert event.author == alice
    assert event.author_agent is None
    assert event.reason == "Version 1 restored: Too long"
    assert "Version 1 is restored as version 3." in words_of(answer.content.decode()) or (
        "Version 1 is restored as version 3." in answer.content.decode()
    )
    assert ItemEvent.objects.filter(item=item).count() == 3


def test_before_it_is_done_a_page_shows_what_it_would_change(
    client: Client, project: Project, alice: Person
) -> None:
    two_versions(project, alice)

    shown = page(client, alice, at("item-version-restore", number=1, version=1))

    words = words_of(shown)
    for said in ("Restore version 1 as version 3", "Version 2",
                 "Restored", "Manual", "Guide", "old", "new"):  # fmt: skip
        assert said in words, said
    assert item_at(project, 1).version == 2


@pytest.mark.parametrize("kind", ["task", "memory", "page"])
def test_every_kind_is_restored_with_all_that_its_versions_keep(
    client: Client, project: Project, alice: Person, *, kind: str
) -> None:
    owner = person_caller(alice)
    fields: dict[str, dict[str, Any]] = {
        "task": {"content": "one", "tags": ["a"], "priority": "high", "due": "2026-12-31",
                 "commits": [SHA]},
        "memory": {"content": "one", "tags": ["a"], "summary": "short", "type": "decision",
                   "weight": "low", "expiresAt": "2036-12-31T12:00:00Z", "verifiedAgainst": SHA,
                   "visibility": "shared"},
        "page": {"content": "one", "tags": ["a"], "verifiedAgainst": SHA},
    }  # fmt: skip
    create(owner, project, kind, title="Then", **fields[kind])
    first = ItemEvent.objects.get(version=1).state
    cleared: dict[str, Any] = {
        "task": {"content": "", "tags": [], "priority": "low", "due": None, "commits": []},
        "memory": {"content": "", "tags": [], "summary": None, "type": "fact",
                   "weight": "normal", "expiresAt": None},
        "page": {"content": "", "tags": []},
    }  # fmt: skip
    change(owner, project, 1, 1, title="Now", complete=True, **cleared[kind])
    assert ItemEvent.objects.get(version=2).state != first

    restored(client, alice, 1, 2)

    assert ItemEvent.objects.get(version=3).state == first


def test_what_a_version_had_not_is_cleared(client: Client, project: Project, alice: Person) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Guide")
    change(owner, project, 1, 1, content="words", tags=["new"], verifiedAgainst=SHA)

    restored(client, alice, 1, 2)

    item = item_at(project, 1)
    assert (item.content, item.tags, item.verified_against) == ("", [], None)


def test_the_status_of_a_task_and_who_it_is_assigned_to_stay_and_it_says_so(
    client: Client, project: Project, alice: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "task", title="Then", content="one")
    act(owner, project, 1, "claim", 1)
    change(owner, project, 1, 2, title="Now")
    act(owner, project, 1, "block", 3, reason="no network")

    shown = page(client, alice, at("item-version-restore", number=1, version=1))
    restored(client, alice, 1, 4)

    item = item_at(project, 1)
    assert "Differs, but stays as it is: Status, Assignee." in words_of(shown)
    assert (item.version, item.title, item.status, item.blocked_reason) == (
        5, "Then", "blocked", "no network")  # fmt: skip
    assert item.assignee_person == alice


def test_restoring_moves_nothing_and_keeps_relations(
    client: Client, project: Project, alice: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Guide", content="one")
    create(owner, project, "page", title="Above")
    change(owner, project, 1, 1, content="two", complete=True)
    change(owner, project, 1, parent=2)
    act(owner, project, 1, "relate", relation="relates", target=2)

    restored(client, alice, 1, 2)

    shown = page(client, alice, at("item", number=1))
    assert item_at(project, 1).parent == item_at(project, 2)
    assert item_at(project, 1).content == "one"
    assert "Related" in shown


def test_what_differs_only_in_what_stays_cannot_be_restored(
    client: Client, project: Project, alice: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "task", title="Task")
    act(owner, project, 1, "complete", 1)

    shown = page(client, alice, at("item-version-restore", number=1, version=1))
    restored(client, alice, 1, 2)

    assert "All that can be restored stands already." in words_of(shown)
    assert '<form class="restore-form' not in shown
    assert item_at(project, 1).version == 2


def test_who_may_only_propose_it_is_told_so_and_makes_a_proposal(
    client: Client, project: Project, alice: Person, bob: Person
) -> None:
    two_versions(project, alice)

    shown = page(client, bob, at("item-version-restore", number=1, version=1))
    answer = restored(client, bob, 1, 2)

    proposal = Proposal.objects.get()
    assert "This becomes a proposal" in words_of(shown)
    assert "Propose to restore version 1" in words_of(shown)
    assert "Proposed: Version 1 counts again once somebody approves it." in answer.content.decode()
    assert item_at(project, 1).version == 2
    assert (proposal.proposer, proposal.base_version) == (bob, 2)
    assert proposal.fields["content"] == "first words"
    assert proposal.fields["title"] == "Guide"


def test_who_was_slower_is_told_what_has_changed_and_nothing_is_stored(
    client: Client, project: Project, alice: Person, carol: Person
) -> None:
    two_versions(project, alice)
    change(person_caller(carol), project, 1, 2, title="Third")

    answer = restored(client, alice, 1, 2, reason="My reason")

    shown = answer.content.decode()
    assert answer.status_code == 409
    assert "It has changed since you looked" in shown
    assert "Version 3 by Carol: Title" in words_of(shown)
    assert 'value="My reason"' in shown
    assert re.search(r'name="over" value="3"', shown)
    assert item_at(project, 1).version == 3
    assert restored(client, alice, 1, 3).status_code == 200
    assert item_at(project, 1).title == "Guide"


def test_a_title_that_another_page_has_taken_is_refused_with_words(
    client: Client, project: Project, alice: Person
) -> None:
    two_versions(project, alice)
    create(person_caller(alice), project, "page", title="Guide")

    answer = restored(client, alice, 1, 2)

    assert answer.status_code == 409
    assert "#2 already has this title in the same place" in words_of(answer.content.decode())
    assert item_at(project, 1).version == 2


def test_what_is_archived_is_brought_back_first(
    client: Client, project: Project, alice: Person
) -> None:
    two_versions(project, alice)
    act(person_caller(alice), project, 1, "archive", 2)

    shown = page(client, alice, at("item-version-restore", number=1, version=1))
    answer = restored(client, alice, 1, 3)

    assert "It is archived." in words_of(shown)
    assert answer.status_code == 409
    assert item_at(project, 1).version == 3


@pytest.mark.parametrize("erased", [False, True])
def test_a_version_that_is_locked_or_erased_is_not_restored_nor_shown(
    client: Client, project: Project, alice: Person, *, erased: bool
) -> None:
    two_versions(project, alice)
    call = DeletionCall(Address(project.path, number=1), version=1, reason="x")
    ref = str(request_deletion(person_caller(alice), call)["request"])
    if erased:
        erase(person_caller(alice), ref)

    shown = page(client, alice, at("item-version-restore", number=1, version=1))
    answer = restored(client, alice, 1, 2)

    assert "first words" not in shown + answer.content.decode()
    assert answer.status_code == 409
    assert item_at(project, 1).version == 2


def test_a_locked_item_is_not_restored_nor_shown(
    client: Client, project: Project, alice: Person
) -> None:
    two_versions(project, alice)
    call = DeletionCall(Address(project.path, number=1), reason="x")
    request_deletion(person_caller(alice), call)

    shown = page(client, alice, at("item-version-restore", number=1, version=1))
    answer = restored(client, alice, 1, 2)

    assert "words" not in words_of(shown) + words_of(answer.content.decode())
    assert answer.status_code in (409, 423)
    assert item_at(project, 1).version == 2


def test_a_private_memory_is_restored_by_its_author_and_hidden_from_others(
    client: Client, project: Project, alice: Person, bob: Person
) -> None:
    create(person_caller(bob), project, "memory", title="Own", visibility="private", content="one")
    change(person_caller(bob), project, 1, 1, content="two", complete=True)

    page(client, alice, at("item-version-restore", number=1, version=1), 404)
    hidden = restored(client, alice, 1, 2)
    restored(client, bob, 1, 2)

    item = Item.objects.get()
    assert hidden.status_code == 404
    assert (item.version, item.content, item.visibility) == (3, "one", "private")


def test_versions_that_never_were_are_not_found(
    client: Client, project: Project, alice: Person
) -> None:
    two_versions(project, alice)

    for version in (3, 9, 4_000_000_000):
        page(client, alice, at("item-version-restore", number=1, version=version), 404)
        assert restored(client, alice, version, 2).status_code == 404


def test_instructions_are_compared_and_restored_likewise(
    client: Client, project: Project, alice: Person, carol: Person
) -> None:
    for version, content in enumerate(("Be brief.", "Be long.")):
        change(person_caller(alice), project, "instructions", version, content=content)

    history = page(client, alice, f"{BASE}history/")
    compared = page(client, alice, f"{BASE}history/compare/?from=1&to=2&view=inline")
    asked = page(client, carol, f"{BASE}versions/1/restore/")
    proposed = post(client, carol, f"{BASE}versions/1/restore/", over=2, reason="")
    answer = post(client, alice, f"{BASE}versions/1/restore/", over=2, reason="")

    item = Item.objects.get(kind="instructions")
    assert f"{BASE}history/compare/" in history
    assert "<del>" in compared
    assert "This becomes a proposal" in words_of(asked)
    assert "Proposed" in proposed.content.decode()
    assert "Version 1 is restored as version 3." in answer.content.decode()
    assert (item.version, item.content) == (3, "Be brief.")
