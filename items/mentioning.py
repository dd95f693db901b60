"""Which items mention an item: `#12` and `owner/name#12` in titles, summaries and texts.

The index gives the rows that have the number among their terms, the database leaves out
those without the sign before it, and the words around it decide, as for hygiene: code is
no mention, nor is a number of another project.
"""

import re
from dataclasses import dataclass
from typing import Any

from django.db.models import BooleanField, F, Func, Q
from django.utils import timezone

from conderis.common.json import JsonObject
from items.access import Place
from items.expiry import is_expired
from items.hygiene.mentions import numbers_in, without_code
from items.kinds.registry import all_kinds
from items.models import Item
from items.search import matching, project_scopes
from projects.models import ProjectPath

MOST = 20  # that are shown
NEWEST = 2_000  # rows with the number among their terms that are looked into at all
AT_ONCE = 40  # texts that are read with one statement
MOST_READ = 60  # texts that are read: what names the number in code alone is passed over
_COLUMNS = ("pk", "number", "kind", "title", "summary", "content", "status", "category",
            "changed", "expires_at", "archived_at", "project_id")  # fmt: skip
# What may stand before a project's name in its long reference, and what may not.
_LONG = re.compile(r"(?<![\w./-])([\w-]+/[\w.-]+)#([1-9][0-9]{0,8})(?![\w-])")


@dataclass(frozen=True, slots=True)
class Mentions:
    """Short entries of the items that mention one, the newest first; `more`: not all."""

    entries: list[JsonObject]
    more: bool


class _Holds(Func):
    """Whether a text holds `#` and exactly this number behind it."""

    arity = 1
    output_field = BooleanField()

    def __init__(self, column: str, *, number: int) -> None:
        super().__init__(F(column))
        self.number = number

    def as_sqlite(self, compiler: Any, connection: Any, **more: Any) -> Any:
        """Twice, since a pattern of GLOB cannot say that a text may end here."""
        template = (
            f"(%(expressions)s GLOB '*#{self.number}[^0-9]*' "
            f"OR %(expressions)s GLOB '*#{self.number}')"
        )
        return self.as_sql(compiler, connection, template=template, **more)

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        """With a plain search first: most texts hold no sign at all."""
        template = (
            f"(strpos(%(expressions)s, '#{self.number}') > 0 "
            f"AND %(expressions)s ~ '#{self.number}([^0-9]|$)')"
        )
        return self.as_sql(compiler, connection, template=template, **more)


def mentions_of(place: Place, item: Item) -> Mentions:
    """The items of the project that mention this one, as far as the caller may read them.

    At most 20. Locked and erased ones are left out: nothing of them may be known. Archived
    and expired ones are named as such.
    """
    project = place.project
    if project is None or item.number is None:
        return Mentions([], more=False)
    ids, more = _naming(place, item)
    if not ids:
        return Mentions([], more=more)
    paths = ProjectPath.objects.filter(project=project).values_list("path", flat=True)
    own = {project.path, *paths}
    found: list[Item] = []
    for start in range(0, len(ids), AT_ONCE):
        rows = place.items().filter(pk__in=ids[start : start + AT_ONCE]).only(*_COLUMNS)
        newest = sorted(rows, key=lambda row: (row.changed, row.pk), reverse=True)
        found += [row for row in newest if _mentions(row, item.number, own)]
        if len(found) > MOST:
            break
    return Mentions([_entry(place, row) for row in found[:MOST]], more=more or len(found) > MOST)


def _naming(place: Place, item: Item) -> tuple[list[int], bool]:
    """The ids of rows that hold the number with the sign before it, the newest first.

    And whether there may be more: where very many have the number, the newest are looked at.
    """
    project, number = place.project, item.number
    if project is None or number is None:
        return [], False
    kinds = [kind for kind in all_kinds() if kind.numbered]
    scopes = project_scopes(place.caller, [project.pk], kinds, everything=True)
    rows = place.items().filter(locked_at__isnull=True, number__isnull=False).exclude(pk=item.pk)
    rows = matching(rows, str(number), scopes).order_by("-changed", "-pk")
    newest = list(rows.values_list("pk", flat=True)[: NEWEST + 1])
    holding = Q()
    for column in ("title", "summary", "content"):
        holding |= Q(_Holds(column, number=number))
    named = Item.objects.filter(holding, pk__in=newest[:NEWEST]).order_by("-changed", "-pk")
    ids = list(named.values_list("pk", flat=True)[: MOST_READ + 1])
    return ids[:MOST_READ], len(newest) > NEWEST or len(ids) > MOST_READ


def _mentions(row: Item, number: int, own: set[str]) -> bool:
    text = f"{row.title}\n{row.summary}\n{row.content}"
    if number in numbers_in(text):
        return True
    return any(
        int(named) == number and path.lower() in own
        for path, named in _LONG.findall(without_code(text))
    )


def _entry(place: Place, row: Item) -> JsonObject:
    row.project = place.project  # already here: no query for each one's expiry
    entry: JsonObject = {"number": row.number, "kind": row.kind, "title": row.title}
    if row.status:
        entry["status"] = row.status
    if row.archived_at is not None:
        entry["archived"] = True
    if is_expired(row, timezone.now()):
        entry["expired"] = True
    return entry
