"""On SQLite a search reads all that may be read, or looks up what matches: it shows the same."""

from typing import Any

import pytest
from django.db import connection

from conderis.accounts.models import Person
from conderis.common.json import JsonObject
from items.listing import list_items
from items.requests import ListRequest
from items.search import sqlite
from projects.models import Project
from tests.factories import person_caller
from tests.items.calls import act, create

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has one way")


@pytest.fixture
def searched(project: Project, alice: Person, bob: Person) -> Any:
    """A page of bob's list, of memories some of which he may not see or that are put away."""
    for place in range(12):
        fields = {"title": f"Walrus {place}", "content": "walrus " * (place % 4) + "on ice"}
        fields |= {"summary": "Animals.", "visibility": "private" if place % 3 == 0 else "shared"}
        number = create(person_caller(alice), project, "memory", **fields)["number"]
        if place % 5 == 0:
            act(person_caller(alice), project, number, "archive", 1)

    def page(cursor: str | None = None) -> JsonObject:
        request = ListRequest(
            "memory", project_id=project.path, query="walrus ice", limit=4, cursor=cursor
        )
        return list_items(person_caller(bob), request)

    return page


def test_a_page_is_the_same_in_both_ways(searched: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    read = searched()
    monkeypatch.setattr(sqlite, "_TIMES", 0)
    looked_up = searched()

    assert [entry["title"] for entry in read["items"]] == [
        entry["title"] for entry in looked_up["items"]
    ]
    assert read["total"] == looked_up["total"] == 6
    assert searched(read["nextCursor"])["items"] == searched(looked_up["nextCursor"])["items"]


def test_where_the_best_are_hidden_the_others_are_found_too(
    searched: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = searched()
    monkeypatch.setattr(sqlite, "_TIMES", 0)
    monkeypatch.setattr(sqlite, "_TRIES", 0)

    assert searched()["items"] == expected["items"]
    assert searched()["total"] == expected["total"]
