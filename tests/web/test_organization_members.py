"""Members of an organization in the browser."""

import re

import pytest
from django.test import Client

from conderis.accounts.models import Person
from projects.capabilities import OrganizationRole
from projects.invitations import accept_invitation
from projects.models import Organization
from tests.factories import person_caller
from tests.projects.making import make_organization, make_organization_project

BACKEND = "django.contrib.auth.backends.ModelBackend"
HERE = "/organizations/acme/"


@pytest.fixture
def acme(alice: Person, bob: Person) -> Organization:
    """alice owns it, bob is a member; it has acme/site."""
    made = make_organization(alice, members=(bob,))
    make_organization_project(made)
    return made


@pytest.fixture
def owner(client: Client, acme: Organization, alice: Person) -> Client:
    """A browser in which alice is signed in."""
    client.force_login(alice, backend=BACKEND)
    return client


def role_of(acme: Organization, person: Person) -> str | None:
    member = acme.members.filter(person=person).first()
    return member.role if member is not None else None


def test_a_member_is_made_an_owner_and_lowered_again(
    owner: Client, acme: Organization, bob: Person
) -> None:
    said = owner.post(f"{HERE}members/bob/", {"role": "owner"}, follow=True)
    assert "Bob is now Owner." in said.content.decode()
    assert role_of(acme, bob) == OrganizationRole.OWNER

    owner.post(f"{HERE}members/bob/", {"role": "member"})
    assert role_of(acme, bob) == OrganizationRole.MEMBER


def test_the_last_owner_is_neither_lowered_nor_removed_nor_leaves(
    owner: Client, acme: Organization, alice: Person
) -> None:
    lowered = owner.post(f"{HERE}members/alice/", {"role": "member"})
    removed = owner.post(f"{HERE}members/alice/remove/")
    left = owner.post(f"{HERE}leave/")

    assert lowered.status_code == removed.status_code == left.status_code == 409
    for answer in (lowered, removed, left):
        assert "alice is the last owner of acme" in answer.content.decode()
    assert role_of(acme, alice) == OrganizationRole.OWNER


def test_a_removed_member_loses_the_projects_at_once(
    owner: Client, acme: Organization, bob: Person
) -> None:
    page = owner.get(f"{HERE}members/bob/").content.decode()
    said = owner.post(f"{HERE}members/bob/remove/", follow=True)

    assert "Remove Bob" in page
    assert "Bob is removed." in said.content.decode()
    owner.force_login(bob, backend=BACKEND)
    assert owner.get(HERE).status_code == 404
    assert owner.get("/acme/site/").status_code == 404


@pytest.mark.parametrize("handle", ["mallory", "nobody-here"])
def test_who_is_no_member_has_no_page(owner: Client, mallory: Person, handle: str) -> None:
    assert owner.get(f"{HERE}members/{handle}/").status_code == 404
    assert owner.post(f"{HERE}members/{handle}/", {"role": "owner"}).status_code == 404
    assert owner.post(f"{HERE}members/{handle}/remove/").status_code == 404


def test_a_member_leaves_after_reading_what_ends(
    client: Client, acme: Organization, bob: Person
) -> None:
    client.force_login(bob, backend=BACKEND)

    page = client.get(f"{HERE}leave/").content.decode()
    said = client.post(f"{HERE}leave/", follow=True).content.decode()

    assert "ends at once" in page
    assert "You have left Acme." in said
    assert role_of(acme, bob) is None


def test_the_link_of_an_invitation_is_shown_once_and_revocable(
    owner: Client, acme: Organization, mallory: Person
) -> None:
    links = []
    for role in ("owner", "member"):
        answer = owner.post(
            f"{HERE}invitations/", {"invite-role": role, "invite-days": "7"}
        ).content.decode()
        found = re.search(r'<code id="link">([^<]*)</code>', answer)
        assert found is not None
        links.append(found[1].rpartition("/")[2])
    page = owner.get(HERE).content.decode()
    newest = re.search(r'action="([^"]*/revoke/)"', page)
    assert newest is not None
    owner.post(newest[1])
    accept_invitation(person_caller(mallory), token=links[0])

    assert not any(token in page for token in links)
    assert owner.get(f"/join/{links[1]}").status_code == 404
    assert role_of(acme, mallory) == OrganizationRole.OWNER
    assert "Open invitations" not in owner.get(HERE).content.decode()


def test_members_can_change_nobody(client: Client, acme: Organization, bob: Person) -> None:
    client.force_login(bob, backend=BACKEND)

    assert client.post(f"{HERE}members/bob/", {"role": "owner"}).status_code == 403
    assert client.post(f"{HERE}members/alice/remove/").status_code == 403
    assert role_of(acme, bob) == OrganizationRole.MEMBER
