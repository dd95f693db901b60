"""Several calls at the same moment, in real threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection, connections, transaction

from conderis.accounts.actors import Operator
from conderis.accounts.models import AuditEvent, Person
from conderis.common.errors import DomainError
from privacy.leaving import NameChoice, delete_account
from projects.access import access_project
from projects.capabilities import Role
from projects.ending import delete_project, restore_project
from projects.invitations import accept_invitation, create_invitation, revoke_invitation
from projects.members import set_member
from projects.models import Invitation, Organization, Project, ProjectMember, ProjectPath
from projects.organizations import (
    change_organization,
    delete_organization,
    remove_organization_member,
    set_organization_member,
)
from projects.renaming import change_handle
from projects.services import change_project, create_project
from projects.transfer import transfer_project
from tests.factories import make_person, make_project, person_caller
from tests.projects.making import make_organization, make_organization_project

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], object]) -> list[str]:
    """Run each call in a thread of its own, started together; `done` or the refusal's code."""
    if connection.vendor == "sqlite" and "memory" in str(connection.settings_dict["NAME"]):
        pytest.skip("threads need a database in a file")
    start = Barrier(len(calls))

    def run(call: Callable[[], object]) -> str:
        start.wait(timeout=120)
        try:
            call()
        except DomainError as refused:
            return refused.code
        else:
            return "done"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return sorted(pool.map(run, calls))


def test_of_calls_that_create_one_name_one_wins_and_the_others_get_the_conflict(
    alice: Person,
) -> None:
    caller = person_caller(alice)

    def create(name: str) -> Callable[[], object]:
        return lambda: create_project(caller, fields={"name": name})

    outcomes = at_once(*(create(name) for name in ("shop", "SHOP", "shop", "Shop")))

    assert outcomes == ["conflict", "conflict", "conflict", "done"]
    assert Project.objects.count() == ProjectPath.objects.count() == 1


def test_a_rename_and_a_creation_of_one_name_do_not_both_get_it(alice: Person) -> None:
    caller = person_caller(alice)
    make_project(alice)

    outcomes = at_once(
        lambda: change_project(caller, "alice/shop", fields={"name": "store"}),
        lambda: create_project(caller, fields={"name": "store"}),
    )

    assert outcomes == ["conflict", "done"]


def test_a_former_name_is_taken_again_once(alice: Person) -> None:
    caller = person_caller(alice)
    make_project(alice)
    change_project(caller, "alice/shop", fields={"name": "store"})

    outcomes = at_once(*(lambda: create_project(caller, fields={"name": "shop"}) for _ in range(3)))

    assert outcomes == ["conflict", "conflict", "done"]


def test_two_upstreams_set_at_once_form_no_circle(alice: Person) -> None:
    caller = person_caller(alice)
    for name in ("a", "b", "c"):
        make_project(alice, name)

    def fork(name: str, upstream: str) -> Callable[[], object]:
        return lambda: change_project(caller, f"alice/{name}", fields={"upstream": upstream})

    outcomes = at_once(fork("a", "alice/b"), fork("b", "alice/c"), fork("c", "alice/a"))

    assert outcomes == ["done", "done", "invalid"]


def test_two_owners_who_remove_each_other_leave_one(alice: Person, bob: Person) -> None:
    acme = make_organization(alice)
    acme.members.create(person=bob, role="owner")

    def remove(who: Person, whom: Person) -> Callable[[], object]:
        return lambda: remove_organization_member(
            person_caller(who), handle="acme", person=whom.handle
        )

    outcomes = at_once(remove(alice, bob), remove(bob, alice))

    assert outcomes == ["done", "not_found"]
    assert acme.members.count() == 1


def test_changes_of_different_fields_at_once_are_all_kept(alice: Person) -> None:
    caller = person_caller(alice)
    project = make_project(alice)

    outcomes = at_once(
        lambda: change_project(caller, "alice/shop", fields={"description": "new"}),
        lambda: change_project(caller, "alice/shop", fields={"recallMode": "flat"}),
        lambda: change_project(caller, "alice/shop", fields={"remote": "git.example/a/b"}),
    )

    project.refresh_from_db()
    assert outcomes == ["done"] * 3
    assert (project.description, project.recall_mode, project.remote) == (
        "new", "flat", "git.example/a/b",
    )  # fmt: skip


@pytest.mark.parametrize("place", ["project", "organization", "server"])
def test_of_people_who_open_one_invitation_at_once_one_wins(alice: Person, place: str) -> None:
    make_project(alice)
    make_organization(alice)
    made = {
        "project": lambda: create_invitation(
            person_caller(alice), project_id="alice/shop", role="reader"
        ),
        "organization": lambda: create_invitation(
            person_caller(alice), organization="acme", role="member"
        ),
        "server": lambda: create_invitation(Operator()),
    }[place]()
    people = [make_person(f"p{number}") for number in range(4)]

    def accept(person: Person) -> Callable[[], object]:
        return lambda: accept_invitation(person_caller(person), token=made.token)

    outcomes = at_once(*(accept(person) for person in people))

    assert outcomes == ["done", "not_found", "not_found", "not_found"]
    assert AuditEvent.objects.filter(action="invitation.accepted").count() == 1
    joined = ProjectMember.objects.count() + Organization.objects.get().members.count() - 1
    assert joined == (0 if place == "server" else 1)


def test_an_invitation_is_used_or_revoked_and_never_both(alice: Person, bob: Person) -> None:
    make_project(alice)
    caller = person_caller(alice)
    made = create_invitation(caller, project_id="alice/shop", role="reader")

    outcomes = at_once(
        lambda: accept_invitation(person_caller(bob), token=made.token),
        lambda: revoke_invitation(caller, invitation_id=made.invitation.public_id),
    )

    invitation = Invitation.objects.get()
    assert outcomes == ["done", "not_found"]
    assert (invitation.used_at is None) != (invitation.revoked_at is None)
    assert ProjectMember.objects.exists() == (invitation.used_at is not None)


def test_two_transfers_at_once_leave_one_owner_and_every_name(alice: Person) -> None:
    project = make_project(alice)
    for handle in ("acme", "apex"):
        make_organization(alice, handle)
    caller = person_caller(alice)

    def give(handle: str) -> Callable[[], object]:
        return lambda: transfer_project(caller, "alice/shop", owner=handle)

    outcomes = at_once(give("acme"), give("apex"))

    assert outcomes == ["done", "done"]
    for name in ("alice/shop", "acme/shop", "apex/shop"):
        assert access_project(caller, name).project == project


def test_a_project_that_is_created_while_its_organization_is_renamed_has_the_name_that_stays(
    alice: Person,
) -> None:
    acme = make_organization(alice)
    make_organization_project(acme)
    caller = person_caller(alice)

    at_once(
        lambda: change_organization(caller, handle="acme", fields={"handle": "apex"}),
        lambda: create_project(caller, fields={"name": "new", "owner": "acme"}),
    )

    paths = Project.objects.values_list("path", flat=True)
    assert {path.partition("/")[0] for path in paths} == {"apex"}


def test_no_project_is_left_in_an_organization_that_ends_meanwhile(alice: Person) -> None:
    make_organization(alice)
    caller = person_caller(alice)

    outcomes = at_once(
        lambda: delete_organization(caller, handle="acme"),
        lambda: create_project(caller, fields={"name": "new", "owner": "acme"}),
    )

    assert outcomes in (["conflict", "done"], ["done", "not_found"])
    assert Project.objects.count() == Organization.objects.count()


def test_a_project_that_two_owners_delete_or_bring_back_at_once_changes_once(
    alice: Person, bob: Person
) -> None:
    project = make_project(alice)
    project.members.create(person=bob, role=Role.OWNER)
    callers = [person_caller(alice), person_caller(bob)]

    def delete(place: int) -> Callable[[], object]:
        return lambda: delete_project(callers[place], "alice/shop", typed_name="alice/shop")

    def restore(place: int) -> Callable[[], object]:
        return lambda: restore_project(callers[place], project_id=project.public_id)

    assert at_once(delete(0), delete(1)) == ["done", "not_found"]
    assert at_once(restore(0), restore(1)) == ["done", "not_found"]
    actions = AuditEvent.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["project.deleted", "project.restored"]


def test_a_transfer_meets_renames_of_both_organizations_and_has_the_name_that_stays(
    alice: Person,
) -> None:
    acme, _ = make_organization(alice), make_organization(alice, "apex")
    site = make_organization_project(acme)
    caller = person_caller(alice)

    def rename(handle: str) -> Callable[[], object]:
        return lambda: change_organization(caller, handle=handle, fields={"handle": f"{handle}-2"})

    outcomes = at_once(
        lambda: transfer_project(caller, site.public_id, owner="apex"),
        rename("acme"),
        rename("apex"),
    )

    site.refresh_from_db()
    assert outcomes == ["done"] * 3
    assert site.path == "apex-2/site"


def test_two_transfers_in_opposite_directions_do_not_wait_for_each_other(alice: Person) -> None:
    acme, apex = make_organization(alice), make_organization(alice, "apex")
    there, back = make_organization_project(acme, "a"), make_organization_project(apex, "b")
    caller = person_caller(alice)

    outcomes = at_once(
        lambda: transfer_project(caller, there.public_id, owner="apex"),
        lambda: transfer_project(caller, back.public_id, owner="acme"),
    )

    assert outcomes == ["done", "done"]
    assert set(Project.objects.values_list("path", flat=True)) == {"apex/a", "acme/b"}


@pytest.mark.parametrize("how", ["created", "received"])
def test_a_project_that_comes_while_its_owner_is_renamed_has_the_name_that_stays(
    alice: Person, bob: Person, how: str
) -> None:
    caller = person_caller(bob)
    make_project(alice).members.create(person=bob, role=Role.OWNER)
    come = {
        "created": lambda: create_project(caller, fields={"name": "new"}),
        "received": lambda: transfer_project(person_caller(alice), "alice/shop", owner="bob"),
    }[how]

    outcomes = at_once(come, lambda: change_handle(caller, handle="bobby"))

    bob.refresh_from_db()
    # A rename that the project overtakes is refused, and nothing of it stays. The former
    # handle is no name to transfer to.
    assert outcomes in (["done", "done"], ["conflict", "done"], ["done", "invalid"])
    paths = bob.own_projects.values_list("path", flat=True)
    assert {path.partition("/")[0] for path in paths} <= {bob.handle}


@pytest.mark.parametrize("how", ["created", "received", "joined", "invited", "organization"])
def test_who_deletes_the_account_meanwhile_has_nothing_afterwards(
    alice: Person, bob: Person, how: str
) -> None:
    caller, giver = person_caller(bob), person_caller(alice)
    project = make_project(alice)
    make_organization(alice)
    if how == "received":
        project.members.create(person=bob, role=Role.OWNER)
    token = create_invitation(giver, project_id="alice/shop", role="reader").token
    give = {
        "created": lambda: create_project(caller, fields={"name": "new"}),
        "received": lambda: transfer_project(giver, "alice/shop", owner="bob"),
        "joined": lambda: set_member(giver, project_id="alice/shop", handle="bob", role="reader"),
        "invited": lambda: accept_invitation(caller, token=token),
        "organization": lambda: set_organization_member(
            giver, handle="acme", person="bob", role="owner"
        ),
    }[how]

    at_once(
        give,
        lambda: delete_account(caller, keep_name=NameChoice.KEEP, typed_handle="bob"),
    )

    bob.refresh_from_db()
    has = [bob.own_projects.exists(), bob.memberships.exists(), bob.organizations.exists()]
    assert bob.left_at is None or has == [False, False, False]
    assert any(has) or bob.left_at is not None


def test_a_transfer_does_not_wait_for_an_organization_that_the_caller_does_not_own(
    alice: Person, mallory: Person
) -> None:
    if not connection.features.has_select_for_update:
        pytest.skip("this database locks no rows")
    make_project(alice)
    make_organization(mallory, "others", members=(alice,))
    caller = person_caller(alice)

    with transaction.atomic():
        Organization.objects.select_for_update(no_key=True).get(handle="others")
        outcomes = at_once(lambda: transfer_project(caller, "alice/shop", owner="others"))

    assert outcomes == ["invalid"]
