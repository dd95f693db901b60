"""Values of a source as text, words, times and names, whatever type they have there."""

import re
import sys
from datetime import MAXYEAR, UTC, date, datetime, timedelta
from typing import Final

from django.utils import timezone

from conderis.common.echoes import encodable
from conderis.common.errors import Invalid
from conderis.common.json import Json, compact
from conderis.common.text import LINE_BREAKS, clean_line

_FIRST_YEAR: Final = 1970  # an earlier time is about something else than the file
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+")
_BETWEEN_WORDS = re.compile(r"[,\s]+")


def text_of(value: Json) -> str:
    """The value as text: lists with commas, what is nested as JSON; "" for nothing."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and not any(isinstance(each, list | dict) for each in value):
        return ", ".join(text_of(each) for each in value)
    try:
        return compact(value)
    except (RecursionError, ValueError):
        return "…"


def line_of(value: Json) -> str:
    """The value as one line, trimmed; "" where nothing of it is seen.

    U+0000 and lone surrogates stay: storing refuses them by name.
    """
    text = LINE_BREAKS.sub(" ", text_of(value)).strip()
    try:
        return clean_line(text, field="", limit=sys.maxsize)
    except Invalid:
        return text


def words_of(value: Json) -> list[str]:
    """The value as words: each of a list, or a text cut at commas and blanks."""
    if isinstance(value, list):
        return [line for each in value if (line := line_of(each))]
    return [word for word in _BETWEEN_WORDS.split(text_of(value)) if word]


def lines_of(value: Json) -> list[str]:
    """The value as names: each of a list, or a text cut at commas."""
    if isinstance(value, list):
        return [line for each in value if (line := line_of(each))]
    return [line for part in text_of(value).split(",") if (line := line_of(part))]


def person_of(value: Json) -> str:
    """Who is meant, by name: an email address is left out, of one alone the part before the @."""
    names = [_name(each) for each in lines_of(value)]
    return ", ".join(name for name in names if name)


def _name(text: str) -> str:
    without = line_of(_ADDRESS.sub("", text).replace("<", "").replace(">", ""))
    return without or text.strip("<> ").partition("@")[0]


def moment_of(value: Json) -> datetime | None:
    """A time in ISO 8601; None for anything else, times before 1970 and those to come.

    Without a zone it is UTC; a date alone is its noon, so that the day is the same nearly
    everywhere.
    """
    text = line_of(value)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if not _FIRST_YEAR < moment.year < MAXYEAR:
        return None
    if _DAY.match(text):
        moment = moment.replace(hour=12)
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return moment if moment <= timezone.now() + timedelta(days=1) else None


def day_of(value: Json) -> str | None:
    """The day that a date or a time names, as it is written there; None for anything else."""
    text = line_of(value)[:10]
    try:
        return date.fromisoformat(text).isoformat() if _DAY.match(text) else None
    except ValueError:
        return None


def storable(text: str) -> str:
    """The text with lone surrogates (of undecodable file names) as U+FFFD and on one line."""
    return LINE_BREAKS.sub(" ", encodable(text)).replace("\0", "�")
