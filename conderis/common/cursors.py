"""Cursors: where a walk through a list stands, sealed so that nothing else can be said.

Opaque to whoever carries them, under 200 characters, and good for one caller, list and
set of parameters alone: the seal covers all of them, so a cursor that is forged, of
another caller, or of another list is simply none of this list.
"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.utils.crypto import constant_time_compare, salted_hmac

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import Json, compact, without_nulls

MAX_CURSOR = 199  # characters
_SIGNATURE = 16  # bytes
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

Value = int | float | str | date | datetime | None


@dataclass(frozen=True, slots=True)
class Mark:
    """Stands in a cursor for a text that is too long for it."""

    text: str


class CursorTooLongError(ValueError):
    """The values make more than a cursor may hold: some 100 bytes of text."""


@dataclass(frozen=True, slots=True)
class Binding:
    """What a cursor belongs to: who asks, the list, and its parameters but the limit.

    Parameters are given as they were understood (defaults filled in), so that two
    spellings of one list share their cursors; nulls do not count.
    """

    caller: Caller
    name: str
    parameters: Mapping[str, Json]

    def seal(self, payload: bytes, order: Sequence[str]) -> bytes:
        """The proof that this server wrote the payload for this list in this order."""
        bound = [self.caller.ref, self.name, without_nulls(self.parameters), list(order)]
        text = json.dumps(bound, sort_keys=True, default=str).encode()
        digest = hashlib.sha256(text).digest()
        made = salted_hmac("conderis.cursor", digest + payload, algorithm="sha256")
        return made.digest()[:_SIGNATURE]


def write_cursor(
    binding: Binding, values: Sequence[Value | Mark], *, order: Sequence[str] = ()
) -> str:
    """A cursor that holds the values; moments keep their microseconds.

    `order` names what the values mean, so that a cursor from before an upgrade that
    sorts otherwise is refused and not misread.

    Raises:
        CursorTooLongError: they do not fit.
    """
    payload = compact([_packed(value) for value in values]).encode()
    sealed = binding.seal(payload, order) + payload
    cursor = base64.urlsafe_b64encode(sealed).rstrip(b"=").decode()
    if len(cursor) > MAX_CURSOR:
        raise CursorTooLongError
    return cursor


def read_cursor(binding: Binding, cursor: Json, *, order: Sequence[str] = ()) -> list[Value | Mark]:
    """The values that a cursor holds.

    Raises:
        Invalid: it is none of this caller, list, order and parameters.
    """
    if not isinstance(cursor, str) or len(cursor) > MAX_CURSOR:
        raise unfit()
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        sealed = base64.b64decode(padded, altchars=b"-_", validate=True)
    except ValueError as error:
        raise unfit() from error
    seal, payload = sealed[:_SIGNATURE], sealed[_SIGNATURE:]
    if not constant_time_compare(seal, binding.seal(payload, order)):
        raise unfit()
    return [_unpacked(value) for value in json.loads(payload)]


def unfit(why: str = "This cursor does not belong to this list.") -> Invalid:
    """The refusal of a cursor, with what to do instead."""
    return Invalid(
        f"{why} Send the nextCursor of the last answer with the same other parameters "
        "(limit may differ), or leave cursor out to begin again.",
        field="cursor",
    )


def _packed(value: Value | Mark) -> Json:
    """The value for JSON: numbers and null as they are, the rest as tagged text."""
    if isinstance(value, Mark):
        return f"m{value.text}"
    if isinstance(value, str):
        return f"s{value}"
    if isinstance(value, datetime):
        return f"t{(value - _EPOCH) // _MICROSECOND}"
    if isinstance(value, date):
        return f"d{value.isoformat()}"
    return value


def _unpacked(value: Json) -> Value | Mark:
    if not isinstance(value, str):
        number: int | float | None = value
        return number
    tag, text = value[:1], value[1:]
    if tag == "m":
        return Mark(text)
    if tag == "t":
        return _EPOCH + int(text) * _MICROSECOND
    return date.fromisoformat(text) if tag == "d" else text
