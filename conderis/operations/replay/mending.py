"""A refused call made right from the refusal's text alone.

Knows no server: it reads `message`, `field`, `allowed`, `currentVersion` and `candidates`
as any model would, the parameters of the tools from the list of tools, and what its
person has told it. That it finds the right call is a proof that the refusal says it.
"""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from conderis.common.json import JsonObject

Path = tuple[str, ...]

_INSIDE = re.compile(r"\binside (\w+)")
_USE = re.compile(r"\buse (\w+)")
_LEAVE_OUT = re.compile(r"\bleave (?:out (\w+)|(?:it|(\w+)) (?:out|away))", re.IGNORECASE)
_NO_SUCH_NAME = re.compile(r"\b(?:no|not an?) (?:such )?(?:parameter|field|filter|action)\b")
_ALIKE = 0.7  # spellings from here on are taken for the same word


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool."""

    tool: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What an agent brings along: the tools with their parameters, and what it was told.

    `told` are values by the name under which they can be sent.
    """

    tools: Mapping[str, Sequence[str]]
    told: Mapping[str, Any]

    @classmethod
    def of(cls, listed: Sequence[JsonObject], told: Mapping[str, Any]) -> "Knowledge":
        """From the `tools` array of a server."""
        names = {str(tool["name"]): list(tool["inputSchema"]["properties"]) for tool in listed}
        return cls(names, told)


def mend(call: Call, refusal: JsonObject, knowledge: Knowledge) -> Call | None:
    """The call to try next; None where the refusal does not say what would be right."""
    arguments = deepcopy(call.arguments)
    field = str(refusal.get("field", ""))
    if "currentVersion" in refusal and field in ("", "version"):
        arguments["version"] = refusal["currentVersion"]
        return Call(call.tool, arguments)
    if not field:
        return None
    place = _find(arguments, field)
    if place is None:
        return _added(call, arguments, field, refusal, knowledge)
    return _righted(call, arguments, place, refusal, knowledge)


def _righted(
    call: Call, arguments: JsonObject, place: Path, refusal: JsonObject, knowledge: Knowledge
) -> Call | None:
    """With what was sent at this place changed, renamed, moved or left out."""
    message, allowed = str(refusal["message"]), refusal.get("allowed", [])
    place = (*place, *_named_inside(_holder(arguments, place)[place[-1]], message, allowed))
    holder, name = _holder(arguments, place), place[-1]
    if "candidates" in refusal:
        holder[name] = _closest(holder[name], refusal["candidates"])
    elif len(place) == 1 and name not in knowledge.tools[call.tool]:
        return _moved(call, arguments, name, message, knowledge)
    elif _NO_SUCH_NAME.search(message) or _says_leave_out(message, name):
        _rename_or_drop(holder, name, allowed)
    elif allowed:
        holder[name] = _closest(holder[name], allowed)
    else:
        return None
    return Call(call.tool, arguments)


def _find(arguments: JsonObject, field: str) -> Path | None:
    """Where the field stands: by its path (`filter.status`), or inside an object."""
    path = tuple(field.split("."))
    if _has(arguments, path):
        return path
    for outer, inner in arguments.items():
        if isinstance(inner, dict) and _has(inner, path):
            return (outer, *path)
    return None


def _has(inside: Any, path: Path) -> bool:
    for name in path:
        if not isinstance(inside, dict) or name not in inside:
            return False
        inside = inside[name]
    return True


def _named_inside(value: Any, message: str, allowed: Sequence[Any]) -> Path:
    """The member of an object that the message speaks of, where it names one that is wrong."""
    members = value if isinstance(value, dict) else {}
    for name in members:
        if name not in allowed and re.search(rf"\b{re.escape(name)}\b", message):
            return (name,)
    return ()


def _holder(arguments: JsonObject, place: Path) -> JsonObject:
    holder = arguments
    for name in place[:-1]:
        holder = holder[name]
    return holder


def _added(
    call: Call, arguments: JsonObject, field: str, refusal: JsonObject, knowledge: Knowledge
) -> Call | None:
    """With what is missing: as it was told, else the first that is allowed."""
    value = knowledge.told.get(field, next(iter(refusal.get("allowed", [])), None))
    if value is None:
        return None
    if field in knowledge.tools[call.tool]:
        arguments[field] = value
    else:
        arguments.setdefault("fields", {})[field] = value
    return Call(call.tool, arguments)


def _moved(
    call: Call, arguments: JsonObject, name: str, message: str, knowledge: Knowledge
) -> Call:
    """With a parameter that the tool does not take where the message says it belongs."""
    advised = _USE.search(message)
    right = advised[1] if advised else name
    if right in knowledge.tools:
        return Call(right, arguments)
    value = arguments.pop(name)
    inside = _INSIDE.search(message)
    if inside:
        arguments.setdefault(inside[1], {})[right] = value
    elif right != name:
        arguments[right] = value
    return Call(call.tool, arguments)


def _says_leave_out(message: str, name: str) -> bool:
    return any(
        name in said or not any(said)
        for said in (match.groups(default="") for match in _LEAVE_OUT.finditer(message))
    )


def _rename_or_drop(holder: JsonObject, name: str, allowed: Sequence[Any]) -> None:
    value = holder.pop(name)
    names = [each for each in allowed if isinstance(each, str) and each not in holder]
    alike = max(names, key=lambda each: _likeness(name, each), default="")
    if alike and _likeness(name, alike) >= _ALIKE:
        holder[alike] = value


def _closest(value: Any, offered: Sequence[Any]) -> Any:
    """What is offered that is most like the value; the first where none is."""
    return max(offered, key=lambda each: _likeness(str(value), str(each)))


def _likeness(one: str, other: str) -> float:
    """From 0 to 1; words that begin alike count, wherever they stand."""
    first, second = one.casefold(), other.casefold()
    whole = SequenceMatcher(None, first, second).ratio()
    words = [
        SequenceMatcher(None, each, against).ratio()
        for each in first.split()
        for against in second.split()
    ]
    return max([whole, *(0.9 * part for part in words)])
