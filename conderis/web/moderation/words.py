"""Proposals, their fields and their states in the words of the pages."""

from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

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
KIND: Final[dict[str, Promise]] = {
    "memory": gettext_lazy("memory"),
    "page": gettext_lazy("page"),
    "instructions": gettext_lazy("instructions"),
    "task": gettext_lazy("task"),
}
KINDS: Final[dict[str, Promise]] = {
    "memory": gettext_lazy("Memories"),
    "page": gettext_lazy("Pages"),
    "instructions": gettext_lazy("Instructions"),
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
}


def kind_word(kind: str) -> str:
    """The kind, in the midst of a sentence."""
    return str(KIND.get(kind, kind))


def kinds_word(kind: str) -> str:
    """The kind as the name of a choice."""
    return str(KINDS.get(kind, kind_of(kind).plural))


def field_word(name: str) -> str:
    """The label of a field."""
    return str(FIELDS.get(name, name))


def several_fields(names: Iterable[str]) -> str:
    """The labels in a row, in the midst of a sentence."""
    return ", ".join(in_sentence(field_word(name)) for name in names)


def in_sentence(label: str) -> str:
    """The label in the midst of a sentence: small in English, as it is in other languages."""
    return label.lower() if (get_language() or "en").startswith("en") else label


def what_word(action: str, kind: str) -> str:
    """What approving would do, as `Change of page`."""
    return str(_WHAT[action]) % {"kind": kind_word(kind)}


def approve_word(action: str, kind: str, version: int | None) -> str:
    """The button that approves, which says the outcome."""
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
    name = f"#{answer['number']}" if "number" in answer else ""
    if action == "create":
        if name:
            return _("Approved as %(number)s.") % {"number": name}
    elif action == "move":
        return _("Approved: %(number)s is moved.") % {"number": name}
    elif action == "archive":
        return _("Approved: %(number)s is archived.") % {"number": name}
    elif action == "restore":
        return _("Approved: %(number)s is restored.") % {"number": name}
    return _("Approved as version %(version)s.") % {"version": answer.get("version")}
