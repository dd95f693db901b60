"""The parameters of the tools: what the schema says of each, and how it is read.

The schemas are advice to the model; what counts is `read`, which takes what clients
really send (numbers and objects as text) and refuses the rest with the shape.
"""

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from conderis.common.errors import Invalid, TooLarge
from conderis.common.json import Json, JsonObject
from conderis.common.json_reading import DECODER, refuse_surrogates
from conderis.common.text import expect_text
from items.access import ALLOWED
from items.kinds.values import MAX_NUMBER, read_number

MAX_DEPTH = 64
_WHOLE = re.compile(r"(-?[0-9]{1,10})(?:\.0+)?\Z")


class ParameterType:
    """How a parameter is read. `word` is its type in the schema.

    `text` parameters hold what people write: in them the word "null" is text even
    where, reading, it else stands for nothing.
    """

    word: ClassVar[str] = "string"
    text: ClassVar[bool] = False

    def read(self, value: Json, name: str) -> Json:
        """The value as services take it.

        Raises:
            Invalid: it is none of this type; the refusal names the shape.
        """
        raise NotImplementedError


class Text(ParameterType):
    """Text as people write it."""

    text = True

    def read(self, value: Json, name: str) -> str:
        """The text, if it can be stored."""
        return expect_text(value, field=name)


class Word(ParameterType):
    """Text that names something; blanks around it do not count."""

    def read(self, value: Json, name: str) -> str:
        """The word without the blanks around it."""
        word = expect_text(value, field=name).strip()
        if not word:
            raise Invalid(f"{name} is empty. Leave it out, or send what it names.", field=name)
        return word


class Whole(ParameterType):
    """A whole number, also as text (`"3"`); its bounds are the services'."""

    word = "integer"
    mark: ClassVar[str] = ""

    def read(self, value: Json, name: str) -> int:
        """The number, of a number or of its digits."""
        number: Json = value
        if isinstance(value, str):
            found = _WHOLE.match(value.strip().removeprefix(self.mark))
            number = int(found.group(1)) if found else None
        elif isinstance(value, float):
            number = int(value) if value.is_integer() else None
        if isinstance(number, bool) or not isinstance(number, int) or abs(number) > MAX_NUMBER:
            raise Invalid(f"{name} must be a whole number, as 3.", field=name, allowed=["3"])
        return number


class Version(Whole):
    """A version, also as lists show it (`"v3"`)."""

    mark = "v"


class Truth(ParameterType):
    """True or false, also as words."""

    word = "boolean"

    def read(self, value: Json, name: str) -> bool:
        """True or false, of either or of its word."""
        said = value.strip().lower() if isinstance(value, str) else value
        if said is True or said == "true":
            return True
        if said is False or said == "false":
            return False
        raise Invalid(f"{name} must be true or false.", field=name, allowed=[True, False])


class Number(ParameterType):
    """The number of an item: `12`, `"12"`, `"#12"`, or `owner/name#12` for the service."""

    word = "integer"
    forms: ClassVar[tuple[str, ...]] = ("12", "owner/name#12")

    def read(self, value: Json, name: str) -> int | str:
        """The number, or the long reference as it is."""
        number = read_number(value)
        if number is not None:
            return number
        if isinstance(value, str) and value.strip():
            return expect_text(value, field=name).strip()
        raise Invalid(
            f"{name} must be one of: {', '.join(self.forms)}.", field=name, allowed=self.forms
        )


class Reference(Number):
    """What addresses an item: its number, or `word:id`, which the service reads."""

    word = "string"
    forms = ALLOWED


@dataclass(frozen=True, slots=True)
class Members(ParameterType):
    """A JSON object, also as JSON text. `shape` shows one to whoever sent something else.

    Texts inside stay text. With `absences`, members that stand for nothing are dropped,
    as they are among the parameters of a tool that reads.
    """

    word: ClassVar[str] = "object"
    shape: str
    absences: bool = False

    def read(self, value: Json, name: str) -> JsonObject:
        """The object; refused are half characters in it and endless nesting."""
        members = _parsed(value) if isinstance(value, str) else value
        if not isinstance(members, dict):
            raise Invalid(
                f"{name} must be a JSON object, as {self.shape}.", field=name, allowed=[self.shape]
            )
        refuse_surrogates(members, name)
        _refuse_deep(members, name)
        if self.absences:
            return {key: each for key, each in members.items() if each not in (None, "", "null")}
        return members


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a tool: its name, how it is read, and what the schema says of it.

    `allowed` are examples of right values for the refusal when a required one is missing.
    """

    name: str
    type: ParameterType
    description: str = ""
    required: bool = False
    allowed: tuple[str, ...] = ()

    def read(self, value: Json) -> Any:
        """The value as services take it; refusals name the parameter."""
        return self.type.read(value, self.name)

    @property
    def schema(self) -> JsonObject:
        """The parameter in the tool's schema."""
        said = {"description": self.description} if self.description else {}
        return {"type": self.type.word, **said}


def _parsed(text: str) -> Json:
    """The JSON value of a text, or None."""
    try:
        value: Json = DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return value


def _refuse_deep(value: JsonObject, name: str) -> None:
    """Refuse what nobody needs and a recursive reader would break on.

    Raises:
        TooLarge: more than 64 objects and lists stand inside each other.
    """
    level: list[Json] = [value]
    for _ in range(MAX_DEPTH):
        level = [
            member
            for here in level
            for member in (here.values() if isinstance(here, dict) else here)
            if isinstance(member, dict | list)
        ]
        if not level:
            return
    raise TooLarge(
        f"{name} has more than {MAX_DEPTH} objects and lists inside each other.",
        field=name,
        limit=MAX_DEPTH,
    )
