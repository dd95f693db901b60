"""What an importer is: one row of the registry for one format."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from exchange.records import Found
from exchange.sources import Source


@dataclass(frozen=True, slots=True)
class Options:
    """What the person chose: `only` holds the parts to import (all without any)."""

    only: Sequence[str] = ()


def _no_parts(_source: Source) -> list[str]:
    return []


@dataclass(frozen=True, slots=True)
class Importer:
    """A format that can be imported.

    `name` is what commands, API and the stored origins call it and never changes. `looks_like`
    tells from the names and beginnings of the files whether a source is of this format; it
    raises nothing. `read` yields what is found, parents before their children; whatever is not
    imported is said by a `Problem`. It raises `conderis.common.errors.Invalid` only where the
    source as a whole cannot be read. `parts` names what can be chosen from (task-master's
    contexts). Formats of one `family` hold the same items, so that what came by one of them is
    known to the others; without one it is the name.
    """

    name: str
    label: Promise | str
    hint: Promise | str  # how to get such a file
    looks_like: Callable[[Source], bool]
    read: Callable[[Source, Options], Iterator[Found]]
    parts: Callable[[Source], list[str]] = _no_parts
    family: str = ""
