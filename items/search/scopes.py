"""Scopes: which items a search looks at before anything is matched or counted.

Every item has one, a single word made of its place, its kind and, where only its
author may read it, its author: `p7memory`, `p7memoryu3`, `u3memory` (personal). What
does not stand any more, archived or closed, is in a scope of its own, with a mark before
the same word: `xp7memory`. Nothing else of it changes in an item's life. The words narrow
the index to what a caller may read and, for most searches, to what stands, so that nothing
else is counted there; who may read what is decided by the rows that a search is given, not
here.
"""

from collections.abc import Iterable, Sequence

from conderis.common.caller import Caller
from items.kinds.base import Kind
from items.kinds.registry import active_statuses
from items.models import Item

PRIVATE = "private"
MAX_SCOPES = 64  # projects that the index is narrowed to; more are searched as a whole
AFTER_SCOPE = "\u2060"  # in an index, between a scope and a term: no term holds invisible signs
GONE = "x"  # before the scope of what is archived or closed; no place begins so


def stands(item: Item) -> bool:
    """Whether the item is active: neither archived nor of a closed status."""
    return item.archived_at is None and item.status in standing_statuses()


def standing_statuses() -> tuple[str, ...]:
    """The statuses of what stands; most kinds have none."""
    return ("", *active_statuses())


def scope_of(item: Item) -> str:
    """The scope that an item is in."""
    mark = "" if stands(item) else GONE
    if item.project_id is None and item.organization_id is None:
        return f"{mark}u{item.author_id}{item.kind}"
    place = f"p{item.project_id}" if item.project_id is not None else f"o{item.organization_id}"
    author = f"u{item.author_id}" if item.visibility == PRIVATE else ""
    return f"{mark}{place}{item.kind}{author}"


def personal_scopes(
    caller: Caller, kinds: Iterable[Kind], *, everything: bool = False
) -> list[str]:
    """The scopes of the caller's own items outside projects; `everything`: of gone ones, too."""
    scopes = [f"u{caller.person_id}{kind.name}" for kind in kinds]
    return _and_gone(scopes) if everything else scopes


def project_scopes(
    caller: Caller, project_ids: Iterable[int], kinds: Sequence[Kind], *, everything: bool = False
) -> list[str]:
    """The scopes of what the caller may read in projects that it may read.

    Of what stands; with `everything`, of what is archived or closed, too.
    """
    scopes: list[str] = []
    for project_id in project_ids:
        for kind in kinds:
            scopes.append(f"p{project_id}{kind.name}")
            if "visibility" in kind.by_name:
                scopes.append(f"p{project_id}{kind.name}u{caller.person_id}")
    return _and_gone(scopes) if everything else scopes


def _and_gone(scopes: list[str]) -> list[str]:
    return [*scopes, *(GONE + scope for scope in scopes)]
