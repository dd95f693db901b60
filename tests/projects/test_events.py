"""The log of what changes rights: who may see it, what it shows, and its pages."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts import audit
from conderis.accounts.actors import Operator
from conderis.accounts.models import AgentKey, AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from items.requests import Address, DeletionCall
from privacy.deciding import erase, refuse
from privacy.requesting import request_deletion, request_organization_deletion
from privacy.revealing import reveal
from projects.capabilities import Role
from projects.ending import delete_project, restore_project
from projects.events import EventPage, Who, organization_events, project_events
from projects.invitations import accept_invitation, create_invitation
from projects.members import remove_member, set_member
from projects.models import Project
from projects.organizations import (
    change_organization,
    create_organization,
    set_organization_member,
)
from projects.policies import change_policies
from projects.services import change_project, create_project
from projects.transfer import transfer_project
from projects.visibility import set_visibility
from proposals.organization_instructions import store_organization_instructions
from tests.factories import agent_caller, join, make_person, person_caller
from tests.items.calls import create
from tests.projects.making import make_organization, make_organization_project
from tests.projects.refused import NO_OWNERS, answer_to_strangers, refusal_of, refusals

pytestmark = pytest.mark.django_db


def actions(page: EventPage) -> list[str]:
    return [row.action for row in page.items]


def test_every_change_of_rights_is_there_newest_first(
    project: Project, alice: Person, bob: Person, mallory: Person
) -> None:
    caller = person_caller(alice)
    create_organization(caller, handle="acme", name="", owner="alice")
    set_member(caller, project_id="alice/shop", handle="bob", role="owner")
    set_member(caller, project_id="alice/shop", handle="mallory", role="reader")
    remove_member(caller, project_id="alice/shop", handle="mallory")
    change_project(caller, "alice/shop", fields={"name": "store"})
    change_policies(caller, "alice/shop", fields={"secrets": "warn"})
    set_visibility(caller, "alice/shop", visibility="public", typed_name="alice/store")
    made = create_invitation(caller, project_id="alice/shop", role="reader")
    accept_invitation(person_caller(mallory), token=made.token)
    delete_project(caller, "alice/shop", typed_name="alice/store")
    restore_project(caller, project_id=project.public_id)
    transfer_project(caller, "alice/shop", owner="acme")

    assert actions(project_events(caller, "acme/store")) == [
        "project.transferred",
        "project.restored",
        "project.deleted",
        "invitation.accepted",
        "invitation.created",
        "visibility.changed",
        "policies.changed",
        "project.changed",
        "member.removed",
        "member.added",
        "member.changed",
    ]
    assert actions(organization_events(caller, "acme")) == [
        "project.transferred",
        "organization.created",
    ]


def test_a_row_names_people_and_agents_and_what_happened(
    project: Project, alice: Person, bob: Person
) -> None:
    robo = agent_caller(alice, "Codex on laptop")
    change_project(robo, "alice/shop", fields={"description": "a text that nobody logs"})
    set_member(person_caller(alice), project_id="alice/shop", handle="bob", role="reader")
    set_member(Operator(), project_id="alice/shop", handle="bob", role="owner")

    by_operator, by_person, by_agent = project_events(person_caller(alice), "alice/shop").items

    assert (by_operator.person, by_operator.agent) == (None, None)
    assert (by_person.person, by_person.agent) == (Who("alice", "Alice"), None)
    assert (by_person.subject, by_person.subject_person) == (bob.ref, Who("bob", "Bob"))
    assert (by_person.detail, by_person.project) == ({"role": "reader"}, "alice/shop")
    assert (by_agent.agent, by_agent.subject_person) == ("Codex on laptop", None)
    assert (by_agent.subject, by_agent.detail) == (project.ref, {"fields": ["description"]})
    assert "@" not in str((by_operator, by_person, by_agent))


@pytest.mark.usefixtures("mallory")
def test_the_log_of_a_project_is_for_its_owners(project: Project) -> None:
    assert refusals(lambda who: project_events(who, "alice/shop")) == NO_OWNERS
    answer_to_strangers(project_events, project)


def test_the_log_of_an_organization_is_for_its_owners(
    alice: Person, bob: Person, mallory: Person
) -> None:
    make_organization(alice, members=(bob,))

    def read(caller: Caller) -> object:
        return organization_events(caller, "acme")

    assert refusal_of(read, person_caller(bob)) == "denied manage"
    assert refusal_of(read, person_caller(mallory)) == "not_found"
    assert refusal_of(read, agent_caller(alice)) == "denied person"
    assert organization_events(person_caller(alice), "acme") == EventPage([], None)


def test_what_changes_no_rights_and_what_is_elsewhere_is_left_out(
    project: Project, alice: Person
) -> None:
    caller = person_caller(alice)
    audit.record(caller, action="item.created", subject="#1", project_id=project.pk)
    create_project(caller, fields={"name": "other"})

    assert project_events(caller, "alice/shop").items == []


def test_keys_limited_to_the_project_are_shown_without_their_other_projects(
    project: Project, alice: Person, bob: Person
) -> None:
    limited, wide = agent_caller(bob, "a", projects=[project]), agent_caller(bob, "b")
    for caller in (limited, wide):
        assert caller.key is not None
        key = caller.key.key_id
        public_id = AgentKey.objects.get(pk=key).public_id
        audit.record(
            person_caller(bob), action="key.created", subject=f"key:{public_id}",
            scopes=["read"], alwaysReview=False, projects=[project.public_id, "secretother0"],
        )  # fmt: skip

    [row] = project_events(person_caller(alice), "alice/shop").items

    assert (row.action, row.person) == ("key.created", Who("bob", "Bob"))
    assert row.detail == {"scopes": ["read"], "alwaysReview": False}


def test_the_log_of_an_organization_has_its_projects_and_forgets_those_that_left(
    alice: Person, bob: Person
) -> None:
    acme = make_organization(alice)
    site = make_organization_project(acme)
    join(site, bob, Role.OWNER)
    caller = person_caller(alice)
    set_organization_member(caller, handle="acme", person="bob", role="member")
    change_organization(caller, handle="acme", fields={"memberRole": "reader"})
    set_visibility(caller, "acme/site", visibility="public", typed_name="acme/site")

    rows = organization_events(caller, "acme").items
    assert [(row.action, row.project) for row in rows] == [
        ("visibility.changed", "acme/site"),
        ("organization.changed", None),
        ("organization_member.added", None),
    ]
    assert rows[2].subject_person == Who("bob", "Bob")

    transfer_project(caller, "acme/site", owner="bob")
    rows = organization_events(caller, "acme").items
    assert [(row.action, row.project) for row in rows[:2]] == [
        ("organization.project_left", None),
        ("visibility.changed", None),
    ]


def test_pages_hold_every_event_once_also_while_others_come(
    project: Project, alice: Person
) -> None:
    caller = person_caller(alice)
    for days in range(1, 8):
        change_policies(caller, "alice/shop", fields={"sessionDays": days})
    expected = list(AuditEvent.objects.order_by("-pk").values_list("pk", flat=True))

    seen: list[int] = []
    page = project_events(caller, "alice/shop", limit=3)
    while True:
        seen += [row.id for row in page.items]
        change_policies(caller, "alice/shop", fields={"sessionDays": 100 + len(seen)})
        if page.before is None:
            break
        page = project_events(caller, "alice/shop", limit=3, before=page.before)

    assert seen == expected


def test_a_page_that_holds_the_last_event_leads_nowhere(project: Project, alice: Person) -> None:
    caller = person_caller(alice)
    for days in (1, 2):
        change_policies(caller, "alice/shop", fields={"sessionDays": days})

    assert project_events(caller, "alice/shop", limit=2).before is None
    assert project_events(caller, "alice/shop", limit=1).before is not None


@pytest.mark.parametrize("bounds", [
    {"limit": 0}, {"limit": 101}, {"before": 0}, {"before": -1},
])  # fmt: skip
def test_bounds_that_are_not_allowed_are_refused(
    project: Project, alice: Person, bounds: dict[str, int]
) -> None:
    make_organization(alice)

    calls: list[Callable[[], object]] = [
        lambda: project_events(person_caller(alice), "alice/shop", **bounds),
        lambda: organization_events(person_caller(alice), "acme", **bounds),
    ]
    for read in calls:
        with pytest.raises(Invalid) as refused:
            read()
        assert refused.value.details["field"] in bounds


def test_many_events_take_as_many_queries_as_two(alice: Person) -> None:
    acme = make_organization(alice)
    make_organization_project(acme)
    caller = person_caller(alice)

    def grow(number: int) -> None:
        for place in range(number):
            handle = make_person().handle
            set_member(caller, project_id="acme/site", handle=handle, role="reader")
            change_project(
                agent_caller(alice, handle), "acme/site", fields={"description": f"{handle}{place}"}
            )

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            project_events(caller, "acme/site")
            organization_events(caller, "acme")
        return len(captured)

    grow(2)
    queries()
    few = queries()
    grow(6)

    assert queries() == few


def test_deletions_are_there_without_content_and_none_of_private_memories(
    project: Project, alice: Person, bob: Person
) -> None:
    caller, robo = person_caller(alice), agent_caller(bob)
    create(caller, project, "page", title="zanzibarqx", content="zanzibarqx")
    create(robo, project, "memory", title="Mine", visibility="private")
    made, private = (
        request_deletion(robo, DeletionCall(Address(project.path, number=number), reason="secret"))
        for number in (1, 2)
    )
    reveal(caller, str(made["request"]))
    refuse(caller, str(made["request"]), reason="zanzibarqx is public")
    erase(person_caller(bob), str(private["request"]))

    page = project_events(caller, "alice/shop")

    assert actions(page) == ["deletion.refused", "deletion.revealed", "deletion.requested"]
    assert {row.subject for row in page.items} == {"#1"}
    assert page.items[2].agent == "robo"
    assert "zanzibarqx" not in str(page)
    assert "secret" not in str(page)


def test_deletions_of_an_organizations_instructions_are_in_its_log(alice: Person) -> None:
    caller = person_caller(alice)
    make_organization(alice)
    store_organization_instructions(caller, handle="acme", content="Be brief.", version=None)

    request_organization_deletion(caller, "acme", version=None, reason="secret")

    newest = organization_events(caller, "acme").items[0]
    assert (newest.action, newest.subject.partition(":")[0]) == (
        "deletion.requested",
        "instructions",
    )
