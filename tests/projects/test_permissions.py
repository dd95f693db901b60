"""Who may do what: every role with every use, every scope with every use."""

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Scope
from conderis.common.errors import Denied, DomainError, NotFound
from projects.access import access_project, visible_projects
from projects.capabilities import Capability, OrganizationRole, Role, Use
from projects.models import OrganizationMember, Project
from tests.factories import agent_caller, join, make_project, person_caller
from tests.projects.making import make_organization, make_organization_project

pytestmark = pytest.mark.django_db

READS = {Use.READ}
WRITES = READS | {
    Use.WORK,
    Use.STORE_PRIVATE,
    Use.PROPOSE,
    Use.REQUEST_DELETION,
    Use.PROPOSE_INSTRUCTIONS,
}
MODERATES = WRITES | {Use.PUBLISH, Use.REVIEW}
MANAGES = MODERATES | {Use.PUBLISH_INSTRUCTIONS, Use.REVIEW_INSTRUCTIONS, Use.MANAGE}

PEOPLE = {"rita": READS, "bob": WRITES, "carol": MODERATES, "alice": MANAGES}
MISSING = {
    Use.WORK: Capability.WRITE,
    Use.STORE_PRIVATE: Capability.WRITE,
    Use.PROPOSE: Capability.WRITE,
    Use.PROPOSE_INSTRUCTIONS: Capability.WRITE,
    Use.REQUEST_DELETION: Capability.WRITE,
    Use.PUBLISH: Capability.MODERATE,
    Use.REVIEW: Capability.MODERATE,
    Use.PUBLISH_INSTRUCTIONS: Capability.MANAGE,
    Use.REVIEW_INSTRUCTIONS: Capability.MANAGE,
    Use.MANAGE: Capability.MANAGE,
}
SCOPES = {
    Scope.READ: {Use.READ},
    Scope.WRITE: {
        Use.WORK,
        Use.STORE_PRIVATE,
        Use.PROPOSE,
        Use.PROPOSE_INSTRUCTIONS,
        Use.PUBLISH,
        Use.PUBLISH_INSTRUCTIONS,
        Use.MANAGE,
    },
    Scope.DELETE: {Use.REQUEST_DELETION},
    Scope.REVIEW: {Use.REVIEW, Use.REVIEW_INSTRUCTIONS},
}


def outcome(person: Person, project: Project, use: Use) -> str:
    """`yes`, or the code and what is missing; for the person and a full key alike."""
    answers = set()
    for caller in (person_caller(person), agent_caller(person)):
        try:
            access = access_project(caller, project.public_id, use=use)
        except DomainError as refused:
            answers.add(f"{refused.code} {refused.details.get('missing', '')}".strip())
        else:
            assert access.may(use)
            answers.add("yes")
    [answer] = answers
    return answer


@pytest.mark.parametrize("use", Use)
@pytest.mark.parametrize("handle", PEOPLE)
def test_a_role_gives_its_uses_and_no_other(project: Project, handle: str, use: Use) -> None:
    person = Person.objects.get(handle=handle)

    expected = "yes" if use in PEOPLE[handle] else f"denied {MISSING[use]}"
    assert outcome(person, project, use) == expected


@pytest.mark.parametrize("use", Use)
def test_a_stranger_finds_nothing_and_reads_what_is_public(
    project: Project, mallory: Person, use: Use
) -> None:
    assert outcome(mallory, project, use) == "not_found"

    Project.objects.filter(pk=project.pk).update(is_public=True)

    assert outcome(mallory, project, use) == ("yes" if use in READS else f"denied {MISSING[use]}")


@pytest.mark.parametrize("handle", PEOPLE)
def test_making_a_project_public_takes_nothing_from_a_role(project: Project, handle: str) -> None:
    Project.objects.filter(pk=project.pk).update(is_public=True)
    person = Person.objects.get(handle=handle)

    assert {use for use in Use if outcome(person, project, use) == "yes"} == PEOPLE[handle]


@pytest.mark.parametrize("use", Use)
@pytest.mark.parametrize("scope", Scope)
def test_a_key_lets_through_what_its_scope_names_and_no_other(
    project: Project, alice: Person, scope: Scope, use: Use
) -> None:
    robo = agent_caller(alice, scopes=frozenset({scope}))

    if use in SCOPES[scope]:
        assert access_project(robo, "alice/shop", use=use).may(use)
        return
    with pytest.raises(Denied) as refused:
        access_project(robo, "alice/shop", use=use)
    assert "key lacks the scope" in refused.value.message
    assert refused.value.details["missing"] not in (scope, "")


def test_a_refusal_tells_a_missing_scope_from_a_missing_capability_of_the_same_name(
    project: Project, bob: Person, rita: Person
) -> None:
    by_scope = agent_caller(bob, scopes=frozenset({Scope.READ}))
    by_role = agent_caller(rita)

    with pytest.raises(Denied, match="key lacks the scope write"):
        access_project(by_scope, "alice/shop").require(Use.WORK)
    with pytest.raises(Denied, match="the capability write, which your role"):
        access_project(by_role, "alice/shop").require(Use.WORK)


ROLES = {
    Role.READER: READS,
    Role.CONTRIBUTOR: WRITES,
    Role.MODERATOR: MODERATES,
    Role.OWNER: MANAGES,
}


def uses(person: Person, project: Project) -> set[Use]:
    return {use for use in Use if outcome(person, project, use) == "yes"}


@pytest.mark.parametrize("default", Role)
def test_members_of_an_organization_have_its_default_role_in_its_projects(
    alice: Person, bob: Person, default: Role
) -> None:
    acme = make_organization(alice, members=(bob,), member_role=default)
    site = make_organization_project(acme)

    assert uses(bob, site) == ROLES[default]
    assert uses(alice, site) == MANAGES


@pytest.mark.parametrize("default", Role)
@pytest.mark.parametrize("override", Role)
def test_a_project_can_give_members_another_role_and_takes_nothing_from_owners(
    alice: Person, bob: Person, default: Role, override: Role
) -> None:
    acme = make_organization(alice, members=(bob,), member_role=default)
    site = make_organization_project(acme, member_role=override)

    assert uses(bob, site) == ROLES[override]
    assert uses(alice, site) == MANAGES


@pytest.mark.parametrize("direct", Role)
@pytest.mark.parametrize("default", Role)
def test_a_direct_membership_counts_if_it_gives_more(
    alice: Person, bob: Person, default: Role, direct: Role
) -> None:
    acme = make_organization(alice, members=(bob,), member_role=default)
    site = make_organization_project(acme)
    join(site, bob, direct)

    stronger = max(default, direct, key=list(Role).index)
    assert uses(bob, site) == ROLES[stronger]


def test_an_organization_gives_nothing_in_projects_of_others(
    project: Project, alice: Person, mallory: Person
) -> None:
    make_organization(mallory, members=(alice,))
    other = make_organization_project(make_organization(alice, "other"))

    assert outcome(mallory, project, Use.READ) == "not_found"
    assert outcome(mallory, other, Use.READ) == "not_found"


def test_leaving_an_organization_ends_what_it_gave_on_the_next_call(
    alice: Person, bob: Person
) -> None:
    acme = make_organization(alice, members=(bob,))
    site = make_organization_project(acme)
    membership = OrganizationMember.objects.filter(organization=acme, person=bob)
    membership.update(role=OrganizationRole.OWNER)
    assert uses(bob, site) == MANAGES

    membership.update(role=OrganizationRole.MEMBER)
    assert uses(bob, site) == WRITES

    membership.delete()
    assert outcome(bob, site, Use.READ) == "not_found"


def test_every_use_of_the_table_is_tested_here() -> None:
    assert set(Use) == MANAGES
    assert set().union(*SCOPES.values()) == set(Use)


def test_a_key_for_chosen_projects_sees_those_alone_however_public_others_are(
    project: Project, alice: Person
) -> None:
    other = make_project(alice, "other")
    public = make_project(alice, "public", is_public=True)
    robo = agent_caller(alice, projects=[project])

    assert list(visible_projects(robo)) == [project]
    for hidden in (other, public):
        for text in (hidden.public_id, hidden.path):
            with pytest.raises(NotFound):
                access_project(robo, text)


def test_a_chosen_project_gives_no_more_than_the_person_has(
    project: Project, bob: Person, mallory: Person
) -> None:
    with pytest.raises(Denied):
        access_project(agent_caller(bob, projects=[project]), "alice/shop", use=Use.PUBLISH)
    with pytest.raises(NotFound):
        access_project(agent_caller(mallory, projects=[project]), "alice/shop")


def test_a_key_without_the_scope_learns_nothing_of_what_is_there(
    project: Project, alice: Person
) -> None:
    robo = agent_caller(alice, scopes=frozenset({Scope.DELETE}))

    answers = []
    for text in ("alice/shop", "alice/none", "https://"):
        with pytest.raises(Denied) as refused:
            access_project(robo, text)
        answers.append(refused.value.as_answer())

    assert answers == [answers[0]] * 3
    assert answers[0]["missing"] == "read"
