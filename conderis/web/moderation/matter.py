"""What a proposal would change, field by field and word by word, ready to be shown."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from conderis.common.json import Json, JsonObject
from conderis.web.comparing.choosing import Comparing
from conderis.web.comparing.fields import (
    Face,
    FieldChange,
    changed_list,
    changed_moment,
    changed_text,
    changed_value,
)
from conderis.web.comparing.finding import Findings, findings_of
from conderis.web.comparing.source import SourceView, source_view
from conderis.web.comparing.texts import Comparison, compare
from conderis.web.items.words import value_word
from conderis.web.markdown import Linker, render
from conderis.web.moderation.conflicts import Clash, clash_of
from conderis.web.moderation.words import field_word, several_fields
from items.kinds.base import Field, Kind
from items.kinds.values import (
    Assignee,
    Choice,
    Commits,
    ItemReference,
    Line,
    Moment,
    Text,
    ValueType,
)
from proposals.merging import FieldConflict

ARCHIVED: Final = "archived"
FACES: Final[dict[type[ValueType], Face]] = {Choice: Face.PLAIN, Assignee: Face.KEPT}


@dataclass(frozen=True, slots=True)
class TextChange:
    """A long text: how it changes, what it hides, and the new one rendered and as source."""

    label: str
    comparison: Comparison
    findings: Findings
    source: SourceView
    rendered: SafeString

    @property
    def is_new(self) -> bool:
        """Whether nothing stood there before."""
        return not self.comparison.removed


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field that both sides changed: three texts by paragraph, or three short values."""

    label: str
    values: tuple[str, str, str]
    clash: Clash | None = None


@dataclass(frozen=True, slots=True)
class Matter:
    """All that differs between two states of an item; `unchanged` names the other fields."""

    fields: tuple[FieldChange, ...] = ()
    texts: tuple[TextChange, ...] = ()
    findings: tuple[Findings, ...] = ()
    total: int = 0
    unchanged: str = ""

    @property
    def changed(self) -> int:
        """How many fields differ."""
        return len(self.fields) + len(self.texts)

    @property
    def hidden(self) -> int:
        """How many characters of the new texts nobody sees."""
        found = [*self.findings, *(text.findings for text in self.texts)]
        return sum(each.unseen_count for each in found)

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not self.changed


def matter_of(
    kind: Kind,
    old: JsonObject,
    new: JsonObject,
    *,
    torn: Collection[str] = (),
    compares: Comparing = compare,
    linker: Linker | None = None,
) -> Matter:
    """What differs between two states, as answers show fields; `torn` ones conflict.

    `compares` is what compares long texts; `linker` links to what the new ones name.
    """
    changed = [each for each in kind.fields if _differs(each, old, new)]
    short = [each for each in changed if not isinstance(each.type, Text)]
    fields = [_field(each, old.get(each.name), new.get(each.name)) for each in short]
    if bool(old.get(ARCHIVED)) != bool(new.get(ARCHIVED)):
        words = [_("yes") if state.get(ARCHIVED) else _("no") for state in (old, new)]
        fields.append(changed_value(field_word(ARCHIVED), *words))
    same = [each.name for each in kind.fields if each not in changed and each.name not in torn]
    return Matter(
        fields=tuple(fields),
        texts=tuple(
            _texts([each for each in changed if each not in short], old, new, compares, linker)
        ),
        findings=tuple(
            found
            for each in short
            if isinstance(each.type, Line) and (found := _line_findings(each, old, new)).is_alarming
        ),
        total=len(kind.fields),
        unchanged=several_fields(same),
    )


def conflicts_of(kind: Kind, conflicts: tuple[FieldConflict, ...]) -> tuple[Conflict, ...]:
    """The fields that stand against approving, each in its three versions."""
    return tuple(_conflict(kind.by_name[each.field], each) for each in conflicts)


def _conflict(field: Field, conflict: FieldConflict) -> Conflict:
    sides = (conflict.base, conflict.current, conflict.proposed)
    if isinstance(field.type, Text):
        base, current, proposed = (str(side or "") for side in sides)
        return Conflict(field_word(field.name), ("", "", ""), clash_of(base, current, proposed))
    base, current, proposed = (", ".join(values_of(field, side)) for side in sides)
    return Conflict(field_word(field.name), (base, current, proposed))


def _differs(field: Field, old: JsonObject, new: JsonObject) -> bool:
    # Absent, null and empty are one: states of the history hold what answers leave out.
    return (old.get(field.name) or None) != (new.get(field.name) or None)


def _texts(
    fields: list[Field],
    old: JsonObject,
    new: JsonObject,
    compares: Comparing,
    linker: Linker | None,
) -> Iterator[TextChange]:
    for field in fields:
        before, after = str(old.get(field.name) or ""), str(new.get(field.name) or "")
        yield TextChange(
            label=field_word(field.name),
            comparison=compares(before, after),
            findings=findings_of(after, since=before),
            source=source_view(after),
            rendered=render(after, base_level=4, linker=linker),
        )


def _line_findings(field: Field, old: JsonObject, new: JsonObject) -> Findings:
    before, after = str(old.get(field.name) or ""), str(new.get(field.name) or "")
    return findings_of(after, since=before, prefix=field.name)


def _field(field: Field, old: Json, new: Json) -> FieldChange:
    label = field_word(field.name)
    if isinstance(field.type, Line):
        return changed_text(label, str(old or ""), str(new or ""), prefix=field.name)
    if isinstance(field.type, Moment):
        return changed_moment(label, _moment(old), _moment(new))
    if isinstance(old, list) or isinstance(new, list):
        return changed_list(label, values_of(field, old), values_of(field, new), prefix=field.name)
    before, after = ", ".join(values_of(field, old)), ", ".join(values_of(field, new))
    face = FACES.get(type(field.type), Face.MACHINE)
    return changed_value(label, before, after, face=face, prefix=field.name)


def values_of(field: Field, value: Json) -> list[str]:
    """The value as words: entries of lists and objects each, items by their number."""
    if value is None or value == "":
        return []
    if isinstance(value, list):
        shas = isinstance(field.type, Commits)
        return [str(each["sha"] if shas and isinstance(each, dict) else each) for each in value]
    if isinstance(field.type, Choice):
        return [value_word(str(value))]
    if isinstance(field.type, Assignee) and isinstance(value, Mapping):
        return [str(value["name"])]
    if isinstance(value, Mapping):
        return [str(each) for each in value.values() if each]
    is_number = isinstance(field.type, ItemReference) and isinstance(value, int)
    return [f"#{value}" if is_number else str(value)]


def _moment(value: Json) -> datetime | None:
    return datetime.fromisoformat(str(value)) if value else None
