"""A proposed batch on its page: its items one by one, with what in them cannot be seen."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from conderis.common.json import JsonObject
from conderis.web.comparing.finding import Findings, findings_of
from conderis.web.comparing.marking import Marking, Piece
from conderis.web.comparing.source import SourceView, source_view
from conderis.web.moderation.matter import values_of
from conderis.web.moderation.words import field_word
from items.kinds.base import Field, Kind
from items.kinds.values import Line, Text
from proposals.preview import EntryShown

MOST_OPEN: Final = 20_000
"""Characters of all texts together up to which they stand open."""
HEADING: Final = "title"


@dataclass(frozen=True, slots=True)
class Fact:
    """A short field with its values, marks in them; `said` is a line that people wrote."""

    label: str
    values: tuple[tuple[Piece, ...], ...]
    said: bool


@dataclass(frozen=True, slots=True)
class BatchText:
    """A long text of an item, exactly as agents read it."""

    label: str
    length: int
    source: SourceView
    findings: Findings
    is_open: bool


@dataclass(frozen=True, slots=True)
class BatchEntry:
    """An item of the batch. `number` counts from 1; `under` is that of its parent there."""

    position: int
    number: int
    under: int | None
    title: tuple[Piece, ...]
    facts: tuple[Fact, ...]
    findings: tuple[Findings, ...]
    texts: tuple[BatchText, ...]
    blocked: str | None
    item: int | None
    left_out: bool
    erased: bool
    ticked: bool

    @property
    def hidden(self) -> int:
        """How many characters of it nobody sees."""
        found = [*self.findings, *(text.findings for text in self.texts)]
        return sum(each.unseen_count for each in found)


def entries_of(
    kind: Kind, entries: Sequence[EntryShown], ticked: Collection[int]
) -> tuple[BatchEntry, ...]:
    """The items in order; `ticked` are the places that the reviewer leaves out so far."""
    size = sum(
        len(str(entry.fields.get(field.name) or ""))
        for entry in entries
        for field in kind.fields
        if isinstance(field.type, Text)
    )
    return tuple(
        _entry(kind, entry, is_open=size <= MOST_OPEN, ticked=entry.position in ticked)
        for entry in entries
    )


def _entry(kind: Kind, entry: EntryShown, *, is_open: bool, ticked: bool) -> BatchEntry:
    title = str(entry.fields.get(HEADING) or "")
    short = [field for field in kind.fields if not isinstance(field.type, Text)]
    item = entry.item or {}
    return BatchEntry(
        position=entry.position,
        number=entry.position + 1,
        under=entry.under + 1 if entry.under is not None else None,
        title=_pieces(title, f"i{entry.position}-{HEADING}"),
        facts=tuple(_facts(entry, [each for each in short if each.name != HEADING])),
        findings=tuple(_findings(entry, short)),
        texts=tuple(_texts(entry, kind, is_open=is_open)),
        blocked=entry.blocked,
        item=item.get("number"),
        left_out=entry.left_out,
        erased=entry.erased,
        ticked=ticked or entry.blocked is not None,
    )


def _facts(entry: EntryShown, fields: Sequence[Field]) -> Iterator[Fact]:
    for field in fields:
        value = entry.fields.get(field.name)
        values = values_of(field, value) if value != field.default else []
        if values:
            yield Fact(
                label=field_word(field.name),
                values=tuple(_pieces(each, "") for each in values)
                if not isinstance(field.type, Line)
                else (_pieces(values[0], f"i{entry.position}-{field.name}"),),
                said=isinstance(field.type, Line),
            )


def _findings(entry: EntryShown, fields: Sequence[Field]) -> Iterator[Findings]:
    for field in fields:
        text = entry.fields.get(field.name)
        if isinstance(field.type, Line) and text:
            found = findings_of(str(text), prefix=f"i{entry.position}-{field.name}")
            if found.is_alarming:
                yield found


def _texts(entry: EntryShown, kind: Kind, *, is_open: bool) -> Iterator[BatchText]:
    fields: JsonObject = entry.fields
    for field in kind.fields:
        text = fields.get(field.name)
        if not isinstance(field.type, Text) or not text:
            continue
        prefix = f"i{entry.position}-{field.name}"
        findings = findings_of(str(text), prefix=prefix)
        yield BatchText(
            label=field_word(field.name),
            length=len(str(text)),
            source=source_view(str(text), prefix=prefix),
            findings=findings,
            is_open=is_open or findings.is_alarming,
        )


def _pieces(text: str, prefix: str) -> tuple[Piece, ...]:
    return tuple(Marking(text, prefix=prefix).pieces(0, len(text)))
