"""Proposals, their fields and their states in the words of the pages."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext_lazy
from django.utils.translation import gettext as _

from conderis.web.items.words import FIELDS as ALL_FIELDS
from conderis.web.items.words import KIND, KINDS
from items.kinds.registry import kind_of

PENDING: Final = "pending"
STATES: Final[dict[str, Promise]] = {
    PENDING: gettext_lazy("Pending"),
    "approved": gettext_lazy("Approved"),
    "rejected": gettext_lazy("Rejected"),
    "withdrawn": gettext_lazy("Withdrawn"),
}
STATE_ICONS: Final = {
    PENDING: "s-pending",
    "approved": "s-done",
    "rejected": "s-rejected",
    "withdrawn": "s-withdrawn",
}
FIELDS: Final[dict[str, Promise]] = {
    "title": gettext_lazy("Title"),
    "summary": gettext_lazy("Summary"),
    "content": gettext_lazy("Content"),
    "tags": gettext_lazy("Tags"),
    "type": gettext_lazy("Type"),
    "visibility": gettext_lazy("Visibility"),
    "expiresAt": gettext_lazy("End date"),
    "parent": gettext_lazy("Parent"),
    "position": gettext_lazy("Place among its siblings"),
    "weight": gettext_lazy("Weight"),
    "verifiedAgainst": gettext_lazy("Verified against"),
    "archived": gettext_lazy("Archived"),
}
_WHAT: Final[dict[str, Promise]] = {
    "create": gettext_lazy("New %(kind)s"),
    "change": gettext_lazy("Change of %(kind)s"),
    "move": gettext_lazy("Move of %(kind)s"),
    "archive": gettext_lazy("Archiving of %(kind)s"),
    "restore": gettext_lazy("Restoring of %(kind)s"),
    "batch": gettext_lazy("Batch of new items"),
}
_BATCHES: Final[dict[str, Any]] = {
    "memory": ngettext_lazy(
        "Batch of %(count)d new memory", "Batch of %(count)d new memories", "count"
    ),
}
_ITEMS: Final[Any] = ngettext_lazy(
    "Batch of %(count)d new item", "Batch of %(count)d new items", "count"
)
_MADE: Final[Any] = ngettext_lazy("Approved: %(count)d is new.", "Approved: %(count)d are new.",
                                  "count")  # fmt: skip
_LEFT_OUT: Final[Any] = ngettext_lazy(
    "%(count)d was left out.", "%(count)d were left out.", "count"
)
_DONE: Final[dict[str, Promise]] = {
    "create": gettext_lazy("Approved as %(number)s."),
    "move": gettext_lazy("Approved: %(number)s is moved."),
    "archive": gettext_lazy("Approved: %(number)s is archived."),
    "restore": gettext_lazy("Approved: %(number)s is restored."),
}
BATCH: Final = "batch"


def kind_word(kind: str) -> str:
    """The kind, in the midst of a sentence."""
    return str(KIND.get(kind, kind))


def kinds_word(kind: str) -> str:
    """The kind as the name of a choice."""
    return str(KINDS.get(kind, kind_of(kind).plural))


def field_word(name: str) -> str:
    """The label of a field."""
    return str(FIELDS.get(name) or ALL_FIELDS.get(name) or name)


def several_fields(names: Iterable[str]) -> str:
    """The labels in a row, in the midst of a sentence."""
    return ", ".join(in_sentence(field_word(name)) for name in names)


def in_sentence(label: str) -> str:
    """The label in the midst of a sentence: small in English, as it is in other languages."""
    return label.lower() if (get_language() or "en").startswith("en") else label


def what_word(action: str, kind: str, count: int | None = None) -> str:
    """What approving would do, as `Change of page`; `count` are the items of a batch."""
    if count is not None:
        return str(_BATCHES.get(kind, _ITEMS) % {"count": count})
    return str(_WHAT[action]) % {"kind": kind_word(kind)}


def heading_word(title: str, kind: str, count: int | None) -> str:
    """The heading of a proposal: its title, or what it is of."""
    if title:
        return title
    return what_word(BATCH, kind, count) if count is not None else kind_word(kind).capitalize()


def approve_word(action: str, kind: str, version: int | None) -> str:
    """The button that approves, which says the outcome."""
    if action == BATCH:
        return _("Approve what is not left out")
    if action == "create" and version is None:
        return _("Approve as new %(kind)s") % {"kind": kind_word(kind)}
    if action == "move":
        return _("Approve the move")
    if action == "archive":
        return _("Approve and archive it")
    if action == "restore":
        return _("Approve and restore it")
    return _("Approve as version %(version)s") % {"version": (version or 0) + 1}


def approved_word(action: str, answer: Mapping[str, object]) -> str:
    """What has come of approving, from the answer of the service."""
    if answer["outcome"] == "unchanged":
        return _("You had approved it already.")
    if action == BATCH:
        return _made_word(answer.get("items"), answer.get("leftOut"))
    name = f"#{answer['number']}" if "number" in answer else ""
    if action in _DONE and (name or action != "create"):
        return str(_DONE[action]) % {"number": name}
    return _("Approved as version %(version)s.") % {"version": answer.get("version")}


def _made_word(items: object, left_out: object) -> str:
    """How many items came of a batch, and how many were left out."""
    made = len(items) if isinstance(items, list) else 0
    said = [str(_MADE % {"count": made})]
    if isinstance(left_out, list):
        said.append(str(_LEFT_OUT % {"count": len(left_out)}))
    return " ".join(said)
