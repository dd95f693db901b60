"""Paging on real rows: the audit log's table stands for every list."""

from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import AuditEvent
from conderis.common.errors import Invalid
from conderis.common.json import Json
from conderis.common.paging import Kept, Keyset, SortKey, page_of, read_limit
from tests.common.walking import LATEST_FIRST, LIST, NOW, make_event, make_events, walk, walked

pytestmark = pytest.mark.django_db


def test_250_rows_of_one_moment_are_each_shown_once() -> None:
    made = make_events(250)

    seen = walked(LATEST_FIRST, size=20)

    assert seen == sorted(row.pk for row in made)


def test_a_walk_by_last_change_ends_and_shows_untouched_rows_once_while_others_write() -> None:
    made = [make_event(at=NOW - timedelta(seconds=place // 7)) for place in range(200)]
    seen: list[int] = []

    for number, page in enumerate(walk(LATEST_FIRST, size=10), start=1):
        seen += [row.pk for row in page.items]
        if number == 3:
            later = NOW + timedelta(seconds=1)
            AuditEvent.objects.filter(pk=seen[5]).update(at=later)
            AuditEvent.objects.filter(pk=seen[-1]).delete()
            make_events(20, at=later)

    assert seen == [row.pk for row in made]


def test_moments_a_microsecond_apart_are_told_apart() -> None:
    made = [make_event(at=NOW - timedelta(microseconds=place)) for place in range(9)]
    whole = make_event(at=NOW.replace(microsecond=0))

    seen = walked(LATEST_FIRST, size=1)

    assert seen == [*(row.pk for row in made), whole.pk]


@pytest.mark.parametrize("descending", [False, True])
def test_rows_without_a_value_come_last_in_both_directions(*, descending: bool) -> None:
    keyset = Keyset(
        SortKey("agent_id", descending=descending, nullable=True), SortKey("id", unique=True)
    )
    without = make_events(3, agent_id=None)
    first, second = make_event(agent_id=1), make_event(agent_id=2)

    seen = walked(keyset, size=1)

    having = [second.pk, first.pk] if descending else [first.pk, second.pk]
    assert seen == having + [row.pk for row in without]


@dataclass
class Titles:
    """Texts by mark, as a history keeps them."""

    texts: dict[str, str] = field(default_factory=dict)

    def mark(self, row: AuditEvent) -> str:
        self.texts[f"{row.pk}v1"] = row.subject
        return f"{row.pk}v1"

    def resolve(self, mark: str) -> str | None:
        return self.texts.get(mark)

    @property
    def keyset(self) -> Keyset:
        return Keyset(
            SortKey("subject", kept=Kept(self.mark, self.resolve)), SortKey("id", unique=True)
        )


def test_texts_too_long_for_a_cursor_are_found_again_by_their_mark() -> None:
    titles = Titles()
    made = [make_event(subject="界" * 58 + f"{place // 2:02}") for place in range(12)]

    seen = [row.pk for page in walk(titles.keyset, size=3) for row in page.items]

    assert seen == [row.pk for row in made]
    assert titles.texts


def test_a_long_text_changed_at_the_cursor_moves_nothing_else() -> None:
    titles = Titles()
    made = [make_event(subject="界" * 58 + f"{place:02}") for place in range(6)]
    seen: list[int] = []

    for page in walk(titles.keyset, size=2):
        seen += [row.pk for row in page.items]
        AuditEvent.objects.filter(pk=seen[-1]).update(subject="elsewhere")

    assert seen == [row.pk for row in made]


def test_a_cursor_whose_long_text_has_been_erased_is_refused_with_the_way_on() -> None:
    titles = Titles()
    for place in range(4):
        make_event(subject="界" * 58 + f"{place:02}")
    first = next(iter(walk(titles.keyset, size=2)))
    titles.texts.clear()

    with pytest.raises(Invalid, match="begin again"):
        page_of(
            AuditEvent.objects.all(),
            keyset=titles.keyset,
            binding=LIST,
            limit=2,
            cursor=first.next_cursor,
        )


def test_the_total_is_exact_to_a_thousand_and_says_when_there_are_more() -> None:
    AuditEvent.objects.bulk_create(
        AuditEvent(action="made", surface="web", subject="", at=NOW) for _ in range(1000)
    )
    full = next(iter(walk(LATEST_FIRST, size=1)))
    make_event()
    over = next(iter(walk(LATEST_FIRST, size=1)))

    assert (full.total, full.more) == (1000, False)
    assert (over.total, over.more) == (1000, True)
    assert over.as_answer([])["more"] is True


def test_every_page_has_the_total_of_the_whole_list() -> None:
    make_events(5)

    pages = list(walk(LATEST_FIRST, size=2))

    assert [page.total for page in pages] == [5, 5, 5]
    assert [page.has_more for page in pages] == [True, True, False]


def test_an_answer_has_no_nulls_and_says_whether_the_list_goes_on() -> None:
    make_events(2)

    [first, last] = walk(LATEST_FIRST, size=1)

    assert first.as_answer([{"number": 1}]) == {
        "items": [{"number": 1}],
        "total": 2,
        "hasMore": True,
        "nextCursor": first.next_cursor,
    }
    assert last.as_answer([]) == {"items": [], "total": 2, "hasMore": False}


def test_a_page_costs_two_queries_and_a_list_of_one_page_one() -> None:
    make_events(3)

    with CaptureQueriesContext(
        connection,
    ) as one:
        page_of(AuditEvent.objects.all(), keyset=LATEST_FIRST, binding=LIST, limit=3)
    with CaptureQueriesContext(connection) as two:
        page_of(AuditEvent.objects.all(), keyset=LATEST_FIRST, binding=LIST, limit=2)

    assert (len(one), len(two)) == (1, 2)


def test_the_limit_is_twenty_unless_said_and_an_empty_list_is_a_page() -> None:
    empty = page_of(AuditEvent.objects.all(), keyset=LATEST_FIRST, binding=LIST)
    make_events(21)
    page = page_of(AuditEvent.objects.all(), keyset=LATEST_FIRST, binding=LIST)

    assert empty.as_answer([]) == {"items": [], "total": 0, "hasMore": False}
    assert len(page.items) == 20


@pytest.mark.parametrize("limit", [0, -1, 101, 10**30, 1.5, "20", True, [], {}])
def test_a_limit_out_of_bounds_is_refused_naming_the_bounds(limit: Json) -> None:
    with pytest.raises(Invalid) as refused:
        read_limit(limit)

    assert refused.value.details == {"field": "limit", "allowed": ["1 to 100"]}


@pytest.mark.parametrize(
    "keys", [(), (SortKey("at"),), (SortKey("id", unique=True, nullable=True),)]
)
def test_an_order_that_does_not_end_unique_is_a_fault_of_ours(keys: tuple[SortKey, ...]) -> None:
    with pytest.raises(ValueError, match="unique"):
        Keyset(*keys)
