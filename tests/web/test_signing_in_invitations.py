"""Invitations: who invites to what, and how one gets in by them."""

import pytest
from django.test import Client
from pytest_django import Settings

from conderis.accounts.actors import Operator
from conderis.accounts.models import Person
from conderis.accounts.sign_in import create_sign_in_link
from projects.invitations import create_invitation, revoke_invitation
from projects.models import Invitation, Project, ProjectMember
from projects.organizations import create_organization
from tests.factories import person_caller
from tests.web.reading import without_tokens
from tests.web.signing_in_steps import (
    BACKEND,
    PASSWORD,
    sign_in,
    sign_up,
    text,
    use,
    who,
    with_password,
)


@pytest.fixture(autouse=True)
def invited(settings: Settings) -> None:
    settings.SIGN_UP = "invited"
    use(settings)


@pytest.fixture
def token(alice: Person, project: Project) -> str:
    made = create_invitation(person_caller(alice), project_id=project.public_id, role="contributor")
    return made.token


def role(project: Project, handle: str) -> str | None:
    member = ProjectMember.objects.filter(project=project, person__handle=handle).first()
    return member.role if member else None


def test_the_page_says_who_invites_to_what(client: Client, token: str) -> None:
    answer = client.get(f"/join/{token}")
    shown = text(answer)

    assert answer.status_code == 200
    assert all(word in shown for word in ("Alice", "alice/shop", "contributor"))
    assert "@" not in shown
    assert answer["Referrer-Policy"] == "strict-origin"
    assert "no-store" in answer["Cache-Control"]


def test_who_is_in_joins_by_one_button(
    client: Client, token: str, mallory: Person, project: Project
) -> None:
    client.force_login(mallory, backend=BACKEND)

    assert "Join as Mallory" in text(client.get(f"/join/{token}"))
    answer = client.post(f"/join/{token}")

    assert answer["Location"] == "/alice/shop/"
    assert role(project, "mallory") == "contributor"


def test_an_invitation_to_an_organization_shows_its_name(
    client: Client, alice: Person, mallory: Person
) -> None:
    create_organization(person_caller(alice), owner="alice", handle="acme", name="Acme Tools")
    made = create_invitation(person_caller(alice), organization="acme", role="member")
    client.force_login(mallory, backend=BACKEND)

    shown = text(client.get(f"/join/{made.token}"))
    joined = text(client.post(f"/join/{made.token}", follow=True))

    assert "Invitation to Acme Tools" in shown
    assert "acme" in shown
    assert "joining uses it up" in shown
    assert "You are in Acme Tools now." in joined


def test_an_account_made_with_an_invitation_is_in_at_once(
    client: Client, token: str, project: Project
) -> None:
    assert client.post(f"/join/{token}", {"to": "sign-up"})["Location"] == "/sign-up/"

    sign_up(client, "ada")

    assert who(client) == "ada"
    assert role(project, "ada") == "contributor"
    assert "You are in alice/shop now." in text(client.get("/alice/shop/"))
    assert client.get(f"/join/{token}").status_code == 404


def test_an_invitation_makes_one_account(client: Client, token: str) -> None:
    other = Client()
    for browser in (client, other):
        browser.post(f"/join/{token}", {"to": "sign-up"})

    sign_up(client, "ada")
    answer = sign_up(other, "eve")

    assert "No account without an invitation" in text(answer)
    assert not Person.objects.filter(handle="eve").exists()


def test_who_signs_in_first_comes_back_to_the_invitation(
    client: Client, token: str, mallory: Person
) -> None:
    with_password(mallory)
    assert client.post(f"/join/{token}", {"to": "sign-in"})["Location"] == "/sign-in/"

    assert sign_in(client, "mallory")["Location"] == f"/join/{token}"


def test_opening_an_invitation_keeps_nothing(client: Client, token: str) -> None:
    client.get(f"/join/{token}")

    assert "No account without an invitation" in text(sign_up(client, "ada"))


def test_used_revoked_and_unknown_invitations_read_alike(
    client: Client, alice: Person, token: str, project: Project
) -> None:
    revoked = create_invitation(person_caller(alice), project_id=project.public_id, role="reader")
    revoke_invitation(person_caller(alice), invitation_id=revoked.invitation.public_id)
    Invitation.objects.filter(role="contributor").update(used_at=revoked.invitation.created)

    answers = [client.get(f"/join/{name}") for name in (token, revoked.token, "unknown", "ä" * 99)]

    assert {answer.status_code for answer in answers} == {404}
    assert len({without_tokens(text(answer)) for answer in answers}) == 1
    assert "This invitation lets nobody in" in text(answers[0])


def test_pressing_the_button_of_a_used_invitation_says_so(
    client: Client, token: str, mallory: Person
) -> None:
    client.force_login(mallory, backend=BACKEND)
    client.post(f"/join/{token}")

    assert client.post(f"/join/{token}").status_code == 404


def test_no_invitation_makes_an_account_where_sign_up_is_closed(
    client: Client, token: str, settings: Settings
) -> None:
    settings.SIGN_UP = "closed"

    assert "Create an account" not in text(client.get(f"/join/{token}"))
    client.post(f"/join/{token}", {"to": "sign-up"})

    assert "No account without an invitation" in text(sign_up(client, "ada"))


def test_an_invitation_is_not_forgotten_by_who_signs_in_by_a_link(
    client: Client, alice: Person, mallory: Person, project: Project
) -> None:
    made = create_invitation(person_caller(alice), project_id=project.public_id, role="reader")
    client.post(f"/join/{made.token}", {"to": "sign-in"})

    answer = client.post(f"/sign-in/{create_sign_in_link(Operator(), person=mallory)}")

    assert answer["Location"] == f"/join/{made.token}"


def test_the_link_of_an_invitation_begins_with_the_public_address(
    client: Client, alice: Person, project: Project, settings: Settings
) -> None:
    settings.PUBLIC_ORIGIN = "https://memory.example.com"
    client.force_login(alice, backend=BACKEND)

    shown = text(
        client.post(
            "/alice/shop/settings/invitations/", {"invite-role": "reader", "invite-days": "7"}
        )
    )

    assert "https://memory.example.com/join/" in shown
    assert "http://testserver/join/" not in shown


@pytest.mark.parametrize("elsewhere", ["http://localhost/x", "https://evil.example.net/", "//x"])
def test_signing_in_leads_to_no_other_host_even_an_allowed_one(
    alice: Person, elsewhere: str
) -> None:
    with_password(alice)

    answer = Client().post("/sign-in/", {"login": "alice", "password": PASSWORD, "next": elsewhere})

    assert answer["Location"] == "/"
