"""What lists of items say of themselves: how many, what a filter is set to, how to begin."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from conderis.common.errors import DomainError, TooLarge
from conderis.web.items.words import FILTERS, value_word


@dataclass(frozen=True, slots=True)
class Beginning:
    """What an empty list says."""

    heading: Promise
    words: Promise


# By kind. A kind without a row has the words of the last two.
_COUNTS: Final = {
    "task": ngettext_lazy("%(n)s task", "%(n)s tasks", "n"),
    "memory": ngettext_lazy("%(n)s memory", "%(n)s memories", "n"),
    "page": ngettext_lazy("%(n)s page", "%(n)s pages", "n"),
}
_MANY: Final = {
    "task": ngettext_lazy("more than %(n)s task", "more than %(n)s tasks", "n"),
    "memory": ngettext_lazy("more than %(n)s memory", "more than %(n)s memories", "n"),
    "page": ngettext_lazy("more than %(n)s page", "more than %(n)s pages", "n"),
}
_BEGINNINGS: Final = {
    "task": Beginning(
        gettext_lazy("No active task."),
        gettext_lazy(
            "Write one here, or ask your agent to plan the work and store it as tasks. "
            "Closed ones are shown by the filter “Closed ones, too”."
        ),
    ),
    "memory": Beginning(
        gettext_lazy("No memories yet."),
        gettext_lazy(
            "Connect an agent and work with it. It stores what the next session must know, "
            "and reads it back with recall."
        ),
    ),
    "page": Beginning(
        gettext_lazy("No page yet."),
        gettext_lazy(
            "Start with what a new person has to know on the first day. Pages form a tree "
            "and can be moved later."
        ),
    ),
}
_OTHER: Final = Beginning(
    gettext_lazy("Nothing here yet."),
    gettext_lazy("Agents write them here; connect one to begin."),
)
# What a value of a filter is called where the word of the value alone would not say it.
_VALUES: Final[dict[tuple[str, str], Promise]] = {
    ("assignee", "none"): gettext_lazy("Nobody"),
    ("due", "none"): gettext_lazy("Without a date"),
    ("visibility", "private"): gettext_lazy("Only you"),
    ("parent", "none"): gettext_lazy("Top level"),
}
PARENT: Final = gettext_lazy("Below")
SEARCHED: Final = gettext_lazy("Words")


def count_word(kind: str, total: int, *, more: bool) -> str:
    """How many there are, in words: `19 tasks`; with `more`, more than so many."""
    if more and kind in _MANY:
        return str(_MANY[kind] % {"n": total})
    if kind in _COUNTS:
        return str(_COUNTS[kind] % {"n": total})
    return ngettext("%(n)s entry", "%(n)s entries", total) % {"n": total}


def beginning_of(kind: str) -> Beginning:
    """What an empty list of the kind says."""
    return _BEGINNINGS.get(kind, _OTHER)


def filter_word(name: str) -> str:
    """The label of a filter."""
    return str(PARENT if name == "parent" else FILTERS.get(name, name))


def filter_value_word(name: str, value: str) -> str:
    """What a filter is set to, in words."""
    return str(_VALUES.get((name, value), value_word(value)))


def age_word(age: str) -> str:
    """`today` and `3d` of an entry as people say it; "" stays empty."""
    if age == "today":
        return _("today")
    number = age.rstrip("d+")
    if not number.isdigit():
        return age
    if age.endswith("+"):
        days = int(number)
        return ngettext("over %(n)s day ago", "over %(n)s days ago", days) % {"n": days}
    return ngettext("%(n)s day ago", "%(n)s days ago", int(number)) % {"n": number}


def refusal_word(refusal: DomainError, sent: str) -> str:
    """Why a list cannot be shown as its address asks for it; `sent` is the value at fault."""
    field = str(refusal.details.get("field") or "")
    if isinstance(refusal, TooLarge):
        return _("These search words are too long: at most 5,000 characters are taken.")
    if field.startswith("filter."):
        label = filter_word(field.removeprefix("filter."))
        return _("The filter “%(label)s” takes no “%(value)s”.") % {"label": label, "value": sent}
    if field == "sort":
        return _("This list has no order “%(value)s”.") % {"value": sent}
    if field == "cursor":
        return _("The list or its filters have changed since: begin at its first page.")
    return _("These words cannot be searched for.")
