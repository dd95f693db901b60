"""A search index that is not whole is noticed, and made anew."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from items.models import Item
from items.search import is_complete, rebuild
from projects.models import Project
from tests.factories import person_caller
from tests.items.calls import change, create
from tests.items.listed import titles
from tests.items.rows import make_item

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SQLITE = "items_search", "rowid"
POSTGRESQL = "items_searchdocument", "item_id"


def execute(statement: str, *parameters: int) -> None:
    """A statement about the index, `{table}` and `{key}` as this database has them."""
    table, key = SQLITE if connection.vendor == "sqlite" else POSTGRESQL
    with connection.cursor() as cursor:
        cursor.execute(statement.format(table=table, key=key), parameters)


def take_out(item: Item) -> None:
    execute("DELETE FROM {table} WHERE {key} = %s", item.pk)


def empty(_item: Item) -> None:
    execute("DELETE FROM {table}")


def drop(_item: Item) -> None:
    execute("DROP TABLE {table}")


def remove(item: Item) -> None:
    Item.objects.filter(pk=item.pk).delete()


def lock(item: Item) -> None:
    Item.objects.filter(pk=item.pk).update(locked_at=NOW, locked_by="x")


@pytest.fixture
def found(project: Project, bob: Person) -> Any:
    """Titles that a query finds among the project's memories."""
    return lambda query: titles(person_caller(bob), project, "memory", query=query)


def test_an_index_that_the_services_have_kept_is_complete(project: Project) -> None:
    assert is_complete()

    make_item(project, title="needle")
    make_item(project, title="locked", locked_at=NOW, locked_by="x")

    assert is_complete()


@pytest.mark.parametrize("damage", [take_out, empty, drop])
def test_an_index_that_lacks_items_or_its_table_is_noticed_and_a_rebuild_mends_it(
    project: Project, found: Any, damage: Callable[[Item], None]
) -> None:
    items = [make_item(project, title=f"needle {place}") for place in range(3)]
    expected = found("needle")

    damage(items[1])

    assert not is_complete()
    assert rebuild() == 3
    assert is_complete()
    assert found("needle") == expected


@pytest.mark.parametrize("damage", [remove, lock])
def test_an_index_that_holds_what_is_gone_or_locked_is_noticed_and_a_rebuild_mends_it(
    project: Project, found: Any, damage: Callable[[Item], None]
) -> None:
    items = [make_item(project, title=f"needle {place}") for place in range(3)]

    damage(items[1])

    assert not is_complete()
    assert rebuild() == 2
    assert is_complete()
    assert sorted(found("needle")) == ["needle 0", "needle 2"]


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one table alone")
@pytest.mark.parametrize("index", ["search_by_words", "search_by_scope"])
def test_a_missing_index_of_the_indexs_table_is_noticed_and_made_again(
    project: Project, found: Any, index: str
) -> None:
    make_item(project, title="needle")
    execute(f"DROP INDEX {index}")

    assert not is_complete()
    assert rebuild() == 1
    assert is_complete()
    assert found("needle") == ["needle"]


def test_a_rebuilt_index_is_kept_by_later_changes_and_finds_no_old_words(
    project: Project, alice: Person, found: Any
) -> None:
    caller = person_caller(alice)
    shared = {"type": "fact", "visibility": "shared", "summary": "Of animals."}
    made = create(caller, project, "memory", title="walrus", content="otter", **shared)
    execute("DROP TABLE {table}")
    rebuild()
    assert found("walrus") == found("otter") == ["walrus"]

    change(caller, project, made["number"], made["version"], title="badger", content="ferret")
    create(caller, project, "memory", title="stoat", content="ferret", **shared)

    assert found("walrus") == found("otter") == []
    assert found("badger") == ["badger"]
    assert sorted(found("ferret")) == ["badger", "stoat"]
    assert is_complete()


def test_words_that_were_changed_past_the_services_are_old_after_a_rebuild(
    project: Project, found: Any
) -> None:
    item = make_item(project, title="walrus")
    Item.objects.filter(pk=item.pk).update(title="badger")

    rebuild()

    assert found("walrus") == []
    assert found("badger") == ["badger"]


def test_the_check_takes_four_statements_however_many_items_there_are(project: Project) -> None:
    counts = []
    for number in (1, 30):
        for _ in range(number):
            make_item(project)
        with CaptureQueriesContext(connection) as statements:
            assert is_complete()
        counts.append(len(statements))
        assert not any("content" in each["sql"] for each in statements)

    assert counts == [4, 4]
