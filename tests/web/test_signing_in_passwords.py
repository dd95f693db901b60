"""Passwords: signing in by them, setting, changing and resetting them; sessions."""

import json

import pytest
from django.conf import settings as configured
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from conderis.accounts.actors import Operator
from conderis.accounts.deactivation import deactivate_person
from conderis.accounts.models import AuditEvent, Person
from conderis.accounts.sign_in import create_sign_in_link
from tests.web.signing_in_steps import (
    BACKEND,
    PASSWORD,
    browser_of,
    links,
    sign_in,
    text,
    use,
    who,
    with_password,
)

NEXT = "quiet-Lantern-88-oak"
TWICE = {"password1": NEXT, "password2": NEXT}


@pytest.fixture(autouse=True)
def without_mail(settings: Settings) -> None:
    use(settings)


@pytest.fixture
def mailing(settings: Settings) -> None:
    use(settings, mail=True)


@pytest.fixture
def ada(alice: Person) -> Person:
    return with_password(alice)


def linked(person: Person) -> Client:
    client = Client()
    client.post(f"/sign-in/{create_sign_in_link(Operator(), person=person)}")
    return client


@pytest.mark.parametrize("login", ["alice", "ALICE", "alice.canary@example.org"])
def test_people_sign_in_by_handle_or_address(client: Client, ada: Person, login: str) -> None:
    sign_in(client, login)

    assert who(client) == "alice"


def test_an_unknown_name_and_a_wrong_password_answer_alike(client: Client, ada: Person) -> None:
    answers = [
        text(sign_in(Client(), name, "wrong"))
        for name in ("alice", "nobody-here", "alice.canary@example.org", "no@example.org")
    ]

    assert all("This does not fit together" in answer for answer in answers)


def test_guessing_a_password_is_stopped_with_a_page_that_says_so(ada: Person) -> None:
    tries = [sign_in(Client(), "alice", f"guess {number}") for number in range(6)]

    assert [answer.status_code for answer in tries] == [200] * 5 + [429]
    assert "Too many tries" in text(tries[-1])
    assert tries[-1]["Retry-After"] == "300"
    assert sign_in(Client(), "alice").status_code == 429


@pytest.mark.parametrize(("proxy", "last"), [("on", 200), ("off", 429)])
def test_another_address_counts_alone_only_where_the_proxy_is_trusted(
    settings: Settings, ada: Person, proxy: str, last: int
) -> None:
    use(settings, proxy=proxy == "on")

    answers = [
        Client(headers={"X-Forwarded-For": f"1.1.1.1, 10.0.0.{number}"}).post(
            "/sign-in/", {"login": f"name{number}", "password": "x"}
        )
        for number in range(11)
    ]

    assert answers[-1].status_code == last


def test_a_next_page_of_another_server_is_not_followed(client: Client, ada: Person) -> None:
    answer = client.post(
        "/sign-in/", {"login": "alice", "password": PASSWORD, "next": "https://evil.example/"}
    )

    assert answer["Location"] == "/"


def test_a_deactivated_person_is_out_at_the_next_request(ada: Person, bob: Person) -> None:
    browser = browser_of(ada)
    deactivate_person(Operator(), handle="alice")

    assert browser.get("/account/sessions/").status_code == 302
    assert sign_in(Client(), "alice")["Location"] == "/account/inactive/"


def test_changing_the_password_ends_the_other_sessions(ada: Person) -> None:
    here, there = browser_of(ada), browser_of(ada)

    answer = here.post("/account/password/change/", {"oldpassword": PASSWORD, **TWICE})

    assert answer.status_code == 302
    assert here.get("/account/sessions/").status_code == 200
    assert there.get("/account/sessions/").status_code == 302
    assert sign_in(Client(), "alice", NEXT).status_code == 302
    assert AuditEvent.objects.filter(action="security.password_changed").count() == 1


def test_signing_out_everywhere_else_leaves_this_browser(ada: Person) -> None:
    here, there = browser_of(ada), browser_of(ada)
    assert text(here.get("/account/sessions/")).count("This browser") == 1

    here.post("/account/sessions/")

    assert here.get("/account/sessions/").status_code == 200
    assert "nowhere else" in text(here.get("/account/sessions/"))
    assert there.get("/account/sessions/").status_code == 302


def test_sign_out_asks_first_and_ends_the_session(ada: Person) -> None:
    browser = browser_of(ada)

    assert "Sign out" in text(browser.get("/sign-out/"))
    assert who(browser) == "alice"
    browser.post("/sign-out/")

    assert who(browser) is None


def test_who_came_by_a_link_can_set_a_password_at_once(alice: Person) -> None:
    alice.set_unusable_password()
    alice.save()
    browser = linked(alice)

    answer = browser.post("/account/password/set/", TWICE)

    assert answer.status_code == 302
    assert sign_in(Client(), "alice", NEXT).status_code == 302


def test_who_came_long_ago_without_a_password_is_told_how_to_go_on(alice: Person) -> None:
    alice.set_unusable_password()
    alice.save()
    browser = Client()
    browser.force_login(alice, backend=BACKEND)

    answer = browser.get("/account/2fa/totp/activate/")

    assert answer["Location"].startswith("/account/sign-in-anew/")
    assert "manage.py sign_in_link alice" in text(browser.get(answer["Location"]))
    assert browser.get("/account/reauthenticate/")["Location"].startswith("/account/sign-in-anew/")


def test_who_came_long_ago_shows_the_password_again(ada: Person) -> None:
    browser = Client()
    browser.force_login(ada, backend=BACKEND)

    asked = browser.get("/account/2fa/totp/activate/")
    wrong = browser.post(asked["Location"], {"password": "wrong"})
    right = browser.post(asked["Location"], {"password": PASSWORD})

    assert asked["Location"].startswith("/account/reauthenticate/")
    assert "This is not your password" in text(wrong)
    assert right["Location"] == "/account/2fa/totp/activate/"
    assert browser.get(right["Location"]).status_code == 200


def test_without_mail_the_reset_page_says_who_can_help(client: Client, ada: Person) -> None:
    answer = client.get("/account/password/reset/")
    client.post("/account/password/reset/", {"email": "alice.canary@example.org"})

    assert "manage.py password_link" in text(answer)
    assert 'type="email"' not in text(answer)
    assert mail.outbox == []


def test_the_command_makes_a_link_that_sets_a_password_once(
    client: Client, alice: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("password_link", "ALICE", "--json")
    answer = json.loads(capsys.readouterr().out)
    path = answer["link"].removeprefix(f"http://localhost:{configured.PORT}")

    form = client.get(path)
    client.post(form["Location"], TWICE)

    assert set(answer) == {"handle", "link"}
    assert sign_in(Client(), "alice", NEXT).status_code == 302
    assert "This link sets no password" in text(Client().get(path, follow=True))
    assert AuditEvent.objects.filter(action="password_link.created").count() == 1


def test_the_command_refuses_who_cannot_sign_in(alice: Person, bob: Person) -> None:
    deactivate_person(Operator(), handle="alice")

    with pytest.raises(CommandError, match="alice is deactivated"):
        call_command("password_link", "alice")


@pytest.mark.usefixtures("mailing")
def test_a_reset_by_mail_sets_the_password_and_ends_all_sessions(ada: Person) -> None:
    sign_in(Client(), "alice")
    Client().post(links()[0])  # confirm the address
    browser, anywhere = browser_of(ada), Client()
    mail.outbox.clear()

    anywhere.post("/account/password/reset/", {"email": "alice.canary@example.org"})
    (path, *_) = links()
    anywhere.post(anywhere.get(path)["Location"], TWICE)

    assert browser.get("/account/sessions/").status_code == 302
    assert sign_in(Client(), "alice", NEXT).status_code == 302
    assert [message.subject for message in mail.outbox] == [
        "Set a new password",
        "Password set anew",
    ]


@pytest.mark.usefixtures("mailing")
def test_a_reset_answers_alike_for_known_and_unknown_addresses(ada: Person) -> None:
    answers = [
        Client().post("/account/password/reset/", {"email": address})
        for address in ("alice.canary@example.org", "nobody@example.org")
    ]

    assert {answer["Location"] for answer in answers} == {"/account/password/reset/done/"}
    assert [message.subject for message in mail.outbox] == [
        "Set a new password",
        "No account with this address",
    ]


@pytest.mark.usefixtures("mailing")
def test_another_address_counts_once_it_is_confirmed(ada: Person, bob: Person) -> None:
    sign_in(Client(), "alice")
    Client().post(links()[0])
    browser = browser_of(ada)

    browser.post("/account/email/", {"email": "new@example.org", "action_add": ""})
    ada.refresh_from_db()
    before = ada.email
    browser.post(links()[0])
    ada.refresh_from_db()

    assert (before, ada.email) == ("alice.canary@example.org", "new@example.org")
    assert AuditEvent.objects.filter(action="person.email_changed").count() == 1


@pytest.mark.usefixtures("mailing")
def test_the_address_of_somebody_else_is_neither_given_nor_told(ada: Person, bob: Person) -> None:
    sign_in(Client(), "alice")
    Client().post(links()[0])
    browser = browser_of(ada)

    browser.post("/account/email/", {"email": "bob.canary@example.org", "action_add": ""})
    answer = browser.post(links()[0], follow=True)
    ada.refresh_from_db()

    assert answer.status_code == 200
    assert ada.email == "alice.canary@example.org"


def test_without_mail_the_address_changes_at_once(ada: Person, bob: Person) -> None:
    browser = browser_of(ada)
    assert "alice.canary@example.org" in text(browser.get("/account/email/"))

    browser.post("/account/email/", {"address": "New@Example.org"})
    taken = browser.post("/account/email/", {"address": "bob.canary@example.org"})
    wrong = browser.post("/account/email/", {"address": "no address"})

    assert (taken.status_code, wrong.status_code) == (409, 400)
    assert sign_in(Client(), "new@example.org").status_code == 302
    assert who(Client()) is None
    assert "fit together" in text(sign_in(Client(), "alice.canary@example.org"))


def test_a_session_by_a_link_is_listed_and_ended_from_elsewhere_too(ada: Person) -> None:
    browser, there = browser_of(ada), Client()
    there.post(f"/sign-in/{create_sign_in_link(Operator(), person=ada)}")
    assert there.get("/account/sessions/").status_code == 200
    assert "nowhere else" not in text(browser.get("/account/sessions/"))

    browser.post("/account/sessions/")

    assert browser.get("/account/sessions/").status_code == 200
    assert there.get("/account/sessions/").status_code == 302
