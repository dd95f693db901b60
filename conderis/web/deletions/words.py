"""Deletion requests, their states and what they are of, in the words of the pages."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from conderis.web.moderation.words import kind_word

PENDING: Final = "pending"
ERASING: Final = "erasing"
ERASED: Final = "erased"
REFUSED: Final = "refused"
WITHDRAWN: Final = "withdrawn"

STATES: Final[dict[str, Promise]] = {
    PENDING: gettext_lazy("Pending"),
    ERASING: gettext_lazy("Erasing"),
    ERASED: gettext_lazy("Erased"),
    REFUSED: gettext_lazy("Refused"),
    WITHDRAWN: gettext_lazy("Withdrawn"),
}
STATE_ICONS: Final = {
    PENDING: "s-pending",
    ERASING: "clock",
    ERASED: "erase",
    REFUSED: "s-rejected",
    WITHDRAWN: "s-withdrawn",
}
# The tone of a state: the class of its mark, and of a note about it.
STATE_TONES: Final = {
    PENDING: "wait",
    ERASING: "wait",
    ERASED: "stop",
    REFUSED: "idle",
    WITHDRAWN: "idle",
}
# What an erasure has removed, by the name that the service counts it under.
REMOVED: Final[dict[str, Any]] = {
    "items": ngettext_lazy("%(count)d item", "%(count)d items", "count"),
    "versions": ngettext_lazy("%(count)d version", "%(count)d versions", "count"),
    "events": ngettext_lazy(
        "%(count)d event in the history", "%(count)d events in the history", "count"
    ),
    "proposals": ngettext_lazy("%(count)d proposal", "%(count)d proposals", "count"),
    "relations": ngettext_lazy("%(count)d relation", "%(count)d relations", "count"),
    "children": ngettext_lazy("%(count)d child moved", "%(count)d children moved", "count"),
    "batch_items": ngettext_lazy(
        "%(count)d memory in a proposed batch", "%(count)d memories in proposed batches", "count"
    ),
    "batch_results": ngettext_lazy(
        "%(count)d result of a batch", "%(count)d results of batches", "count"
    ),
}
PERSONAL: Final = "memory:"
PROPOSAL: Final = "proposal:"
INSTRUCTIONS: Final = "instructions"


def thing_word(subject: str, kind: str, version: int | None) -> str:
    """What is to be erased, as a heading: `Version 3 of page #12`."""
    name = _name(subject, kind)
    if version is None:
        return name
    return _("%(thing)s, version %(version)d") % {"version": version, "thing": name}


def asked_name(subject: str, kind: str, version: int | None) -> str:
    """What is to be erased, in the midst of a sentence: `page #12`, `version 3 of page #12`."""
    if not subject.startswith("#"):
        return short_name(subject, version)
    return short_name(f"{kind_word(kind)} {subject}", version)


def short_name(subject: str, version: int | None) -> str:
    """The same in a button: `#12`, `version 3 of #12`."""
    if subject.startswith(PERSONAL):
        name = _("the memory")
    elif subject.startswith(PROPOSAL):
        name = _("the proposal")
    elif subject == INSTRUCTIONS:
        name = _("the instructions")
    else:
        name = subject
    if version is None:
        return name
    return _("version %(version)d of %(thing)s") % {"version": version, "thing": name}


def removed_words(removed: Mapping[str, int]) -> Iterator[str]:
    """What an erasure has removed, a word for each that there was."""
    for name, count in removed.items():
        if count and name in REMOVED:
            yield str(REMOVED[name] % {"count": count})


def _name(subject: str, kind: str) -> str:
    if subject.startswith(PERSONAL):
        return _("Personal memory")
    if subject.startswith(PROPOSAL):
        return _("Proposal")
    if subject == INSTRUCTIONS:
        return _("Instructions")
    return f"{kind_word(kind).capitalize()} {subject}"
