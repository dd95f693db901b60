"""JSON from outside: what is refused before anybody looks at what it means."""

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from conderis.common.errors import Invalid
from conderis.common.json import Json

NESTING_LIMIT: Final = 64
"""Objects and lists inside each other, the outermost being the first."""

MAYBE_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
"""What a body has where it may hold half of a surrogate pair."""

SURROGATE: Final = re.compile("[\ud800-\udfff]")
INVALID_TEXT: Final = (
    "holds half of a surrogate pair (a \\ud800 to \\udfff escape without its partner), "
    "which is no character. Send the whole character, or leave it out."
)


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in a message, linked to the one round it: spelt out only when asked for."""

    within: "_Place | None"
    step: str | int

    def __str__(self) -> str:
        spelt = ""
        place: _Place | None = self
        while place is not None:
            step = f"[{place.step}]" if isinstance(place.step, int) else f".{place.step[:80]}"
            spelt = step + spelt
            place = place.within
        return spelt.removeprefix(".")


def surrogate_in(value: Any) -> tuple[str, str] | None:
    """Where the first lone surrogate stands: its place, as `fields.tags[2]`, and in words."""
    waiting: list[tuple[_Place | None, Any]] = [(None, value)]
    while waiting:
        place, here = waiting.pop()
        if isinstance(here, str):
            if SURROGATE.search(here):
                return str(place), str(place)
        elif isinstance(here, dict):
            if any(SURROGATE.search(name) for name in here):
                return str(place or ""), f"A name in {place}" if place else "A name"
            waiting.extend((_Place(place, name), here[name]) for name in reversed(here))
        elif isinstance(here, list):
            waiting.extend((_Place(place, at), here[at]) for at in reversed(range(len(here))))
    return None


def refuse_surrogates(value: Json, name: str) -> None:
    """Refuse lone surrogates anywhere inside, naming the place as `fields.tags[2]`.

    Raises:
        Invalid: a name or a text holds one.
    """
    if (found := surrogate_in({name: value})) is not None:
        place, subject = found
        raise Invalid(f"{subject} {INVALID_TEXT}", field=place)


def is_deeper_than(value: Any, limit: int) -> bool:
    """Whether more than `limit` objects and lists stand inside each other, itself counted."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        if not level:
            return False
        level = [
            member
            for here in level
            for member in (here.values() if isinstance(here, dict) else here)
            if isinstance(member, dict | list)
        ]
    return bool(level)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


DECODER: Final = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant)
