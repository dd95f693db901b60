"""What mends a finding from its page: each one call of the write door."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.web.projects.hygiene_forms import (
    MendForm,
    ParentForm,
    PlainForm,
    RewriteForm,
    SummaryForm,
)
from items.kinds.base import Kind
from items.kinds.registry import kind_of
from items.requests import ActRequest, Address, StoreRequest
from proposals.writing import act, store

Sent = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Deed:
    """A way to mend an item. One with a `form` of its own is asked for on a page first.

    `says` is the button, with the item's number; `done` what is said afterwards.
    """

    name: str
    says: Promise
    done: Promise
    does: Callable[[Caller, Address, int | None, Sent], JsonObject]
    suits: Callable[[Kind], bool]
    form: type[MendForm] = PlainForm

    @property
    def is_plain(self) -> bool:
        """Whether a button is enough."""
        return self.form is PlainForm


def _acting(action: str) -> Callable[[Caller, Address, int | None, Sent], JsonObject]:
    def do(caller: Caller, address: Address, version: int | None, _sent: Sent) -> JsonObject:
        return act(caller, ActRequest(address, action, version=version))

    return do


def _storing(fixed: JsonObject) -> Callable[[Caller, Address, int | None, Sent], JsonObject]:
    def do(caller: Caller, address: Address, version: int | None, sent: Sent) -> JsonObject:
        return store(caller, StoreRequest(address, version=version, fields={**fixed, **sent}))

    return do


def _with_action(name: str) -> Callable[[Kind], bool]:
    return lambda kind: name in kind.action_names


def _with_field(name: str) -> Callable[[Kind], bool]:
    return lambda kind: name in kind.by_name


DEEDS: Final[dict[str, Deed]] = {
    deed.name: deed
    for deed in (
        Deed(
            "summary",
            _("Write the summary of #%(number)s"),
            _("#%(number)s has a new summary."),
            _storing({}),
            _with_field("summary"),
            SummaryForm,
        ),
        Deed(
            "rewrite",
            _("Edit #%(number)s"),
            _("#%(number)s is changed."),
            _storing({}),
            _with_field("content"),
            RewriteForm,
        ),
        Deed(
            "parent",
            _("Give #%(number)s a parent"),
            _("#%(number)s has its place."),
            _storing({}),
            _with_field("parent"),
            ParentForm,
        ),
        Deed(
            "archive",
            _("Archive #%(number)s"),
            _("#%(number)s is archived."),
            _acting("archive"),
            _with_action("archive"),
        ),
        Deed(
            "unblock",
            _("Unblock #%(number)s"),
            _("#%(number)s is no longer blocked."),
            _acting("unblock"),
            _with_action("unblock"),
        ),
        Deed(
            "reopen",
            _("Reopen #%(number)s"),
            _("#%(number)s is open."),
            _storing({"status": "open"}),
            _with_field("status"),
        ),
        Deed(
            "cancel",
            _("Cancel #%(number)s"),
            _("#%(number)s is canceled."),
            _storing({"status": "canceled"}),
            _with_field("status"),
        ),
        Deed(
            "normal",
            _("Make #%(number)s normal"),
            _("#%(number)s has normal weight."),
            _storing({"weight": "normal"}),
            _with_field("weight"),
        ),
        Deed(
            "top",
            _("Move #%(number)s to the top"),
            _("#%(number)s stands at the top level."),
            _storing({"parent": None}),
            _with_field("parent"),
        ),
    )
}

# Of the item that a check found, and of the others that it names beside it.
OF_FOUND: Final[dict[str, tuple[str, ...]]] = {
    "no_summary": ("summary",),
    "near_duplicates": ("archive",),
    "critical_without_room": ("normal", "summary"),
    "summary_repeats_title": ("summary",),
    "misplaced_detail": ("rewrite",),
    "outdated_bag": ("summary",),
    "expired": ("archive",),
    "untouched": ("archive", "cancel"),
    "verified_long_ago": ("archive",),
    "broken_reference": ("rewrite",),
    "stalled_in_progress": ("reopen", "cancel"),
    "long_lived_session": ("archive",),
    "blocked_for_long": ("unblock", "cancel"),
    "active_under_closed": ("cancel", "top"),
    "unreachable_page": ("parent", "archive"),
    "bag_size": (),
}
OF_OTHERS: Final[dict[str, tuple[str, ...]]] = {
    "near_duplicates": ("archive",),
    "active_under_closed": ("reopen",),
    "bag_size": ("top",),
}


def deeds_for(names: tuple[str, ...], kind: str) -> list[Deed]:
    """Those of the deeds that items of this kind know."""
    return [DEEDS[name] for name in names if DEEDS[name].suits(kind_of(kind))]
