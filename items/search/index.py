"""Keeping the index: services call it in the transaction of what they change."""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import islice

from django.db import connection, transaction

from items.models import Item
from items.search.backends import backend
from items.search.documents import FORMAT, document_of
from items.search.scopes import standing_statuses

CHUNK = 200  # items at once, so that a rebuild holds few texts in memory
SAID = 10_000  # items after which a rebuild says how far it is
# By database: the index's table, the column with the item's id, what it needs beside it, and
# the migration that makes them.
_TABLES = {
    "sqlite": (
        "items_search",
        "rowid",
        ("items_search_hits",),
        "items.migrations.0012_search_grades",
    ),
    "postgresql": (
        "items_searchdocument",
        "item_id",
        ("search_by_words", "search_by_scope"),
        "items.migrations.0002_search",
    ),
}
# Ids, and which of them are marked as gone: what an item says is not looked at.
_DIFFERS = """
SELECT EXISTS (
    SELECT 1 FROM items_item AS item WHERE item.locked_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM {table} AS doc WHERE doc.{key} = item.id)
) OR EXISTS (
    SELECT 1 FROM {table} AS doc WHERE NOT EXISTS (
        SELECT 1 FROM items_item AS item WHERE item.id = doc.{key} AND item.locked_at IS NULL
    )
) OR EXISTS ({gone} EXCEPT {marked}) OR EXISTS ({marked} EXCEPT {gone})
"""
_GONE = """
SELECT item.id FROM items_item AS item WHERE item.locked_at IS NULL
AND (item.archived_at IS NOT NULL OR item.status NOT IN ({statuses}))
"""


def index_item(item: Item) -> None:
    """Have the item found by what it now says; a locked one is found by nothing."""
    if item.locked_at is not None:
        forget_item(item.pk)
        return
    backend().store([document_of(item)])


def index_items(items: Sequence[Item]) -> None:
    """Have the items be found by what they now say, all in one go; locked ones by nothing."""
    locked = [item.pk for item in items if item.locked_at is not None]
    if locked:
        backend().forget(locked)
    backend().store([document_of(item) for item in items if item.locked_at is None])


def forget_item(item_id: int) -> None:
    """Have the item found no more: nothing of its text stays in the index's rows."""
    backend().forget([item_id])


def forget_for_good(item_ids: Sequence[int]) -> None:
    """Have the items found no more; no column of the index keeps a word of them.

    For erasing. On SQLite it takes time by the size of the whole index, so call it once
    for all of them.
    """
    for start in range(0, len(item_ids), CHUNK):
        backend().forget(item_ids[start : start + CHUNK])
    backend().leave_nothing()


def merge() -> None:
    """Have searches read no more than they must, after many items came at once.

    In steps that writers get between; on SQLite it takes time by the size of the whole index,
    some seconds for 100,000 items. Call it outside of a transaction.
    """
    backend().merge()


def clear_traces() -> None:
    """Have no segment of the index keep a word of what was forgotten before.

    On SQLite it takes time by the size of the whole index, during which writers wait.
    """
    backend().leave_nothing()


def is_complete() -> bool:
    """Whether the index is of this version and holds all items that are not locked, no other.

    And whether it knows which of them stand. Four statements over ids, so that every start
    can ask. An item's text that was changed past the services goes unnoticed; `rebuild` mends
    that too.
    """
    table, key, *_ = _TABLES[connection.vendor]
    if not _is_there() or _format() != FORMAT:
        return False
    with connection.cursor() as cursor:
        statuses = standing_statuses()
        gone = _GONE.format(statuses=", ".join("%s" for _ in statuses))
        marked = backend().GONE_IDS
        cursor.execute(
            _DIFFERS.format(table=table, key=key, gone=gone, marked=marked), [*statuses, *statuses]
        )
        return not cursor.fetchone()[0]


def rebuild(say: Callable[[int], None] | None = None) -> int:
    """Make the whole index anew from the items, locked ones left out; how many it holds.

    In one transaction: searches find by the old index until it ends, and changes wait.
    One that is interrupted leaves the old index, and the next start begins again. `say`
    is told after every 10,000 items how many there are so far.
    """
    index = backend()
    count = 0
    with transaction.atomic():
        if _is_there():
            index.clear()
        else:
            _make_table()
        items = Item.objects.filter(locked_at__isnull=True).order_by("pk").iterator(CHUNK)
        for chunk in _chunks(items):
            index.store(document_of(item) for item in chunk)
            count += len(chunk)
            if say is not None and count % SAID == 0:
                say(count)
        index.leave_nothing()
        _note_format()
    return count


def _is_there() -> bool:
    """Whether the index's table is there, with what it needs."""
    table, _, others, _ = _TABLES[connection.vendor]
    names = [table, *others]
    if connection.vendor == "sqlite":
        return set(names) <= set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COUNT(to_regclass(name)) = %s FROM unnest(%s::text[]) AS name",
            [len(names), names],
        )
        return bool(cursor.fetchone()[0])


def _format() -> int | None:
    """The format that the index was made in; None where nothing says so."""
    if "items_searchformat" not in connection.introspection.table_names():
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT MAX(format) FROM items_searchformat")
        found: int | None = cursor.fetchone()[0]
        return found


def _note_format() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE IF NOT EXISTS items_searchformat (format integer NOT NULL)")
        cursor.execute("DELETE FROM items_searchformat")
        cursor.execute("INSERT INTO items_searchformat (format) VALUES (%s)", [FORMAT])


def _make_table() -> None:
    """Make the table as its migration does, instead of what is left of it."""
    table, _, _, made_by = _TABLES[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {table}")
    import_module(made_by).create(None, connection.schema_editor())


def _chunks(items: Iterator[Item]) -> Iterator[list[Item]]:
    while chunk := list(islice(items, CHUNK)):
        yield chunk
