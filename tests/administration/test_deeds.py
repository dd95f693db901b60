"""What admins do goes through services, and leaves the audit row that commands leave."""

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.messages import get_messages
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from conderis.accounts.models import AgentKey, AuditEvent, Person, SignInLink
from conderis.administration.acting import acting
from conderis.common.caller import Surface
from conderis.common.errors import Denied
from projects.capabilities import OrganizationRole
from projects.ending import delete_project
from projects.models import Invitation, OrganizationMember, Project, ProjectMember
from projects.organizations import create_organization, set_organization_member
from tests.administration.pages import admin_browser, deed_of, deed_on, list_of, make_admin
from tests.factories import agent_caller, make_project, person_caller

Row = tuple[str, str, str | None, str]


def log(after: int = 0) -> list[Row]:
    """Action, subject, who and surface of the newer events."""
    people = dict(Person.objects.values_list("pk", "handle"))
    rows = AuditEvent.objects.filter(pk__gt=after).order_by("pk")
    return [
        (row.action, row.subject, people.get(row.person_id), row.surface)  # type: ignore[arg-type]
        for row in rows
    ]


def newest() -> int:
    last = AuditEvent.objects.order_by("-pk").first()
    return last.pk if last is not None else 0


def do(client: Client, address: str, **typed: object) -> list[Row]:
    """Send the form of a deed that succeeds; what the audit log has gained."""
    before = newest()
    assert client.get(address).status_code == 200
    response = client.post(address, typed)
    assert response.status_code == 302, response.content.decode()
    return log(before)


@pytest.fixture
def ada(db: None) -> Client:
    return admin_browser("ada")


def test_deactivating_and_activating_a_person_is_logged_by_the_admin(
    ada: Client, bob: Person
) -> None:
    gone = do(ada, deed_on(bob, "deactivate"))
    assert not Person.objects.get(pk=bob.pk).is_active

    back = do(ada, deed_on(bob, "activate"))

    assert Person.objects.get(pk=bob.pk).is_active
    assert gone == [("person.deactivated", bob.ref, "ada", "admin")]
    assert back == [("person.activated", bob.ref, "ada", "admin")]


def test_making_an_admin_and_taking_it_back_is_logged_by_the_admin(
    ada: Client, bob: Person
) -> None:
    given = do(ada, deed_on(bob, "make-admin"))
    assert Person.objects.get(pk=bob.pk).is_superuser

    taken = do(ada, deed_on(bob, "unmake-admin"))

    assert not Person.objects.get(pk=bob.pk).is_staff
    assert given == [("admin.added", bob.ref, "ada", "admin")]
    assert taken == [("admin.removed", bob.ref, "ada", "admin")]


def test_the_last_admin_stays_one_and_the_page_says_why(ada: Client) -> None:
    person = Person.objects.get(handle="ada")
    before = newest()

    response = ada.post(deed_on(person, "unmake-admin"))

    assert response.status_code == 409
    assert "last admin" in response.content.decode()
    assert Person.objects.get(handle="ada").is_superuser
    assert log(before) == []


def test_a_new_person_gets_a_link_that_is_on_the_page_and_nowhere_else(ada: Client) -> None:
    before = newest()

    typed = {"handle": "grace", "email": "grace@example.org"}
    response = ada.post(deed_of(Person, "new"), typed)

    grace = Person.objects.get(handle="grace")
    token = re.search(r"http://testserver/sign-in/([\w-]+)", response.content.decode())
    assert token is not None
    assert "no-store" in response["Cache-Control"]
    assert list(get_messages(response.wsgi_request)) == []
    assert all(token[1] not in str(row.get_decoded()) for row in Session.objects.all())
    assert [(action, who) for action, _subject, who, _surface in log(before)] == [
        ("person.created", "ada"),
        ("sign_in_link.created", "ada"),
    ]
    client = Client()
    client.post(f"/sign-in/{token[1]}")
    assert client.session["_auth_user_id"] == str(grace.pk)


def test_a_wrong_handle_stands_beside_its_field_and_makes_nobody(ada: Client) -> None:
    before = newest()

    typed = {"handle": "admin", "email": "grace@example.org"}
    response = ada.post(deed_of(Person, "new"), typed)

    assert response.status_code == 400
    assert 'id="id_handle_error"' in response.content.decode()
    assert not Person.objects.filter(email="grace@example.org").exists()
    assert log(before) == []


def test_a_sign_in_link_is_shown_once_and_logged_by_the_admin(ada: Client, bob: Person) -> None:
    before = newest()

    response = ada.post(deed_on(bob, "sign-in-link"))

    assert "http://testserver/sign-in/" in response.content.decode()
    assert SignInLink.objects.filter(person=bob).count() == 1
    assert log(before) == [("sign_in_link.created", bob.ref, "ada", "admin")]


def test_a_display_name_is_changed_in_the_persons_place_and_logged_by_the_admin(
    ada: Client, bob: Person
) -> None:
    added = do(ada, deed_on(bob, "name"), display_name="Robert")

    assert Person.objects.get(pk=bob.pk).display_name == "Robert"
    assert added == [("person.changed", bob.ref, "ada", "admin")]


def test_a_display_name_with_an_address_is_refused_beside_its_field(
    ada: Client, bob: Person
) -> None:
    response = ada.post(deed_on(bob, "name"), {"display_name": "bob@example.org"})

    assert response.status_code == 400
    assert 'id="id_display_name_error"' in response.content.decode()
    assert Person.objects.get(pk=bob.pk).display_name == "Bob"


def test_anybodys_key_is_revoked_and_logged_by_the_admin(ada: Client, bob: Person) -> None:
    agent_caller(bob)
    key = AgentKey.objects.get()

    added = do(ada, deed_on(key, "revoke"))

    assert AgentKey.objects.get().revoked_at is not None
    assert added == [("key.revoked", f"key:{key.public_id}", "ada", "admin")]


def test_roles_in_a_project_are_given_changed_and_ended_by_the_admin(
    ada: Client, project: Project, bob: Person, mallory: Person
) -> None:
    given = do(ada, deed_on(project, "role"), handle="mallory", role="reader")
    member = ProjectMember.objects.get(project=project, person=mallory)
    changed = do(ada, deed_on(member, "role"), role="moderator")
    assert ProjectMember.objects.get(pk=member.pk).role == "moderator"
    removed = do(ada, deed_on(member, "remove"))

    assert not ProjectMember.objects.filter(pk=member.pk).exists()
    assert [given, changed, removed] == [
        [(f"member.{what}", mallory.ref, "ada", "admin")]
        for what in ("added", "changed", "removed")
    ]


def test_roles_in_an_organization_are_given_changed_and_ended_by_the_admin(
    ada: Client, alice: Person, bob: Person
) -> None:
    place = create_organization(person_caller(alice), handle="acme", name="Acme", owner="alice")

    given = do(ada, deed_on(place, "role"), handle="bob", role="member")
    member = OrganizationMember.objects.get(organization=place, person=bob)
    changed = do(ada, deed_on(member, "role"), role="owner")
    removed = do(ada, deed_on(member, "remove"))

    assert not OrganizationMember.objects.filter(pk=member.pk).exists()
    assert [given, changed, removed] == [
        [(f"organization_member.{what}", bob.ref, "ada", "admin")]
        for what in ("added", "changed", "removed")
    ]


def test_a_deleted_project_comes_back_and_the_log_names_the_admin(
    ada: Client, alice: Person, project: Project
) -> None:
    delete_project(person_caller(alice), project.public_id, typed_name=project.path)

    added = do(ada, deed_on(project, "restore"))

    assert Project.objects.get(pk=project.pk).deleted_at is None
    assert added == [("project.restored", project.ref, "ada", "admin")]


def test_a_project_whose_days_of_grace_are_over_stays_deleted(
    ada: Client, alice: Person, project: Project
) -> None:
    ended = timezone.now() - timedelta(days=15)
    Project.objects.filter(pk=project.pk).update(deleted_at=ended)

    response = ada.post(deed_on(project, "restore"))

    assert response.status_code == 404
    assert Project.objects.get(pk=project.pk).deleted_at == ended


def test_a_deleted_project_of_an_organization_comes_back_by_one_of_its_owners(
    ada: Client, alice: Person
) -> None:
    place = create_organization(person_caller(alice), handle="acme", name="Acme", owner="alice")
    project = make_project(alice)
    Project.objects.filter(pk=project.pk).update(
        owner_person=None, owner_organization=place, deleted_at=timezone.now()
    )

    added = do(ada, deed_on(project, "restore"))

    assert added == [("project.restored", project.ref, "ada", "admin")]


def test_an_invitation_to_the_server_is_shown_once_and_can_be_revoked(ada: Client) -> None:
    before = newest()
    response = ada.post(deed_of(Invitation, "invite"), {"days": 7})
    invitation = Invitation.objects.get()
    assert "http://testserver/join/" in response.content.decode()
    made = log(before)

    revoked = do(ada, deed_on(invitation, "revoke"))

    assert Invitation.objects.get().revoked_at is not None
    assert invitation.inviter is not None
    assert invitation.inviter.handle == "ada"
    assert made == [("invitation.created", invitation.ref, "ada", "admin")]
    assert revoked == [("invitation.revoked", invitation.ref, "ada", "admin")]


def test_nothing_is_written_to_djangos_own_log(ada: Client, bob: Person) -> None:
    do(ada, deed_on(bob, "deactivate"))

    assert not LogEntry.objects.exists()
    assert "Recent actions" not in ada.get("/admin/").content.decode()
    assert ada.get(list_of(AuditEvent)).content.decode().count("person.deactivated") == 1


def test_rows_that_somebody_else_left_in_the_log_keep_their_names(
    alice: Person, bob: Person
) -> None:
    ada = person_caller(make_admin("ada"), Surface.ADMIN)
    place = create_organization(person_caller(alice), handle="acme", name="Acme", owner="alice")
    before = log()

    with acting(ada) as operator:
        set_organization_member(
            operator, handle=place.handle, person="bob", role=OrganizationRole.MEMBER
        )

    assert log()[:-1] == before
    assert log()[-1] == ("organization_member.added", bob.ref, "ada", "admin")


def test_who_is_no_admin_any_more_acts_for_nobody(alice: Person, bob: Person) -> None:
    caller = person_caller(bob, Surface.ADMIN)

    with pytest.raises(Denied), acting(caller):
        pass
