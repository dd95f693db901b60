"""Cells of Jira's CSV export: dates as Jira writes them, comments, attachments, names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from exchange.importers.members import clean
from exchange.importers.texts import one_line
from exchange.importers.values import line_of, moment_of, person_of

_MONTHS: Final = {
    "jan": 1, "feb": 2, "mar": 3, "mär": 3, "mrz": 3, "apr": 4, "may": 5, "mai": 5, "jun": 6,
    "jul": 7, "aug": 8, "sep": 9, "oct": 10, "okt": 10, "nov": 11, "dec": 12, "dez": 12,
}  # fmt: skip
_CENTURY_TURNS: Final = 70  # 69 is 2069, 70 is 1970, as POSIX reads years of two digits
_TIME = r"(?:[ ,T]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2})?(?: ?(?P<half>[AP])\.?M\.?)?)?"
_FORMS: Final = tuple(
    re.compile(form + _TIME + r"\Z", re.IGNORECASE)
    for form in (
        r"(?P<day>\d{1,2})[/ -](?P<month>[^\W\d_]{3,9})\.?[/ -](?P<year>\d{4}|\d{2})",  # 31/Dec/23
        r"(?P<month>[^\W\d_]{3,9})\.? (?P<day>\d{1,2}),? (?P<year>\d{4})",  # Dec 31, 2023
        r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4}|\d{2})",  # 31.12.2023
        r"(?P<year>\d{4})[/-](?P<month>\d{1,2})[/-](?P<day>\d{1,2})",  # 2023/12/31
    )
)
_MENTION = re.compile(r"\[~(?:accountid:)?([^\]\s]+)\]")
_ACCOUNT = re.compile(r"[0-9a-f]{24}|\d+:[0-9a-f-]{36}|qm:\S+|JIRAUSER\d+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Written:
    """A comment or attachment of a cell: by whom, when, and the rest of the cell."""

    by: str
    at: datetime | str
    rest: str


def moment_of_cell(text: str) -> datetime | None:
    """The time in a cell; it has no zone there and counts as UTC.

    None for one that is not known, as of two numbers of which either may be the month.
    """
    plain = one_line(text)
    for form in _FORMS:
        if match := form.match(plain):
            return _moment(match.groupdict())
    return moment_of(plain)


def day_of_cell(text: str) -> str | None:
    """The day in a cell, as it is written there; None for one that is not known."""
    moment = moment_of_cell(text)
    return moment.date().isoformat() if moment else None


def written(cell: str, people: Mapping[str, str]) -> Written | None:
    """A cell `date;author;rest`, whose rest may hold semicolons; None where it is not so."""
    date, author, rest = (*cell.split(";", 2), "", "")[:3]
    at = moment_of_cell(date)
    if at is None or cell.count(";") < 2:
        return None
    return Written(person_named(author, people), at, rest)


def person_named(reference: str, people: Mapping[str, str]) -> str:
    """The name behind an account id, where the file gives it; a name as it is, without email."""
    reference = line_of(reference)
    if reference in people:
        return people[reference]
    return "Unknown" if _ACCOUNT.fullmatch(reference) else person_of(reference.replace(",", " "))


def with_names(text: str, people: Mapping[str, str]) -> str:
    """The text with mentions of accounts (`[~accountid:…]`) as the names that the file gives."""
    return _MENTION.sub(
        lambda found: f"@{people[found[1]]}" if found[1] in people else found[0], text
    )


def text_of_cell(cell: str) -> str:
    """A cell's text with LF and without what cannot be stored."""
    return clean(cell).replace("\r\n", "\n").replace("\r", "\n")


def _moment(parts: Mapping[str, str | None]) -> datetime | None:
    month_text = (parts["month"] or "").casefold()
    month = int(month_text) if month_text.isdigit() else _MONTHS.get(month_text[:3], 0)
    year = int(parts["year"] or 0)
    if year < 100:
        year += 2000 if year < _CENTURY_TURNS else 1900
    hour = int(parts["hour"] or 0)
    if half := parts["half"]:
        hour = hour % 12 + (12 if half.casefold() == "p" else 0)
    try:
        return datetime(
            year, month, int(parts["day"] or 0), hour, int(parts["minute"] or 0), tzinfo=UTC
        )
    except ValueError:
        return None
