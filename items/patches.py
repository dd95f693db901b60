"""Reading what was sent for an item's fields: one patch rule for every kind.

An omitted field is kept, `null` clears. Instead of `content`, `append` and `edits`
change the text that stands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conderis.common.errors import Invalid, TooLarge
from conderis.common.json import Json
from conderis.common.text import clean_text, expect_text, refuse_broken
from items.kinds.base import Field, Kind
from items.kinds.values import Switch, read_list

MAX_EDITS = 100
TEXT_WAYS = ("append", "edits", "complete")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the one place where `find` stands."""

    find: str
    replace: str


@dataclass(frozen=True, slots=True)
class Patch:
    """What was sent, read: values by field, and ways to change the text in place."""

    values: Mapping[str, Any]
    append: str | None = None
    edits: tuple[Edit, ...] = ()
    complete: bool = False


def read_patch(kind: Kind, fields: Mapping[str, Json]) -> Patch:
    """The fields as sent, read by kind.

    Raises:
        Invalid: an unknown field, or a value that is not of the field's type.
        TooLarge: a value is longer than its limit.
    """
    text_field = kind.by_name.get("content")
    allowed = list(kind.by_name) + (list(TEXT_WAYS) if text_field else [])
    for name in fields:
        if name not in allowed:
            raise _unknown(kind, name, allowed)
    values = {
        name: read_value(kind.by_name[name], value)
        for name, value in fields.items()
        if name in kind.by_name
    }
    append = fields.get("append")
    edits = fields.get("edits")
    # `content: null` is sent, and would clear; null for the other two says nothing.
    if ("content" in fields) + (append is not None) + (edits is not None) > 1:
        raise Invalid(
            "Send one of content, append and edits.",
            field="content",
            allowed=["content", "append", "edits"],
        )
    limit = getattr(text_field.type, "limit", 0) if text_field else 0
    complete = fields.get("complete")
    return Patch(
        values=values,
        append=clean_text(append, field="append", limit=limit) if append is not None else None,
        edits=_read_edits(edits, limit) if edits is not None else (),
        complete=Switch().read(complete, "complete") if complete is not None else False,
    )


def _unknown(kind: Kind, name: str, allowed: list[str]) -> Invalid:
    shown = name.encode("utf-8", "replace").decode()[:40]
    return Invalid(
        f"A {kind.name} has no field {shown}. Fields: {', '.join(allowed)}."
        if kind.numbered
        else f"The {kind.name} have no field {shown}. Fields: {', '.join(allowed)}.",
        field=shown,
        allowed=allowed,
    )


def read_value(field: Field, value: Json) -> Any:
    """A field's value as sent, read; `null` clears.

    Raises:
        Invalid: it is not of the field's type, or cannot be cleared, or is required.
    """
    if value is None:
        if not field.clearable:
            raise Invalid(f"{field.name} cannot be null.", field=field.name)
        return field.type.empty
    read = field.type.take(value, field.name)
    if field.required and read == field.type.empty:
        raise Invalid(f"{field.name} is required and cannot be empty.", field=field.name)
    return read


def _read_edits(value: Json, limit: int) -> tuple[Edit, ...]:
    shape = '[{"find": "text that occurs once", "replace": "new text"}]'
    parts = read_list(value, "edits", shape=shape)
    if len(parts) > MAX_EDITS:
        raise TooLarge(f"edits takes at most {MAX_EDITS}.", field="edits", limit=MAX_EDITS)
    edits = []
    for place, part in enumerate(parts):
        name = f"edits[{place}]"
        if not isinstance(part, dict) or set(part) != {"find", "replace"}:
            raise Invalid(f"{name} must hold find and replace.", field=name, allowed=[shape])
        find = clean_text(part["find"], field=f"{name}.find", limit=limit)
        if not find:
            raise Invalid(f"{name}.find is empty.", field=f"{name}.find")
        replace = clean_text(part["replace"], field=f"{name}.replace", limit=limit)
        edits.append(Edit(find, replace))
    return tuple(edits)


def text_after(kind: Kind, patch: Patch, standing: str) -> str | None:
    """The content as the patch makes it from the standing one; None if it leaves it.

    Edits are applied in order, each to the text as it stands after those before it, all
    or none.

    Raises:
        Invalid: an edit's text does not occur exactly once.
        TooLarge: the text becomes longer than the kind allows.
    """
    if "content" in patch.values:
        return str(patch.values["content"])
    if patch.append is not None:
        text = f"{standing}\n{patch.append}" if standing else patch.append
        text = standing if not patch.append else text
    elif patch.edits:
        text = _edited(standing, patch.edits)
    else:
        return None
    limit = getattr(kind.by_name["content"].type, "limit", 0)
    if len(text) > limit:
        raise TooLarge(
            f"content would have {len(text)} characters; at most {limit} are allowed.",
            field="content",
            limit=limit,
        )
    return text


def _edited(text: str, edits: tuple[Edit, ...]) -> str:
    for place, edit in enumerate(edits):
        first = text.find(edit.find)
        if first < 0 or text.find(edit.find, first + 1) >= 0:
            times = "more than once" if first >= 0 else "nowhere"
            raise Invalid(
                f"edits[{place}].find occurs {times} in the text as it stands"
                + (" after the edits before it" if place else "")
                + "; it must occur exactly once. Nothing was changed. Read the text with "
                "item_get, or send a longer find.",
                field=f"edits[{place}].find",
            )
        text = text.replace(edit.find, edit.replace)
    return text


def read_reason(value: Json, *, limit: int, field: str = "reason") -> str:
    """A reason as sent, trimmed; empty where none was sent.

    Raises:
        Invalid: it is no storable text.
        TooLarge: it is longer than the limit.
    """
    if value is None:
        return ""
    refuse_broken(expect_text(value, field=field), field=field)
    return clean_text(value, field=field, limit=limit).strip()
