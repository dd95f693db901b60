"""Titles that look the same, or nearly, in the browser."""

import pytest
from django.test import Client
from django.urls import reverse

from conderis.accounts.models import Person
from items.models import Item
from projects.models import Project
from tests.factories import person_caller
from tests.items.calls import create
from tests.web.signing_in_steps import BACKEND

COMPOSED, DECOMPOSED = "R\u00e9sum\u00e9", "Re\u0301sume\u0301"


def at(route: str, **more: int | str) -> str:
    return reverse(route, kwargs={"owner": "alice", "name": "shop", **more})


def test_two_spellings_of_one_title_are_one_page_and_the_refusal_names_it(
    client: Client, alice: Person, project: Project
) -> None:
    client.force_login(alice, backend=BACKEND)
    new = at("item-new", kind="page")

    first = client.post(new, {"title": COMPOSED, "content": "x"})
    second = client.post(new, {"title": DECOMPOSED, "content": "typed at length"})

    assert first["Location"] == at("item", number=1)
    assert second.status_code == 409
    assert "#1" in second.context["form"].errors["title"][0]
    assert "typed at length" in second.content.decode()
    assert Item.objects.count() == 1


@pytest.mark.parametrize("titles", [("Déjà Dup", "Deja Dup"), ("Setup", "setup")])
def test_titles_that_differ_are_two_pages_each_with_its_address_and_found_in_both_spellings(
    client: Client, rita: Person, alice: Person, project: Project, titles: tuple[str, str]
) -> None:
    for title in titles:
        create(person_caller(alice), project, "page", title=title, content=f"of {title}")
    client.force_login(rita, backend=BACKEND)

    for number, title in enumerate(titles, start=1):
        shown = client.get(at("item", number=number)).content.decode()
        assert f'<h1><bdi class="kept">{title}</bdi></h1>' in shown
        found = client.get(at("project-docs"), {"q": title}).content.decode()
        for each in (1, 2):
            assert at("item", number=each) in found


@pytest.mark.parametrize("query", [COMPOSED, DECOMPOSED, "Resume", "résumé"])
def test_a_page_is_found_by_every_spelling_of_its_title(
    client: Client, alice: Person, project: Project, query: str
) -> None:
    create(person_caller(alice), project, "page", title=COMPOSED)
    client.force_login(alice, backend=BACKEND)

    assert at("item", number=1) in client.get(at("project-docs"), {"q": query}).content.decode()
