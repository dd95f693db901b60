"""Refusals in the words of people.

The services' texts teach agents: they name tools, parameters and JSON. Pages show none of
that. `RULES` says each of them again (see `conderis.web.refusal_rules`); what has no rule
and speaks to agents is answered by its class alone.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.common.errors import (
    Conflict,
    Denied,
    DomainError,
    Invalid,
    Locked,
    NotFound,
    RateLimited,
    TooLarge,
    Unavailable,
)
from conderis.common.json import JsonObject
from conderis.web.items.words import FIELDS, FILTERS, KIND, KINDS, value_word
from conderis.web.refusal_rules.doings import OF_DEEDS, OF_PLACES, OF_PROPOSALS
from conderis.web.refusal_rules.imports import OF_IMPORTS
from conderis.web.refusal_rules.limits import OF_LIMITS
from conderis.web.refusal_rules.values import OF_FIELDS, OF_LISTS, OF_SETTINGS
from items.kinds.registry import all_kinds

RULES: Final = (
    *OF_FIELDS, *OF_PLACES, *OF_DEEDS, *OF_LISTS, *OF_SETTINGS, *OF_PROPOSALS, *OF_LIMITS,
    *OF_IMPORTS,
)  # fmt: skip
# What only agents know: tools, actions as they call them, parameters, JSON.
OF_AGENTS: Final = re.compile(
    r"\b(?:item_(?:store|action|get|list|delete)|project_(?:get|store))\b"
    r"|\b[a-z]+[A-Z][A-Za-z]*\b|[{}]|\"\w+\":|\bnull\b|\b[Ss]end (?:\w+:|ref|number|version)"
    r"|\b(?:kind|filter|ref|author)=|\b[Ll]eave (?:out \w+|\w+ out)\b|\bISO 8601\b"
)
BY_CLASS: Final[dict[type[DomainError], Promise]] = {
    Invalid: gettext_lazy("This cannot be stored so."),
    NotFound: gettext_lazy("There is nothing there that you may read."),
    Denied: gettext_lazy("You may not do this here."),
    Conflict: gettext_lazy("This does not go as things stand. Read it again."),
    Locked: gettext_lazy("A deletion request has locked it until a person has decided."),
    TooLarge: gettext_lazy("This is more than is taken."),
    RateLimited: gettext_lazy("This was too much at once. Wait a while."),
    Unavailable: gettext_lazy("This is not possible now."),
}
ELSE: Final = gettext_lazy("This does not go as things stand.")
STATES: Final[dict[str, Promise]] = {
    "archived": gettext_lazy("archived"),
    "closed": gettext_lazy("closed"),
    "locked": gettext_lazy("locked"),
}


# By the capability that a refusal names: whose roles give it.
NEEDED: Final[dict[str, Promise]] = {
    "write": gettext_lazy("Contributors, moderators and owners may do it."),
    "moderate": gettext_lazy("Moderators and owners may do it."),
    "manage": gettext_lazy("Owners may do it."),
}


def needed_words(refusal: DomainError) -> str:
    """Who could do what was refused, where a role decides that; else nothing."""
    return str(NEEDED.get(str(refusal.details.get("missing")), ""))


def in_words(refusal: DomainError | str, label: str = "") -> str:
    """What a refusal, a warning or a text of the services says, for people.

    `label` is what the form calls the field that it is about.
    """
    message = refusal.message if isinstance(refusal, DomainError) else refusal
    for pattern, words in RULES:
        found = pattern.fullmatch(message)
        if found is not None:
            return str(words) % {
                name: _word(name, said or "", label) for name, said in found.groupdict().items()
            }
    named = _named(refusal, label) if isinstance(refusal, DomainError) else message
    if OF_AGENTS.search(named) is None:
        return named
    kind = type(refusal)
    return str(next((said for of, said in BY_CLASS.items() if issubclass(kind, of)), ELSE))


def has_words(message: str) -> bool:
    """Whether a rule says the text again."""
    return any(pattern.fullmatch(message) for pattern, _words in RULES)


def changes_of(refusal: Conflict) -> list[str]:
    """Who has changed which fields since, a sentence each; empty where nobody has."""
    changes = refusal.details.get("changed")
    if not isinstance(changes, list):
        return []
    return [_change(each) for each in changes if isinstance(each, dict)]


def _named(refusal: DomainError, label: str) -> str:
    """The text, where it begins with the name of its field, with the field's label there.

    Another small word at the beginning is a handle or an agent's name: it stays so.
    """
    name = str(refusal.details.get("field") or "")
    if not name or re.match(rf"{re.escape(name)}(?!\w)", refusal.message) is None:
        return refusal.message
    known = FIELDS.get(name) or _OTHERS.get(name)
    shown = label or str(known or name[0].upper() + name[1:])
    return f"{shown}{refusal.message[len(name) :]}"


def _change(change: JsonObject) -> str:
    by = str(change.get("by", ""))
    if change.get("agent"):
        by = f"{by} ({change['agent']})"
    names: Sequence[str] = change.get("fields") or []
    fields = ", ".join(str(FIELDS.get(name, name)) for name in names)
    values = {"version": change.get("version"), "name": by, "fields": fields}
    if not fields:
        return _("Version %(version)s by %(name)s") % values
    return _("Version %(version)s by %(name)s: %(fields)s") % values


def _word(group: str, said: str, label: str) -> str:
    """A part of a text of the services, in words."""
    saying = _WORDS.get(group.rstrip("0123456789"))
    return saying(said, label) if saying is not None else said


def _field(said: str, label: str) -> str:
    """The label of a field, also of one entry of it (`tags[2]`)."""
    name = re.split(r"[\[.]", said.removeprefix("filter."))[0]
    return label or str(FIELDS.get(name) or FILTERS.get(name) or _OTHERS.get(name) or name)


def _values(said: str, _label: str) -> str:
    return ", ".join(value_word(each) for each in said.split(", "))


def _kind(said: str, _label: str) -> str:
    """The word of a kind, or of several of it, as `page` and `Pages`."""
    several = {each.plural: KINDS[each.name] for each in all_kinds() if each.numbered}
    return str(KIND.get(said.lower()) or several.get(said.lower()) or said)


_OTHERS: Final[dict[str, Promise]] = {
    "reason": gettext_lazy("Reason"),
    "target": gettext_lazy("The other item"),
    "relation": gettext_lazy("Relation"),
    "position": gettext_lazy("Place"),
    "version": gettext_lazy("Version"),
    "query": gettext_lazy("Search"),
    "q": gettext_lazy("Search"),
    "projectId": gettext_lazy("Project"),
    "sort": gettext_lazy("Order"),
}
_WORDS: Final[dict[str, Callable[[str, str], str]]] = {
    "field": _field,
    "values": _values,
    "status": lambda said, _label: value_word(said),
    "state": lambda said, _label: str(STATES.get(said, said)),
    "kind": _kind,
    "why": lambda said, _label: in_words(said),
}
