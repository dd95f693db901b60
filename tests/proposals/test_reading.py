"""Reading one proposal: whole, in parts, locked, decided."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import Invalid, NotFound
from conderis.common.json import Json, JsonObject
from items.requests import Address, DeletionCall, ReadRequest
from privacy.requesting import request_deletion
from projects.models import Project
from proposals.reading import read_at
from tests.factories import person_caller
from tests.items.calls import act, change
from tests.proposals.reviews import TEXT, page, proposal_at, propose, propose_new, robo

LONG = "\n".join(["# First", *["words " * 10] * 200, "## Second", *["more " * 10] * 200])


def read(caller: Caller, ref: str, **asked: Json) -> JsonObject:
    return read_at(caller, ReadRequest(Address(ref=ref), **asked))


def test_it_is_read_whole_by_its_proposer_and_its_reviewers(
    alice: Person, bob: Person, project: Project
) -> None:
    number = page(project, alice)
    answer = change(robo(bob), project, number, 1, content="Other", tags=["one"], reason="Why")
    ref = answer["proposal"]

    for caller in (robo(bob), person_caller(alice)):
        shown = read(caller, ref)
        assert shown.pop("created").endswith("Z")
        assert shown == {
            "proposal": ref,
            "state": "pending",
            "action": "change",
            "kind": "page",
            "projectId": "alice/shop",
            "number": number,
            "title": "Deploying",
            "baseVersion": 1,
            "currentVersion": 1,
            "reason": "Why",
            "author": {"name": "Bob", "agent": "robo"},
            "age": "today",
            "fields": {"content": "Other", "tags": ["one"]},
        }


def test_for_everybody_else_there_is_none(
    alice: Person, bob: Person, rita: Person, mallory: Person, project: Project
) -> None:
    project.is_public = True
    project.save()
    ref = propose_new(robo(bob), project, "page", title="P")

    for person in (rita, mallory):
        with pytest.raises(NotFound):
            read(robo(person), ref)


def test_a_decided_one_says_by_whom_when_why_and_what_came_of_it(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    number = page(project, alice)
    good = propose(robo(bob), project, number, content="Other")
    bad = propose_new(robo(bob), project, "page", title="P")
    act(robo(carol), project, good, "approve", reason="Fine.")
    act(person_caller(carol), project, bad, "reject", reason="Not here.")

    approved, rejected = read(robo(bob), good), read(robo(bob), bad)

    assert (approved["state"], approved["version"], approved["decisionReason"]) == (
        "approved", 2, "Fine.",
    )  # fmt: skip
    assert approved["decidedBy"] == {"name": "Carol", "agent": "robo"}
    assert (rejected["state"], rejected["decidedBy"], rejected["decisionReason"]) == (
        "rejected", {"name": "Carol"}, "Not here.",
    )  # fmt: skip
    assert rejected["decidedAt"].endswith("Z")
    assert "version" not in rejected
    assert not {"conflicts", "blocked", "currentVersion"} & set(approved)


def test_a_pending_one_says_what_stands_against_it(
    alice: Person, bob: Person, project: Project
) -> None:
    number = page(project, alice)
    clashing = propose(robo(bob), project, number, content=TEXT.replace("Ship", "Send"))
    change(person_caller(alice), project, number, 1, content=TEXT.replace("Ship", "Throw"))
    fitting = propose(robo(bob), project, number, tags=["one"])

    conflict, fine = read(robo(bob), clashing), read(robo(bob), fitting)
    act(person_caller(alice), project, number, "archive", 2)
    blocked = read(person_caller(alice), fitting)

    assert (conflict["baseVersion"], conflict["currentVersion"], conflict["conflicts"]) == (
        1, 2, ["content"],
    )  # fmt: skip
    assert not {"conflicts", "blocked"} & set(fine)
    assert "archived" in blocked["blocked"]


def test_reviewers_read_why_an_equal_one_was_rejected_and_proposers_do_not(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    first = propose_new(robo(bob), project, "page", title="P")
    act(person_caller(alice), project, first, "reject", reason="We have one.")
    again = propose_new(robo(bob), project, "page", title="P")

    assert read(robo(carol), again)["rejectedBefore"] == "We have one."
    assert "rejectedBefore" not in read(robo(bob), again)


def test_a_long_text_is_read_in_parts_without_a_version(bob: Person, project: Project) -> None:
    ref = propose_new(robo(bob), project, "page", title="P", content=LONG)

    first = read(robo(bob), ref)
    text, offset = first["fields"]["content"], first["nextOffset"]
    while offset is not None:
        part = read(robo(bob), ref, offset=offset)
        text, offset = text + part["content"], part.get("nextOffset")

    assert text == LONG
    assert (first["length"], first["offset"]) == (len(LONG), 0)
    assert [each["title"] for each in first["outline"]] == ["First", "Second"]
    assert first["fields"]["title"] == "P"
    assert "fields" not in part


def test_one_section_is_read_by_its_heading(bob: Person, project: Project) -> None:
    ref = propose_new(robo(bob), project, "page", title="P", content=LONG)

    part = read(robo(bob), ref, section="second", take=500)

    assert part["section"] == "Second"
    assert part["content"].startswith("## Second\n")
    assert LONG[part["offset"] :].startswith(part["content"])


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"history": True}, "history"),
        ({"version": 1}, "version"),
        ({"take": 0}, "take"),
        ({"offset": -1}, "offset"),
        ({"offset": 10**6}, "offset"),
        ({"section": "nowhere"}, "section"),
    ],
)
def test_what_a_proposal_has_not_is_refused_by_name(
    bob: Person, project: Project, asked: dict[str, Json], field: str
) -> None:
    ref = propose_new(robo(bob), project, "page", title="P", content=LONG)

    with pytest.raises(Invalid) as refusal:
        read(robo(bob), ref, **asked)

    assert refusal.value.as_answer()["field"] == field


@pytest.mark.parametrize("version", [None, 1])
def test_a_locked_one_shows_nothing_that_was_written(
    alice: Person, bob: Person, project: Project, version: int | None
) -> None:
    number = page(project, alice)
    answer = change(robo(bob), project, number, 1, content="Zanzibar", title="Zanzibar",
                    reason="Zanzibar")  # fmt: skip
    change(person_caller(alice), project, number, 1, content="Newer")
    call = DeletionCall(Address(project.path, number=number), version=version, reason="r")
    request_deletion(person_caller(alice), call)

    for caller in (robo(bob), person_caller(alice)):
        for asked in ({}, {"section": "x"}, {"offset": 1}):
            shown = read(caller, answer["proposal"], **asked)
            assert shown["locked"]
            assert "Zanzibar" not in str(shown)
            assert "Deploying" not in str(shown)


def test_what_came_of_it_locks_it_too(alice: Person, bob: Person, project: Project) -> None:
    ref = propose_new(robo(bob), project, "page", title="P", content="Zanzibar")
    act(person_caller(alice), project, ref, "approve", reason="Zanzibar indeed")
    made = proposal_at(ref).item
    assert made is not None
    change(person_caller(alice), project, made.number or 0, 1, content="Newer")
    request_deletion(
        person_caller(alice),
        DeletionCall(Address(project.path, number=made.number), version=1, reason="r"),
    )

    assert "Zanzibar" not in str(read(robo(bob), ref))


def test_reading_costs_the_same_whatever_there_is(
    alice: Person, bob: Person, project: Project
) -> None:
    counts = []
    for many in (1, 10):
        for number in range(many):
            item = page(project, alice, f"Page {many}-{number}")
            ref = propose(robo(bob), project, item, content="Other")
        with CaptureQueriesContext(connection) as queries:
            read(person_caller(alice), ref)
        counts.append(len(queries))

    assert counts[0] == counts[1] <= 16
