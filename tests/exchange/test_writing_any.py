"""Any records, imported any number of times and broken off anywhere, come to the same items."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conderis.accounts.models import Person
from exchange.records import Found, Link, Tombstone
from exchange.writing import running
from exchange.writing.running import check_import, run_import
from items.kinds.relations import INVERSE
from items.models import Item, ItemEvent, Relation
from projects.models import Project
from tests.exchange.sources import order_of, record
from tests.factories import make_project, person_caller

pytestmark = pytest.mark.django_db

KEYS = [f"k{place}" for place in range(8)]
TEXTS = ["", "see #3", "#1, #7 and `#2`", "see \\#4"]
links = st.builds(Link, st.sampled_from([*INVERSE, "odd"]), st.sampled_from(KEYS))


@st.composite
def sources(draw: st.DrawFn) -> list[Found]:
    keys = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=8, unique=True))
    numbered = draw(st.booleans())
    found: list[Found] = []
    for key in sorted(keys) if numbered else keys:
        values: dict[str, Any] = {
            "kind": draw(st.sampled_from(["task", "page", "memory"])),
            "title": draw(st.sampled_from(["One", "Two", ""])),
            "content": draw(st.sampled_from(TEXTS)),
            "parent": draw(st.none() | st.sampled_from(KEYS)),
            "links": draw(st.lists(links, max_size=2)),
        }
        number = KEYS.index(key) + 1
        if numbered and draw(st.integers(0, 5)) == 0:
            found.append(Tombstone(number, "erased"))
            continue
        if numbered:
            values |= {"number": number, "rewrites": True}
        found.append(record(key, **values))
    return found


class Broken(Exception):
    """The import ends here."""


@contextmanager
def chunks_of(size: int) -> Iterator[None]:
    before = running.LARGEST, running.SMALLEST, running.PAUSE
    running.LARGEST = running.SMALLEST = size  # type: ignore[misc]
    running.PAUSE = 0  # type: ignore[misc]
    try:
        yield
    finally:
        running.LARGEST, running.SMALLEST, running.PAUSE = before  # type: ignore[misc]


def broken_off_after(chunks: int) -> Any:
    told = 0

    def tell(_done: int) -> None:
        nonlocal told
        told += 1
        if told > chunks:
            raise Broken

    return tell


def standing(project: Project) -> list[Any]:
    """All that stands in the project, by its numbers."""
    items = Item.objects.filter(project=project).order_by("number")
    names = ("number", "kind", "title", "content", "parent__number", "version", "absent")
    relations = Relation.objects.filter(source__project=project)
    ends = ("source__number", "target__number", "relation")
    events = ItemEvent.objects.filter(item__project=project).order_by("item__number", "pk")
    return [
        list(items.values_list(*names)),
        sorted(relations.values_list(*ends)),
        list(events.values_list("item__number", "version", "state")),
    ]


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(found=sources(), stops=st.lists(st.integers(0, 4), max_size=3), size=st.integers(1, 3))
def test_any_source_broken_off_anywhere_comes_to_the_same_items(
    alice: Person, found: list[Found], stops: list[int], size: int
) -> None:
    caller = person_caller(alice)
    with transaction.atomic(), chunks_of(size):
        once, often = make_project(alice, "once"), make_project(alice, "often")
        foretold = check_import(caller, order_of(once, found))
        report = run_import(caller, order_of(once, found))
        for stop in stops:
            try:
                run_import(caller, order_of(often, found), progress=broken_off_after(stop))
            except Broken:
                continue
        run_import(caller, order_of(often, found))
        last = run_import(caller, order_of(often, found))

        assert foretold == report
        assert standing(often) == standing(once)
        assert last.made == {}
        assert last.numbers == report.numbers
        assert last.known == sum(report.made.values())
        numbers = [row[0] for row in standing(once)[0]]
        assert numbers == list(range(1, len(numbers) + 1))
        transaction.set_rollback(True)
