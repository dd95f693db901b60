"""The start page of a person: the first steps, then projects, agents and organizations."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.agent_keys import KeyWish
from conderis.accounts.models import Person
from projects.capabilities import Role
from projects.keys import create_agent_key
from projects.models import Project
from tests.factories import join, make_project, person_caller
from tests.projects.making import make_organization

BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def browser(client: Client, alice: Person) -> Client:
    """A browser in which alice is signed in."""
    client.force_login(alice, backend=BACKEND)
    return client


def text_of(browser: Client) -> str:
    return browser.get("/").content.decode()


def give_key(person: Person, name: str) -> None:
    create_agent_key(person_caller(person), person=person, wish=KeyWish(name=name))


def test_who_has_a_role_nowhere_is_shown_the_first_steps_and_what_is_public(
    browser: Client, mallory: Person
) -> None:
    make_project(mallory, "theirs")
    make_project(mallory, "open", is_public=True)

    page = text_of(browser)

    assert "Ask it for a recall" in page
    assert 'href="/mallory/open/"' in page
    assert "theirs" not in page


def test_a_role_in_a_project_of_somebody_else_ends_the_first_steps(
    browser: Client, alice: Person, mallory: Person
) -> None:
    join(make_project(mallory, "theirs"), alice, Role.READER)

    page = text_of(browser)

    assert "Ask it for a recall" not in page
    assert 'href="/mallory/theirs/"' in page
    assert "No agent has a key yet." in page


def test_the_page_lists_the_agents_and_organizations_of_the_person_alone(
    browser: Client, project: Project, alice: Person, mallory: Person
) -> None:
    give_key(alice, "Codex <laptop>")
    give_key(mallory, "Spy")
    make_organization(alice)

    page = text_of(browser)

    assert "Codex &lt;laptop&gt;" in page
    assert "never used" in page
    assert "Spy" not in page
    assert 'href="/organizations/acme/"' in page


def test_the_number_of_queries_does_not_grow_with_agents(
    browser: Client, project: Project, alice: Person
) -> None:
    give_key(alice, "robot")
    text_of(browser)
    with CaptureQueriesContext(connection) as one:
        text_of(browser)
    for number in range(6):
        give_key(alice, f"robot {number}")

    with CaptureQueriesContext(connection) as seven:
        text_of(browser)

    assert len(seven) == len(one)
