"""Steps that the tests of signing in share."""

import re
from typing import Any

from django.core import mail
from django.test import Client
from pytest_django import Settings

from conderis.accounts.models import Person
from conderis.web.signing_in.options import sign_in_settings

BACKEND = "django.contrib.auth.backends.ModelBackend"
PASSWORD = "plum-Harbour-27-slow"


def use(settings: Settings, **given: Any) -> None:
    """The settings of signing in as the environment would make them."""
    choices = {"mail": False, "https": False, "proxy": False, "providers": [], **given}
    for name, value in sign_in_settings(**choices).items():
        setattr(settings, name, value)
    settings.MAIL_URL = "smtp://mail.example.org" if choices["mail"] else ""
    settings.TRUST_PROXY = choices["proxy"]


def with_password(person: Person, password: str = PASSWORD) -> Person:
    """The person, who signs in by a password."""
    person.set_password(password)
    person.save()
    return person


def browser_of(person: Person) -> Client:
    """A browser in which the person has just signed in by the password."""
    client = Client()
    signed = sign_in(client, person.handle)
    assert signed.status_code == 302, signed.content.decode()
    return client


def sign_in(client: Client, login: str, password: str = PASSWORD) -> Any:
    """What the sign-in form answers."""
    return client.post("/sign-in/", {"login": login, "password": password})


def sign_up(client: Client, handle: str, **fields: str) -> Any:
    """What the sign-up form answers."""
    return client.post("/sign-up/", {"username": handle, "password1": PASSWORD, **fields})


def who(client: Client) -> str | None:
    """The handle of who is signed in there, as the session has it."""
    key = client.session.get("_auth_user_id")
    return Person.objects.get(pk=key).handle if key else None


def links(number: int = -1) -> list[str]:
    """The paths of the links in a mail; without a number, in the last one."""
    body = str(mail.outbox[number].body)
    return re.findall(r"https?://[^/\s]+(/\S*)", body)


def text(response: object) -> str:
    """A page as text."""
    content: bytes = response.content  # type: ignore[attr-defined]
    return content.decode()
