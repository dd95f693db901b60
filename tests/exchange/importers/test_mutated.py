"""Files in which anything may be of any type: records and problems come of them, never a fault."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conderis.common.errors import Invalid
from exchange.importers.base import Importer, Options
from exchange.importers.github import GITHUB
from exchange.importers.jira import JIRA
from exchange.importers.memory_server import MEMORY_SERVER
from exchange.importers.task_master import TASK_MASTER
from exchange.importers.trello import TRELLO
from exchange.records import Problem, Record
from exchange.sources import source_of_bytes
from items.kinds.registry import kind_of
from tests.exchange.importers.finding import SAMPLES

pytestmark = pytest.mark.no_database

WRONG = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12),
    st.sampled_from(["", " ", "\x00", "\ud83d", "a\nb", "9" * 40, "0001-01-01", "9999-12-31", "#1",
                     "x" * 250, {"a": [1]}, [[]], [None], {}, [], [{"id": 1}], 10**400, -1e308]),
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in the value, as the way to it."""
    yield path
    if isinstance(value, dict):
        for name, member in value.items():
            yield from places(member, (*path, name))
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from places(member, (*path, index))


def with_value(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = with_value(copy[path[0]], path[1:], new)
    return copy


def sample(name: str) -> list[Any]:
    """The documents of a sample."""
    text = (SAMPLES / name).read_text()
    if not name.endswith(".jsonl"):
        return [json.loads(text)]
    return [json.loads(line) for line in text.splitlines()[:-1]]


@st.composite
def mutated(draw: st.DrawFn, name: str) -> bytes:
    """A sample with up to five of its values replaced, perhaps cut off."""
    documents: Any = sample(name)
    for _number in range(draw(st.integers(1, 5))):
        path = draw(st.sampled_from(list(places(documents))[1:]))
        documents = with_value(documents, path, draw(WRONG))
    content = "\n".join(json.dumps(each) for each in documents).encode()
    return content[: draw(st.sampled_from([len(content), len(content) // 2]))]


def judged(importer: Importer, name: str, content: bytes) -> None:
    source = source_of_bytes(name, content)
    importer.looks_like(source)
    try:
        found = list(importer.read(source, Options()))
    except Invalid:
        return
    keys: set[str] = set()
    for each in found:
        assert isinstance(each, Record | Problem)
        if isinstance(each, Record):
            assert each.key not in keys
            assert each.parent is None or each.parent in keys
            keys.add(each.key)
            storable(each)


def storable(record: Record) -> None:
    by_name = kind_of(record.kind).by_name
    for name, value in record.fields.items():
        if value is not None and name != "blockedReason":
            by_name[name].type.read(value, name)
    if record.created and record.changed:
        assert record.created <= record.changed


@pytest.mark.parametrize(
    ("importer", "name"),
    [(TRELLO, "trello.json"), (GITHUB, "github.json"), (TASK_MASTER, "tasks.json"),
     (MEMORY_SERVER, "memory.jsonl")],
    ids=lambda value: getattr(value, "name", ""),
)  # fmt: skip
def test_no_value_in_any_place_is_a_fault(importer: Importer, name: str) -> None:
    @given(mutated(name))
    @settings(max_examples=150, deadline=None)
    def holds(content: bytes) -> None:
        judged(importer, name, content)

    holds()


@given(st.lists(st.lists(st.text(max_size=20), max_size=6), max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_no_table_is_a_fault(rows: list[list[str]], data: st.DataObject) -> None:
    header = data.draw(st.permutations(["Summary", "Issue key", "Parent", "Comment", "Due date"]))
    lines = [header, *(["A", "A-1", *row] for row in rows)]
    cells = (",".join(f'"{cell}"' for cell in line) for line in lines)

    judged(JIRA, "jira.csv", "\r\n".join(cells).encode("utf-8", "surrogatepass"))
