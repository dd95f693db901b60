"""The kinds of items: the only source of what exists, one row each.

The order is the one that tool descriptions and answers use.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from conderis.common.errors import Invalid
from items.kinds.base import Kind
from items.kinds.instructions import INSTRUCTIONS
from items.kinds.memory import MEMORY
from items.kinds.page import PAGE
from items.kinds.task import TASK

_KINDS: dict[str, Kind] = {kind.name: kind for kind in (MEMORY, PAGE, TASK, INSTRUCTIONS)}


def all_kinds() -> tuple[Kind, ...]:
    """Every kind, in the order of the rows."""
    return tuple(_KINDS.values())


def kind_named(name: str) -> Kind:
    """The kind of this name.

    Raises:
        Invalid: there is none; the refusal names those that there are.
    """
    try:
        return _KINDS[name]
    except KeyError:
        raise Invalid(
            f"There is no kind {name[:40]!r}. Kinds: {', '.join(_KINDS)}.",
            field="kind",
            allowed=list(_KINDS),
        ) from None


def kind_of(name: str) -> Kind:
    """The kind of a stored item."""
    return _KINDS[name]


def active_statuses() -> tuple[str, ...]:
    """The statuses of all kinds that count as work to do."""
    return tuple(sorted({status for kind in all_kinds() for status in kind.active_statuses}))


@contextmanager
def one_more(kind: Kind) -> Iterator[None]:
    """The registry with one kind more, for measurements and tests."""
    _KINDS[kind.name] = kind
    try:
        yield
    finally:
        del _KINDS[kind.name]
