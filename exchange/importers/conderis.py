"""Exports of this product: one file of lines, or a folder of Markdown files beside one.

docs/contract.md, "Export and import", has the format. Both are read line by line; of the
whole only numbers and ids are kept.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from exchange.exporting import layout
from exchange.importers.base import Importer, Options
from exchange.importers.conderis_histories import MAX_ENTRIES
from exchange.importers.conderis_lines import (
    Survey,
    is_export,
    number_in,
    objects_of,
    survey_of,
)
from exchange.importers.conderis_records import Found as FoundItem
from exchange.importers.conderis_records import record_of
from exchange.importers.folders import UNREADABLE, Entry, Listing, listed
from exchange.importers.front_matter import read_front_matter
from exchange.importers.texts import decoded
from exchange.records import Found, Problem, Record, Tombstone
from exchange.sources import Source, SourceFile

_CLOSING: Final = re.compile(r"^---[ \t]*(?:\n|\Z)", re.MULTILINE)

# Gives the item of a line, read from where it is, or why it cannot be.
_Completed = Callable[[int, JsonObject], FoundItem | Problem]


def _is_lines(source: Source) -> bool:
    file = source.single
    try:
        return file is not None and is_export(file.beginning())
    except UNREADABLE:
        return False


def _is_folder(source: Source) -> bool:
    try:
        file = _lines_of(listed(source))
        return file is not None and len(source.files) > 1 and is_export(file.beginning())
    except UNREADABLE:
        return False


def _lines_of(listing: Listing) -> SourceFile | None:
    found = (each.file for each in listing.entries if each.path == layout.LINES_FILE)
    return next(found, None)


def _read_lines(source: Source, _options: Options) -> Iterator[Found]:
    if source.single is None:
        raise Invalid(_("Choose the one file that the export made."), field="file")
    yield from _Reading(source.single, survey_of(source.single), _in_line).found()


def _in_line(number: int, line: JsonObject) -> FoundItem:
    place = _("line %(line)d") % {"line": number}
    item = number_in(line.get("number"))
    return FoundItem(f"{place}, #{item}" if item else place, line)


def _read_folder(source: Source, _options: Options) -> Iterator[Found]:
    listing = listed(source)
    file = _lines_of(listing)
    if file is None:
        raise Invalid(
            _("The file %(name)s is missing in this folder.") % {"name": layout.LINES_FILE},
            field="file",
        )
    yield from listing.problems
    files = {entry.path: entry for entry in listing.entries}
    seen = {layout.LINES_FILE, layout.INDEX_FILE}

    def completed(_number: int, line: JsonObject) -> FoundItem | Problem:
        path = str(line.get("file", ""))
        seen.add(path)
        if path not in files:
            return Problem(path, _("The file is missing in this folder."))
        return _in_file(files[path], line)

    yield from _Reading(file, survey_of(file), completed).found()
    for path in files:
        if path not in seen:
            reason = _("It is no file of the export. Import other Markdown files by themselves.")
            yield Problem(path, reason)


def _in_file(entry: Entry, line: JsonObject) -> FoundItem | Problem:
    try:
        text, encoding = decoded(entry.file.read())
    except UNREADABLE:
        return Problem(entry.path, _("This file cannot be read: it is damaged or encrypted."))
    closing = _CLOSING.search(text, 4) if text.startswith("---\n") else None
    if closing is None:
        return Problem(entry.path, _("The file has no front matter between two lines ---."))
    front, _rest = read_front_matter(text[: closing.end()])
    if front.unread or not front.values:
        return Problem(entry.path, _("The front matter of the file cannot be read."))
    values: JsonObject = {name: value for name, value in front.values.values() if value is not None}
    if isinstance(values.get("relations"), dict):
        values["relations"] = [
            {"relation": name, "number": number}
            for name, numbers in values["relations"].items()
            for number in (numbers if isinstance(numbers, list) else [numbers])
        ]
    beside: JsonObject = {name: values.pop(name) for name in layout.OF_ITEM if name in values}
    beside["version"] = number_in(beside.get("version"))
    warnings = list(front.warnings)
    if encoding is not None:
        warnings.append(
            _("The file is no UTF-8; it was read as %(encoding)s.") % {"encoding": encoding}
        )
    whole = {**line, **beside, "id": line.get("id"), "kind": line.get("kind")}
    fields = {**values, "content": text[closing.end() :]}
    return FoundItem(entry.path, {**whole, "fields": fields}, warnings=warnings)


@dataclass(slots=True)
class _Reading:
    """A second walk over the lines: each item with its history, then what is missing."""

    file: SourceFile
    survey: Survey
    completed: _Completed
    current: FoundItem | None = None
    keys: set[str] = field(default_factory=set)

    def found(self) -> Iterator[Found]:
        """What the file holds, and what is to be said of it."""
        yield from self._warnings()
        for number, line in objects_of(self.file):
            if line is None:
                place = _("line %(line)d") % {"line": number}
                yield Problem(place, _("The line is damaged and is left out."))
            elif line.get("type") == layout.ITEM:
                yield from self._finished()
                yield from self._begin(number, line)
            elif line.get("type") == layout.EVENT:
                self._keep(line)
            elif line.get("type") == layout.TOMBSTONE:
                yield from self._finished()
                yield self._tombstone(line)
        yield from self._finished()

    def _begin(self, number: int, line: JsonObject) -> Iterator[Problem]:
        self.current = None
        item = self.completed(number, line)
        if isinstance(item, Problem):
            yield item
        elif item.key in self.keys:
            yield Problem(item.place, _("The export has this item twice; the first one counts."))
        else:
            self.current = item

    def _keep(self, event: JsonObject) -> None:
        """Keep an entry for its item; of a history that is too long one more is enough."""
        item = self.current
        if item is not None and event.get("item") == item.key and len(item.events) <= MAX_ENTRIES:
            item.events.append(event)

    def _finished(self) -> Iterator[Record | Problem]:
        if self.current is None:
            return
        record = record_of(self.current, self.survey)
        self.current = None
        if isinstance(record, Record):
            self.keys.add(record.key)
        yield record

    def _tombstone(self, line: JsonObject) -> Tombstone | Problem:
        number = number_in(line.get("number"))
        if number is None:
            said = _("The instructions are not in the export.")
            return Problem("", said, left_out=False)
        return Tombstone(number, layout.ERASED if line.get("why") == layout.ERASED
                         else layout.NOT_EXPORTED)  # fmt: skip

    def _warnings(self) -> Iterator[Problem]:
        survey = self.survey
        if survey.cut_off:
            said = _("The file is cut off: its last line is missing. Export the project again.")
            yield Problem("", said, left_out=False)
        elif survey.miscounted:
            said = _("The file holds fewer or more lines than its last line says.")
            yield Problem("", said, left_out=False)
        if survey.unknown:
            said = ngettext(
                "A line of a later version is passed over.",
                "%(count)d lines of a later version are passed over.",
                survey.unknown,
            )
            yield Problem("", said % {"count": survey.unknown}, left_out=False)
        if survey.proposals:
            said = ngettext(
                "What became of a proposal stays in the file: proposals are not imported.",
                "What became of %(count)d proposals stays in the file: proposals are not imported.",
                survey.proposals,
            )
            yield Problem("", said % {"count": survey.proposals}, left_out=False)


CONDERIS: Final = Importer(
    name="conderis",
    label=gettext_lazy("Conderis, one file (JSON Lines)"),
    hint=gettext_lazy("The file that “Export” of a project makes here or on another server."),
    looks_like=_is_lines,
    read=_read_lines,
)
CONDERIS_MARKDOWN: Final = Importer(
    name="conderis-markdown",
    label=gettext_lazy("Conderis, a folder of Markdown files"),
    hint=gettext_lazy("The archive that “Export” of a project makes, or its folder."),
    looks_like=_is_folder,
    read=_read_folder,
    family="conderis",
)
