"""What a walk shows while others write, whatever they write."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conderis.accounts.models import AuditEvent
from conderis.common.paging import Keyset, SortKey
from tests.common.walking import LATEST_FIRST, NOW, make_event, walk

pytestmark = pytest.mark.django_db

ORDERS = [
    LATEST_FIRST,
    Keyset(
        SortKey("person_id"),
        SortKey("agent_id", nullable=True),
        SortKey("at", descending=True),
        SortKey("id", descending=True, unique=True),
    ),
    Keyset(
        SortKey("agent_id", descending=True, nullable=True),
        SortKey("subject"),
        SortKey("id", unique=True),
    ),
]
rows = st.fixed_dictionaries(
    {
        "at": st.sampled_from([NOW + timedelta(microseconds=step) for step in range(-1, 3)]),
        "person_id": st.integers(1, 2),
        "agent_id": st.sampled_from([None, None, 1, 2]),
        "subject": st.sampled_from(["", "a", "B", "ä", "界"]),
    }
)
writes: st.SearchStrategy[tuple[str, int, dict[str, Any]]] = st.one_of(
    st.tuples(st.just("insert"), st.just(0), rows),
    st.tuples(st.just("update"), st.integers(0, 50), rows),
    st.tuples(st.just("delete"), st.integers(0, 50), st.just({})),
)


def write(writing: tuple[str, int, dict[str, Any]], made: list[int], touched: set[int]) -> None:
    what, place, fields = writing
    if what == "insert":
        make_event(**fields)
    elif made:
        touched.add(made[place % len(made)])
        found = AuditEvent.objects.filter(pk=made[place % len(made)])
        if what == "update":
            found.update(**fields)
        else:
            found.delete()


@given(
    order=st.sampled_from(ORDERS),
    size=st.integers(1, 4),
    start=st.lists(rows, max_size=12),
    meanwhile=st.lists(st.lists(writes, max_size=3), max_size=6),
)
@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_whatever_is_written_meanwhile_an_untouched_row_is_shown_exactly_once_in_its_place(
    order: Keyset,
    size: int,
    start: list[dict[str, Any]],
    meanwhile: list[list[tuple[str, int, dict[str, Any]]]],
) -> None:
    AuditEvent.objects.all().delete()
    made = [make_event(**fields).pk for fields in start]
    touched: set[int] = set()
    steps = iter(meanwhile)
    seen: list[int] = []

    for page in walk(order, size=size):
        seen += [row.pk for row in page.items]
        for writing in next(steps, []):
            write(writing, made, touched)

    untouched = set(made) - touched
    expected = [row.pk for row in order.ordered(AuditEvent.objects.filter(pk__in=untouched))]
    assert [pk for pk in seen if pk in untouched] == expected
    new = Counter(pk for pk in seen if pk not in made)
    assert all(count == 1 for count in new.values())
