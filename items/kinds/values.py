"""The types of values that fields and filters take: each reads and shows one.

`read` turns what was sent into a Python value or refuses it with the shape that is
allowed; `show` turns the value into what an answer carries (None: not shown). Values
that name other rows (parents, assignees, tasks) are read here to plain references and
looked up by the services.
"""

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from conderis.common.errors import Invalid, TooLarge
from conderis.common.json import Json
from conderis.common.text import clean_line, clean_text, expect_text
from conderis.common.times import iso

MAX_TAGS = 20
MAX_TAG = 40
MAX_COMMITS = 100
YEARS = range(1900, 9999)
_SHA = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt ].+)?\Z")
_NUMBER = re.compile(r"#?([1-9][0-9]{0,8})\Z")
_REF = re.compile(r"(person|agent):([0-9a-z]{1,20})\Z")
MAX_NUMBER = 2_000_000_000


class ValueType:
    """A type of value. `empty` is what a cleared or never sent field holds."""

    empty: Any = None

    def read(self, value: Json, field: str) -> Any:
        """The value as Python holds it.

        Raises:
            Invalid: it is not of this type; the refusal names the field and the shape.
            TooLarge: it is longer than the limit.
        """
        raise NotImplementedError

    def take(self, value: Json, field: str) -> Any:
        """The value to be stored: as it is read, within limits that older ones may break.

        Raises:
            Invalid: it is not of this type, or past such a limit.
            TooLarge: it is longer than the limit.
        """
        return self.read(value, field)

    def show(self, value: Any) -> Json:
        """The value as an answer carries it; None where there is nothing to show."""
        return value or None


@dataclass(frozen=True)
class Line(ValueType):
    """One line of text, trimmed, NFC, at most `limit` code points."""

    limit: int
    empty = ""

    def read(self, value: Json, field: str) -> str:
        return clean_line(value, field=field, limit=self.limit)


@dataclass(frozen=True)
class Text(ValueType):
    """Text of any number of lines, at most `limit` code points."""

    limit: int
    empty = ""

    def read(self, value: Json, field: str) -> str:
        return clean_text(value, field=field, limit=self.limit)


@dataclass(frozen=True)
class Choice(ValueType):
    """One of a few words. `ranked` ones are kept as their place, so that they sort."""

    words: tuple[str, ...]
    ranked: bool = False
    empty = ""

    def read(self, value: Json, field: str) -> str:
        word = expect_text(value, field=field).strip()
        if word not in self.words:
            raise Invalid(
                f"{field} must be one of {', '.join(self.words)}.", field=field, allowed=self.words
            )
        return word


@dataclass(frozen=True)
class Switch(ValueType):
    """True or false; the words are read too."""

    empty = False

    def read(self, value: Json, field: str) -> bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.strip().lower() in {"true", "false"}:
            return value.strip().lower() == "true"
        raise Invalid(f"{field} must be true or false.", field=field, allowed=[True, False])


def read_json(text: str) -> Json:
    """What the JSON text says, or None when it is none that can be read."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def read_list(value: Json, field: str, *, shape: str) -> list[Json]:
    """The value as a list; a text is read when it is a JSON list, else refused.

    Raises:
        Invalid: it is no list.
    """
    if isinstance(value, str):
        value = read_json(value)
    if not isinstance(value, list):
        raise Invalid(f"{field} must be a list: {shape}.", field=field, allowed=[shape])
    return value


@dataclass(frozen=True)
class Tags(ValueType):
    """At most 20 tags of one line and at most 40 code points each; doubles are dropped."""

    def read(self, value: Json, field: str) -> list[str]:
        parts = read_list(value, field, shape='["one", "two"]')
        if len(parts) > MAX_TAGS:
            raise TooLarge(f"{field} takes at most {MAX_TAGS} tags.", field=field, limit=MAX_TAGS)
        tags: list[str] = []
        for place, part in enumerate(parts):
            tag = clean_line(part, field=f"{field}[{place}]", limit=MAX_TAG)
            if not tag:
                raise Invalid(f"{field}[{place}] is an empty tag.", field=field)
            if tag not in tags:
                tags.append(tag)
        return tags

    @property
    def empty(self) -> list[str]:  # a fresh one each time
        return []


@dataclass(frozen=True)
class Day(ValueType):
    """A date without time (`2026-12-31`): the same day for every reader."""

    def read(self, value: Json, field: str) -> date:
        text = expect_text(value, field=field).strip()
        if _DAY.match(text):
            with suppress(ValueError):
                return date.fromisoformat(text)
        raise Invalid(
            f"{field} must be a date without time, as 2026-12-31.",
            field=field,
            allowed=["YYYY-MM-DD", None],
        )

    def show(self, value: date | None) -> Json:
        return value.isoformat() if value else None


@dataclass(frozen=True)
class Moment(ValueType):
    """A moment in ISO 8601; without an offset it is UTC; a date alone ends with its day."""

    def read(self, value: Json, field: str) -> datetime:
        text = expect_text(value, field=field).strip()
        moment = _moment(text)
        if moment is None:
            raise Invalid(
                f"{field} must be a time in ISO 8601, as 2026-12-31T18:00:00Z.",
                field=field,
                allowed=["YYYY-MM-DDTHH:MM:SSZ", "YYYY-MM-DD", None],
            )
        return moment

    def take(self, value: Json, field: str) -> datetime:
        moment = self.read(value, field)
        if moment.year not in YEARS:  # beyond, some time zones have no such day
            raise Invalid(
                f"{field} must be in the years {YEARS[0]} to {YEARS[-1]}.",
                field=field,
                allowed=["YYYY-MM-DDTHH:MM:SSZ", "YYYY-MM-DD", None],
            )
        return moment

    def show(self, value: datetime | None) -> Json:
        return iso(value) if value else None


def _moment(text: str) -> datetime | None:
    """The moment in UTC, to the second, or None when the text is none."""
    if not _MOMENT.match(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
        if _DAY.match(text):
            moment = moment.replace(hour=23, minute=59, second=59)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC).replace(microsecond=0)
    except (ValueError, OverflowError):
        return None


@dataclass(frozen=True)
class Position(ValueType):
    """The place among the siblings, from 1."""

    def read(self, value: Json, field: str) -> int:
        number = read_number(value)
        if number is None:
            raise Invalid(
                f"{field} must be the place among the siblings, from 1.",
                field=field,
                allowed=["1, 2, …"],
            )
        return number


def read_number(value: Json) -> int | None:
    """A whole number from 1 (also as `"12"` or `"#12"`), or None when it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int):
        return value if 1 <= value <= MAX_NUMBER else None
    if isinstance(value, str):
        found = _NUMBER.match(value.strip())
        return int(found.group(1)) if found else None
    return None


@dataclass(frozen=True)
class ItemReference(ValueType):
    """Another item: its number, or `memory:<id>` for a personal memory."""

    def read(self, value: Json, field: str) -> int | str:
        number = read_number(value)
        if number is not None:
            return number
        if isinstance(value, str) and re.fullmatch(r"memory:[0-9a-z]{1,20}", value.strip()):
            return value.strip()
        raise Invalid(
            f"{field} must be the number of an item, as 12 (a personal memory: memory:<id>).",
            field=field,
            allowed=["number", "memory:<id>", None],
        )


@dataclass(frozen=True)
class Numbers(ValueType):
    """A list of item numbers; doubles are dropped."""

    def read(self, value: Json, field: str) -> list[int]:
        parts = read_list(value, field, shape="[12, 13]")
        if len(parts) > MAX_COMMITS:
            raise TooLarge(
                f"{field} takes at most {MAX_COMMITS} numbers.", field=field, limit=MAX_COMMITS
            )
        numbers: list[int] = []
        for part in parts:
            number = read_number(part)
            if number is None:
                raise Invalid(f"{field} must be a list of numbers, as [12, 13].", field=field)
            if number not in numbers:
                numbers.append(number)
        return numbers

    @property
    def empty(self) -> list[int]:  # a fresh one each time
        return []


@dataclass(frozen=True)
class Assignee(ValueType):
    """`person:<id>`, `agent:<id>`, or `me`; as a filter also `none`."""

    none: bool = False

    def read(self, value: Json, field: str) -> str:
        text = expect_text(value, field=field).strip()
        if text == "me" or (self.none and text == "none") or _REF.match(text):
            return text
        allowed = ["me", "person:<id>", "agent:<id>"] + (["none"] if self.none else [None])
        raise Invalid(
            f"{field} must be me, or a reference that project_get lists under assignees.",
            field=field,
            allowed=allowed,
        )


@dataclass(frozen=True)
class Commits(ValueType):
    """The whole list of linked commits: full SHAs of 40 or 64 hexadecimal digits."""

    def read(self, value: Json, field: str) -> list[str]:
        parts = read_list(value, field, shape='["<full SHA>"]')
        if len(parts) > MAX_COMMITS:
            raise TooLarge(
                f"{field} takes at most {MAX_COMMITS} commits.", field=field, limit=MAX_COMMITS
            )
        shas: list[str] = []
        for part in parts:
            sha = part.get("sha") if isinstance(part, dict) else part
            shas.append(read_sha(sha, field))
        return list(dict.fromkeys(shas))

    @property
    def empty(self) -> list[str]:  # a fresh one each time
        return []


def read_sha(value: Json, field: str) -> str:
    """A full commit SHA in lower case.

    Raises:
        Invalid: it is none.
    """
    text = value.strip().lower() if isinstance(value, str) else ""
    if not _SHA.match(text):
        raise Invalid(
            f"{field} takes full commit SHAs of 40 or 64 hexadecimal digits.",
            field=field,
            allowed=["40 or 64 hexadecimal digits"],
        )
    return text


@dataclass(frozen=True)
class SourceState(ValueType):
    """A commit that a text was checked against: `<SHA>`, or `{commit, repository}`."""

    def read(self, value: Json, field: str) -> dict[str, str]:
        if isinstance(value, str) and value.lstrip().startswith("{"):
            value = read_json(value)
        if isinstance(value, dict):
            unknown = sorted(set(value) - {"commit", "repository"})
            if unknown:
                raise Invalid(
                    f"{field} holds only commit and repository.",
                    field=field,
                    allowed=["commit", "repository"],
                )
            read = {"commit": read_sha(value.get("commit"), f"{field}.commit")}
            if value.get("repository") is not None:
                read["repository"] = clean_line(
                    value["repository"], field=f"{field}.repository", limit=300
                )
            return read
        return {"commit": read_sha(value, field)}


@dataclass(frozen=True)
class Due(ValueType):
    """The due filter: `overdue` or `none`."""

    def read(self, value: Json, field: str) -> str:
        return Choice(("overdue", "none")).read(value, field)


@dataclass(frozen=True)
class ParentFilter(ValueType):
    """The parent filter: an item's number or reference, or `none` for the top level."""

    def read(self, value: Json, field: str) -> int | str:
        if isinstance(value, str) and value.strip() == "none":
            return "none"
        return ItemReference().read(value, field)
