"""What a reviewer sees of a proposal before deciding it."""

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import Conflict, NotFound
from items.models import Item
from projects.models import Project
from proposals.merging import FieldConflict
from proposals.preview import Standing, preview_of
from proposals.reviewing import approve, reject
from tests.factories import person_caller
from tests.items.calls import act, change, item_at
from tests.proposals.reviews import TEXT, page, propose, propose_act, propose_new, robo


def test_it_shows_base_current_proposed_and_what_approving_would_make(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    proposed = TEXT.replace("Build", "Bake")
    ref = propose(robo(bob), project, number, content=proposed, reason="Nicer")
    change(person_caller(alice), project, number, 1, content=TEXT.replace("Ship", "Send"))

    preview = preview_of(person_caller(carol), ref)
    approve(person_caller(carol), ref, version=preview.current_version)

    assert (preview.item, preview.reason, preview.current_version) == (
        {"number": number},
        "Nicer",
        2,
    )
    assert preview.base == {"title": "Deploying", "content": TEXT}
    assert preview.current == {"title": "Deploying", "content": TEXT.replace("Ship", "Send")}
    assert preview.proposed == {"content": proposed}
    assert (preview.merged, preview.conflicts, preview.blocked) == (("content",), (), None)
    assert preview.result is not None
    assert preview.result["content"] == item_at(project, number).content
    assert (preview.own, preview.may_approve, preview.may_reject) == (False, True, True)


def test_it_shows_both_sides_of_a_conflict_and_no_result(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="Ours")
    change(person_caller(alice), project, number, 1, title="Theirs")

    preview = preview_of(person_caller(carol), ref)

    assert preview.conflicts == (FieldConflict("title", "Deploying", "Theirs", "Ours"),)
    assert (preview.result, preview.blocked, preview.current_version) == (None, None, 2)


def test_every_action_has_its_result(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    parent, number = page(project, alice, "Parent"), page(project, alice)
    gone = page(project, alice, "Gone")
    act(person_caller(alice), project, gone, "archive", 1)
    refs = [
        propose_new(robo(bob), project, "page", title="New", parent=parent),
        propose(robo(bob), project, number, parent=parent),
        propose_act(robo(bob), project, number, "archive"),
        propose_act(robo(bob), project, gone, "restore"),
    ]

    created, moved, archived, restored = (preview_of(person_caller(carol), ref) for ref in refs)

    assert (created.item, created.base, created.current, created.current_version) == (
        None,
        None,
        None,
        None,
    )
    assert created.result == {"title": "New", "parent": parent}
    assert moved.result == {"title": "Deploying", "content": TEXT, "parent": parent}
    assert archived.result == {"title": "Deploying", "content": TEXT, "archived": True}
    assert restored.result == {"title": "Gone", "content": TEXT}


def test_it_says_why_a_proposal_cannot_be_approved_now(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="New")
    act(person_caller(alice), project, number, "archive", 1)

    preview = preview_of(person_caller(carol), ref)
    with pytest.raises(Conflict) as refused:
        approve(person_caller(carol), ref)

    assert preview.blocked == refused.value.message
    assert f"#{number} is archived" in preview.blocked
    assert preview.result is None


def test_a_restoring_under_an_archived_parent_is_seen_to_be_blocked(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    parent = page(project, alice, "Parent")
    number = page(project, alice, parent=parent)
    act(person_caller(alice), project, number, "archive", 1)
    ref = propose_act(robo(bob), project, number, "restore")
    act(person_caller(alice), project, parent, "archive", 1)

    preview = preview_of(person_caller(carol), ref)

    assert f"#{parent}, which is archived" in str(preview.blocked)
    assert preview.result is None


def test_a_locked_one_shows_nothing_of_its_content(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice, "Zanzibar")
    ref = propose(robo(bob), project, number, title="Zebra", reason="Zoo")
    Item.objects.filter(number=number).update(locked_at="2026-11-30T00:00:00Z", locked_by="x1")

    preview = preview_of(person_caller(carol), ref)

    assert preview.blocked is not None
    assert "locked" in preview.blocked
    assert "Z" not in str(preview).replace("T00:00:00Z", "")


def test_a_proposer_sees_why_they_may_not_approve_and_strangers_see_nothing(
    project: Project, alice: Person, bob: Person, rita: Person
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="New")

    own = preview_of(person_caller(bob), ref)
    with pytest.raises(NotFound):
        preview_of(person_caller(rita), ref)

    assert (own.own, own.may_approve, own.may_reject) == (True, False, False)
    assert "moderate" in str(own.because)


def test_it_tells_of_an_equal_one_that_was_rejected_and_of_the_proposers_record(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    reviewer = person_caller(carol)
    reject(reviewer, propose(robo(bob), project, number, title="Same"), reason="Too short")
    approve(reviewer, propose(person_caller(bob), project, number, tags=["x"]))
    again = propose(robo(bob), project, number, title="Same")
    other = propose(robo(bob), project, number, title="Other")

    preview = preview_of(reviewer, again)

    assert preview.rejected_before == "Too short"
    assert preview_of(reviewer, other).rejected_before is None
    assert preview_of(person_caller(bob), again).rejected_before is None
    assert preview.of_person == Standing(approved=1, rejected=1, pending=2)
    assert preview.of_agent == Standing(approved=0, rejected=1, pending=2)


def test_a_decided_one_shows_the_decision_and_no_outlook(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="New")
    approve(person_caller(carol), ref, reason="Good")

    preview = preview_of(person_caller(carol), ref)

    assert preview.decision["decidedBy"] == {"name": "Carol"}
    assert (preview.decision["version"], preview.decision["decisionReason"]) == (2, "Good")
    assert (preview.may_approve, preview.may_reject, preview.result) == (False, False, None)
