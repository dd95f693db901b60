"""Who decides deletion requests, and what refusing and withdrawing bring back."""

from collections.abc import Callable
from functools import partial

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller, Surface
from conderis.common.errors import Conflict, Denied, DomainError, Invalid, NotFound
from conderis.common.json import JsonObject
from items import search
from privacy import deciding
from privacy.access import access_request
from privacy.deciding import Decision
from privacy.queue import count_waiting, list_requests
from privacy.requesting import request_organization_deletion
from privacy.revealing import reveal
from privacy.showing import show_request
from projects.models import Project
from proposals.organization_instructions import (
    read_organization_instructions,
    store_organization_instructions,
)
from proposals.reviewing import approve
from tests.factories import agent_caller, make_person, person_caller
from tests.items.calls import act, change, create, item_at
from tests.items.recall_rows import recalled
from tests.privacy.deletions import REASON, ask, erase, found, read, refuse, request_at
from tests.projects.making import make_organization
from tests.proposals.reviews import page, propose, propose_new

DECIDED: dict[str, Callable[[Caller, str], JsonObject]] = {
    "erased": deciding.erase,
    "refused": lambda caller, ref: deciding.refuse(caller, ref, reason="no secret"),
}


def outcome(caller: Caller, ref: str, how: str = "erased") -> str:
    """`done`, or how the refusal reads: its code, with what is missing."""
    try:
        return str(DECIDED[how](caller, ref)["outcome"])
    except DomainError as refusal:
        said = refusal.as_answer()
        return f"{said['error']} {said.get('missing', '')}".strip()


@pytest.mark.parametrize("how", DECIDED)
@pytest.mark.parametrize("kind", ["task", "memory", "page", "instructions"])
def test_who_may_moderate_decides_and_the_requester_only_reads_of_it(
    alice: Person, bob: Person, carol: Person, rita: Person,
    *, mallory: Person, project: Project, kind: str, how: str,
) -> None:  # fmt: skip
    owner = person_caller(alice)
    more = {"memory": {"visibility": "shared"}}.get(kind, {})
    titled = {} if kind == "instructions" else {"title": "Deploy"}
    create(owner, project, kind, content="text", **titled, **more)
    where = "instructions" if kind == "instructions" else 1
    ref = ask(agent_caller(bob), project, where)
    root = make_person("root", is_staff=True, is_superuser=True)

    refused = [outcome(person_caller(who), ref, how) for who in (bob, rita, mallory, root)]
    by_agents = [outcome(agent_caller(who), ref, how) for who in (alice, carol)]
    elsewhere = outcome(person_caller(carol, Surface.API), ref, how)
    decided = outcome(person_caller(carol), ref, how)

    assert refused == ["denied moderate", "not_found", "not_found", "not_found"]
    assert by_agents == ["denied person", "denied person"]
    assert elsewhere == "denied person"
    assert decided == "done"
    assert request_at(ref).decided_by == carol


def test_a_requester_with_the_role_decides_it_alone(alice: Person, project: Project) -> None:
    page(project, alice)
    ref = ask(agent_caller(alice), project, 1)

    assert outcome(person_caller(alice), ref) == "done"


@pytest.mark.parametrize("how", DECIDED)
@pytest.mark.parametrize("place", ["project", "personal"])
def test_what_is_private_its_author_decides_and_nobody_else_learns_of_it(
    alice: Person, bob: Person, carol: Person, project: Project, *, place: str, how: str
) -> None:
    robo, there = agent_caller(bob), project if place == "project" else None
    made = create(robo, there, "memory", title="Mine", visibility="private")
    before = AuditEvent.objects.count()
    ref = ask(robo, there, made.get("number") or made["ref"])

    for who in (alice, carol):
        with pytest.raises(NotFound) as hidden:
            access_request(person_caller(who), ref)
        assert hidden.value.message == f"There is no {ref} that you may read."
        assert outcome(person_caller(who), ref, how) == "not_found"
        assert list_requests(person_caller(who), state="all").total == 0
        assert count_waiting(person_caller(who), None) == 0
    assert count_waiting(person_caller(bob), None) == 1
    assert outcome(person_caller(bob), ref, how) == "done"
    written = AuditEvent.objects.order_by("pk")[before:]
    assert [row.detail["private"] for row in written] == [True, True]


@pytest.mark.parametrize("how", DECIDED)
def test_the_instructions_of_an_organization_its_owners_decide(
    alice: Person, bob: Person, carol: Person, how: str
) -> None:
    make_organization(alice, members=(bob,)).members.create(person=carol, role="owner")
    store_organization_instructions(
        person_caller(carol), handle="acme", content="Be brief.", version=None
    )
    answer = request_organization_deletion(
        person_caller(alice), "acme", version=None, reason=REASON
    )
    ref = str(answer["request"])
    locked = read_organization_instructions(person_caller(bob), handle="acme")

    assert locked["locked"]["request"] == ref
    assert "content" not in locked
    assert outcome(person_caller(bob), ref, how) == "not_found"
    assert outcome(agent_caller(alice), ref, how) == "denied person"
    assert outcome(person_caller(carol), ref, how) == "done"
    after = read_organization_instructions(person_caller(bob), handle="acme")
    assert after.get("content", "") == ("" if how == "erased" else "Be brief.")


@pytest.mark.parametrize("how", DECIDED)
def test_a_proposal_whoever_could_approve_it_decides(
    alice: Person, bob: Person, carol: Person, rita: Person, project: Project, *, how: str
) -> None:
    shared = propose_new(agent_caller(bob), project, "page", title="Proposed")
    ruling = propose_new(agent_caller(bob), project, "instructions", content="Rules")
    of_page, of_rules = (ask(agent_caller(bob), None, ref) for ref in (shared, ruling))

    got = {
        who.handle: tuple(outcome(person_caller(who), each, how) for each in (of_page, of_rules))
        for who in (bob, rita, carol, alice)
    }  # fmt: skip

    assert got == {
        "bob": ("denied moderate", "denied moderate"),
        "rita": ("not_found", "not_found"),
        "carol": ("done", "not_found"),
        "alice": ("unchanged", "done"),
    }


def test_refusing_brings_everything_back(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    robo = agent_caller(alice)
    page(project, alice, title="Deploying zanzibar", tags=["quux"])
    create(robo, project, "page", title="Child", parent=1)
    create(robo, project, "page", title="Other")
    act(robo, project, 3, "relate", target=1, relation="relates")
    proposal = propose(agent_caller(bob), project, 1, content="Quite another text.")
    before = read(robo, project, 1)
    beside = read(robo, project, 3)
    recall = recalled(robo, project)
    ref = ask(robo, project, 1)
    locked = [found(robo, project, "page", "zanzibar"), read(robo, project, 1)]

    refuse(carol, ref, "It is an example.")

    assert "zanzibar" not in str(locked)
    assert found(robo, project, "page", "zanzibar") == [1]
    assert read(robo, project, 1) == before
    assert read(robo, project, 3) == beside
    assert recalled(robo, project) == recall
    assert search.is_complete()
    assert approve(person_caller(carol), proposal)["outcome"] == "done"
    assert item_at(project, 1).content == "Quite another text."


def test_the_requester_reads_why_it_was_refused(
    alice: Person, bob: Person, project: Project
) -> None:
    page(project, alice)
    ref = ask(agent_caller(bob), project, 1)

    refuse(alice, ref, "It is an example.")

    shown = read(agent_caller(bob), None, ref)
    assert (shown["state"], shown["decisionReason"], shown["decidedBy"]) == (
        "refused", "It is an example.", "Alice",
    )  # fmt: skip


def test_refusing_takes_a_reason_that_can_be_stored(alice: Person, project: Project) -> None:
    page(project, alice)
    ref = ask(person_caller(alice), project, 1)

    for reason in (None, "", "  "):
        with pytest.raises(Invalid) as refused:
            deciding.refuse(person_caller(alice), ref, reason=reason)
        assert refused.value.as_answer()["field"] == "reason"
    with pytest.raises(DomainError):
        refuse(alice, ref, "x" * 2001)
    with pytest.raises(Invalid):
        refuse(alice, ref, "ghp_" + "a1B2c3" * 6)

    assert request_at(ref).state == "pending"


def test_a_title_that_was_taken_meanwhile_gets_the_number_behind_it(
    alice: Person, project: Project
) -> None:
    robo = agent_caller(alice)
    page(project, alice, title="Deploying")
    ref = ask(robo, project, 1)
    page(project, alice, title="Deploying")

    refuse(alice, ref)

    item = item_at(project, 1)
    assert (item.title, item.version) == ("Deploying (#1)", 2)
    assert item.events.get(version=2).changed == ["title"]
    assert found(robo, project, "page", "Deploying") == [1, 2]


@pytest.mark.parametrize("by_agent", [True, False])
def test_the_requester_withdraws_in_the_browser_while_it_is_pending(
    alice: Person, bob: Person, carol: Person, project: Project, *, by_agent: bool
) -> None:
    page(project, alice, title="Deploying zanzibar")
    ref = ask(agent_caller(bob) if by_agent else person_caller(bob), project, 1)

    with pytest.raises(Denied):
        deciding.withdraw(agent_caller(bob), ref)
    with pytest.raises(Denied) as others:
        deciding.withdraw(person_caller(carol), ref)
    first = deciding.withdraw(person_caller(bob), ref)
    again = deciding.withdraw(person_caller(bob), ref)

    assert others.value.as_answer()["missing"] == "ownership"
    assert (first["outcome"], again["outcome"]) == ("done", "unchanged")
    assert item_at(project, 1).locked_at is None
    assert found(agent_caller(bob), project, "page", "zanzibar") == [1]
    with pytest.raises(Conflict):
        erase(alice, ref)


def test_what_is_decided_stays_decided_and_repeating_it_changes_nothing(
    alice: Person, carol: Person, project: Project
) -> None:
    page(project, alice)
    page(project, alice, title="Other")
    gone, kept = (ask(person_caller(alice), project, number) for number in (1, 2))
    erase(carol, gone)
    refuse(carol, kept)
    before = AuditEvent.objects.count()

    assert erase(alice, gone)["outcome"] == refuse(alice, kept)["outcome"] == "unchanged"
    assert AuditEvent.objects.count() == before
    calls: list[Callable[[], object]] = [
        lambda: erase(carol, kept),
        lambda: refuse(carol, gone),
        lambda: deciding.withdraw(person_caller(alice), kept),
    ]
    for call in calls:
        with pytest.raises(Conflict):
            call()
    assert request_at(gone).state == "erasing"
    assert item_at(project, 2).locked_at is None


def test_several_are_decided_each_by_itself(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    for number in range(4):
        page(project, alice, title=f"P{number}")
    refs = [ask(person_caller(bob), project, number) for number in (1, 2, 3)]
    deciding.withdraw(person_caller(bob), refs[2])
    asked = [*refs, "deletion:0123456789ab", refs[0]]

    got = dict(deciding.decide_several(person_caller(carol), asked, decision=Decision.ERASE))
    none = deciding.decide_several(person_caller(bob), [refs[0]], decision=Decision.ERASE)

    assert [got[ref] for ref in refs[:2]] == ["done", "done"]
    assert "withdrawn" in got[refs[2]]
    assert "no deletion:0123456789ab" in got["deletion:0123456789ab"]
    assert [item_at(project, number).erased_at is not None for number in (1, 2, 3, 4)] == [
        True, True, False, False,
    ]  # fmt: skip
    assert none[0][1] != "done"
    for wrong in ([], [f"deletion:{number}" for number in range(101)]):
        with pytest.raises(Invalid):
            deciding.decide_several(person_caller(carol), wrong, decision=Decision.REFUSE)


def test_the_content_is_revealed_to_who_decides_and_each_time_recorded(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    page(project, alice, title="Deploying zanzibar", content="quux")
    change(person_caller(alice), project, 1, 1, content="grault")
    ref = ask(agent_caller(bob), project, 1)

    shown = show_request(person_caller(carol), ref)
    refused = [
        _refused(partial(reveal, who, ref)) for who in (person_caller(bob), agent_caller(carol))
    ]
    before = AuditEvent.objects.filter(action="deletion.revealed").count()
    now = reveal(person_caller(carol), ref)
    then = reveal(person_caller(carol), ref, version=1)

    for word in ("zanzibar", "quux", "grault"):
        assert word not in str(shown)
    assert refused == ["denied moderate", "denied person"]
    assert before == 0
    assert now.title == "Deploying zanzibar"
    assert {each.name: each.value for each in now.fields}["content"] == "grault"
    assert {each.name: each.value for each in then.fields}["content"] == "quux"
    rows = AuditEvent.objects.filter(action="deletion.revealed").order_by("pk")
    assert [row.detail.get("version") for row in rows] == [None, 1]
    assert "zanzibar" not in str([row.detail for row in rows])


def _refused(call: Callable[[], object]) -> str:
    with pytest.raises(DomainError) as refused:
        call()
    said = refused.value.as_answer()
    return f"{said['error']} {said.get('missing', '')}".strip()
