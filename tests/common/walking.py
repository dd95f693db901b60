"""Walks through the audit log's table, which stands for every list."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from conderis.accounts.models import AuditEvent
from conderis.common.caller import Caller, Surface
from conderis.common.paging import Binding, Keyset, Page, SortKey, page_of

ALICE = Caller(1, "person:alice", "Alice", Surface.WEB)
LIST = Binding(ALICE, "events", {"sort": "changed"})
NOW = datetime(2026, 11, 30, 12, 0, 0, 123_456, tzinfo=UTC)
LATEST_FIRST = Keyset(SortKey("at", descending=True), SortKey("id", unique=True))


def make_event(**fields: Any) -> AuditEvent:
    return AuditEvent.objects.create(
        **{"action": "made", "surface": "web", "subject": "", "at": NOW, **fields}
    )


def make_events(count: int, **fields: Any) -> list[AuditEvent]:
    return [make_event(**fields) for _ in range(count)]


def walk(keyset: Keyset, *, size: int) -> Iterator[Page[AuditEvent]]:
    cursor = None
    while True:
        page = page_of(
            AuditEvent.objects.all(), keyset=keyset, binding=LIST, limit=size, cursor=cursor
        )
        yield page
        cursor = page.next_cursor
        if cursor is None:
            return
        assert len(cursor) < 200


def walked(keyset: Keyset, *, size: int) -> list[int]:
    return [row.pk for page in walk(keyset, size=size) for row in page.items]
