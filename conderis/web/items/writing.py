"""What pages send to the write door, and what they say of its answers."""

from django.utils.translation import gettext as _

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.web.items.forms import ItemForm
from conderis.web.items.reading import ShownItem
from conderis.web.items.words import ACTIONS, DONE
from items.assignees import is_held_by_other
from items.kinds.base import Kind
from items.project_view import project_get
from items.requests import ActRequest, Address, StoreRequest
from projects.access import ProjectAccess
from projects.capabilities import Use
from proposals.writing import act, store

# Of a task's actions one at a time makes sense; of which, its status says.
_BY_STATUS = {
    "open": ("claim", "complete", "block"),
    "in_progress": ("claim", "complete", "block"),
    "blocked": ("unblock", "complete"),
}


def create(caller: Caller, project_id: str, kind: Kind, form: ItemForm) -> JsonObject:
    """Store a new item; the write door's answer.

    Raises:
        DomainError: as the write door refuses.
    """
    fields = {name: value for name, value in form.typed().items() if value not in ("", None, [])}
    return store(caller, StoreRequest(Address(project_id), kind=kind.name, fields=fields))


def change(caller: Caller, project_id: str, number: int, form: ItemForm) -> JsonObject:
    """Store what was changed in the form; the write door's answer.

    Raises:
        DomainError: as the write door refuses.
    """
    fields = form.sent()
    if "content" in fields:
        fields["complete"] = True
    request = StoreRequest(
        Address(project_id, number=number),
        version=form.cleaned_data["version"],
        fields=fields,
        reason=form.cleaned_data["reason"] or None,
    )
    return store(caller, request)


def do(
    caller: Caller, project_id: str, number: int, *, action: str, version: int | None, reason: str
) -> JsonObject:
    """Act on the item; the write door's answer.

    Raises:
        DomainError: as the write door refuses.
    """
    address = Address(project_id, number=number)
    return act(caller, ActRequest(address, action=action, version=version, reason=reason or None))


def holders_of(
    caller: Caller, project_id: str, item: ShownItem | None = None, *, opened: str = ""
) -> tuple[tuple[str, str], ...]:
    """Who an item can be assigned to, and who holds it now: reference and name.

    Who held it when the form was `opened` is among them, so that leaving it is no error.
    """
    found = {each["ref"]: each["name"] for each in project_get(caller, project_id)["assignees"]}
    holder = item.answer.get("assignee") if item is not None else None
    if isinstance(holder, dict):
        found.setdefault(holder["ref"], holder["name"])
    if opened:
        found.setdefault(opened, _("Who held it before"))
    return tuple(found.items())


def actions_of(access: ProjectAccess, kind: Kind, item: ShownItem) -> list[tuple[str, str]]:
    """What the caller may do with the item as it stands: names and words."""
    use = Use.WORK if kind.statuses else Use.PROPOSE
    if not item.is_readable or not item.is_current or not access.may(use):
        return []
    names = kind.action_names
    if kind.statuses:
        possible = _possible(access.caller, item)
    else:
        possible = ("restore",) if item.answer.get("archived") else ("archive",)
    return [(name, str(ACTIONS[name])) for name in possible if name in names]


def _possible(caller: Caller, item: ShownItem) -> tuple[str, ...]:
    """The actions that make sense now; what somebody else holds is not claimed."""
    status, holder = str(item.answer.get("status")), item.answer.get("assignee")
    possible = _BY_STATUS.get(status, ())
    if isinstance(holder, dict) and is_held_by_other(caller, str(holder["ref"]), status):
        return tuple(name for name in possible if name != "claim")
    return possible


def outcome_word(answer: JsonObject) -> str:
    """What the write door has made of a change, in one sentence."""
    if answer["outcome"] == "proposed":
        return _("Proposed: a moderator decides it. Nothing has changed so far.")
    if answer["outcome"] == "unchanged":
        return _("Nothing was changed.")
    values = {"number": answer["number"], "version": answer["version"]}
    return _("#%(number)s is stored as version %(version)s.") % values


def done_word(action: str, answer: JsonObject) -> str:
    """What an action has done, in one sentence."""
    if answer["outcome"] == "done":
        return str(DONE[action]) % {"number": answer["number"]}
    return outcome_word(answer)
