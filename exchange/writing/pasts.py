"""Histories that come with an export: read again, as everything that a file says.

A version whose text cannot be read, or looks like a secret, stays in the history without it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _

from conderis.common.errors import DomainError
from conderis.common.json import Json, JsonObject
from conderis.common.text import clean_text
from exchange.records import PastEvent, Record
from exchange.writing.fitting import UNKNOWN, credit_of, moment
from exchange.writing.rewriting import Rewriter
from items.crediting import NAME
from items.differences import texts_in
from items.importing import Past
from items.kinds.base import Field, Kind
from items.kinds.task import MAX_REASON
from items.kinds.values import Assignee, Commits, SourceState, Text
from items.patches import read_value
from items.state import shown
from projects.remotes import canonical_remote

EVENTS: Final = (
    "created", "changed", "claimed", "completed", "blocked", "unblocked", "archived", "restored",
    "erased",
)  # fmt: skip
Screen = Callable[[Sequence[str]], bool]
HolderOf = Callable[[Json], JsonObject | None]


def pasts_of(
    record: Record,
    kind: Kind,
    *,
    now: datetime,
    rewriter: Rewriter,
    may_keep: Screen,
    holder_of: HolderOf,
    warnings: list[str],
) -> list[Past]:
    """The record's history; empty where it has none, or one that is none.

    `may_keep` says whether texts may be stored, `holder_of` whom an assignee names here.
    """
    if not record.history:
        return []
    if not _is_whole(record.history, record.version):
        warnings.append(_("Its history has gaps, so it begins anew with version 1."))
        return []
    found: list[Past] = []
    for event in record.history:
        state = _state(event, kind, rewriter, holder_of)
        reason = _reason(event.reason, rewriter)
        if not may_keep([reason, *texts_in(state or {})]):
            state, reason = None, ""
            values = {"version": event.version or ""}
            warnings.append(_("Version %(version)s of its history is without its text.") % values)
        found.append(
            Past(
                event=event.event,
                at=moment(event.at, now),
                version=event.version,
                reason=reason,
                changed=[name for name in event.changed if name in _known(kind)],
                state=state,
                credit=credit_of(event.credit) or {NAME: UNKNOWN},
            )
        )
    return found


def _is_whole(history: Sequence[PastEvent], version: int) -> bool:
    """Whether the versions follow one another from 1 to the one that stands."""
    versions = [event.version for event in history if event.version is not None]
    known = all(event.event in EVENTS for event in history)
    return known and versions == list(range(1, version + 1))


def _known(kind: Kind) -> tuple[str, ...]:
    return (*kind.by_name, "archived")


def _reason(sent: str, rewriter: Rewriter) -> str:
    try:
        return rewriter.plain(clean_text(sent, field="reason", limit=MAX_REASON))
    except DomainError:
        return ""


def _state(
    event: PastEvent, kind: Kind, rewriter: Rewriter, holder_of: HolderOf
) -> JsonObject | None:
    if event.version is None or event.state is None:
        return None
    try:
        state = dict(_fields(event.state, kind, rewriter, holder_of))
    except DomainError:
        return None
    if event.state.get("archived") is True:
        state["archived"] = True
    blocked = _reason(str(event.state.get("blockedReason", "")), rewriter)
    return state | ({"blockedReason": blocked} if blocked else {})


def _fields(
    state: Mapping[str, Json], kind: Kind, rewriter: Rewriter, holder_of: HolderOf
) -> Iterator[tuple[str, Any]]:
    for each in kind.fields:
        value = state.get(each.name)
        if not each.historic or value is None:
            continue
        if isinstance(each.type, Assignee):
            held = holder_of(value)
            if held is not None:
                yield each.name, held
        elif isinstance(each.type, Commits):
            yield each.name, commits_of(value, each.name)
        else:
            read = read_value(each, _rewritten(each, value, rewriter))
            if isinstance(each.type, SourceState) and "repository" in read:
                read["repository"] = _repository(read["repository"])
            kept = shown(each, read)
            if kept is not None:
                yield each.name, kept


def _rewritten(each: Field, value: Json, rewriter: Rewriter) -> Json:
    if not isinstance(value, str):
        return value
    return rewriter.markdown(value) if isinstance(each.type, Text) else rewriter.plain(value)


def commits_of(value: Json, name: str) -> list[JsonObject]:
    """Linked commits with the repository that each was linked in, in one spelling.

    Raises:
        Invalid: it is no list of commits.
    """
    shas = Commits().read(value, name)
    sent = value if isinstance(value, list) else []
    known: dict[str, str] = {}
    for part in sent:
        if isinstance(part, dict) and isinstance(part.get("repository"), str):
            known[str(part.get("sha")).strip().lower()] = _repository(part["repository"])
    return [{"sha": sha, **({"repository": known[sha]} if known.get(sha) else {})} for sha in shas]


def _repository(sent: str) -> str:
    try:
        return canonical_remote(sent, field="repository") or ""
    except DomainError:
        return ""
