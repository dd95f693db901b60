"""Parents of tasks that a source names in any order: who can stand under whom, and how deep."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from items.kinds.registry import kind_of


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a record stands: its parent's key, its level from 1, and what could not be kept."""

    parent: str | None = None
    level: int = 1
    warning: str = ""


def deepest(kind: str) -> int:
    """How many levels a tree of this kind has at most."""
    return kind_of(kind).max_depth


def stands(parents: Mapping[str, str | None], kind: str) -> dict[str, Stand]:
    """Where each record stands.

    What cannot stand under its parent gets a warning: a parent that is not there and circles
    put it at the top, a level too deep beside its parent.
    """
    found: dict[str, Stand] = {}
    for key in parents:
        path: dict[str, None] = {}
        at: str | None = key
        while at is not None and at in parents and at not in found and at not in path:
            path[at] = None
            at = parents[at]
        for one in reversed(path):
            found[one] = _stand(parents[one], found, parents, deepest(kind))
    return found


def _stand(
    parent: str | None, found: Mapping[str, Stand], parents: Mapping[str, str | None], limit: int
) -> Stand:
    if parent is None:
        return Stand()
    if parent not in parents:
        warning = _("Its parent %(parent)s is not imported; it stands at the top.")
        return Stand(warning=warning % {"parent": parent})
    above = found.get(parent)
    if above is None:
        return Stand(warning=_("Its parents go round in a circle; it stands at the top."))
    if above.level >= limit:
        warning = _(
            "It stands deeper than %(limit)d levels; it was put beside its parent %(parent)s."
        ) % {"limit": limit, "parent": parent}
        return Stand(above.parent, above.level, warning)
    return Stand(parent, above.level + 1)
