"""Who sees a proposal, and who may decide it; for everybody else it does not exist."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Scope, Surface
from conderis.common.errors import Denied, DomainError, NotFound
from items.requests import Address, DeletionCall
from privacy.requesting import request_deletion
from projects.access import access_project
from projects.capabilities import OrganizationRole, Role, Use
from projects.models import Project
from proposals.access import access_proposal, is_locked, visible_proposals, whole
from proposals.models import Proposal
from tests.factories import agent_caller, join, make_person, make_project, person_caller
from tests.items.calls import create
from tests.projects.making import make_organization, make_organization_project
from tests.proposals.reviews import page, propose, propose_new

NOBODY = "proposal:000000000000"


def seen(caller: Caller, project: Project | None = None) -> set[str]:
    """The titles of what the caller sees, in one project or in all."""
    access = access_project(caller, project.public_id) if project else None
    return {each.title or each.kind for each in visible_proposals(caller, access)}


def why_not(caller: Caller, ref: str) -> str:
    """What is missing to review it, or nothing."""
    access = access_proposal(caller, ref)
    if access.may_review:
        access.require_review()
        return ""
    with pytest.raises(Denied, match=re.escape(str(access.cannot_review_because))) as refusal:
        access.require_review()
    return str(refusal.value.as_answer()["missing"])


@pytest.fixture
def waiting(bob: Person, carol: Person, project: Project) -> Project:
    """Bob's agent has proposed a page and the instructions, carol other instructions."""
    propose_new(agent_caller(bob), project, "page", title="Page")
    propose_new(agent_caller(bob), project, "instructions", content="By bob")
    propose_new(person_caller(carol), project, "instructions", content="By carol")
    return project


def test_it_is_seen_by_its_proposer_and_by_who_may_approve_it(
    waiting: Project, *, alice: Person, bob: Person, carol: Person, rita: Person, mallory: Person
) -> None:
    waiting.is_public = True
    waiting.save()
    dora = make_person("dora")
    join(waiting, dora, Role.CONTRIBUTOR)

    for through in (person_caller, agent_caller):
        for place in (waiting, None):
            assert seen(through(bob), place) == {"Page", "instructions"}
            assert seen(through(carol), place) == {"Page", "instructions"}
            assert len(visible_proposals(through(carol), None)) == 2  # not bob's instructions
            assert len(visible_proposals(through(alice), None)) == 3
            for other in (rita, mallory, dora):
                assert seen(through(other), place) == set()


def test_hidden_missing_and_malformed_answer_in_the_same_words(
    waiting: Project, mallory: Person, rita: Person
) -> None:
    ref = str(Proposal.objects.get(kind="page"))

    for person in (mallory, rita):
        with pytest.raises(NotFound) as hidden:
            access_proposal(agent_caller(person), ref)
        with pytest.raises(NotFound) as missing:
            access_proposal(agent_caller(person), NOBODY)
        assert hidden.value.message.replace(ref, NOBODY) == missing.value.message
    for malformed in ("proposal:", "proposal:ABC", "memory:abc", "#1", "", "proposal:\u0000"):
        with pytest.raises(NotFound):
            access_proposal(agent_caller(rita), malformed)


def test_a_key_without_a_scope_is_told_so_before_anything_is_looked_up(
    waiting: Project, alice: Person
) -> None:
    blind = agent_caller(alice, "blind", scopes=frozenset({Scope.WRITE}))
    reading = agent_caller(alice, "reads", scopes=frozenset({Scope.READ}))

    with pytest.raises(Denied):
        access_proposal(blind, NOBODY)
    with pytest.raises(Denied) as refusal:
        access_proposal(reading, NOBODY, use=Use.REVIEW)

    assert refusal.value.as_answer()["missing"] == "review"


def test_a_key_of_chosen_projects_sees_those_of_no_other(waiting: Project, bob: Person) -> None:
    other = make_project(bob, "other")

    assert seen(agent_caller(bob, "elsewhere", projects=[other])) == set()
    assert seen(agent_caller(bob, "here", projects=[waiting])) == {"Page", "instructions"}


def test_a_lost_role_ends_what_it_showed_and_the_proposal_stays(
    waiting: Project, alice: Person, bob: Person, carol: Person
) -> None:
    waiting.members.filter(person__in=[bob, carol]).delete()

    assert seen(person_caller(bob)) == seen(person_caller(carol)) == set()
    assert len(visible_proposals(person_caller(alice), None)) == 3


def test_a_deleted_project_shows_none(waiting: Project, alice: Person) -> None:
    Project.objects.update(deleted_at=waiting.created)

    assert seen(person_caller(alice)) == set()


@pytest.mark.parametrize(
    ("organization_role", "member_role", "many"),
    [("owner", "", 2), ("member", "owner", 2), ("member", "moderator", 1), ("member", "", 0)],
)
def test_roles_over_an_organization_count(
    alice: Person,
    bob: Person,
    rita: Person,
    *,
    organization_role: str,
    member_role: str,
    many: int,
) -> None:
    acme = make_organization(alice)
    site = make_organization_project(acme, member_role=member_role)
    acme.members.create(person=bob, role=OrganizationRole(organization_role))
    join(site, rita, Role.CONTRIBUTOR)
    propose_new(person_caller(rita), site, "page", title="P")
    propose_new(person_caller(rita), site, "instructions", content="I")

    here = access_project(person_caller(bob), site.path)

    assert len(visible_proposals(person_caller(bob), None)) == many
    assert len(visible_proposals(person_caller(bob), here)) == many


def test_who_may_review_and_why_not(
    waiting: Project, alice: Person, bob: Person, carol: Person
) -> None:
    of_page = str(Proposal.objects.get(kind="page"))
    by_carol = str(Proposal.objects.get(kind="instructions", proposer=carol))
    unscoped = agent_caller(carol, "writes", scopes=frozenset({Scope.READ, Scope.WRITE}))

    assert why_not(person_caller(carol), of_page) == ""
    assert why_not(agent_caller(alice), of_page) == ""
    assert why_not(person_caller(bob), of_page) == "moderate"
    assert why_not(unscoped, of_page) == "review"
    assert why_not(person_caller(carol), by_carol) == "manage"
    assert why_not(person_caller(alice), by_carol) == ""


def test_nobody_decides_their_own_while_somebody_else_could(
    alice: Person, carol: Person, project: Project
) -> None:
    ref = create(agent_caller(carol), project, "page", title="P", propose=True)["proposal"]

    for caller in (person_caller(carol), agent_caller(carol), agent_caller(carol, "second")):
        assert why_not(caller, ref) == "another person"
    alice.is_active = False
    alice.save()
    assert why_not(person_caller(carol), ref) == ""


def test_the_only_one_who_could_may_in_the_browser_alone(alice: Person) -> None:
    alone = make_project(alice, "alone")
    ref = create(agent_caller(alice), alone, "page", title="P", propose=True)["proposal"]

    assert why_not(person_caller(alice), ref) == ""
    assert why_not(person_caller(alice, Surface.API), ref) == "person"
    assert why_not(agent_caller(alice), ref) == "person"


def test_a_locked_item_or_base_version_locks_the_content(
    alice: Person, bob: Person, project: Project
) -> None:
    numbers = [page(project, alice, title) for title in ("One", "Two", "Three")]
    refs = [propose(person_caller(bob), project, each, content="Other") for each in numbers]
    owner = person_caller(alice)
    for number, version in ((numbers[0], None), (numbers[1], 1)):
        call = DeletionCall(Address(project.path, number=number), version=version, reason="r")
        request_deletion(owner, call)

    rows = {row.ref: row for row in whole(visible_proposals(owner, None))}

    assert [is_locked(rows[ref]) for ref in refs] == [True, True, False]


def test_locking_reads_the_row_again(waiting: Project, alice: Person) -> None:
    ref = str(Proposal.objects.get(kind="page"))

    access = access_proposal(person_caller(alice), ref, lock=True)

    assert access.proposal.ref == ref
    assert access.place_access.project == waiting


def test_seeing_many_costs_no_more_queries(alice: Person, bob: Person, project: Project) -> None:
    counts = []
    for many in (2, 10):
        for number in range(many):
            propose_new(agent_caller(bob), project, "page", title=f"P{many}-{number}")
        with CaptureQueriesContext(connection) as queries:
            for row in whole(visible_proposals(person_caller(alice), None)):
                assert row.proposer.display_name
                assert row.project.full_name
        counts.append(len(queries))

    assert counts == [1, 1]


def test_reviewing_needs_the_role_by_its_kind(waiting: Project, bob: Person, carol: Person) -> None:
    by_carol = str(Proposal.objects.get(kind="instructions", proposer=carol))

    for caller, ref, missing in (
        (person_caller(bob), str(Proposal.objects.get(kind="page")), "moderate"),
        (person_caller(carol), by_carol, "manage"),
    ):
        with pytest.raises(DomainError) as refusal:
            access_proposal(caller, ref, use=Use.REVIEW)
        assert refusal.value.as_answer()["missing"] == missing
