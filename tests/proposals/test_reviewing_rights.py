"""Who may approve and reject, how often, and what a rejection takes."""

from collections.abc import Callable

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Scope, Surface
from conderis.common.errors import Conflict, Denied, DomainError, Invalid, NotFound
from items.requests import ActRequest, Address, ReadRequest
from projects.capabilities import Role
from projects.models import Project
from proposals import writing
from proposals.preview import preview_of
from proposals.reading import read_at
from proposals.reviewing import approve, reject
from proposals.withdrawing import withdraw
from tests.factories import agent_caller, join, make_person, make_project, person_caller
from tests.items.calls import item_at
from tests.items.test_reading import read
from tests.proposals.reviews import (
    made,
    page,
    proposal_at,
    propose,
    propose_new,
    robo,
)


def test_a_rejection_needs_a_reason_and_keeps_it_for_the_proposer(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="New")

    with pytest.raises(Invalid) as missing:
        reject(person_caller(carol), ref, reason=" ")
    answer = reject(person_caller(carol), ref, reason="Not clearer")

    assert missing.value.details["field"] == "reason"
    assert answer == {"outcome": "done", "proposal": ref, "state": "rejected", "number": number}
    assert proposal_at(ref).decision_reason == "Not clearer"
    assert item_at(project, number).version == 1


def test_repeating_ones_own_decision_changes_nothing_and_others_learn_who_decided(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    good, bad = (propose(robo(bob), project, number, title=title) for title in ("A", "B"))
    approve(person_caller(carol), good)
    reject(person_caller(carol), bad, reason="r")

    again = [
        approve(person_caller(carol), good),
        reject(person_caller(carol), bad, reason="r"),
    ]
    calls: list[Callable[[], object]] = [
        lambda: approve(person_caller(alice), good),
        lambda: reject(person_caller(carol), good, reason="r"),
        lambda: approve(person_caller(carol), bad),
        lambda: withdraw(robo(bob), bad),
    ]
    refusals = []
    for call in calls:
        with pytest.raises(Conflict) as refused:
            call()
        refusals.append(refused.value.as_answer())

    assert [each["outcome"] for each in again] == ["unchanged", "unchanged"]
    assert again[0]["version"] == 2
    assert {each["decidedBy"]["name"] for each in refusals} == {"Carol"}
    assert all(each["decidedAt"] for each in refusals)
    assert item_at(project, number).version == 2


@pytest.mark.parametrize(
    ("who", "refusal"),
    [("mallory", "not_found"), ("rita", "not_found"), ("bob", "moderate"), ("carol", None)],
)
def test_who_may_decide(
    project: Project,
    request: pytest.FixtureRequest,
    who: str,
    refusal: str | None,
) -> None:
    alice, bob, person = map(request.getfixturevalue, ("alice", "bob", who))
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="New")
    caller = robo(person)

    try:
        outcome = approve(caller, ref)["outcome"]
    except DomainError as refused:
        outcome = refused.details.get("missing", refused.code)

    assert outcome == (refusal or "done")


def test_a_key_needs_the_scope_review_and_no_other(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="New")
    writer = agent_caller(carol, "writer", scopes=frozenset({Scope.READ, Scope.WRITE}))
    reviewer = agent_caller(carol, "reviewer", scopes=frozenset({Scope.READ, Scope.REVIEW}))

    for decide in (approve, reject):
        with pytest.raises(Denied) as refused:
            decide(writer, ref, reason="r")
        assert refused.value.as_answer()["missing"] == "review"

    assert approve(reviewer, ref)["outcome"] == "done"


def test_nobody_decides_what_is_their_own_while_somebody_else_could(
    project: Project, alice: Person, carol: Person
) -> None:
    number = page(project, alice)
    careful = agent_caller(carol, "careful", always_review=True)
    ref = propose(careful, project, number, title="New")

    for caller in (person_caller(carol), robo(carol)):
        for decide in (approve, reject):
            with pytest.raises(Denied) as refused:
                decide(caller, ref, reason="r")
            assert refused.value.as_answer()["missing"] == "another person"

    assert approve(person_caller(alice), ref)["outcome"] == "done"


def test_who_alone_could_approve_does_so_in_the_browser_only(db: None) -> None:
    dora = make_person("dora")
    alone = make_project(dora, "alone")
    number = page(alone, dora)
    ref = propose(agent_caller(dora, "careful", always_review=True), alone, number, title="New")

    for caller in (robo(dora), person_caller(dora, Surface.API)):
        with pytest.raises(Denied) as refused:
            approve(caller, ref)
        assert refused.value.as_answer()["missing"] == "person"
    with pytest.raises(Denied):
        reject(person_caller(dora), ref, reason="r")
    answer = approve(person_caller(dora), ref)

    assert answer["outcome"] == "done"
    assert made(item_at(alone, number))["approver"] == "dora"


def test_a_proposer_who_has_lost_the_role_stays_the_author(
    project: Project, alice: Person, carol: Person
) -> None:
    eve = make_person("eve")
    join(project, eve, Role.CONTRIBUTOR)
    number = page(project, alice)
    ref = propose(robo(eve), project, number, title="New")
    project.members.filter(person=eve).delete()

    approve(person_caller(carol), ref)

    with pytest.raises(NotFound):
        withdraw(robo(eve), ref)
    assert made(item_at(project, number))["author"] == "eve"


def test_where_agents_are_always_reviewed_only_people_decide(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    good, bad = (propose(robo(bob), project, number, title=title) for title in ("A", "B"))
    project.agents_reviewed = True
    project.save()

    for decide in (approve, reject):
        with pytest.raises(Denied) as refused:
            decide(robo(carol), good, reason="r")
        assert refused.value.as_answer()["missing"] == "person"
    preview = preview_of(robo(carol), good)
    waiting = proposal_at(good).state

    assert (preview.may_approve, preview.may_reject) == (False, False)
    assert preview.because is not None
    assert waiting == "pending"
    assert approve(person_caller(carol), good)["outcome"] == "done"
    assert reject(person_caller(carol), bad, reason="r")["outcome"] == "done"


def test_two_agents_of_one_project_do_not_publish_without_a_person(
    project: Project, alice: Person, carol: Person
) -> None:
    project.agents_reviewed = True
    project.save()
    number = page(project, alice)
    ref = propose(robo(carol), project, number, title="New")

    with pytest.raises(Denied):
        approve(robo(alice), ref)

    assert item_at(project, number).version == 1


def test_the_history_names_the_agent_that_approved(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    approve(agent_caller(carol, "checker"), propose(robo(bob), project, number, title="New"))
    approve(person_caller(carol), propose(robo(bob), project, number, title="Newer"))

    by_person, by_agent, _ = read(person_caller(alice), project, number, history=True)["events"]

    assert (by_agent["agent"], by_agent["approver"]) == ("robo", "Carol")
    assert by_agent["approverAgent"] == "checker"
    assert by_person["approver"] == "Carol"
    assert "approverAgent" not in by_person


def test_a_number_beside_the_reference_is_refused(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    ref = propose(robo(bob), project, page(project, alice), title="New")
    address = Address(project.path, number=1, ref=ref)

    calls: list[Callable[[], object]] = [
        lambda: writing.act(robo(carol), ActRequest(address, action="approve")),
        lambda: read_at(robo(carol), ReadRequest(address)),
    ]
    for call in calls:
        with pytest.raises(Invalid) as refused:
            call()
        assert refused.value.details["field"] == "ref"

    assert proposal_at(ref).state == "pending"


def test_a_version_of_a_new_item_is_refused(project: Project, bob: Person, carol: Person) -> None:
    ref = propose_new(robo(bob), project, "page", title="New")

    with pytest.raises(Invalid) as refused:
        approve(person_caller(carol), ref, version=1)

    assert refused.value.details["field"] == "version"
    assert approve(person_caller(carol), ref)["number"] == 1


def test_second_first_instructions_are_said_to_come_too_late(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    refs = [propose_new(robo(each), project, "instructions", content=each.handle)
            for each in (bob, carol)]  # fmt: skip
    approve(person_caller(alice), refs[0])

    with pytest.raises(Conflict) as refused:
        approve(person_caller(alice), refs[1])

    assert "when there was no instructions; since then version 1" in refused.value.message
    assert "version 0" not in refused.value.message
