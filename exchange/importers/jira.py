"""Issues that Jira exports as CSV: rows become tasks.

The file is read more than once: first keys, parents, links and names, then the rows level by
level, so that parents come before their children.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.common.errors import Invalid
from exchange.importers.base import Importer, Options
from exchange.importers.drafts import Draft
from exchange.importers.jira_cells import (
    day_of_cell,
    moment_of_cell,
    person_named,
    with_names,
    written,
)
from exchange.importers.jira_rows import KEYS, SUMMARY, Row, encoding_of, looks_like_jira, rows
from exchange.importers.places import named_place
from exchange.importers.standing import Stand, deepest, stands
from exchange.importers.statuses import is_not_done, priority_of, status_of
from exchange.importers.texts import closed
from exchange.importers.values import person_of
from exchange.records import Credit, Found, Link, Problem
from exchange.sources import Source, SourceFile

_PARENTS: Final = (
    "parent", "parent id", "parent key", "custom field (parent link)", "custom field (epic link)",
)  # fmt: skip
_OUTWARD: Final = "outward issue link ("
_INWARD: Final = "inward issue link ("
_RELATIONS: Final = {"blocks": "blocks", "duplicate": "duplicates"}  # others relate
_PEOPLE: Final = ("assignee", "reporter", "creator", "watchers", "project lead")
_SECTIONS: Final = ("environment",)
# What stands elsewhere in the task, or is of no use outside of Jira.
_USED: Final = frozenset(
    (*KEYS, *_PARENTS, *_SECTIONS, SUMMARY, "issue id", "description", "status", "status category",
     "priority", "created", "updated", "due date", "due", "labels", "label", "comment", "comments",
     "attachment", "assignee", "reporter", "creator", "watchers", "watchers id", "assignee id",
     "reporter id", "creator id", "parent summary", "votes", "work ratio", "last viewed",
     "status category changed", "custom field (rank)", "custom field (development)")
)  # fmt: skip
_USED_BEGINNINGS: Final = ("project ", _OUTWARD, _INWARD, "custom field ([chart]", "σ ")
_WEB: Final = ("https://", "http://")
_BOUND: Final = "Blocked in Jira."


@dataclass(slots=True)
class _Table:
    """What the rows refer to: keys by id, who stands where, links by key, people by account."""

    keys: dict[str, str] = field(default_factory=dict)  # also by id
    bad: dict[int, str] = field(default_factory=dict)  # rows left out
    bad_parents: dict[int, str] = field(default_factory=dict)
    above: dict[str, str | None] = field(default_factory=dict)  # as the file says it
    links: dict[str, list[tuple[str, str, bool]]] = field(default_factory=lambda: defaultdict(list))
    relations: dict[str, dict[Link, None]] = field(default_factory=lambda: defaultdict(dict))
    people: dict[str, str] = field(default_factory=dict)
    where: dict[str, Stand] = field(default_factory=dict)


def _read(source: Source, _options: Options) -> Iterator[Found]:
    file = source.single
    if file is None:
        raise Invalid(_("Import one CSV file at a time."), field="file")
    encoding, other = encoding_of(file)
    if other:
        reason = _("The file is no UTF-8; it was read as %(encoding)s.") % {"encoding": other}
        yield Problem(file.name, reason, left_out=False)
    table = _table(file, encoding)
    for number, reason in table.bad.items():
        yield Problem(_("row %(number)d") % {"number": number}, reason)
    levels = {stand.level for stand in table.where.values()}
    for level in range(1, deepest("task") + 1):
        if level not in levels:
            return
        for row in rows(file, encoding):
            if row.number not in table.bad and table.where[row.key].level == level:
                yield _drafted(row, table).finished()


def _table(file: SourceFile, encoding: str) -> _Table:
    table = _Table()
    for row in rows(file, encoding):
        _take_people(row, table)
        reason = _unfit(row, table)
        if reason:
            table.bad[row.number] = reason
            if above := row.one(*_PARENTS):
                table.bad_parents[row.number] = above
            continue
        table.keys[row.key] = row.key
        table.keys.setdefault(row.one("issue id"), row.key)
        table.above[row.key] = row.one(*_PARENTS) or None
        table.links[row.key].extend(_links(row))
    table.keys.pop("", None)
    for number, above in table.bad_parents.items():
        if above not in table.keys:
            reason = _("Its parent %(parent)s is not in the file either.") % {"parent": above}
            table.bad[number] = f"{table.bad[number]} {reason}"
    parents = {
        key: None if above is None else table.keys.get(above, above)
        for key, above in table.above.items()
    }
    table.where = stands(parents, "task")
    for key, links in table.links.items():
        for kind, other, outward in links:
            _relate(table, key, kind, table.keys.get(other), outward=outward)
    return table


def _unfit(row: Row, table: _Table) -> str:
    """Why no task comes of the row; "" where one does."""
    if not row.key:
        return _("It has no issue key.")
    if not row.one(SUMMARY):
        return _("%(key)s has no summary.") % {"key": named_place("", row.key).strip(" ()")}
    if row.key in table.above:
        return _("%(key)s came before in the file.") % {"key": row.key}
    return ""


def _take_people(row: Row, table: _Table) -> None:
    for column in _PEOPLE:
        accounts = row.all(f"{column} id")
        names = row.all(column)
        if len(accounts) == len(names):
            for account, name in zip(accounts, names, strict=True):
                table.people.setdefault(account.strip(), person_of(name.replace(",", " ")))


def _links(row: Row) -> Iterator[tuple[str, str, bool]]:
    """The row's links: their type in lower case, the other issue, whether they lead there."""
    for _name, folded, cell in row.filled():
        for beginning in (_OUTWARD, _INWARD):
            if folded.startswith(beginning):
                kind = folded.removeprefix(beginning).rstrip(") ")
                yield kind, cell.strip(), beginning == _OUTWARD


def _relate(table: _Table, key: str, kind: str, other: str | None, *, outward: bool) -> None:
    """Remember a link once, with the issue that it leads from."""
    if other is None or other == key:
        return
    source, target = (key, other) if outward else (other, key)
    relation = _RELATIONS.get(kind, "relates")
    back = Link(relation, source)
    if relation != "relates" or back not in table.relations[target]:
        table.relations[source][Link(relation, target)] = None


def _drafted(row: Row, table: _Table) -> Draft:
    place = _("row %(number)d, %(key)s") % {"number": row.number, "key": row.key}
    draft = Draft(row.key, place, "task", row.one(SUMMARY))
    draft.content = closed(with_names("\n\n".join(row.all("description")), table.people))
    stand = table.where[row.key]
    draft.parent = stand.parent
    draft.warnings.extend([stand.warning] if stand.warning else [])
    draft.links = list(table.relations[row.key])
    draft.tags = _tags(row)
    draft.sections = [_environment(row)]
    draft.credit = Credit(person_named(row.one("creator", "reporter"), table.people))
    draft.created = moment_of_cell(row.one("created"))
    draft.changed = moment_of_cell(row.one("updated"))
    _work(draft, row)
    _detail(draft, row, table)
    _discuss(draft, row, table)
    if row.surplus:
        draft.warnings.append(_("The row has more cells than the header; the rest is not kept."))
    return draft


def _tags(row: Row) -> list[str]:
    """The labels; a cell may hold several with blanks between them, as Jira's have none."""
    return [label for cell in row.all("labels", "label") for label in cell.split()]


def _environment(row: Row) -> str:
    text = "\n\n".join(row.all(*_SECTIONS)).strip()
    return f"## Environment\n\n{closed(text)}" if text else ""


def _work(draft: Draft, row: Row) -> None:
    """Status, priority and due day."""
    name, category = row.one("status"), row.one("status category")
    status = status_of(name) or status_of(category)
    if category and status_of(category) == "done" and status != "canceled":
        status = "done"
    if status == "done" and is_not_done(row.one("resolution")):
        status = "canceled"
    if status is None and name:
        draft.warnings.append(
            _("Its status is not known here; it is open, with the status in the Details.")
        )
    draft.fields["status"] = status or "open"
    if status == "blocked":
        draft.fields["blockedReason"] = _BOUND
    draft.details.append(("Status", name))
    level = row.one("priority")
    draft.fields["priority"] = priority_of(level) or "normal"
    if level and priority_of(level) is None:
        draft.details.append(("Priority", level))
    due = row.one("due date", "due")
    draft.fields["due"] = day_of_cell(due)
    if due and draft.fields["due"] is None:
        draft.details.append(("Due", due))
        draft.warnings.append(_("The due date is not in a known form; it stands in the Details."))


def _detail(draft: Draft, row: Row, table: _Table) -> None:
    draft.details.append(("Jira", row.key))
    for column in ("assignee", "reporter", "watchers"):
        names = [person_named(cell, table.people) for cell in row.all(column)]
        draft.details.append((column.capitalize(), ", ".join(dict.fromkeys(names))))
    above = table.above[row.key]
    if above and table.keys.get(above, above) != draft.parent:
        draft.details.append(("Parent", above))
    for kind, other, outward in table.links[row.key]:
        if kind in _RELATIONS and other in table.keys:
            continue
        draft.details.append((f"Link, {kind}" if outward else f"Link, {kind} (inward)", other))
        if other not in table.keys:
            reason = _("It is linked with %(key)s, which is not imported.")
            draft.warnings.append(reason % {"key": other})
    draft.details.extend(_others(row))
    for cell in row.all("attachment"):
        draft.details.append(("Attachment", _attachment(cell, table)))


def _others(row: Row) -> Iterator[tuple[str, str]]:
    """Every other column that is filled, by its name."""
    values: dict[str, list[str]] = defaultdict(list)
    for name, folded, cell in row.filled():
        used = folded in _USED or folded.startswith(_USED_BEGINNINGS)
        if name and not used:
            values[name.removeprefix("Custom field (").removesuffix(")")].append(cell)
    for name, cells in values.items():
        yield name, ", ".join(cells)


def _attachment(cell: str, table: _Table) -> str:
    found = written(cell, table.people)
    name, _blank, address = (found.rest if found else cell).rpartition(";")
    if not address.casefold().startswith(_WEB):
        return found.rest if found else cell
    shown = f"<{address.strip().replace('>', '%3E').replace(' ', '%20')}>"
    return f"{name}, {shown}" if name else shown


def _discuss(draft: Draft, row: Row, table: _Table) -> None:
    for cell in row.all("comment", "comments"):
        found = written(cell, table.people)
        text = with_names(found.rest if found else cell, table.people)
        draft.comments.append((found.by if found else "", found.at if found else None, text))


JIRA: Final = Importer(
    name="jira",
    label=gettext_lazy("Jira issues (CSV)"),
    hint=gettext_lazy(
        "In Jira search for the issues, then Export, Export CSV (all fields), with English as "
        "your language."
    ),
    looks_like=looks_like_jira,
    read=_read,
)
