"""What pages of personal memories send to the write door, and what they say of its answers."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.web.items.forms import ItemForm, opened_name, shown_in_form
from conderis.web.items.reading import ShownItem
from conderis.web.items.words import ACTIONS
from conderis.web.personal.reading import address_of, personal_kind
from items.requests import ActRequest, Address, StoreRequest
from proposals.writing import act, store

WITHOUT: Final = ("visibility",)  # all of them are their author's alone


def new_form(data: Mapping[str, str] | None, *, parent: str = "") -> ItemForm:
    """The form of a new memory."""
    form = ItemForm(
        personal_kind(), data, creates=True, without=WITHOUT, initial={"parent": parent}
    )
    return _said(form)


def edit_form(item: ShownItem, data: Mapping[str, str] | None = None) -> ItemForm:
    """The form of a change; sent ones carry what they were opened with, and lack nothing."""
    kind = personal_kind()
    shown = shown_in_form(kind, item.answer)
    if data is None:
        initial = shown | {"version": str(item.current)}
        return _said(ItemForm(kind, without=WITHOUT, initial=initial))
    opened = {opened_name(name): text for name, text in shown.items()}
    return _said(ItemForm(kind, shown | opened | dict(data), without=WITHOUT, initial=shown))


def _said(form: ItemForm) -> ItemForm:
    """The form with the help that holds for memories without a project."""
    form.fields["parent"].help_text = _("The reference of the memory that it stands under.")
    return form


def create(caller: Caller, form: ItemForm) -> JsonObject:
    """Store a new personal memory; the write door's answer.

    Raises:
        DomainError: as the write door refuses.
    """
    fields = {name: value for name, value in form.typed().items() if value not in ("", None, [])}
    return store(caller, StoreRequest(Address(), kind=form.kind.name, fields=fields))


def change(caller: Caller, memory: str, form: ItemForm) -> JsonObject:
    """Store what was changed in the form; the write door's answer.

    Raises:
        DomainError: as the write door refuses.
    """
    fields = form.sent()
    if "content" in fields:
        fields["complete"] = True
    request = StoreRequest(
        address_of(memory),
        version=form.cleaned_data["version"],
        fields=fields,
        reason=form.cleaned_data["reason"] or None,
    )
    return store(caller, request)


def do(caller: Caller, memory: str, *, action: str, version: int | None, reason: str) -> JsonObject:
    """Archive or restore it; the write door's answer.

    Raises:
        DomainError: as the write door refuses.
    """
    request = ActRequest(address_of(memory), action=action, version=version, reason=reason or None)
    return act(caller, request)


def actions_of(item: ShownItem) -> list[tuple[str, str]]:
    """What can be done with it as it stands: names and words."""
    if not item.is_readable or not item.is_current:
        return []
    name = "restore" if item.answer.get("archived") else "archive"
    return [(name, str(ACTIONS[name]))] if name in personal_kind().action_names else []


def outcome_word(answer: JsonObject) -> str:
    """What has come of a change, in one sentence."""
    if answer["outcome"] == "unchanged":
        return _("Nothing was changed.")
    return _("The memory is stored as version %(version)s.") % {"version": answer["version"]}


def done_word(action: str, answer: JsonObject) -> str:
    """What an action has done, in one sentence."""
    if answer["outcome"] != "done":
        return outcome_word(answer)
    return _("The memory is archived.") if action == "archive" else _("The memory is restored.")
