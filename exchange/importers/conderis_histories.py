"""Histories of an export, made whole: a file may be damaged, or say anything.

What states hold is read where they are stored (`exchange.writing`).
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from conderis.common.errors import DomainError
from conderis.common.json import Json, JsonObject
from exchange.importers.texts import cut
from exchange.importers.values import line_of, moment_of
from exchange.records import Credit, PastEvent
from items.kinds.task import MAX_REASON
from items.kinds.values import Text

MAX_NAME: Final = 80  # of a person or an agent
MAX_ENTRIES: Final = 50_000  # of a history; a longer one is none, as one transaction writes it
MAX_LOST: Final = 10  # versions missing for each entry there is; with more the history is none
_EVENT: Final = re.compile(r"[a-z_]{1,20}\Z")
_REASON: Final = Text(MAX_REASON)


def history_of(
    version: int, created: datetime | None, lines: Sequence[JsonObject]
) -> tuple[list[PastEvent], list[str]]:
    """The entries of an item that is at `version`, oldest first, and warnings about them.

    A version that the file lacks is there without its state, as one that was erased is; a few
    lines must not make many rows.
    """
    if len(lines) > MAX_ENTRIES:
        return [], [_("Its history is too long to be imported, so that it begins anew.")]
    most = MAX_LOST * len(lines)
    found: list[PastEvent] = []
    lost: list[PastEvent] = []
    warnings: list[str] = []
    at = created
    made = 0  # the last version
    for line in lines:
        at = moment_of(line.get("at")) or at
        number = line.get("version")
        if at is None or not _is_next(number, made, version):
            warnings.append(_("An entry of its history cannot be read and is left out."))
            continue
        if isinstance(number, int):
            lost += (missing := _missing(made, number, at, most))
            found += missing
            made = number
        found.append(_event(line, at))
        if len(lost) > most:
            break
    if found and at is not None:
        lost += (missing := _missing(made, version + 1, at, most))
        found += missing
    if len(lost) > most:
        return [], [_("Too much of its history is missing, so that it begins anew.")]
    if lost:
        warnings.append(_("Versions of its history are missing in the file."))
    return found, warnings


def _is_next(number: Json, made: int, version: int) -> bool:
    if number is None:
        return True
    return isinstance(number, int) and not isinstance(number, bool) and made < number <= version


def _missing(made: int, number: int, at: datetime, most: int) -> list[PastEvent]:
    """The versions between the two, without their states; one more than `most` is enough."""
    return [
        PastEvent("created" if each == 1 else "changed", at, Credit(), version=each)
        for each in range(made + 1, min(number, made + most + 2))
    ]


def _event(line: JsonObject, at: datetime) -> PastEvent:
    name = str(line.get("event", ""))
    state = line.get("state")
    changed = line.get("changed")
    return PastEvent(
        event=name if _EVENT.match(name) else "changed",
        at=at,
        credit=credit_of(line.get("by"), line.get("approver")),
        version=line.get("version"),
        reason=_reason(line.get("reason")),
        changed=[each for each in _list(changed) if isinstance(each, str)],
        state=state if isinstance(state, dict) else None,
    )


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def credit_of(by: Json, approver: Json = None) -> Credit:
    """Who did it, and who approved it, by name."""
    author = by if isinstance(by, dict) else {}
    other = approver if isinstance(approver, dict) else {}
    return Credit(
        *(_name(each.get(name)) for each in (author, other) for name in ("name", "agent"))
    )


def _name(value: Json) -> str:
    return cut(line_of(value), MAX_NAME)[0]


def _reason(value: Json) -> str:
    with suppress(DomainError):
        return str(_REASON.read(value or "", "reason"))
    return ""


def assignee_of(value: Json) -> dict[str, str] | None:
    """Whom a task was given to: the reference there, and the name."""
    if not isinstance(value, dict) or not _name(value.get("name")):
        return None
    ref = str(value.get("ref", ""))
    if not re.fullmatch(r"(?:person|agent):[0-9a-z]{1,20}", ref):
        ref = ""
    return {"ref": ref, "name": _name(value["name"])}
