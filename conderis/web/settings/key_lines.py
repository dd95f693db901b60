"""Agent keys as the list shows them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.errors import NotFound
from projects.keys import KeyRow, KeyState, list_agent_keys

SOON: Final = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A key, whether it works, ends soon, or has a newer key of its agent beside it."""

    row: KeyRow
    works: bool
    ends_soon: bool
    replaced: bool


@dataclass(frozen=True, slots=True)
class KeyList:
    """The keys of a person, and how many of them work."""

    lines: tuple[KeyLine, ...]
    working: int


def key_list(caller: Caller) -> KeyList:
    """The caller's keys as lines; those that work first."""
    rows = list_agent_keys(caller)
    newest: dict[str, datetime] = {}
    for row in rows:
        if row.state is KeyState.LIVE:
            newest[row.agent] = max(row.created, newest.get(row.agent, row.created))
    lines = tuple(_line(row, newest.get(row.agent)) for row in rows)
    return KeyList(lines, working=sum(line.works for line in lines))


def key_line(caller: Caller, key_id: str) -> KeyLine:
    """The caller's key with this id.

    Raises:
        NotFound: the caller has none, or it ended more than 30 days ago.
    """
    for line in key_list(caller).lines:
        if line.row.id == key_id:
            return line
    raise NotFound("There is no such key.", field="id")


def _line(row: KeyRow, newest: datetime | None) -> KeyLine:
    """The line of a key; `newest` is when the newest that works of its agent was made."""
    works = row.state is KeyState.LIVE
    return KeyLine(
        row=row,
        works=works,
        ends_soon=works and row.expires_at is not None and row.expires_at < timezone.now() + SOON,
        replaced=works and newest is not None and newest > row.created,
    )
