"""A form for an item that somebody else has changed since it was opened."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from conderis.common.caller import Caller
from conderis.common.errors import DomainError
from conderis.common.json import JsonObject
from conderis.web.comparing.fields import FieldChange, changed_text, changed_value
from conderis.web.comparing.texts import Comparison, compare
from conderis.web.items.forms import BESIDE, ItemForm, opened_name, shown_in_form
from conderis.web.items.reading import ShownItem, read_shown
from conderis.web.items.words import value_word
from conderis.web.items.writing import holders_of
from items.kinds.base import Kind
from items.kinds.values import Assignee, Choice, Line, Text, read_number
from proposals.merging import merge_fields


@dataclass(frozen=True, slots=True)
class Clash:
    """A field that both sides changed: what now `stands` in it, and how the form differs.

    Long texts have a `comparison`, others a `change`; both lead from what stands to what is
    in the form. `field` is the id of the field in the form.
    """

    label: str
    stands: str
    field: str
    comparison: Comparison | None = None
    change: FieldChange | None = None


@dataclass(frozen=True, slots=True)
class Rebased:
    """A form with what was typed over what now stands, and how the two go together.

    `clashes` are fields that both sides changed differently: what was typed stands in the
    form. In those that are `merged` both changes have been brought together.
    """

    form: ItemForm
    stands: ShownItem
    clashes: tuple[Clash, ...]
    merged: tuple[Clash, ...]

    @property
    def meets(self) -> bool:
        """Whether both sides changed the same field."""
        return bool(self.clashes or self.merged)


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
    assigned = any(isinstance(field.type, Assignee) for field in kind.fields)
    holders = holders_of(caller, project_id, stands) if assigned else ()
    again = ItemForm(kind, data, holders=holders, initial=current)
    return Rebased(
        form=again,
        stands=stands,
        clashes=tuple(_clash(again, stands, name) for name in names if name in clashing),
        merged=tuple(_clash(again, stands, name) for name in merge.merged),
    )


def _clash(form: ItemForm, stands: ShownItem, name: str) -> Clash:
    """A field of the form beside what stands in it."""
    kind = form.kind
    label, field = str(form.fields[name].label), str(form[name].id_for_label)
    stored, typed = form.opened_text(name), form.typed_text(name)
    said = _stored_word(kind, stands, name, stored)
    if isinstance(kind.by_name[name].type, Text):
        comparison = compare(stored, typed, prefix=f"clash-{name}")
        return Clash(label, said, field, comparison=comparison)
    if isinstance(kind.by_name[name].type, Line):
        change = changed_text(label, stored, typed, prefix=f"clash-{name}")
        return Clash(label, said, field, change=change)
    words = dict(getattr(form.fields[name], "choices", ()))
    old, new = (str(words.get(text, text)) for text in (stored, typed))
    return Clash(label, said, field, change=changed_value(label, old, new))


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
