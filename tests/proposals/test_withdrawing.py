"""A proposer takes a proposal back while it waits."""

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Scope
from conderis.common.errors import Conflict, Denied, Invalid, NotFound, TooLarge
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act
from tests.proposals.reviews import proposal_at, propose_new, robo


@pytest.fixture
def ref(bob: Person, project: Project) -> str:
    return propose_new(robo(bob), project, "page", title="P")


def test_the_person_and_every_agent_of_theirs_withdraws_it(
    bob: Person, project: Project, ref: str
) -> None:
    by_agent = act(agent_caller(bob, "second"), project, ref, "withdraw", reason="Mistaken.")
    again = act(person_caller(bob), project, ref, "withdraw")

    kept = proposal_at(ref)
    assert by_agent == {"outcome": "done", "proposal": ref, "state": "withdrawn"}
    assert again == {"outcome": "unchanged", "proposal": ref, "state": "withdrawn"}
    assert (kept.decision_reason, kept.decided_by, kept.result_version) == ("Mistaken.", bob, None)
    assert kept.decided_at is not None
    event = AuditEvent.objects.get(action="proposal.withdrawn")
    assert (event.subject, event.project_id) == (ref, project.pk)


def test_nobody_else_withdraws_it(alice: Person, rita: Person, project: Project, ref: str) -> None:
    with pytest.raises(Denied) as reviewer:
        act(person_caller(alice), project, ref, "withdraw")
    with pytest.raises(NotFound):
        act(person_caller(rita), project, ref, "withdraw")

    assert reviewer.value.as_answer()["missing"] == "ownership"
    assert proposal_at(ref).state == "pending"


def test_it_takes_the_scope_write_and_no_role_beyond_reading(
    bob: Person, project: Project, ref: str
) -> None:
    reading = agent_caller(bob, "reads", scopes=frozenset({Scope.READ}))
    with pytest.raises(Denied) as refusal:
        act(reading, project, ref, "withdraw")
    project.members.filter(person=bob).update(role="reader")

    answer = act(robo(bob), project, ref, "withdraw")

    assert refusal.value.as_answer()["missing"] == "write"
    assert answer["outcome"] == "done"


def test_who_may_no_longer_read_the_project_withdraws_nothing(
    bob: Person, project: Project, ref: str
) -> None:
    project.members.filter(person=bob).delete()

    with pytest.raises(NotFound):
        act(robo(bob), project, ref, "withdraw")


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_what_has_been_decided_is_a_conflict_that_says_by_whom(
    bob: Person, carol: Person, project: Project, ref: str, decision: str
) -> None:
    act(person_caller(carol), project, ref, decision, reason="Because.")

    with pytest.raises(Conflict) as refusal:
        act(robo(bob), project, ref, "withdraw")

    answer = refusal.value.as_answer()
    assert answer["state"] == {"approve": "approved", "reject": "rejected"}[decision]
    assert answer["decidedBy"] == {"name": "Carol"}
    assert "Because" not in str(answer)


def test_a_reason_that_cannot_be_stored_is_refused(bob: Person, project: Project, ref: str) -> None:
    for refused, reason in (
        (TooLarge, "x" * 2001),
        (Invalid, "\u0000"),
        (Invalid, f"ghp_{'a1B2c3' * 6}"),
    ):
        with pytest.raises(refused):
            act(robo(bob), project, ref, "withdraw", reason=reason)

    assert proposal_at(ref).state == "pending"


def test_proposals_have_three_actions_that_take_nothing_else(
    bob: Person, rita: Person, project: Project, ref: str
) -> None:
    with pytest.raises(Invalid) as action:
        act(robo(bob), project, ref, "archive")
    with pytest.raises(NotFound):
        act(robo(rita), project, ref, "archive")
    for beside in ({"target": 1}, {"relation": "blocks"}, {"fields": {"summary": "x"}}):
        with pytest.raises(Invalid):
            act(robo(bob), project, ref, "withdraw", **beside)

    assert action.value.as_answer()["allowed"] == ["approve", "reject", "withdraw"]
