"""The instructions of an organization in the browser."""

import pytest
from django.test import Client

from conderis.accounts.models import Person
from projects.models import Organization
from proposals.organization_instructions import (
    read_organization_instructions,
    store_organization_instructions,
)
from tests.factories import person_caller
from tests.projects.making import make_organization

BACKEND = "django.contrib.auth.backends.ModelBackend"
HERE = "/organizations/acme/instructions/"


@pytest.fixture
def acme(alice: Person, bob: Person) -> Organization:
    """alice owns it, bob is a member."""
    return make_organization(alice, members=(bob,))


@pytest.fixture
def owner(client: Client, acme: Organization, alice: Person) -> Client:
    """A browser in which alice is signed in."""
    client.force_login(alice, backend=BACKEND)
    return client


def store(person: Person, content: str, version: int) -> None:
    store_organization_instructions(
        person_caller(person), handle="acme", content=content, version=version
    )


def stored(person: Person) -> tuple[int, str]:
    answer = read_organization_instructions(person_caller(person), handle="acme")
    return answer["version"], answer["content"]


def test_an_owner_writes_them_and_members_read_them(
    owner: Client, alice: Person, bob: Person
) -> None:
    said = owner.post(f"{HERE}edit/", {"content": "Be *kind*", "version": "0"}, follow=True)
    owner.force_login(bob, backend=BACKEND)
    page = owner.get(HERE).content.decode()

    assert "Version 1 of the instructions is published." in said.content.decode()
    assert stored(alice) == (1, "Be *kind*")
    assert "<em>kind</em>" in page
    assert f"{HERE}edit/" not in page


def test_a_member_changes_nothing(
    client: Client, acme: Organization, alice: Person, bob: Person
) -> None:
    client.force_login(bob, backend=BACKEND)

    assert client.get(f"{HERE}edit/").status_code == 403
    assert client.post(f"{HERE}edit/", {"content": "x", "version": "0"}).status_code == 403
    assert stored(alice) == (0, "")


def test_who_was_slower_keeps_the_typed_text_and_sees_what_stands(
    owner: Client, alice: Person
) -> None:
    store(alice, "first", 0)
    store(alice, "second", 1)

    answer = owner.post(f"{HERE}edit/", {"content": "mine, typed", "version": "1"})
    page = answer.content.decode()

    assert answer.status_code == 409
    assert "mine, typed" in page
    assert '<pre class="kept source" tabindex="0">second</pre>' in page
    assert 'name="version" value="2"' in page
    assert stored(alice) == (2, "second")
    owner.post(f"{HERE}edit/", {"content": "mine, typed", "version": "2"})
    assert stored(alice) == (3, "mine, typed")


def test_every_version_is_read_from_the_history(owner: Client, alice: Person, bob: Person) -> None:
    store(alice, "old words", 0)
    store(alice, "new words", 1)
    owner.force_login(bob, backend=BACKEND)

    history = owner.get(f"{HERE}history/").content.decode()
    old = owner.get(f"{HERE}versions/1/").content.decode()

    assert f'href="{HERE}versions/1/"' in history
    assert "old words" in old
    assert "This is version 1. Version 2 stands." in old
    assert owner.get(f"{HERE}versions/7/").status_code == 400


def test_what_is_refused_stands_beside_the_text(owner: Client, alice: Person) -> None:
    answer = owner.post(f"{HERE}edit/", {"content": "x" * 50_001, "version": "0"})

    assert answer.status_code == 400
    assert 'aria-invalid="true"' in answer.content.decode()
    assert stored(alice) == (0, "")
