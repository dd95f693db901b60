"""Approving and rejecting: what comes of a proposal, and in whose name."""

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.errors import Conflict, Denied, Invalid, Locked
from items.models import Item
from items.reading import read_item
from items.requests import Address, ReadRequest
from projects.models import Project
from proposals.preview import preview_of
from proposals.reviewing import approve, reject
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at
from tests.proposals.reviews import (
    TEXT,
    made,
    page,
    proposal_at,
    propose,
    propose_act,
    propose_new,
    robo,
)


def test_an_approved_change_is_a_version_of_its_proposer_with_its_approver(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="Shipping", reason="Clearer")

    answer = approve(person_caller(carol), ref, version=1, reason="Good")

    item = item_at(project, number)
    assert answer == {
        "outcome": "done",
        "proposal": ref,
        "state": "approved",
        "number": number,
        "version": 2,
    }
    assert (item.title, item.content, item.author) == ("Shipping", TEXT, alice)
    assert made(item) == {
        "event": "changed",
        "version": 2,
        "author": "bob",
        "agent": "robo",
        "approver": "carol",
    }
    assert item.events.latest("id").reason == "Clearer"
    row = proposal_at(ref)
    assert (row.state, row.decided_by, row.decision_reason) == ("approved", carol, "Good")
    assert row.result_version == 2


def test_an_approved_creation_is_its_proposers_and_gets_the_next_number(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    ref = propose_new(robo(bob), project, "memory", title="M", visibility="shared", tags=["x"])
    create(person_caller(alice), project, "task", title="Between")

    answer = approve(person_caller(carol), ref)

    item = item_at(project, 2)
    assert (answer["number"], answer["version"]) == (2, 1)
    assert (item.title, item.tags, item.author) == ("M", ["x"], bob)
    assert item.author_agent is not None
    assert [row.tag for row in item.tag_rows.all()] == ["x"]
    assert (made(item)["event"], made(item)["approver"]) == ("created", "carol")
    assert proposal_at(ref).item == item


def test_an_approved_move_adds_no_version(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    parent, number = page(project, alice, "Parent"), page(project, alice)
    ref = propose(robo(bob), project, number, parent=parent)
    change(person_caller(alice), project, number, 1, title="Renamed")

    answer = approve(person_caller(carol), ref)

    item = item_at(project, number)
    assert (item.version, item.parent) == (2, item_at(project, parent))
    assert answer["parent"] == {"number": parent, "title": "Parent"}
    assert item.title == "Renamed"


def test_archiving_and_restoring_are_their_proposers_with_what_goes_along(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    child = page(project, alice, "Child", parent=number)
    reviewer = person_caller(carol)

    archived = approve(reviewer, propose_act(robo(bob), project, number, "archive"))
    after = [made(item_at(project, each)) for each in (number, child)]
    restored = approve(reviewer, propose_act(robo(bob), project, number, "restore"))

    assert (archived["archived"], archived["along"]) == (True, [child])
    assert [each["event"] for each in after] == ["archived", "archived"]
    assert {(each["author"], each["approver"]) for each in after} == {("bob", "carol")}
    assert ("archived" in restored, restored["version"]) == (False, 3)
    assert made(item_at(project, child))["approver"] == "carol"


def test_instructions_are_approved_by_an_owner(
    project: Project, alice: Person, carol: Person
) -> None:
    first = propose_new(robo(carol), project, "instructions", content="Test first.")
    with pytest.raises(Denied) as refused:
        approve(person_caller(carol), first)
    approve(person_caller(alice), first)
    second = propose(robo(carol), project, "instructions", version=1, content="Test last.")

    answer = approve(person_caller(alice), second)

    item = Item.objects.get(kind="instructions")
    assert refused.value.as_answer()["missing"] == "manage"
    assert (answer["ref"], answer["version"], item.content) == ("instructions", 2, "Test last.")
    assert item.author == carol


def test_instructions_that_somebody_wrote_meanwhile_are_not_overwritten(
    project: Project, alice: Person, carol: Person
) -> None:
    ref = propose_new(robo(carol), project, "instructions", content="Carol's")
    create(person_caller(alice), project, "instructions", content="Alice's")

    with pytest.raises(Conflict) as refused:
        approve(person_caller(alice), ref)

    assert refused.value.details["fields"] == ["content"]
    assert Item.objects.get(kind="instructions").content == "Alice's"


def test_the_history_names_author_agent_and_approver(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    approve(person_caller(carol), propose(robo(bob), project, number, title="New"))

    history = read_item(
        person_caller(bob), ReadRequest(Address(project.path, number), history=True)
    )

    newest = history["events"][0]
    assert (newest["by"], newest["agent"], newest["approver"]) == ("Bob", "robo", "Carol")


def test_a_decision_is_in_the_audit_log_without_text(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    good = propose(robo(bob), project, number, title="Zanzibar")
    bad = propose(robo(bob), project, number, title="Zebra")

    approve(person_caller(carol), good, reason="Zoo")
    reject(person_caller(carol), bad, reason="Zoo")

    rows = AuditEvent.objects.filter(subject__in=[good, bad], person_id=carol.pk).order_by("id")
    found = [(row.action, row.subject, row.detail) for row in rows]
    assert [row[:2] for row in found] == [("proposal.approved", good), ("proposal.rejected", bad)]
    assert found[0][2] == {"item": f"#{number}", "version": 2}
    assert "Z" not in str([row[2] for row in found])


def test_two_proposals_on_one_base_are_merged_where_they_go_together(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    first = propose(robo(bob), project, number, content=TEXT.replace("Ship it.", "Ship twice."))
    second = propose(robo(bob), project, number, content=TEXT.replace("Build", "Bake"), tags=["x"])

    approve(person_caller(carol), first)
    answer = approve(person_caller(carol), second)

    item = item_at(project, number)
    assert item.content == TEXT.replace("Ship it.", "Ship twice.").replace("Build", "Bake")
    assert (item.version, item.tags) == (3, ["x"])
    assert answer["warnings"] == [
        "content had been changed since the proposal's base; both changes are in it now."
    ]


def test_an_outdated_proposal_is_refused_and_undoes_nothing(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    """REV-1: P1 and P2 on version 1, then a change by hand while P3 is on the screen."""
    number = page(project, alice)
    texts = [TEXT.replace("Ship it.", f"Ship {n}.") for n in range(4)]
    first, second = (propose(robo(bob), project, number, content=text) for text in texts[:2])
    reviewer = person_caller(carol)

    approve(reviewer, first)
    with pytest.raises(Conflict) as outdated:
        approve(reviewer, second, version=2)
    third = propose(robo(bob), project, number, title="Shipping")
    change(person_caller(alice), project, number, 2, tags=["by hand"])
    with pytest.raises(Conflict) as on_the_screen:
        approve(reviewer, third, version=2)
    approve(reviewer, third, version=3)

    refusal = outdated.value.as_answer()
    assert (refusal["fields"], refusal["baseVersion"], refusal["currentVersion"]) == (
        ["content"],
        1,
        2,
    )
    assert [each["fields"] for each in refusal["changed"]] == [["content"]]
    assert "Ship" not in str(refusal)
    assert on_the_screen.value.as_answer()["currentVersion"] == 3
    item = item_at(project, number)
    assert (item.content, item.title, item.tags) == (texts[0], "Shipping", ["by hand"])
    assert proposal_at(second).state == "pending"


def test_no_overwriting_by_an_old_or_missing_version(
    project: Project, alice: Person, bob: Person
) -> None:
    """CON-2: a whole text based on an old read, or on none, is refused, also as a proposal."""
    number = page(project, alice)
    for version in (1, 2, 3):
        change(person_caller(alice), project, number, version, content=f"v{version + 1}")

    for caller in (robo(alice), robo(bob)):
        with pytest.raises(Conflict) as old:
            change(caller, project, number, 3, content="Mine")
        with pytest.raises(Invalid) as missing:
            change(caller, project, number, content="Mine")
        assert old.value.as_answer()["currentVersion"] == 4
        assert missing.value.as_answer()["currentVersion"] == 4

    item = item_at(project, number)
    assert (item.content, item.version) == ("v4", 4)


def test_line_ends_alone_are_no_proposal_and_small_changes_stay_small(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    """REV-2: CRLF, one word of a long line, one cell of a table, a line end at the end."""
    long_line = " ".join(f"word{n}" for n in range(500))
    rows = ["| a | b |", "| --- | --- |", "| 1 | 2 |"]
    text = "\n".join([long_line, "", *rows, "", "End.", ""])
    number = page(project, alice, content=text)

    windows = change(robo(bob), project, number, 1, content=text.replace("\n", "\r\n"))
    word = propose(robo(bob), project, number, content=text.replace("word250 ", "WORD "))
    cell = propose(robo(bob), project, number, content=text.replace("| 2 |", "| two |"))
    end = propose(robo(bob), project, number, content=text.removesuffix("\n"))
    for ref in (word, cell, end):
        approve(person_caller(carol), ref)

    assert windows["outcome"] == "unchanged"
    expected = text.replace("word250 ", "WORD ").replace("| 2 |", "| two |").removesuffix("\n")
    assert item_at(project, number).content == expected


def test_what_already_stands_is_approved_without_a_version(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="Same")
    change(person_caller(alice), project, number, 1, title="Same")

    answer = approve(person_caller(carol), ref)

    assert (answer["outcome"], answer["version"]) == ("done", 2)
    assert proposal_at(ref).state == "approved"


def test_a_source_state_does_not_outlive_a_merged_text(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    checked = {"commit": "a" * 40}
    both = propose(
        robo(bob), project, number, content=TEXT.replace("Build", "Bake"), verifiedAgainst=checked
    )
    alone = propose(robo(bob), project, number, verifiedAgainst=checked)
    change(person_caller(alice), project, number, 1, content=TEXT.replace("Ship", "Send"))

    with pytest.raises(Conflict) as refused:
        approve(person_caller(carol), alone)
    approve(person_caller(carol), both)

    item = item_at(project, number)
    assert refused.value.details["fields"] == ["verifiedAgainst"]
    assert ("Bake" in item.content, "Send" in item.content) == (True, True)
    assert item.verified_against is None


def test_a_source_state_sent_with_a_text_that_applies_as_it_is_stands(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice, verifiedAgainst="b" * 40)
    ref = propose(robo(bob), project, number, title="New", verifiedAgainst="a" * 40)
    unchecked = propose(robo(bob), project, number, content="New text", complete=True)

    approve(person_caller(carol), ref)
    approve(person_caller(carol), unchecked)

    item = item_at(project, number)
    states = [event.state or {} for event in item.events.order_by("id")]
    assert [state.get("verifiedAgainst") for state in states] == [
        {"commit": "b" * 40},
        {"commit": "a" * 40},
        None,
    ]


def test_what_does_not_fit_any_more_stays_pending_and_says_why(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    owner, agent = person_caller(alice), robo(bob)
    parent, number = page(project, alice, "Parent"), page(project, alice)
    taken = propose_new(agent, project, "page", title="Wanted")
    below = propose_new(agent, project, "page", title="Below", parent=parent)
    moved = propose(agent, project, number, parent=parent)
    changed = propose(agent, project, parent, title="Renamed")
    page(project, alice, "Wanted")
    act(owner, project, parent, "archive", 1)

    said = {}
    for ref in (taken, below, moved, changed):
        with pytest.raises(Conflict) as refused:
            approve(person_caller(carol), ref)
        said[ref] = refused.value.message
    act(owner, project, parent, "restore", 2)
    later = [approve(person_caller(carol), ref)["outcome"] for ref in (below, moved, changed)]

    assert "already has this title" in said[taken]
    assert all(f"#{parent} is archived" in said[ref] for ref in (below, moved, changed))
    assert later == ["done"] * 3
    assert proposal_at(taken).state == "pending"


def test_a_locked_items_proposals_wait(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="New")
    Item.objects.filter(number=number).update(locked_at="2026-11-30T00:00:00Z", locked_by="x1")

    refusals = []
    for decide in (approve, reject):
        with pytest.raises(Locked) as refused:
            decide(person_caller(carol), ref, reason="r")
        refusals.append(refused.value.details["request"])

    assert refusals == ["deletion:x1", "deletion:x1"]
    assert proposal_at(ref).state == "pending"


def test_so_do_those_whose_base_is_locked(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="New")
    change(person_caller(alice), project, number, 1, tags=["x"])
    item_at(project, number).events.filter(version=1).update(locked_by="x1")

    for decide in (approve, reject):
        with pytest.raises(Locked):
            decide(person_caller(carol), ref, reason="r")

    assert item_at(project, number).version == 2


def test_an_erased_base_leaves_approving_to_who_sees_the_whole_text(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="New")
    change(person_caller(alice), project, number, 1, tags=["x"])
    item_at(project, number).events.filter(version=1).update(state=None)

    with pytest.raises(Conflict) as refused:
        approve(agent_caller(carol), ref)
    shown = preview_of(person_caller(carol), ref)
    approve(person_caller(carol), ref, version=2)

    assert "erased" in refused.value.message
    assert shown.base_erased
    assert shown.merged == ()
    assert item_at(project, number).title == "New"
    assert item_at(project, number).tags == ["x"]
