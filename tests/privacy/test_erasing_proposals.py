"""Proposals: erased by themselves in every state, or together with what they are of."""

from collections.abc import Callable

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.errors import Conflict, Locked, NotFound
from items.requests import ListRequest
from projects.models import Project
from proposals.queue import list_proposals
from proposals.reviewing import approve, reject
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at
from tests.privacy.deletions import ask, erase, erased, left_of, read, refuse, request_at
from tests.proposals.reviews import page, proposal_at, propose, propose_new

STATES = ("pending", "approved", "rejected", "withdrawn")


def bring_to(state: str, ref: str, bob: Person, carol: Person) -> None:
    """Have the proposal be decided so."""
    if state == "approved":
        approve(person_caller(carol), ref, reason="zanzibar")
    elif state == "rejected":
        reject(person_caller(carol), ref, reason="zanzibar")
    elif state == "withdrawn":
        act(person_caller(bob), None, ref, "withdraw", reason="zanzibar")


@pytest.mark.parametrize("state", STATES)
def test_a_proposal_in_every_state_is_emptied_and_keeps_who_and_when(
    alice: Person, bob: Person, carol: Person, project: Project, *, state: str
) -> None:
    page(project, alice, title="Deploying")
    ref = propose(agent_caller(bob), project, 1, title="zanzibar", tags=["zanzibar"],
                  reason="zanzibar")  # fmt: skip
    bring_to(state, ref, bob, carol)
    if state == "approved":
        change(person_caller(alice), project, 1, 2, title="Deploying", tags=[])
        erased(alice, project, 1, 2)
        assert proposal_at(ref).erased_at is not None
        assert left_of("zanzibar") == set()
        return
    erase(carol, ask(agent_caller(bob), None, ref, reason="zanzibar"))

    shown = read(person_caller(bob), None, ref)
    row = proposal_at(ref)

    assert row.state == ("rejected" if state == "pending" else state)
    assert row.decided_by == {"withdrawn": bob}.get(state, carol)
    assert "erased" in shown
    assert "zanzibar" not in str(shown)
    assert left_of("zanzibar") == set()
    assert item_at(project, 1).title == "Deploying"


def test_an_approved_proposal_alone_leaves_what_came_of_it(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    ref = propose_new(agent_caller(bob), project, "page", title="Deploying", reason="zanzibar")
    approve(person_caller(carol), ref)
    erase(carol, ask(agent_caller(bob), None, ref))

    assert proposal_at(ref).state == "approved"
    assert item_at(project, 1).title == "Deploying"


def test_what_was_erased_is_neither_approved_nor_rejected_nor_asked_for_again(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    ref = propose_new(agent_caller(bob), project, "page", title="zanzibar")
    erase(carol, ask(agent_caller(bob), None, ref))

    calls: list[Callable[[], object]] = [
        lambda: approve(person_caller(alice), ref),
        lambda: reject(person_caller(alice), ref, reason="no"),
        lambda: act(person_caller(bob), None, ref, "withdraw"),
    ]
    for call in calls:
        with pytest.raises((Conflict, Locked)) as refused:
            call()
        assert "zanzibar" not in str(refused.value.as_answer())
    with pytest.raises(NotFound):
        ask(agent_caller(bob), None, ref)
    assert not project.items.exists()


def test_the_same_proposed_again_is_a_new_proposal(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    ref = propose_new(agent_caller(bob), project, "page", title="Deploying")
    erase(carol, ask(agent_caller(bob), None, ref))

    again = propose_new(agent_caller(bob), project, "page", title="Deploying")

    assert again != ref
    assert approve(person_caller(carol), again)["number"] == 1


def test_two_proposals_of_one_proposer_are_both_erased(
    bob: Person, carol: Person, project: Project
) -> None:
    refs = [propose_new(agent_caller(bob), project, "page", title=f"P{n}") for n in range(2)]
    for ref in refs:
        erase(carol, ask(agent_caller(bob), None, ref))

    assert [proposal_at(ref).state for ref in refs] == ["rejected", "rejected"]


def test_with_the_item_all_its_proposals_go_and_pending_ones_are_rejected_as_erased(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    page(project, alice, title="zanzibar")
    refs = {}
    for state in STATES:
        refs[state] = propose(agent_caller(bob), project, 1, content=f"zanzibar {state}",
                              reason="zanzibar")  # fmt: skip
    for state, ref in refs.items():
        if state != "approved":
            bring_to(state, ref, bob, carol)
    bring_to("approved", refs["approved"], bob, carol)
    request = erased(carol, project, 1)

    rows = {state: proposal_at(ref) for state, ref in refs.items()}
    listed = list_proposals(
        person_caller(bob), ListRequest("proposal", project.path, filters={"state": "rejected"})
    )
    with pytest.raises((Conflict, Locked, NotFound)):
        approve(person_caller(carol), refs["pending"])

    assert {state: row.state for state, row in rows.items()} == {
        "pending": "rejected", "approved": "approved", "rejected": "rejected",
        "withdrawn": "withdrawn",
    }  # fmt: skip
    assert all(row.erased_at for row in rows.values())
    assert request_at(request).removed["proposals"] == 4
    assert listed["total"] == 2
    assert left_of("zanzibar") == set()
    event = AuditEvent.objects.get(action="proposal.rejected", detail__erased=True)
    assert (event.subject, event.person_id) == (refs["pending"], carol.pk)


def test_requests_of_proposals_go_with_the_item(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    page(project, alice, title="Deploying")
    ref = propose(agent_caller(bob), project, 1, content="x")
    of_proposal = ask(agent_caller(bob), None, ref, reason="zanzibar")

    erased(carol, project, 1)

    assert request_at(of_proposal).state == "erasing"
    assert left_of("zanzibar") == set()


def test_a_refused_request_makes_the_proposal_approvable_again(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    ref = propose_new(agent_caller(bob), project, "page", title="Deploying")
    before = read(person_caller(carol), None, ref)
    request = ask(agent_caller(bob), None, ref)
    with pytest.raises(Locked):
        approve(person_caller(carol), ref)

    refuse(carol, request)

    assert read(person_caller(carol), None, ref) == before
    assert approve(person_caller(carol), ref)["outcome"] == "done"


def test_a_proposal_to_create_is_not_taken_from_the_item_that_it_became(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    ref = propose_new(agent_caller(bob), project, "memory", title="zanzibar",
                      visibility="shared")  # fmt: skip
    approve(person_caller(carol), ref)
    create(person_caller(alice), project, "page", title="Other")

    erased(carol, project, 1)

    assert proposal_at(ref).fields == {}
    assert left_of("zanzibar") == set()
    assert item_at(project, 2).title == "Other"
