r"""Mending texts when all is here: numbers that came later than the text that names them.

Until then they are escaped (`\#12`), so that they name nothing wrong. Only what is still as it
was imported is mended: a text that somebody has changed since is theirs.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from exchange.models import Origin
from exchange.records import Record
from exchange.writing.arriving import BLOCKED_REASON, fitted_texts
from exchange.writing.decided import Renamed
from exchange.writing.fitting import text_of
from exchange.writing.pasts import pasts_of
from exchange.writing.planning import Plan
from exchange.writing.rewriting import Rewriter, same_but_for_numbers
from items.access import Place
from items.importing import amend_imported
from items.kinds.base import Kind
from items.models import Item
from items.state import full_state


def mend(plan: Plan, place: Place, records: Sequence[Record]) -> None:
    """Set the numbers in the texts of these records' items as they are now known.

    Must run in the transaction that holds the project's row.
    """
    nodes = {record.key: plan.forest.by_key[record.key] for record in records
             if record.key in plan.forest.by_key}  # fmt: skip
    keys = [node.pk for node in nodes.values() if node.pk is not None]
    rows = place.items().filter(pk__in=keys, locked_at__isnull=True)
    items = {item.pk: item for item in rows.select_related("assignee_person", "assignee_agent")}
    for record in records:
        node = nodes.get(record.key)
        item = items.get(node.pk or 0) if node is not None else None
        if item is not None:
            _mend(plan, record, item)
    mended = Origin.objects.filter(importer=plan.importer, item__in=keys, unmended=True)
    mended.update(unmended=False)


def amend_titles(renamed: Sequence[Renamed]) -> None:
    """Give items that were stored under another title theirs."""
    now = timezone.now()
    rows = Item.objects.in_bulk([each.node.pk for each in renamed if each.node.pk is not None])
    for each in renamed:
        item = rows.get(each.node.pk or 0)
        if item is not None:
            amend_imported(
                item, {"title": each.title}, {item.version: {"title": each.title}}, now=now
            )


def _mend(plan: Plan, record: Record, item: Item) -> None:
    rewriter = Rewriter(plan.report.numbers, record.source)
    kind, found = fitted_texts(record, rewriter)
    wanted = {name: value for name, value in found.fields.items() if isinstance(value, str)}
    wanted[BLOCKED_REASON] = rewriter.plain(text_of(record.fields, BLOCKED_REASON)).strip()
    states = _states(record, kind, rewriter)
    current = max(states, default=1)
    states[current] = {**states.get(current, {}), **_texts(kind, wanted)}
    fields = _differing(_standing(item, kind), wanted) if item.version == current else {}
    columns = {_column(kind, name): text for name, text in fields.items()}
    events = item.events.filter(version__in=states, state__isnull=False)
    changed: dict[int, Mapping[str, str]] = {}
    for version, state, reason in events.values_list("version", "state", "reason"):
        texts = _differing({**(state or {}), "reason": reason}, states[version or 0])
        if texts:
            changed[version or 0] = texts
    if columns or changed:
        amend_imported(item, columns, changed, now=timezone.now())


def _states(record: Record, kind: Kind, rewriter: Rewriter) -> dict[int, dict[str, Any]]:
    """The texts of the versions that come with the record, by version."""
    past = pasts_of(
        record,
        kind,
        now=timezone.now(),
        rewriter=rewriter,
        may_keep=lambda _texts: True,
        holder_of=lambda _value: None,
        warnings=[],
    )
    return {
        each.version: {**_texts(kind, each.state or {}), "reason": each.reason}
        for each in past
        if each.version is not None
    }


def _texts(kind: Kind, state: Mapping[str, Any]) -> dict[str, Any]:
    named = {*(each.name for each in kind.fields if each.searched), BLOCKED_REASON}
    return {name: text for name, text in state.items() if name in named and isinstance(text, str)}


def _standing(item: Item, kind: Kind) -> dict[str, Any]:
    return _texts(kind, full_state(item))


def _differing(standing: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, str]:
    """The wanted texts that differ from what stands in numbers alone."""
    return {
        name: text
        for name, text in wanted.items()
        if isinstance(text, str)
        and isinstance(standing.get(name), str)
        and standing[name] != text
        and same_but_for_numbers(standing[name], text)
    }


def _column(kind: Kind, name: str) -> str:
    field = kind.by_name.get(name)
    return field.column or name if field is not None else "blocked_reason"
