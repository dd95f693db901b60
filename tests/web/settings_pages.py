"""Steps that the tests of settings share."""

import html
import re

from django.test import Client

from conderis.accounts.actors import Operator
from conderis.accounts.models import Person
from conderis.accounts.sign_in import create_sign_in_link

BACKEND = "django.contrib.auth.backends.ModelBackend"


def signed_in_now(person: Person) -> Client:
    """A browser in which the person has just used a sign-in link."""
    client = Client()
    client.post(f"/sign-in/{create_sign_in_link(Operator(), person=person)}")
    return client


def without_password(person: Person) -> Person:
    """The person, who signs in by links alone."""
    person.set_unusable_password()
    person.save()
    return person


def signed_in_long_ago(person: Person) -> Client:
    """A browser with a session that says nothing of a recent sign-in."""
    client = Client()
    client.force_login(person, backend=BACKEND)
    return client


def shown(content: bytes) -> str:
    """A page as text, without what is drawn anew each time and without its own address."""
    text = re.sub(r'(nonce|value|content)="[^"]*"|"X-CSRFToken": "[^"]*"', "", content.decode())
    return html.unescape(text)


def key_text(content: bytes) -> str:
    """The one agent key on a page."""
    found = re.findall(r"cndr_[0-9A-Za-z]{44}", content.decode())
    assert len(set(found)) == 1
    return str(found[0])


def has_key(content: bytes) -> bool:
    """Whether a whole agent key stands on a page."""
    return re.search(r"cndr_[0-9A-Za-z]{20}", content.decode()) is not None
