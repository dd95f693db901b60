"""A shared copy of a private item: what it would say, and storing it."""

from typing import Final

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.web.items.forms import VISIBILITY, ItemForm, shown_in_form
from conderis.web.items.reading import ShownItem
from items.kinds.memory import PRIVATE, SHARED
from items.kinds.registry import kind_of
from items.requests import Address, StoreRequest
from proposals.writing import store

# A copy stands alone: what is private cannot be above what is shared.
LEFT_OUT: Final = (VISIBILITY, "parent")


def is_private(item: ShownItem) -> bool:
    """Whether the item, as it stands, is its author's alone."""
    return item.is_readable and item.is_current and item.answer.get(VISIBILITY) == PRIVATE


def copy_form(item: ShownItem, sent: dict[str, str] | None = None) -> ItemForm:
    """The form with what the copy would say; with what was `sent`, as that."""
    kind = kind_of(item.kind)
    initial = shown_in_form(kind, item.answer)
    return ItemForm(kind, sent, creates=True, without=LEFT_OUT, initial=initial)


def share(caller: Caller, project_id: str, form: ItemForm) -> JsonObject:
    """Store the copy as a new shared item, or propose it; the write door's answer.

    Raises:
        DomainError: as the write door refuses.
    """
    fields = {name: value for name, value in form.typed().items() if value not in ("", None, [])}
    fields[VISIBILITY] = SHARED
    return store(caller, StoreRequest(Address(project_id), kind=form.kind.name, fields=fields))
