"""Sign-in by another server, against one that runs in the test."""

import html
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from pytest_django import Settings

from conderis.accounts.actors import Operator
from conderis.accounts.deactivation import deactivate_person
from conderis.accounts.models import AuditEvent, Person
from projects.invitations import create_invitation
from tests.factories import make_person
from tests.web.oidc_server import FakeProvider, fake_provider
from tests.web.signing_in_steps import browser_of, text, use, who, with_password

pytestmark = pytest.mark.django_db
LOGIN = "/account/oidc/sso/login/"


@pytest.fixture
def provider(settings: Settings) -> Iterator[FakeProvider]:
    settings.SIGN_UP = "open"
    with fake_provider() as found:
        use(settings, providers=found.settings)
        yield found


def led_to(client: Client, process: str = "login") -> str:
    """Where the button leads: the other server's address."""
    shown = text(client.post(f"{LOGIN}?process={process}"))
    (found,) = re.findall(
        r"""http-equiv="refresh" content="0;URL='([^']+)'""", html.unescape(shown)
    )
    return str(found)


def come_back(client: Client, process: str = "login") -> Any:
    """The answer after the person has signed in over there."""
    state = parse_qs(urlsplit(led_to(client, process)).query)["state"][0]
    return client.get(f"{LOGIN}callback/", {"code": "code", "state": state})


def test_the_sign_in_page_has_a_button_for_the_other_server(
    client: Client, provider: FakeProvider
) -> None:
    assert "Go on with the team’s server" in text(client.get("/sign-in/")).replace("&#x27;", "’")


def test_the_other_server_is_asked_for_no_address(client: Client, provider: FakeProvider) -> None:
    asked = parse_qs(urlsplit(led_to(client)).query)

    assert set(asked["scope"][0].split()) == {"openid", "profile"}
    assert asked["client_id"] == ["conderis-tests"]


def test_the_way_there_is_a_page_since_forms_may_not_redirect_to_others(
    client: Client, provider: FakeProvider
) -> None:
    answer = client.post(f"{LOGIN}?process=login")

    assert answer.status_code == 200
    assert "form-action 'self'" in answer["Content-Security-Policy"]


def test_a_new_person_gets_the_handle_that_they_have_there(
    client: Client, provider: FakeProvider
) -> None:
    come_back(client)

    ada = Person.objects.get(handle="ada")
    assert who(client) == "ada"
    assert (ada.display_name, ada.email, ada.has_usable_password()) == ("Ada L", "", False)
    assert AuditEvent.objects.filter(action="person.signed_up", subject=ada.ref).exists()


def test_the_same_person_comes_back_to_the_same_account(provider: FakeProvider) -> None:
    come_back(Client())
    provider.person["preferred_username"] = "ada-renamed"
    again = Client()

    come_back(again)

    assert who(again) == "ada"
    assert Person.objects.count() == 1


def test_an_address_links_nobody_and_is_kept_nowhere(
    client: Client, provider: FakeProvider, settings: Settings
) -> None:
    use(settings, mail=True, providers=provider.settings)
    alice = make_person("alice")
    EmailAddress.objects.create(
        user=alice, email="alice.canary@example.org", verified=True, primary=True
    )
    provider.person |= {"email": "alice.canary@example.org", "email_verified": True}

    come_back(client)

    assert who(client) == "ada"
    assert Person.objects.get(handle="ada").email == ""
    assert EmailAddress.objects.count() == 1
    assert "canary" not in str(list(SocialAccount.objects.values()))
    assert "canary" not in str(dict(client.session))


@pytest.mark.parametrize(
    ("name", "offered"),
    [("alice", ""), ("Eve_Moss", "eve-moss"), ("eve@example.org", "eve"), (None, "")],
)
def test_who_cannot_have_the_name_there_is_asked_for_a_handle(
    client: Client, provider: FakeProvider, name: str | None, offered: str
) -> None:
    make_person("alice")
    provider.person["preferred_username"] = name

    answer = come_back(client)
    shown = text(client.get(answer["Location"]))
    client.post("/account/sso/signup/", {"username": "eve-2", "display_name": ""})

    assert answer["Location"] == "/account/sso/signup/"
    (field,) = re.findall(r'<input[^>]*name="username"[^>]*>', shown)
    assert (f'value="{offered}"' in field) if offered else ("value=" not in field)
    assert 'type="email"' not in shown
    assert who(client) == "eve-2"
    assert Person.objects.get(handle="eve-2").display_name == "Ada L"


def test_a_name_that_holds_an_address_is_not_taken_over(
    client: Client, provider: FakeProvider
) -> None:
    provider.person["name"] = "ada@example.org"

    come_back(client)

    assert Person.objects.get(handle="ada").display_name == "ada"
    assert "example.org" not in str(list(SocialAccount.objects.values()))


@pytest.mark.parametrize("mode", ["invited", "closed"])
def test_nobody_new_comes_in_where_sign_up_is_not_open(
    client: Client, provider: FakeProvider, settings: Settings, mode: str
) -> None:
    settings.SIGN_UP = mode

    answer = come_back(client)

    assert "No account without an invitation" in text(answer)
    assert not Person.objects.exists()


def test_an_invitation_lets_somebody_in_by_the_other_server(
    client: Client, provider: FakeProvider, settings: Settings
) -> None:
    settings.SIGN_UP = "invited"
    token = create_invitation(Operator()).token
    client.post(f"/join/{token}", {"to": "sign-up"})

    come_back(client)

    assert who(client) == "ada"
    assert Client().get(f"/join/{token}").status_code == 404


def test_a_person_connects_the_other_server_and_disconnects_it(provider: FakeProvider) -> None:
    alice = with_password(make_person("alice"))
    browser, other = browser_of(alice), Client()

    come_back(browser, "connect")
    come_back(other)
    shown = text(browser.get("/account/sso/"))
    account = SocialAccount.objects.get()
    browser.post("/account/sso/", {"account": account.pk})

    assert who(other) == "alice"
    assert "as ada" in shown
    assert not SocialAccount.objects.exists()
    assert Person.objects.count() == 1


def test_the_only_way_in_cannot_be_taken_away(client: Client, provider: FakeProvider) -> None:
    come_back(client)
    account = SocialAccount.objects.get()

    answer = client.post("/account/sso/", {"account": account.pk})

    assert "Set a password first" in text(answer)
    assert SocialAccount.objects.exists()


def test_who_came_by_the_other_server_can_set_a_password_at_once(
    client: Client, provider: FakeProvider
) -> None:
    come_back(client)

    assert client.get("/account/password/set/").status_code == 200


def test_a_deactivated_person_does_not_come_in(client: Client, provider: FakeProvider) -> None:
    come_back(Client())
    deactivate_person(Operator(), handle="ada")

    assert come_back(client)["Location"] == "/account/inactive/"
    assert who(client) is None


def test_an_answer_with_another_state_is_refused(client: Client, provider: FakeProvider) -> None:
    led_to(client)

    answer = client.get(f"{LOGIN}callback/", {"code": "code", "state": "foreign"})

    assert "did not let you in" in text(answer)
    assert "/token" not in provider.asked


def test_calling_it_off_over_there_says_so(client: Client, provider: FakeProvider) -> None:
    state = parse_qs(urlsplit(led_to(client)).query)["state"][0]

    answer = client.get(
        f"{LOGIN}callback/", {"error": "access_denied", "state": state}, follow=True
    )

    assert "Not signed in" in text(answer)


def test_a_server_that_is_down_is_said_so(client: Client, provider: FakeProvider) -> None:
    provider.down = True

    answer = client.post(f"{LOGIN}?process=login")

    assert "did not let you in" in text(answer)


def test_without_a_provider_there_is_nothing(client: Client, settings: Settings) -> None:
    use(settings)

    assert client.get(LOGIN).status_code == 404
    assert "Go on with" not in text(client.get("/sign-in/"))
