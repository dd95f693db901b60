"""A form for an item that somebody else has changed since it was opened."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from conderis.common.caller import Caller
from conderis.common.errors import DomainError
from conderis.common.json import JsonObject
from conderis.web.items.forms import BESIDE, ItemForm, opened_name, shown_in_form
from conderis.web.items.reading import ShownItem, read_shown
from conderis.web.items.words import value_word
from conderis.web.items.writing import holders_of
from items.kinds.base import Kind
from items.kinds.values import Assignee, Choice, Text, read_number
from proposals.merging import merge_fields


@dataclass(frozen=True, slots=True)
class Rebased:
    """A form with what was typed over what now stands, and how the two go together.

    `clashes` are labels of fields that both sides changed differently, and what now stands
    in them: what was typed stands in the form. Texts of `merged` have been brought together.
    """

    form: ItemForm
    stands: ShownItem
    clashes: tuple[tuple[str, str], ...]
    merged: tuple[str, ...]


def rebased(caller: Caller, project_id: str, form: ItemForm, stands: ShownItem) -> Rebased:
    """What was typed, over what somebody else has stored meanwhile.

    A field that one side changed is as that side has it. Texts that both changed are merged
    by lines where that is clean, as in proposals. The form then counts as opened with what
    now stands, so that saving it sends what differs from that and nothing else.
    """
    kind = form.kind
    current = shown_in_form(kind, stands.answer)
    names = [name for name in form.fields if name not in BESIDE]
    base, now, typed = (
        {name: form.read(name, text(name)) for name in names}
        for text in (form.opened_text, lambda name: current[name], form.typed_text)
    )
    texts = [name for name in names if isinstance(kind.by_name[name].type, Text)]
    merge = merge_fields(base, now, typed, texts=texts)
    clashing = {each.field for each in merge.conflicts}
    data = {name: form.typed_text(name) for name in form.fields}
    for name in names:
        if name in merge.merged:
            data[name] = str(merge.fields[name])
        elif name not in merge.fields and name not in clashing:
            data[name] = current[name]
        data[opened_name(name)] = current[name]
    data["version"] = str(stands.current)
    again = ItemForm(kind, data, holders=holders_of(caller, project_id, stands), initial=current)
    labels = {name: str(field.label) for name, field in again.fields.items()}
    return Rebased(
        form=again,
        stands=stands,
        clashes=tuple(
            (labels[name], _stored_word(kind, stands, name, current[name]))
            for name in names
            if name in clashing
        ),
        merged=tuple(labels[name] for name in merge.merged),
    )


def opened_with(
    caller: Caller, project_id: str, item: ShownItem, kind: Kind, sent: Mapping[str, str]
) -> dict[str, str]:
    """What a sent form was opened with, by field; where it does not say, as its version was.

    What versions do not hold (what an item stands under) is then taken as it now is.
    """
    current = shown_in_form(kind, item.answer)
    if all(opened_name(name) in sent for name in current if name != "visibility"):
        return current | {
            name: sent[opened_name(name)] for name in current if opened_name(name) in sent
        }
    base = shown_in_form(kind, _base(caller, project_id, item, sent) or item.answer)
    kept = {name for name in current if kind.by_name[name].historic}
    return current | {name: text for name, text in base.items() if name in kept}


def _base(
    caller: Caller, project_id: str, item: ShownItem, sent: Mapping[str, str]
) -> JsonObject | None:
    version = read_number(sent.get("version", ""))
    if version is None or version == item.current:
        return None
    try:
        found = read_shown(caller, project_id, item.number, version=version)
    except DomainError:
        return None
    return found.answer if found.is_readable else None


def _stored_word(kind: Kind, stands: ShownItem, name: str, text: str) -> str:
    """What now stands in a field, as people read it."""
    if not text:
        return _("Nothing")
    if isinstance(kind.by_name[name].type, Choice):
        return value_word(text)
    if isinstance(kind.by_name[name].type, Assignee):
        return str(stands.answer["assignee"]["name"])
    return text
