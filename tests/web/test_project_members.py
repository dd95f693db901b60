"""Members of a project in the browser: added, lowered, removed, invited, leaving."""

import re

import pytest
from django.test import Client

from conderis.accounts.models import Person
from projects.capabilities import Role
from projects.invitations import accept_invitation
from projects.members import set_member
from projects.models import Project
from tests.factories import join, make_person, person_caller

BACKEND = "django.contrib.auth.backends.ModelBackend"
MEMBERS = "/alice/shop/settings/members/"
INVITE = "/alice/shop/settings/invitations/"


@pytest.fixture
def owner(client: Client, project: Project, alice: Person) -> Client:
    """A browser in which alice is signed in."""
    client.force_login(alice, backend=BACKEND)
    return client


def role_of(project: Project, person: Person) -> str | None:
    member = project.members.filter(person=person).first()
    return member.role if member is not None else None


def text_of(client: Client, path: str = MEMBERS) -> str:
    return client.get(path).content.decode()


def link_on(page: str) -> str:
    found = re.search(r'<code id="link">([^<]*)</code>', page)
    assert found is not None
    return found[1]


def test_an_owner_adds_a_person_who_then_reads_the_project(
    owner: Client, project: Project, mallory: Person
) -> None:
    answer = owner.post(MEMBERS, {"add-handle": "mallory", "add-role": "reader"}, follow=True)

    assert role_of(project, mallory) == Role.READER
    assert "Mallory is now Reader." in answer.content.decode()
    owner.force_login(mallory, backend=BACKEND)
    assert owner.get("/alice/shop/").status_code == 200


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"add-handle": "nobody-here", "add-role": "reader"}, "There is no person nobody-here."),
        ({"add-handle": "bob", "add-role": "king"}, "Select a valid choice."),
        ({"add-handle": "", "add-role": "reader"}, "This field is required."),
        ({"add-handle": "alice", "add-role": "reader"}, "who stays its owner"),
    ],
)
def test_what_cannot_be_added_is_said_beside_the_form_that_keeps_it(
    owner: Client, project: Project, sent: dict[str, str], said: str
) -> None:
    answer = owner.post(MEMBERS, sent)

    assert answer.status_code in {400, 409}
    assert said in answer.content.decode()
    assert f'value="{sent["add-handle"]}"' in answer.content.decode() or not sent["add-handle"]
    assert project.members.count() == 3


def test_a_member_is_lowered_and_lacks_what_the_role_gave_at_once(
    owner: Client, project: Project, carol: Person
) -> None:
    page = text_of(owner, f"{MEMBERS}carol/")
    answer = owner.post(f"{MEMBERS}carol/", {"role": "reader"}, follow=True)

    assert re.search(r'value="moderator"[^>]* checked', page)
    assert "Carol is now Reader." in answer.content.decode()
    assert role_of(project, carol) == Role.READER


def test_a_member_is_removed_from_a_page_that_says_what_ends(
    owner: Client, project: Project, bob: Person
) -> None:
    page = text_of(owner, f"{MEMBERS}bob/")
    answer = owner.post(f"{MEMBERS}bob/remove/", follow=True)

    assert "Remove Bob" in page
    assert "their agents" in page
    assert "Bob is removed." in answer.content.decode()
    assert role_of(project, bob) is None
    owner.force_login(bob, backend=BACKEND)
    assert owner.get("/alice/shop/").status_code == 404


@pytest.mark.parametrize("handle", ["alice", "mallory", "nobody-here"])
def test_who_has_no_direct_role_has_no_page(owner: Client, mallory: Person, handle: str) -> None:
    assert owner.get(f"{MEMBERS}{handle}/").status_code == 404
    assert owner.post(f"{MEMBERS}{handle}/", {"role": "owner"}).status_code == 404
    assert owner.post(f"{MEMBERS}{handle}/remove/").status_code == 404


@pytest.mark.parametrize("handle", ["carol", "rita"])
def test_members_who_do_not_manage_see_the_list_without_controls(
    client: Client, project: Project, handle: str
) -> None:
    client.force_login(Person.objects.get(handle=handle), backend=BACKEND)
    page = text_of(client)

    assert "Alice" in page
    assert "Bob" in page
    assert "Change" not in page
    assert "Invite by link" not in page
    assert client.post(MEMBERS, {"add-handle": handle, "add-role": "owner"}).status_code == 403
    assert client.post(INVITE, {"invite-role": "owner", "invite-days": "7"}).status_code == 403
    assert client.get("/alice/shop/activity/log/").status_code == 403


def test_a_refused_form_changes_no_role(client: Client, project: Project, bob: Person) -> None:
    client.force_login(bob, backend=BACKEND)

    assert client.post(MEMBERS, {"add-handle": "bob", "add-role": "owner"}).status_code == 403
    assert client.post(f"{MEMBERS}bob/", {"role": "owner"}).status_code == 403
    assert role_of(project, bob) == Role.CONTRIBUTOR


def test_the_link_of_an_invitation_is_shown_once_and_gives_its_role_once(
    owner: Client, project: Project, mallory: Person
) -> None:
    answer = owner.post(INVITE, {"invite-role": "moderator", "invite-days": "1"})
    link = link_on(answer.content.decode())
    token = link.rpartition("/")[2]
    again = text_of(owner)

    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    assert link.startswith("http://testserver/join/")
    assert token not in again
    assert "Open invitations" in again
    accept_invitation(person_caller(mallory), token=token)
    assert role_of(project, mallory) == Role.MODERATOR
    assert "Open invitations" not in text_of(owner)


def test_a_revoked_invitation_works_no_longer(owner: Client, project: Project) -> None:
    answer = owner.post(INVITE, {"invite-role": "reader", "invite-days": "7"})
    token = link_on(answer.content.decode()).rpartition("/")[2]
    revoke = re.search(r'action="([^"]*/revoke/)"', text_of(owner))
    assert revoke is not None
    assert owner.get(f"/join/{token}").status_code == 200

    said = owner.post(revoke[1], follow=True).content.decode()

    assert "The invitation is revoked." in said
    assert "Open invitations" not in said
    assert owner.get(f"/join/{token}").status_code == 404
    assert owner.post(revoke[1]).status_code == 404


def test_a_wrong_invitation_is_said_beside_its_field(owner: Client, project: Project) -> None:
    answer = owner.post(INVITE, {"invite-role": "reader", "invite-days": "400"})

    assert answer.status_code == 400
    assert "Select a valid choice." in answer.content.decode()
    assert project.invitations.count() == 0


def test_a_member_leaves_after_reading_what_ends(
    client: Client, project: Project, rita: Person
) -> None:
    client.force_login(rita, backend=BACKEND)

    assert "/alice/shop/settings/leave/" in text_of(client)
    assert "no longer read" in text_of(client, "/alice/shop/settings/leave/")
    answer = client.post("/alice/shop/settings/leave/", follow=True)

    assert "You have left alice/shop." in answer.content.decode()
    assert role_of(project, rita) is None
    assert client.get("/alice/shop/").status_code == 404


def test_the_person_that_the_project_belongs_to_cannot_leave(owner: Client) -> None:
    assert "/alice/shop/settings/leave/" not in text_of(owner)
    assert owner.get("/alice/shop/settings/leave/").status_code == 404
    assert owner.post("/alice/shop/settings/leave/").status_code == 404


def test_who_leaves_a_project_of_their_own_making_meets_no_fault(
    owner: Client, project: Project, bob: Person
) -> None:
    person = make_person("dora")
    join(project, person, Role.OWNER)
    owner.force_login(person, backend=BACKEND)

    owner.post(f"{MEMBERS}dora/", {"role": "reader"})
    page = text_of(owner)

    assert role_of(project, person) == Role.READER
    assert "Dora is now Reader." in page
    assert "Invite by link" not in page


def test_a_deactivated_member_is_named_so(
    owner: Client, project: Project, alice: Person, mallory: Person
) -> None:
    set_member(person_caller(alice), project_id="alice/shop", handle="mallory", role="reader")
    Person.objects.filter(pk=mallory.pk).update(is_active=False)

    assert "deactivated" in text_of(owner)
