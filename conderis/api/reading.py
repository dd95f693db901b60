"""What was sent, read strictly: what is unknown is refused by name, with what is allowed.

Names and types of the envelope are checked here; fields, filters and values by the services.
"""

import json
from typing import Any, ClassVar

from django.http import HttpRequest
from ninja import Schema
from ninja.parser import Parser
from pydantic import ConfigDict, model_validator

from conderis.common.echoes import echo
from conderis.common.errors import Invalid, TooLarge
from conderis.common.json import Json, JsonObject
from conderis.common.json_reading import (
    DECODER,
    INVALID_TEXT,
    MAYBE_SURROGATE,
    NESTING_LIMIT,
    is_deeper_than,
    surrogate_in,
)
from conderis.common.text import expect_text
from items.kinds.registry import all_kinds

WORDS = {
    "missing": "is needed",
    "int_type": "must be a whole number, as 3",
    "int_parsing": "must be a whole number, as 3",
    "int_from_float": "must be a whole number, as 3",
    "int_parsing_size": "must be a whole number, as 3",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "string_type": "must be text",
    "dict_type": "must be a JSON object",
    "list_type": "must be a list",
}


class JsonParser(Parser):
    """Bodies as the tools take them: UTF-8, finite numbers, no endless nesting."""

    def parse_body(self, request: HttpRequest) -> JsonObject:
        """The object in the body.

        Raises:
            Invalid: the body is no JSON object, or holds what is no text.
            TooLarge: it is nested too deeply.
        """
        return parsed(request.body)


def parsed(body: bytes) -> JsonObject:
    """The JSON object in a body.

    Raises:
        Invalid, TooLarge: as `JsonParser` says.
    """
    value = _decoded(body.removeprefix(b"\xef\xbb\xbf"))
    if is_deeper_than(value, NESTING_LIMIT):
        raise _too_deep()
    if not isinstance(value, dict):
        raise Invalid("The body must be a JSON object.", field="body", allowed=["{…}"])
    if MAYBE_SURROGATE.search(body) and (found := surrogate_in(value)) is not None:
        place, subject = found
        raise Invalid(f"{subject} {INVALID_TEXT}", field=place or "body")
    return value


def _decoded(body: bytes) -> Json:
    try:
        return DECODER.decode(body.decode())
    except UnicodeDecodeError as error:
        message = f"Byte {error.start} of the body is not valid UTF-8."
    except json.JSONDecodeError as error:
        message = f"The body is no JSON: {error.msg} at character {error.pos}."
    except RecursionError:
        raise _too_deep() from None
    except ValueError:
        message = "A number in the body is too large, or no JSON number."
    raise Invalid(message, field="body")


def _too_deep() -> TooLarge:
    return TooLarge(
        f"More than {NESTING_LIMIT} objects and lists inside each other are not taken.",
        field="body",
        limit=NESTING_LIMIT,
    )


class Body(Schema):
    """The members of a body. Null stands for absence; texts can be stored."""

    model_config = ConfigDict(extra="forbid", strict=True)
    inside_fields: ClassVar[bool] = False

    @model_validator(mode="before")
    @classmethod
    def _only_known(cls, sent: Any) -> Any:
        # Ninja hands objects on in a wrapper, of which this is what it holds.
        members = getattr(sent, "_obj", sent)
        if isinstance(members, dict):
            refuse_unknown(members, list(cls.model_fields), fields=cls.inside_fields)
            refuse_broken_texts(members)
            return {name: value for name, value in members.items() if value is not None}
        return sent


def refuse_unknown(members: JsonObject, allowed: list[str], *, fields: bool = False) -> None:
    """Refuse a name that is not among the allowed; `fields` has those of items inside.

    Raises:
        Invalid: there is one; the refusal says where it belongs.
    """
    for name in members:
        if name in allowed:
            continue
        of_items = {each.name for kind in all_kinds() for each in kind.fields}
        where = f': send it inside fields, as {{"fields": {{"{name}": …}}}}'
        advice = where if fields and name in of_items else ""
        raise Invalid(
            f"There is no {echo(name)} here{advice}. Taken are: {', '.join(allowed) or 'none'}.",
            field=echo(name),
            allowed=allowed,
        )


def refuse_broken_texts(members: JsonObject) -> None:
    """Refuse texts of the envelope that no database can be asked for.

    Raises:
        Invalid: one holds U+0000 or a lone surrogate.
    """
    for name, value in members.items():
        if isinstance(value, str):
            expect_text(value, field=name)


def in_words(errors: list[dict[str, Any]]) -> Invalid:
    """The first thing that is wrong with the envelope, as a refusal."""
    first = errors[0]
    place = [str(part) for part in first["loc"]]
    # (where, the operation's argument, the member, and what is inside: a type of several).
    field = place[2] if len(place) > 2 else place[-1]
    if field in {"sent", "body"}:
        return Invalid("The body must be a JSON object.", field="body", allowed=["{…}"])
    said = WORDS.get(first["type"], "has another shape than this address takes")
    return Invalid(f"{field} {said}.", field=field)
