"""Scopes: which items a search looks at before anything is matched or counted.

Every item has one, a single word made of its place, its kind and, where only its
author may read it, its author: `p7memory`, `p7memoryu3`, `u3memory` (personal). None
of them changes in an item's life. The words narrow the index to what a caller may
read, so that nothing else is counted there; who may read what is decided by the rows
that a search is given, not here.
"""

from collections.abc import Iterable, Sequence

from conderis.common.caller import Caller
from items.kinds.base import Kind
from items.models import Item

PRIVATE = "private"
MAX_SCOPES = 64  # projects that the index is narrowed to; more are searched as a whole


def scope_of(item: Item) -> str:
    """The scope that an item is in."""
    if item.project_id is None and item.organization_id is None:
        return f"u{item.author_id}{item.kind}"
    place = f"p{item.project_id}" if item.project_id is not None else f"o{item.organization_id}"
    author = f"u{item.author_id}" if item.visibility == PRIVATE else ""
    return f"{place}{item.kind}{author}"


def personal_scopes(caller: Caller, kinds: Iterable[Kind]) -> list[str]:
    """The scopes of the caller's own items outside projects."""
    return [f"u{caller.person_id}{kind.name}" for kind in kinds]


def project_scopes(caller: Caller, project_ids: Iterable[int], kinds: Sequence[Kind]) -> list[str]:
    """The scopes of what the caller may read in projects that it may read."""
    scopes: list[str] = []
    for project_id in project_ids:
        for kind in kinds:
            scopes.append(f"p{project_id}{kind.name}")
            if "visibility" in kind.by_name:
                scopes.append(f"p{project_id}{kind.name}u{caller.person_id}")
    return scopes
