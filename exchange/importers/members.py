"""Members of JSON objects that others wrote, read without trust in their types."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from django.utils.translation import gettext as _

from conderis.common.json import Json
from conderis.common.text import UNSTORABLE
from exchange.importers.values import day_of, line_of, moment_of, person_of, text_of

_NAMED: Final = 10  # members named in a warning
_LARGEST: Final = 10**15
_MILLISECONDS: Final = 100_000_000_000  # a count of seconds above this is one of milliseconds


@dataclass(slots=True)
class Oddities:
    """What of an object could not be read as it stands, by the names of its members."""

    wrong: dict[str, None] = field(default_factory=dict)
    broken: dict[str, None] = field(default_factory=dict)

    def sentences(self) -> Iterator[str]:
        """What to warn of."""
        if self.wrong:
            yield _("Not kept, for they are not of the expected type: %(names)s.") % {
                "names": _listed(self.wrong)
            }
        if self.broken:
            yield _("Characters that cannot be stored were taken out of: %(names)s.") % {
                "names": _listed(self.broken)
            }


class Members:
    """An object of a file. A member of a wrong type counts as absent, and is remembered as odd.

    Texts come without U+0000 and lone surrogates, which cannot be stored.
    """

    def __init__(self, value: Json, odd: Oddities | None = None, within: str = "") -> None:
        self._value = value if isinstance(value, dict) else {}
        self._within = within
        self.odd = odd if odd is not None else Oddities()

    def raw(self, name: str) -> Json:
        """The member as it stands; None where it is absent."""
        return self._value.get(name)

    def names(self) -> list[str]:
        """The names of its members."""
        return list(self._value)

    def text(self, *names: str) -> str:
        """The first of these members that holds text (numbers count as such); else ""."""
        for name in names:
            value = self._value.get(name)
            if isinstance(value, str | int | float) and (text := self._clean(name, value)):
                return text
            if value is not None and not isinstance(value, str | int | float):
                self._wrong(name)
        return ""

    def line(self, *names: str) -> str:
        """The same as one line, trimmed."""
        return line_of(self.text(*names))

    def person(self, *names: str) -> str:
        """The same as the name of a person: never an email address."""
        return person_of(self.text(*names).replace(",", " "))

    def flag(self, name: str) -> bool:
        """Whether the member is true."""
        value = self._value.get(name)
        if value is not None and not isinstance(value, bool):
            self._wrong(name)
        return value is True

    def number(self, name: str) -> float:
        """The member as a number, to sort by or to count with; 0 where it is none of use."""
        value = self._value.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return 0
        return value if -_LARGEST <= value <= _LARGEST else 0  # neither is NaN

    def day(self, name: str) -> str | None:
        """The day that the member names, as it is written there."""
        value = self._value.get(name)
        day = day_of(value) if isinstance(value, str) else None
        if value is not None and value != "" and day is None:
            self._wrong(name)
        return day

    def moment(self, *names: str) -> datetime | None:
        """The first of these members that is a time: in ISO 8601, or as seconds since 1970."""
        return next((at for name in names if (at := moment_in(self._value.get(name)))), None)

    def entries(self, name: str) -> list[Json]:
        """The elements of a list; none where it is no list."""
        value = self._value.get(name)
        if value is None or isinstance(value, list):
            return value or []
        self._wrong(name)
        return []

    def objects(self, name: str) -> list["Members"]:
        """The objects of a list."""
        found = []
        for entry in self.entries(name):
            if isinstance(entry, dict):
                found.append(Members(entry, self.odd, f"{self._within}{name}."))
            elif entry is not None:
                self._wrong(name)
        return found

    def object(self, name: str) -> "Members":
        """The member that is an object; an empty one where it is none."""
        value = self._value.get(name)
        if value is not None and not isinstance(value, dict):
            self._wrong(name)
        return Members(value, self.odd, f"{self._within}{name}.")

    def _clean(self, name: str, value: str | float) -> str:
        text = value if isinstance(value, str) else text_of(value)
        kept = clean(text)
        if kept != text:
            self.odd.broken[self._within + line_of(name)] = None
        return kept.replace("\r\n", "\n").replace("\r", "\n")

    def _wrong(self, name: str) -> None:
        self.odd.wrong[self._within + line_of(name)] = None


def moment_in(value: Json) -> datetime | None:
    """A time in ISO 8601, or as seconds or milliseconds since 1970; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return moment_of(value) if isinstance(value, str) else None
    try:
        seconds = value / 1000 if abs(value) > _MILLISECONDS else value
        return moment_of(datetime.fromtimestamp(seconds, UTC).isoformat())
    except (ValueError, OverflowError, OSError):
        return None


def clean(text: str) -> str:
    """The text without what cannot be stored."""
    return UNSTORABLE.sub("", text)


def _listed(names: dict[str, None]) -> str:
    first = list(names)[:_NAMED]
    return ", ".join([*first, "…"] if len(names) > _NAMED else first)
