"""The commands that shut accounts, make admins, end roles and invite."""

import pytest

from conderis.accounts.authentication import NotAuthenticated, caller_of_key
from conderis.accounts.models import Person
from conderis.common.caller import Surface
from projects.models import Invitation, Project, ProjectMember
from tests.operations.test_commands import answer, refusal, words


def test_an_account_is_shut_and_opened_again(bob: Person) -> None:
    made = answer("add_key", "bob", "--name", "Codex")

    shut = answer("deactivate_person", "BOB")
    with pytest.raises(NotAuthenticated):
        caller_of_key(made["key"], surface=Surface.MCP)
    opened = answer("activate_person", "bob")

    assert shut == {"handle": "bob", "active": False}
    assert opened == {"handle": "bob", "active": True}
    assert caller_of_key(made["key"], surface=Surface.MCP).person_id == bob.pk
    assert words("deactivate_person", "bob") == "handle: bob\nactive: False\n"


def test_an_admin_is_made_and_the_last_one_stays(alice: Person, bob: Person) -> None:
    assert answer("make_admin", "alice") == {"handle": "alice", "admin": True}
    assert answer("make_admin", "bob") == {"handle": "bob", "admin": True}
    assert answer("make_admin", "bob", "--revoke") == {"handle": "bob", "admin": False}

    for arguments in (("make_admin", "alice", "--revoke"), ("deactivate_person", "alice")):
        assert refusal(*arguments)["error"] == "conflict"

    alice.refresh_from_db()
    assert (alice.is_active, alice.is_staff, alice.is_superuser) == (True, True, True)


@pytest.mark.parametrize("command", ["deactivate_person", "activate_person", "make_admin"])
def test_an_account_that_is_not_there_is_refused(db: None, command: str) -> None:
    refused = refusal(command, "nobody-here")

    assert (refused["error"], refused["field"]) == ("not_found", "handle")


def test_a_member_is_removed_once(project: Project, bob: Person) -> None:
    removed = answer("remove_member", "alice/shop", "BOB")

    assert removed == {"project": "alice/shop", "handle": "bob", "removed": True}
    assert not ProjectMember.objects.filter(person=bob).exists()
    assert refusal("remove_member", "alice/shop", "bob")["error"] == "not_found"
    assert refusal("remove_member", "alice/nothing", "bob")["error"] == "not_found"


def test_an_invitation_is_a_link_that_is_shown_once(project: Project) -> None:
    to_server = answer("invite")
    to_project = answer("invite", "--project", "alice/shop", "--role", "reader", "--days", "1")

    for made in (to_server, to_project):
        assert made.keys() == {"invitation", "link"}
        assert made["link"].startswith("http://localhost:8000/join/")
    found = Invitation.objects.get(public_id=to_project["invitation"])
    assert (found.project, found.role, found.inviter) == (project, "reader", None)
    assert to_project["link"].rpartition("/")[2] not in str(vars(found))


@pytest.mark.parametrize(
    "options",
    [
        ("--project", "alice/shop", "--role", "boss"),
        ("--project", "alice/nothing", "--role", "reader"),
        ("--organization", "nothing", "--role", "member"),
        ("--days", "0"),
        ("--days", "soon"),
    ],
)
def test_a_bad_invitation_is_refused_and_none_made(
    project: Project, options: tuple[str, ...]
) -> None:
    assert refusal("invite", *options)["error"] in {"invalid", "not_found"}
    assert not Invitation.objects.exists()
