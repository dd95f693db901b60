"""Making an account: open, invited and closed; what it tells about others."""

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from conderis.accounts.models import AuditEvent, Handle, Person
from tests.web.reading import without_tokens
from tests.web.signing_in_steps import links, sign_in, sign_up, text, use, who

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def opened(settings: Settings) -> None:
    settings.SIGN_UP = "open"
    use(settings)


@pytest.fixture
def mailing(settings: Settings) -> None:
    use(settings, mail=True)


def test_anybody_makes_an_account_where_sign_up_is_open(client: Client) -> None:
    answer = sign_up(client, "ada", display_name="Ada L")

    ada = Person.objects.get(handle="ada")
    assert answer.status_code == 302
    assert who(client) == "ada"
    assert (ada.display_name, str(ada), ada.is_staff) == ("Ada L", "Ada L", False)
    assert Handle.objects.get(name="ada").holder == ada.ref
    assert AuditEvent.objects.filter(action="person.signed_up", subject=ada.ref).count() == 1


@pytest.mark.parametrize("mode", ["invited", "closed"])
def test_nobody_makes_an_account_without_an_invitation_where_sign_up_is_not_open(
    client: Client, settings: Settings, mode: str
) -> None:
    settings.SIGN_UP = mode

    answer = sign_up(client, "ada")

    assert "No account without an invitation" in text(answer)
    assert not Person.objects.exists()


def test_without_mail_no_address_is_asked_for(client: Client) -> None:
    shown = text(client.get("/sign-up/"))

    assert 'name="username"' in shown
    assert 'type="email"' not in shown


def test_with_mail_an_account_waits_for_its_address_to_be_confirmed(
    client: Client, mailing: None
) -> None:
    answer = sign_up(client, "ada", email="Ada@Example.org")

    assert answer["Location"] == "/account/confirm-email/"
    assert who(client) is None
    assert mail.outbox[0].to == ["ada@example.org"]
    assert Person.objects.get(handle="ada").display_name == "ada"

    (path, *_) = links()
    assert text(client.get(path)).count("ada@example.org") == 1
    client.post(path)

    assert who(client) == "ada"


def test_opening_the_link_of_a_mail_changes_nothing(client: Client, mailing: None) -> None:
    sign_up(client, "ada", email="ada@example.org")
    (path, *_) = links()

    Client().get(path)

    assert sign_in(Client(), "ada")["Location"] == "/account/confirm-email/"


@pytest.mark.usefixtures("mailing")
def test_a_known_address_answers_as_an_unknown_one_does(alice: Person) -> None:
    new, known = Client(), Client()

    made = sign_up(new, "ada", email="ada@example.org")
    refused = sign_up(known, "eve", email="ALICE.canary@example.org")

    assert (made.status_code, made["Location"]) == (refused.status_code, refused["Location"])
    assert without_tokens(text(new.get(made["Location"]))) == without_tokens(
        text(known.get(refused["Location"]))
    )
    assert not Person.objects.filter(handle="eve").exists()
    assert [message.to for message in mail.outbox] == [
        ["ada@example.org"],
        ["alice.canary@example.org"],
    ]
    assert mail.outbox[1].subject == "You have an account"


@pytest.mark.usefixtures("mailing")
def test_an_address_that_the_account_alone_holds_is_known_in_any_spelling(alice: Person) -> None:
    Person.objects.filter(pk=alice.pk).update(email="Alice@Example.org")

    answer = sign_up(Client(), "eve", email="alice@example.org")

    assert answer["Location"] == "/account/confirm-email/"
    assert not Person.objects.filter(handle="eve").exists()


@pytest.mark.usefixtures("mailing")
def test_a_taken_handle_is_refused_whether_the_address_is_known_or_not(alice: Person) -> None:
    answers = [
        text(sign_up(Client(), "alice", email=address))
        for address in ("alice.canary@example.org", "new@example.org")
    ]

    assert all("This handle is taken" in answer for answer in answers)


@pytest.mark.parametrize(
    ("handle", "said"),
    [("admin", "is reserved"), ("a", "2 to 39"), ("under_score", "2 to 39"), ("a b", "2 to 39")],
)
def test_handles_keep_to_the_rules_of_the_house(client: Client, handle: str, said: str) -> None:
    answer = sign_up(client, handle)

    assert said in text(answer)
    assert not Person.objects.exists()


def test_a_former_handle_of_somebody_stays_taken(client: Client, alice: Person) -> None:
    Handle.objects.create(name="alicia", holder=alice.ref)

    assert "This handle is taken" in text(sign_up(client, "alicia"))


def test_a_display_name_cannot_hold_an_address(client: Client) -> None:
    answer = sign_up(client, "ada", display_name="Ada <ada@example.org>")

    assert "cannot hold an email address" in text(answer)
    assert not Person.objects.exists()


def test_a_password_is_not_like_the_name(client: Client) -> None:
    answer = client.post("/sign-up/", {"username": "adalovelace", "password1": "adalovelace1"})

    assert "too similar" in text(answer)


def test_the_links_in_mails_begin_with_the_public_address(
    client: Client, settings: Settings, mailing: None
) -> None:
    settings.PUBLIC_ORIGIN = "https://memory.example.com"

    sign_up(client, "ada", email="ada@example.org")

    assert "https://memory.example.com/account/confirm-email/" in str(mail.outbox[0].body)
    assert "testserver" not in str(mail.outbox[0].body).partition("Conderis,")[0]


def test_a_mail_server_that_is_down_is_said_so(
    client: Client, settings: Settings, mailing: None
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9

    answer = sign_up(client, "ada", email="ada@example.org")

    assert answer.status_code == 503
    assert "no mail was sent" in text(answer)


@pytest.mark.usefixtures("mailing")
def test_who_has_no_address_signs_in_where_mail_came_later(client: Client, alice: Person) -> None:
    Person.objects.filter(pk=alice.pk).update(email="")
    alice.refresh_from_db()
    alice.set_password("plum-Harbour-27-slow")
    alice.save()

    sign_in(client, "alice")

    assert who(client) == "alice"
