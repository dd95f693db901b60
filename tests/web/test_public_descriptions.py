"""What a link to a public page says elsewhere; of private ones nothing."""

import html
import re

import pytest
from django.test import Client
from pytest_django import Settings

from conderis.accounts.models import Person
from conderis.web.describing import first_words
from projects.models import Project
from projects.services import change_project
from tests.factories import make_project, person_caller
from tests.items.calls import create
from tests.privacy.deletions import ask
from tests.web.deletion_pages import opened

HERE = "/alice/commons/"
META = re.compile(r'<meta (?:name|property)="([a-z:_]+)" content="([^"]*)">')


@pytest.fixture
def commons(alice: Person) -> Project:
    return make_project(alice, "commons", is_public=True, description="Tea & <cake>")


def told(text: str) -> dict[str, str]:
    """The descriptions in the page's head."""
    found = {name: html.unescape(value) for name, value in META.findall(text)}
    address = re.search(r'<link rel="canonical" href="([^"]*)">', text)
    return found | ({"canonical": address[1]} if address is not None else {})


def page(client: Client, path: str = HERE) -> dict[str, str]:
    return told(client.get(path).content.decode())


def test_a_project_says_its_name_and_description(commons: Project, client: Client) -> None:
    found = page(client)

    assert found["og:title"] == "alice/commons"
    assert found["description"] == found["og:description"] == "Tea & <cake>"
    assert found["og:type"] == "website"
    assert found["canonical"] == found["og:url"] == f"http://testserver{HERE}"


def test_an_item_says_its_title_and_its_gist(
    commons: Project, alice: Person, client: Client
) -> None:
    owner = person_caller(alice)
    create(owner, commons, "memory", title="Windows", summary='Deploy on "Monday".',
           content="Other", visibility="shared")  # fmt: skip
    long = "# Head\n\n- list\n\n**Bold** [link](https://example.org) `code`\n" + "word " * 100
    create(owner, commons, "page", title='A "quoted" <title>', content=long)

    memory, document = (page(client, f"{HERE}items/{number}/") for number in (1, 2))

    assert memory["description"] == 'Deploy on "Monday".'
    assert document["og:title"] == 'A "quoted" <title> · alice/commons'
    assert document["og:type"] == "article"
    assert document["description"].startswith("list")
    assert len(document["description"]) <= 200


def test_the_first_paragraph_is_told_as_plain_text() -> None:
    text = "# Head\n\n**Bold** [link](https://example.org) ![x](y.png)`code`\nnext\n\nsecond"

    assert first_words(text) == "Bold link code next"
    assert first_words("# Head alone") == ""
    assert first_words("<script>alert(1)</script>\n\nWords.") == "Words."


def test_nothing_is_told_of_private_projects_nor_to_who_is_signed_in(
    commons: Project, alice: Person, client: Client
) -> None:
    make_project(alice, "shut", description="Secret")

    for path in (HERE, "/alice/shut/"):
        assert "og:title" not in told(opened(alice, path).content.decode())
    assert page(client, "/alice/shut/") == {}


def test_a_locked_item_tells_nothing_of_its_text(
    commons: Project, alice: Person, client: Client
) -> None:
    create(person_caller(alice), commons, "page", title="Zanzibar", content="Zanzibar")
    ask(person_caller(alice), commons, 1)

    found = page(client, f"{HERE}items/1/")

    assert found["og:title"] == "#1 · alice/commons"
    assert "description" not in found


def test_the_address_is_the_present_one_as_people_reach_it(
    commons: Project, alice: Person, client: Client, settings: Settings
) -> None:
    settings.PUBLIC_ORIGIN = "https://memory.example.com"
    change_project(person_caller(alice), commons.public_id, fields={"name": "green"})

    answer = client.get(f"{HERE}docs/", follow=True)

    found = told(answer.content.decode())
    assert found["canonical"] == "https://memory.example.com/alice/green/docs/"
    assert found["og:title"] == "Docs · alice/green"
    assert page(client, "/alice/green/docs/?q=x")["canonical"] == found["canonical"]
