"""Searches among long pages read as much of them as they need."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.common.json import JsonObject
from items.search.excerpts import FIRST, STEP
from projects.models import Project
from tests.factories import person_caller
from tests.items.listed import listed
from tests.items.rows import make_item

LENGTH = 500_000
FILLER = "Nothing of it here. "


def page_with(project: Project, word: str, at: int, **columns: Any) -> None:
    """A page of 500,000 characters with the word at a place, under a heading."""
    before = (FILLER * (at // len(FILLER) + 1))[: at - 12]
    text = f"{before}\n\n## Deep\n\nThe {word} is here. "
    content = (text + FILLER * (LENGTH // len(FILLER)))[:LENGTH]
    make_item(project, "page", **({"title": "Long"} | columns), content=content)


def entries(project: Project, person: Person, query: str, **more: Any) -> list[JsonObject]:
    found: list[JsonObject] = listed(person_caller(person), project, "page", query=query, **more)[
        "items"
    ]
    return found


@pytest.mark.parametrize(
    "at", [500, FIRST - 20, FIRST - 3, FIRST + 1, FIRST + STEP - 5, FIRST + STEP, LENGTH - 100]
)
@pytest.mark.parametrize("word", ["walrus", "Walrüs", "http_client"])
def test_a_word_is_shown_in_its_place_wherever_it_stands(
    project: Project, bob: Person, at: int, word: str
) -> None:
    page_with(project, word, at)

    [entry] = entries(project, bob, word)

    assert f"The {word} is here." in entry["match"]
    assert len(entry["match"]) <= 160
    assert entry["section"] == "Deep"


def test_twenty_long_pages_take_as_many_statements_as_one_and_few_characters(
    project: Project, bob: Person
) -> None:
    counts = []
    for many in (1, 19):
        for place in range(many):
            page_with(project, "walrus", 300, title=f"Long {many} {place}")
        entries(project, bob, "walrus")
        with CaptureQueriesContext(connection) as statements:
            found = entries(project, bob, "walrus")
        counts.append(len(statements))

    assert len(found) == 20
    assert counts[0] == counts[1]
    beginnings = re.compile(r'SUBSTR(ING)?\("items_item"."content", 1, ')
    whole = [beginnings.sub("", each["sql"]) for each in statements]
    assert not any('"items_item"."content"' in sql for sql in whole)


def test_pages_are_read_on_together_where_the_word_stands_deep(
    project: Project, bob: Person
) -> None:
    counts = []
    for many in (1, 4):
        for place in range(many):
            page_with(project, "walrus", FIRST + STEP + 500, title=f"Long {many} {place}")
        with CaptureQueriesContext(connection) as statements:
            found = entries(project, bob, "walrus")
        counts.append(len(statements))

    assert all("The walrus is here." in entry["match"] for entry in found)
    assert counts[0] == counts[1]


def test_a_page_whose_title_says_it_is_not_read_on(project: Project, bob: Person) -> None:
    page_with(project, "otter", LENGTH - 100, title="The walrus")

    with CaptureQueriesContext(connection) as statements:
        [entry] = entries(project, bob, "walrus")

    assert entry["match"] == "The walrus"
    assert sum("SUBSTR" in each["sql"].upper() for each in statements) == 1
