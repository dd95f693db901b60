"""A word that is gone from an item finds it no more, in any way there is to look."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from conderis.accounts.models import Person
from conderis.common.json import JsonObject
from items.access import visible_items
from items.search import matching, rebuild
from items.search.backends import backend
from items.search.words import query_terms
from mcp_surface.dispatch import call_tool
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at
from tests.privacy.deletions import ask, erased

WORD = "quagmire"
KINDS = ("memory", "page", "task")


def make(person: Person, project: Project, kind: str) -> int:
    """An item that has the word in its title, its tags and its text."""
    fields: dict[str, Any] = {
        "title": f"The {WORD}",
        "content": f"In the {WORD} of it.",
        "tags": [WORD],
    }
    if kind == "memory":
        fields |= {"summary": f"One {WORD}.", "visibility": "shared"}
    number: int = create(person_caller(person), project, kind, **fields)["number"]
    return number


def reword(person: Person, project: Project, kind: str, number: int) -> None:
    fields: dict[str, Any] = {"title": "The swamp", "content": "In it.", "tags": ["swamp"]}
    if kind == "memory":
        fields["summary"] = "One swamp."
    change(person_caller(person), project, number, 1, **fields)


def put_away(person: Person, project: Project, kind: str, number: int) -> None:
    if kind == "task":
        act(person_caller(person), project, number, "complete", 1)
    else:
        act(person_caller(person), project, number, "archive", 1)


def lock(person: Person, project: Project, _kind: str, number: int) -> None:
    ask(person_caller(person), project, number)


def erase(person: Person, project: Project, _kind: str, number: int) -> None:
    erased(person, project, number)


def ids_in_the_index() -> list[int]:
    """What the index itself finds by the word, whoever asks and wherever."""
    statement = backend().matching(query_terms(WORD), None)
    with connection.cursor() as cursor:
        cursor.execute(statement.sql, statement.params)
        return [item_id for (item_id,) in cursor.fetchall()]


GONE: list[Callable[[Person, Project, str, int], None]] = [reword, put_away, lock, erase]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("going", GONE, ids=lambda each: each.__name__)
def test_a_word_that_is_gone_is_found_by_no_search_recall_snippet_or_count(
    project: Project, alice: Person, bob: Person, kind: str, going: Callable[..., None]
) -> None:
    number = make(alice, project, kind)
    caller = agent_caller(bob)

    def answers() -> list[str]:
        place: JsonObject = {"projectId": project.path}
        lists: list[JsonObject] = [
            {"kind": kind, "query": WORD},
            {"kind": kind, "query": WORD, "sort": "updated"},
            {"kind": kind, "filter": {"tags": [WORD]}},
        ]
        texts = [call_tool(caller, "item_list", place | each).text for each in lists]
        return [*texts, call_tool(caller, "recall", place | {"focus": WORD}).text]

    before = answers()
    assert all(json.loads(text)["total"] == 1 for text in before[:3])
    assert WORD in before[0]

    going(alice, project, kind, number)

    after = answers()
    assert [json.loads(text)["total"] for text in after[:3]] == [0, 0, 0]
    assert not any(WORD in text for text in after[:3])
    # The line of a recall that repeats the focus may say the word; no entry does.
    assert not any(WORD in line for line in after[3].splitlines() if f"#{number} " in line)


@pytest.mark.parametrize("going", [reword, lock, erase], ids=lambda each: each.__name__)
def test_a_memory_that_is_gone_is_similar_to_nothing(
    project: Project, alice: Person, going: Callable[..., None]
) -> None:
    number = make(alice, project, "memory")
    going(alice, project, "memory", number)

    fields = {"title": f"The {WORD}", "content": "x", "summary": f"One {WORD}."}
    made = create(person_caller(alice), project, "memory", **fields, visibility="shared")

    assert number not in [each["number"] for each in made.get("similar", [])]


@pytest.mark.parametrize("going", [reword, lock, erase], ids=lambda each: each.__name__)
def test_the_index_itself_has_no_row_with_the_word(
    project: Project, alice: Person, going: Callable[..., None]
) -> None:
    number = make(alice, project, "page")
    key = item_at(project, number).pk
    assert ids_in_the_index() == [key]

    going(alice, project, "page", number)

    assert ids_in_the_index() == []
    if going is not reword:
        table = "items_search" if connection.vendor == "sqlite" else "items_searchdocument"
        column = "rowid" if connection.vendor == "sqlite" else "item_id"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT COUNT(*) FROM {table} WHERE {column} = %s", [key])  # noqa: S608 - fixed names
            assert cursor.fetchone() == (0,)


@pytest.mark.parametrize("going", [reword, lock, erase], ids=lambda each: each.__name__)
def test_a_rebuild_brings_no_gone_word_back(
    project: Project, alice: Person, going: Callable[..., None]
) -> None:
    number = make(alice, project, "page")
    going(alice, project, "page", number)

    rebuild()

    rows = visible_items(person_caller(alice), project)
    assert not matching(rows, WORD, None).exists()
    assert ids_in_the_index() == []
