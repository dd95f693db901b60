"""The form for an item, made of the fields that its kind has."""

import csv
from collections.abc import Callable, Collection, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from conderis.common.json import Json, JsonObject
from conderis.web.forms import Form
from conderis.web.items.words import FIELDS, HELP, value_word
from items.kinds.base import Field, Kind
from items.kinds.values import (
    MAX_NUMBER,
    Assignee,
    Choice,
    Commits,
    Day,
    ItemReference,
    Line,
    Moment,
    Numbers,
    Position,
    SourceState,
    Tags,
    Text,
    ValueType,
)

MAX_REASON = 2000
BESIDE = ("reason", "version")
VISIBILITY = "visibility"


def whole_text(typed: str) -> str:
    """The text with LF at line ends, where browsers send CRLF."""
    return typed.replace("\r\n", "\n").replace("\r", "\n")


class Lines(forms.CharField):
    """Some lines, which may be none."""

    widget = forms.Textarea({"rows": 3, "class": "num", "spellcheck": "false"})

    def to_python(self, value: Any) -> str:
        """The lines, parted by LF."""
        return whole_text(super().to_python(value) or "")


class WholeText(Lines):
    """A text as it was typed, which may be empty."""

    widget = forms.Textarea({"class": "kept", "rows": 18, "spellcheck": "true"})

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strip=False, required=False, **kwargs)


class ItemForm(Form):
    """A new item of a kind, or a change of one; `holders` are pairs of reference and name.

    Fields `without` which it is are left out. `in_public` says next to the choice who could
    read a shared item of a public project.

    A form of a change carries what it was opened with. Only what differs from that is sent:
    so a source state does not outlive its text, and nobody's move is undone.
    """

    use_required_attribute = False

    def __init__(
        self,
        kind: Kind,
        *args: Any,
        holders: tuple[tuple[str, str], ...] = (),
        creates: bool = False,
        without: Collection[str] = (),
        in_public: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        for field in kind.fields:
            if isinstance(field.type, Position) or field.name in without:
                continue
            if field.name == VISIBILITY and not creates:
                continue
            self.fields[field.name] = _form_field(field, holders)
            self.fields[field.name].show_hidden_initial = not creates
        if in_public and VISIBILITY in self.fields:
            self.fields[VISIBILITY].help_text = _(
                "This project is public: everyone in the world can read what is shared. "
                "It cannot be changed later."
            )
        if not creates:
            self.fields["reason"] = forms.CharField(
                label=_("What has changed"), required=False, max_length=MAX_REASON
            )
            self.fields["version"] = forms.IntegerField(
                widget=forms.HiddenInput, min_value=1, max_value=MAX_NUMBER
            )

    def sent(self) -> JsonObject:
        """What was changed, as the write door takes it."""
        names = [name for name in self.changed_data if name not in BESIDE]
        return {name: self._value(name) for name in names}

    def typed(self) -> JsonObject:
        """All that stands in the form, as the write door takes it."""
        return {name: self._value(name) for name in self.fields if name not in BESIDE}

    def typed_text(self, name: str) -> str:
        """What stands in a field, valid or not."""
        return whole_text(str(self.data.get(name, "")))

    def opened_text(self, name: str) -> str:
        """What stood in a field when the form was opened."""
        return whole_text(str(self.data.get(opened_name(name), "")))

    def read(self, name: str, text: str) -> Json:
        """What the text means in a field, as the write door takes it; None where empty."""
        return _read(self.kind.by_name[name].type, text) or None

    def _value(self, name: str) -> Json:
        return _read(self.kind.by_name[name].type, self.cleaned_data[name])


def opened_name(name: str) -> str:
    """What the form calls the field that carries what it was opened with."""
    return f"initial-{name}"


def shown_in_form(kind: Kind, answer: Mapping[str, Json]) -> dict[str, str]:
    """The values of an answer of reading, as the form shows them."""
    return {
        field.name: _shown(field.type, answer.get(field.name))
        for field in kind.fields
        if not isinstance(field.type, Position)
    }


def _form_field(field: Field, holders: tuple[tuple[str, str], ...]) -> forms.Field:
    label, help_text = str(FIELDS.get(field.name, field.name)), str(HELP.get(field.name, ""))
    kind = field.type
    if isinstance(kind, Text):
        return WholeText(label=label, help_text=help_text)
    if isinstance(kind, Choice):
        words = [(word, value_word(word)) for word in kind.words]
        return forms.ChoiceField(
            label=label, choices=words, initial=field.default, help_text=help_text
        )
    if isinstance(kind, Assignee):
        nobody = [("", _("Nobody"))]
        return forms.ChoiceField(label=label, choices=[*nobody, *holders], required=False)
    if isinstance(kind, Commits):
        return Lines(label=label, required=False, help_text=help_text)
    widget: type[forms.Widget] | forms.Widget = forms.TextInput
    if isinstance(kind, Day):
        widget = forms.DateInput({"type": "date"})
    return forms.CharField(label=label, required=field.required, help_text=help_text, widget=widget)


def _read(kind: ValueType, typed: str) -> Json:
    text = typed.strip() if not isinstance(kind, Text) else typed
    if isinstance(kind, Text | Choice | Line):
        return text
    if isinstance(kind, Tags | Numbers):
        return [part.strip() for part in _parted(text) if part.strip()]
    if isinstance(kind, Commits):
        return list(text.split())
    return text or None


def _parted(text: str) -> list[str]:
    """The parts between commas; those in a part that stands in quotes belong to it."""
    try:
        return next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:  # broken or endless: refused where it is read
        return text.split(",")


def _quoted(part: str) -> str:
    """The part as `_parted` reads it: in quotes where it needs them."""
    if "," not in part and not part.startswith('"'):
        return part
    return '"' + part.replace('"', '""') + '"'


def _shown(kind: ValueType, value: Json) -> str:
    if value is None:
        return ""
    for known, show in _SHOW.items():
        if isinstance(kind, known):
            return show(value)
    return str(value)


def _parent(value: Any) -> str:
    return str(value.get("number", value.get("ref", "")))


_SHOW: dict[type[ValueType], Callable[[Any], str]] = {
    Tags: lambda value: ", ".join(map(_quoted, value)),
    Numbers: lambda value: ", ".join(map(str, value)),
    Commits: lambda value: "\n".join(each["sha"] for each in value),
    SourceState: lambda value: str(value["commit"]),
    Assignee: lambda value: str(value["ref"]),
    ItemReference: _parent,
    Moment: str,
}
