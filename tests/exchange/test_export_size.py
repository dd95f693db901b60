"""An export of 10,000 items with histories: in a few MB of memory, whatever their texts take."""

import time
import tracemalloc
from collections.abc import Callable, Iterator

import pytest
from django.utils import timezone

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from exchange.exporting.writing import export_lines, export_zip
from items.models import Item, ItemEvent
from projects.models import Project
from tests.factories import person_caller

ITEMS = 10_000
VERSIONS = 3
TEXT = "A line of a page, as people write them.\n" * 50  # 2,000 characters
MOST_MB = 24
MOST_MS = 10  # of an item, on a busy machine and with the memory watched

Pieces = Callable[[Caller, str], Iterator[str] | Iterator[bytes]]


@pytest.fixture
def large(project: Project, alice: Person) -> Project:
    at = timezone.now()
    items = [
        Item(project=project, kind="page", number=number, title=f"Page {number}", content=TEXT,
             author=alice, version=VERSIONS, rank=number)
        for number in range(1, ITEMS + 1)
    ]  # fmt: skip
    Item.objects.bulk_create(items, batch_size=500)
    for start in range(0, ITEMS, 500):
        ItemEvent.objects.bulk_create(
            ItemEvent(item=item, event="changed", version=version, at=at, author=alice,
                      state={"title": item.title, "content": TEXT})
            for item in items[start : start + 500]
            for version in range(1, VERSIONS + 1)
        )  # fmt: skip
    return project


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("make", [export_lines, export_zip], ids=["lines", "markdown"])
def test_a_large_export_takes_little_memory_and_time(
    large: Project, alice: Person, make: Pieces
) -> None:
    owner = person_caller(alice)
    tracemalloc.start()
    began, size = time.process_time(), 0

    for piece in make(owner, large.path):
        size += len(piece)

    spent = (time.process_time() - began) / ITEMS * 1000
    peak = tracemalloc.get_traced_memory()[1] / 1024**2
    tracemalloc.stop()
    print(f"\n{ITEMS:,} items, {size / 1024**2:.0f} MB: {spent:.2f} ms an item, {peak:.1f} MB held")  # noqa: T201
    assert peak < MOST_MB
    assert spent < MOST_MS
