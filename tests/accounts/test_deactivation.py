"""Shutting accounts, and who are the admins."""

from collections.abc import Callable

import pytest
from django.test import Client

from conderis.accounts.actors import Actor, Operator
from conderis.accounts.admins import give_admin, take_admin
from conderis.accounts.agent_keys import KeyWish
from conderis.accounts.authentication import NotAuthenticated, caller_of_key
from conderis.accounts.deactivation import activate_person, deactivate_person
from conderis.accounts.models import AuditEvent, Person
from conderis.accounts.sign_in import create_sign_in_link, use_sign_in_link
from conderis.common.caller import Surface
from conderis.common.errors import Conflict, Denied, NotFound
from projects.keys import create_agent_key
from tests.factories import agent_caller, make_person, person_caller
from tests.projects.test_at_once import at_once

CHANGES = [deactivate_person, activate_person, give_admin, take_admin]
Change = Callable[..., Person]


@pytest.fixture
def root(db: None) -> Person:
    return make_person("root-of-all", is_staff=True, is_superuser=True)


def test_sessions_and_keys_are_refused_at_the_very_next_call_and_work_again_later(
    bob: Person, client: Client
) -> None:
    key = create_agent_key(Operator(), person=bob, wish=KeyWish(name="Codex")).text
    client.force_login(bob)
    signed_in = client.get("/").wsgi_request.user.is_authenticated
    caller_of_key(key, surface=Surface.MCP)

    deactivate_person(Operator(), handle="bob")

    assert signed_in
    assert not client.get("/").wsgi_request.user.is_authenticated
    with pytest.raises(NotAuthenticated):
        caller_of_key(key, surface=Surface.MCP)
    activate_person(Operator(), handle="bob")
    assert caller_of_key(key, surface=Surface.MCP).person_id == bob.pk


def test_a_sign_in_link_of_before_does_not_work(bob: Person) -> None:
    token = create_sign_in_link(Operator(), person=bob)

    deactivate_person(Operator(), handle="bob")

    with pytest.raises(NotFound):
        use_sign_in_link(token)


def test_each_change_leaves_one_audit_row_and_a_repetition_none(root: Person, bob: Person) -> None:
    actor = person_caller(root, Surface.ADMIN)

    for change in (give_admin, take_admin, deactivate_person, activate_person):
        change(actor, handle="bob")
        change(actor, handle="bob")

    events = AuditEvent.objects.order_by("pk")
    assert [event.action for event in events] == [
        "admin.added",
        "admin.removed",
        "person.deactivated",
        "person.activated",
    ]
    assert {(event.subject, event.person_id, event.surface) for event in events} == {
        (bob.ref, root.pk, "admin")
    }


def test_an_admin_has_every_right_in_the_admin_until_it_is_taken_back(
    root: Person, bob: Person
) -> None:
    give_admin(Operator(), handle="bob")
    bob.refresh_from_db()
    given = (bob.is_staff, bob.is_superuser)
    take_admin(person_caller(root), handle="bob")

    bob.refresh_from_db()
    assert given == (True, True)
    assert (bob.is_staff, bob.is_superuser) == (False, False)


@pytest.mark.parametrize("change", CHANGES)
def test_people_without_the_right_and_agents_even_of_admins_change_nothing(
    root: Person, bob: Person, mallory: Person, change: Change
) -> None:
    staff = make_person("staff-member", is_staff=True)
    left = make_person("former-admin", is_staff=True, is_superuser=True, is_active=False)

    actors: list[Actor] = [agent_caller(root), *map(person_caller, (mallory, staff, left))]
    for actor in actors:
        for handle in ("bob", "nobody-here", "root-of-all"):
            with pytest.raises(Denied) as refused:
                change(actor, handle=handle)
            assert refused.value.details["missing"] in {"admin", "person"}
            assert handle not in refused.value.message

    assert not AuditEvent.objects.exists()


@pytest.mark.parametrize("change", CHANGES)
def test_a_person_who_is_not_there_is_not_found(root: Person, change: Change) -> None:
    with pytest.raises(NotFound) as refused:
        change(Operator(), handle="nobody-here")

    assert refused.value.details["field"] == "handle"


def test_nobody_deactivates_themself(root: Person) -> None:
    make_person("second-admin", is_staff=True, is_superuser=True)

    with pytest.raises(Conflict, match="your own"):
        deactivate_person(person_caller(root), handle="root-of-all")

    root.refresh_from_db()
    assert root.is_active


@pytest.mark.parametrize("change", [deactivate_person, take_admin])
def test_the_last_admin_stays_one_even_for_the_operator(root: Person, change: Change) -> None:
    make_person("former-admin", is_staff=True, is_superuser=True, is_active=False)

    with pytest.raises(Conflict, match="last admin"):
        change(Operator(), handle="root-of-all")

    root.refresh_from_db()
    assert root.is_active
    assert root.is_superuser
    assert not AuditEvent.objects.exists()


def test_a_deactivated_person_is_made_no_admin(bob: Person) -> None:
    deactivate_person(Operator(), handle="bob")

    with pytest.raises(Conflict, match="deactivated"):
        give_admin(Operator(), handle="bob")


def test_a_deleted_account_does_not_come_back(bob: Person) -> None:
    Person.objects.filter(pk=bob.pk).update(is_active=False, left_at=bob.created)

    with pytest.raises(Conflict, match="deleted"):
        activate_person(Operator(), handle="bob")

    bob.refresh_from_db()
    assert not bob.is_active


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", [deactivate_person, take_admin])
def test_two_admins_who_act_on_each_other_at_once_leave_one(change: Change) -> None:
    one = make_person("one-admin", is_staff=True, is_superuser=True)
    other = make_person("other-admin", is_staff=True, is_superuser=True)

    outcomes = at_once(
        lambda: change(person_caller(one), handle=other.handle),
        lambda: change(person_caller(other), handle=one.handle),
    )

    assert outcomes == ["denied", "done"]
    assert Person.objects.filter(is_superuser=True, is_active=True).count() == 1
