"""Imports in the words of their pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conderis.common.json import JsonObject
from conderis.web.exchange.forms import ChoiceForm
from conderis.web.items.words import KINDS, LISTS
from conderis.web.projects.frame import ProjectFrame
from conderis.web.projects.words import counted_word
from conderis.web.refusals import in_words
from exchange.importers.registry import IMPORTERS
from exchange.jobs import ShownImport
from exchange.models import Import

State = Import.State
SHOWN: Final = 20  # of what was left out, and of numbers; the report has them all
STATES: Final[dict[str, Promise]] = {
    State.CHECKING: _("Being checked"),
    State.CHECKED: _("Checked, waits for you"),
    State.RUNNING: _("Running"),
    State.DONE: _("Imported"),
    State.FAILED: _("Failed"),
    State.CANCELED: _("Stopped"),
}
# By state: the mark of its word, and its icon.
MARKS: Final[dict[str, tuple[str, str]]] = {
    State.CHECKING: ("st-wait", "clock"),
    State.CHECKED: ("st-wait", "s-pending"),
    State.RUNNING: ("st-wait", "clock"),
    State.DONE: ("st-ok", "check"),
    State.FAILED: ("st-stop", "warn"),
    State.CANCELED: ("st-idle", "s-canceled"),
}
# What a count of items calls their kind, where it is not the kind's own name.
_COUNTED: Final = {"memory": "memories"}


@dataclass(frozen=True, slots=True)
class Count:
    """So many of a kind, and where they are listed; `href` is empty where there is no list."""

    many: int
    word: str
    kinds: str
    href: str


@dataclass(frozen=True, slots=True)
class Cut:
    """The first of many."""

    shown: Sequence[Any]
    total: int

    @property
    def more(self) -> int:
        """How many are not shown."""
        return self.total - len(self.shown)


@dataclass(frozen=True, slots=True)
class Line:
    """An import in the list."""

    row: ShownImport
    importer: str
    state: str
    mark: str
    icon: str
    made: Sequence[Count]
    href: str


@dataclass(frozen=True, slots=True)
class ImportPage:
    """An import with what is said of it, and what may be done."""

    line: Line
    left_out: Cut
    differing: Cut
    warnings: Cut
    numbers: Cut
    known: int
    tombstones: int
    reason: str
    percent: int | None
    form: ChoiceForm | None

    @property
    def row(self) -> ShownImport:
        """The import itself."""
        return self.line.row

    @property
    def is_new(self) -> bool:
        """Whether anything would be made."""
        return bool(self.line.made)

    @property
    def may_start_again(self) -> bool:
        """Whether it failed, and the file is still there."""
        return self.row.state == State.FAILED and self.row.is_unfinished

    @property
    def expires(self) -> datetime | None:
        """When the file is thrown away, where it waits for somebody."""
        return None if self.row.is_working else self.row.expires


def shown_line(frame: ProjectFrame, row: ShownImport) -> Line:
    """The import in words."""
    mark, icon = MARKS[row.state]
    href = frame.path("project-import", import_id=row.import_id) if row.is_own else ""
    return Line(
        row, _label(row.importer), str(STATES[row.state]), mark, icon,
        tuple(_counts(frame, row.made)), href,
    )  # fmt: skip


def shown_page(frame: ProjectFrame, row: ShownImport, *, sent: Any = None) -> ImportPage:
    """The import with its report; `sent` is a choice that was refused."""
    report = row.report
    numbers = [(old, new) for old, new in report.get("numbers", {}).items() if old != str(new)]
    return ImportPage(
        line=shown_line(frame, row),
        left_out=_cut(report.get("leftOut", ())),
        differing=_cut(report.get("differing", ())),
        warnings=_cut(report.get("warnings", ())),
        numbers=_cut(numbers),
        known=report.get("known", 0),
        tombstones=report.get("tombstones", 0),
        reason=in_words(report["reason"]) if "reason" in report else "",
        percent=_percent(row),
        form=_choice_form(row, report, sent),
    )


def hints() -> list[tuple[Promise | str, Promise | str]]:
    """What can be imported, and how to get such a file."""
    return [(each.label, each.hint) for each in IMPORTERS]


def _label(importer: str) -> str:
    return next((str(each.label) for each in IMPORTERS if each.name == importer), importer)


def _counts(frame: ProjectFrame, made: JsonObject) -> Iterator[Count]:
    for kind, many in made.items():
        if many:
            href = frame.path(LISTS[kind]) if kind in LISTS else ""
            kinds = str(KINDS.get(kind, kind))
            yield Count(many, counted_word(_COUNTED.get(kind, kind), many), kinds, href)


def _cut(found: Sequence[Any]) -> Cut:
    return Cut(tuple(islice(found, SHOWN)), len(found))


def _percent(row: ShownImport) -> int | None:
    """How far it is, in percent; None while nobody knows."""
    if row.state != State.RUNNING or not row.total:
        return None
    return min(100, row.done * 100 // row.total)


def _choice_form(row: ShownImport, report: JsonObject, sent: Any) -> ChoiceForm | None:
    """The form of what may be chosen after the check, if there is anything to choose."""
    parts, secrets = report.get("parts", ()), bool(report.get("secrets")) or row.store_anyway
    if row.state != State.CHECKED or not (len(parts) > 1 or secrets):
        return None
    initial = {"only": list(row.only), "store_anyway": row.store_anyway}
    return ChoiceForm(
        sent, initial=initial, parts=parts if len(parts) > 1 else (), with_secrets=secrets
    )
