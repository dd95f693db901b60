"""Deleting one's account: what stands in the way, what goes, what stays."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from conderis.accounts.models import Agent, AgentKey, AuditEvent, Handle, Person, SignInLink
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, Invalid, NotFound
from items import search
from items.models import Item
from items.reading import read_item
from items.requests import Address, DeletionCall, ReadRequest
from privacy.leaving import NameChoice, delete_account, leaving_report
from privacy.requesting import request_deletion
from projects.models import (
    KeyProject,
    OrganizationMember,
    Project,
    ProjectMember,
)
from tests.factories import agent_caller, make_project, person_caller
from tests.items.calls import act, change, create, item_at
from tests.items.recall_rows import make_organization
from tests.privacy.tables import places_of
from tests.privacy.test_ended_projects import fill_proposals

MARKER = "zanzibarqx"


@pytest.fixture
def carols(carol: Person) -> Caller:
    """An agent of carol's, who moderates alice/shop."""
    return agent_caller(carol)


def leave(person: Person, keep: NameChoice = NameChoice.KEEP) -> None:
    delete_account(person_caller(person), keep_name=keep, typed_handle=person.handle)
    person.refresh_from_db()


def test_the_report_counts_what_goes_and_what_stays(
    carol: Person, bob: Person, carols: Caller, project: Project
) -> None:
    create(carols, None, "memory", title="Personal")
    create(carols, project, "memory", title="Private", visibility="private")
    create(carols, project, "memory", title="Shared", visibility="shared")
    create(carols, project, "task", title="Mine", assignee="me")
    create(agent_caller(bob), project, "memory", title="Bob's", visibility="private")

    report = leaving_report(person_caller(carol))

    assert report.may_leave
    assert (report.personal_memories, report.private_memories) == (1, 1)
    assert (report.shared_items, report.assigned_tasks) == (2, 1)


def test_what_stands_in_the_way_is_reported_and_refused(alice: Person, project: Project) -> None:
    make_organization(alice)
    gone = make_project(alice, "gone", deleted_at=timezone.now())

    report = leaving_report(person_caller(alice))
    with pytest.raises(Conflict) as organizations:
        leave(alice)
    OrganizationMember.objects.all().delete()
    with pytest.raises(Conflict) as projects:
        leave(alice)

    assert not report.may_leave
    assert (report.last_owner_of, report.projects) == (("acme",), ("alice/shop",))
    assert report.deleted_projects == ("alice/gone",)
    assert organizations.value.as_answer()["organizations"] == ["acme"]
    assert projects.value.as_answer()["projects"] == ["alice/shop"]
    alice.refresh_from_db()
    assert (alice.is_active, alice.left_at) == (True, None)
    assert Project.objects.filter(pk=gone.pk).exists()


def test_another_owner_frees_a_person_and_the_last_admin_is_kept(
    alice: Person, carol: Person
) -> None:
    acme = make_organization(carol)
    OrganizationMember.objects.create(organization=acme, person=alice, role="owner")
    Person.objects.filter(pk=carol.pk).update(is_superuser=True, is_staff=True)

    with pytest.raises(Conflict):
        leave(carol)
    admin = leaving_report(person_caller(carol))
    Person.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    leave(carol)

    assert (admin.last_owner_of, admin.last_admin, admin.may_leave) == ((), True, False)
    assert list(acme.members.values_list("person", flat=True)) == [alice.pk]
    assert not carol.is_superuser


def test_only_the_person_who_types_the_handle_deletes_the_account(
    carol: Person, carols: Caller, project: Project
) -> None:
    with pytest.raises(Denied) as agent:
        delete_account(carols, keep_name=NameChoice.KEEP, typed_handle="carol")
    with pytest.raises(Denied):
        leaving_report(carols)
    with pytest.raises(Invalid) as typed:
        delete_account(person_caller(carol), keep_name=NameChoice.KEEP, typed_handle="bob")

    assert agent.value.as_answer()["missing"] == "person"
    assert typed.value.as_answer()["field"] == "typedHandle"
    assert Person.objects.get(pk=carol.pk).is_active


def test_every_way_in_ends_with_the_account(
    carol: Person, project: Project, client: Client
) -> None:
    agent_caller(carol, "limited", projects=[project])
    SignInLink.objects.create(person=carol, digest="d", expires_at=timezone.now())
    carol.set_password("correct horse battery")
    carol.save()
    client.force_login(carol, backend="django.contrib.auth.backends.ModelBackend")

    leave(carol)

    assert not AgentKey.objects.filter(revoked_at__isnull=True).exists()
    assert not SignInLink.objects.exists()
    assert not KeyProject.objects.exists()
    assert not Session.objects.exists()
    assert not carol.has_usable_password()
    assert "_auth_user_id" not in client.session
    assert not ProjectMember.objects.filter(person=carol).exists()


def test_the_row_is_cleared_of_all_that_only_the_person_needed(
    carol: Person, project: Project
) -> None:
    carol.time_zone, carol.theme, carol.language = "Europe/Berlin", "dark", "de"
    carol.single_keys = False
    carol.save()
    SocialAccount.objects.create(user=carol, provider="oidc", uid=MARKER, extra_data={"a": MARKER})
    EmailAddress.objects.create(user=carol, email=f"{MARKER}@example.org", verified=True)
    Authenticator.objects.create(user=carol, type="totp", data={"secret": MARKER})
    UserSession.objects.create(user=carol, session_key=MARKER, ip="127.0.0.1", user_agent=MARKER)
    EmailAddress.objects.create(user=project.owner_person, email="other@example.org")

    leave(carol)

    assert carol.left_at is not None
    assert (carol.email, carol.is_active, carol.time_zone) == ("", False, "UTC")
    assert (carol.theme, carol.language, carol.single_keys) == ("", "", True)
    assert places_of(MARKER) == set()
    assert places_of("carol.canary@example.org") == set()
    assert EmailAddress.objects.count() == 1


def test_private_and_personal_memories_are_in_no_column_of_any_table(
    carol: Person, carols: Caller, project: Project
) -> None:
    bag = create(carols, None, "memory", title=f"{MARKER} bag", content=MARKER)["ref"]
    create(carols, None, "memory", title="Child", summary=MARKER, parent=bag)
    change(carols, None, bag, 1, content="clean", reason=MARKER)
    create(carols, project, "memory", title=MARKER, tags=[MARKER], visibility="private")
    create(carols, project, "task", title="T")
    act(carols, project, 1, "relate", target=2, relation="relates")
    request_deletion(carols, DeletionCall(Address(project.path, number=1), reason=MARKER))
    before = places_of(MARKER)

    leave(carol)

    assert {"items_item.title", "items_itemevent.state", "privacy_deletionrequest.reason"} <= before
    assert any(place.startswith("items_search") for place in before)
    assert places_of(MARKER) == set()
    assert [item.number for item in Item.objects.all()] == [2]
    assert search.is_complete()


def test_own_deleted_projects_are_erased_and_other_peoples_are_not(
    carol: Person, project: Project
) -> None:
    gone = make_project(carol, "gone")
    create(agent_caller(carol), gone, "page", title=MARKER)
    Project.objects.update(deleted_at=timezone.now())

    leave(carol)

    assert places_of(MARKER) == set()
    assert list(Project.objects.all()) == [project]


def test_shared_items_keep_their_history_and_the_name(
    carol: Person, carols: Caller, alice: Person, project: Project
) -> None:
    create(carols, project, "page", title="P", content="one")
    change(carols, project, 1, 1, content="two")

    leave(carol)
    shown = read_item(person_caller(alice), ReadRequest(Address(project.path, number=1)))

    assert shown["author"] == {"name": "Carol", "agent": "robo"}
    assert item_at(project, 1).events.count() == 2
    assert (carol.display_name, carol.handle) == ("Carol", "carol")


def test_without_the_name_nothing_says_who_it_was(
    carol: Person, project: Project, alice: Person
) -> None:
    carol.display_name = MARKER
    carol.save()
    for name in ("agent 2", MARKER, f"{MARKER} two"):
        create(agent_caller(carol, name), project, "task", title="T", assignee="me")
    create(person_caller(carol), project, "task", title="T", assignee="me")

    leave(carol, NameChoice.REMOVE)
    history = read_item(
        person_caller(alice), ReadRequest(Address(project.path, number=4), history=True)
    )

    assert places_of(MARKER) == set()
    assert {event["by"] for event in history["events"]} == {"Former member"}
    assert sorted(Agent.objects.values_list("name", flat=True)) == ["agent", "agent 2", "agent 3"]
    assert carol.handle == f"left-{carol.public_id}"
    assert Handle.objects.filter(name__in=["carol", carol.handle]).count() == 2
    state = item_at(project, 4).events.get(version=1).state or {}
    assert state["assignee"] == {"ref": carol.ref, "name": "Former member"}


def test_active_tasks_are_given_back_as_a_version_and_closed_ones_keep_who_did_them(
    carol: Person, carols: Caller, bob: Person, project: Project
) -> None:
    for title in ("claimed", "open", "blocked", "done", "bob's", "locked"):
        create(carols, project, "task", title=title, assignee="me")
    act(carols, project, 1, "claim", 1)
    act(carols, project, 3, "claim", 1)
    act(carols, project, 3, "block", 2, reason="rain")
    act(carols, project, 4, "complete", 1)
    change(carols, project, 5, 1, assignee=bob.ref)
    request_deletion(carols, DeletionCall(Address(project.path, number=6), reason="no"))

    leave(carol)

    rows = [item_at(project, number) for number in range(1, 7)]
    assert [(row.status, row.status_before, row.version) for row in rows] == [
        ("open", "", 3),
        ("open", "", 2),
        ("blocked", "open", 4),
        ("done", "", 2),
        ("open", "", 2),
        ("open", "", 1),
    ]
    assert [row.assignee_agent_id is None for row in rows] == [True] * 3 + [False] + [True] * 2
    assert rows[4].assignee_person_id == bob.pk
    event = rows[0].events.get(version=3)
    assert (event.event, event.changed) == ("changed", ["status", "assignee"])
    assert "assignee" not in (event.state or {"assignee": "lost"})
    without_version = rows[5].events.get(version=None)
    assert (without_version.changed, without_version.state) == (["assignee"], None)


def test_the_audit_log_says_so_without_text(
    alice: Person, carol: Person, carols: Caller, project: Project
) -> None:
    acme = make_organization(alice)
    OrganizationMember.objects.create(organization=acme, person=carol, role="member")
    create(carols, None, "memory", title=MARKER)

    leave(carol, NameChoice.REMOVE)

    last = AuditEvent.objects.latest("pk")
    assert (last.action, last.subject) == ("account.deleted", carol.ref)
    assert last.detail == {"name": "remove", "projects": 0, "tasks": 0, "memories": 1, "keys": 1}
    left = AuditEvent.objects.filter(subject=carol.ref, action__endswith=".removed")
    assert {(event.action, event.project_id, event.organization_id) for event in left} == {
        ("member.removed", project.pk, None),
        ("organization_member.removed", None, acme.pk),
    }


def test_a_left_account_cannot_be_deleted_again(carol: Person, project: Project) -> None:
    leave(carol)
    events = AuditEvent.objects.count()

    with pytest.raises(NotFound):
        leave(carol)

    assert AuditEvent.objects.count() == events


def test_an_owner_whose_account_is_shut_frees_nobody(alice: Person, carol: Person) -> None:
    acme = make_organization(alice)
    OrganizationMember.objects.create(organization=acme, person=carol, role="owner")
    Person.objects.filter(pk=carol.pk).update(is_active=False)

    with pytest.raises(Conflict) as refused:
        leave(alice)

    assert leaving_report(person_caller(alice)).last_owner_of == ("acme",)
    assert refused.value.as_answer()["organizations"] == ["acme"]


def test_a_deleted_project_with_proposals_goes_with_its_owner(alice: Person) -> None:
    gone = make_project(alice, "gone")
    fill_proposals(alice, gone, MARKER)
    Project.objects.filter(pk=gone.pk).update(deleted_at=timezone.now())

    leave(alice)

    assert not Project.objects.filter(pk=gone.pk).exists()
    assert places_of(MARKER) == set()


def test_what_was_proposed_of_a_memory_that_is_private_goes_with_it(
    carol: Person, bob: Person, carols: Caller, project: Project
) -> None:
    made = create(carols, project, "memory", title="Shared", visibility="shared")["number"]
    change(agent_caller(bob), project, made, 1, content=MARKER)
    Item.objects.filter(number=made).update(visibility="private")

    leave(carol)

    assert places_of(MARKER) == set()
