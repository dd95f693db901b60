"""What a client sent, read into the values that a tool takes: forgiving in, strict out.

Objects, numbers and booleans may come as text, null is absence, and what some clients
add on their own is ignored. Everything else that is unknown is refused by name, with
where it belongs, so that the next call is right.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from conderis.common.echoes import echo
from conderis.common.errors import Invalid
from conderis.common.json import Json
from mcp_surface.parameters import Parameter
from mcp_surface.tools import Tool, all_tools

Values = Mapping[str, Any]

# What clients add to every call, in any spelling.
ENVELOPE = frozenset({"toolcallid", "sessionid", "chatinput"})


def read_arguments(tool: Tool, sent: Json) -> Values:
    """The values by parameter name; absent ones are left out.

    Raises:
        Invalid: a parameter is unknown, missing, or of another shape.
        TooLarge: an object is nested too deeply.
    """
    if sent is None:
        sent = {}
    if not isinstance(sent, dict):
        raise Invalid(
            f"The arguments of {tool.name} must be a JSON object.",
            field="arguments",
            allowed=tool.parameter_names,
        )
    parameters = {each.name: each for each in tool.parameters}
    for name in sent:
        if name not in parameters and _folded(name) not in ENVELOPE:
            raise _unknown(tool, name)
    values = {
        name: parameter.read(sent[name])
        for name, parameter in parameters.items()
        if name in sent and not _is_absence(tool, parameter, sent[name])
    }
    for parameter in tool.parameters:
        if parameter.required and parameter.name not in values:
            raise _missing(tool, parameter)
    return values


def _is_absence(tool: Tool, parameter: Parameter, value: Json) -> bool:
    """Whether a value stands for nothing: null, and where a tool reads "" and "null"."""
    if value is None:
        return True
    if not tool.reads or not isinstance(value, str):
        return False
    return value == "" or (value == "null" and not parameter.type.text)


def _missing(tool: Tool, parameter: Parameter) -> Invalid:
    named = f": {', '.join(parameter.allowed)}" if parameter.allowed else ""
    return Invalid(
        f"{tool.name} needs {parameter.name}{named}.",
        field=parameter.name,
        allowed=parameter.allowed or None,
    )


def _unknown(tool: Tool, name: str) -> Invalid:
    return Invalid(
        f"{tool.name} takes no parameter {echo(name)}{_advice(tool, name)}. "
        f"It takes: {', '.join(tool.parameter_names)}.",
        field=echo(name),
        allowed=tool.parameter_names,
    )


def _advice(tool: Tool, name: str) -> str:
    """Where an unknown parameter belongs, as far as one can tell."""
    if name in tool.inside:
        outer = tool.inside[name]
        return f': send it inside {outer}, as {{"{outer}": {{"{name}": …}}}}'
    if name == "kind" and "number" in tool.parameter_names:
        return ": leave it out, number or ref is enough"
    others = [each.name for each in all_tools() if name in each.parameter_names]
    if others:
        return f": use {' or '.join(others)}"
    spelled = {_folded(each): each for each in [*tool.inside, *tool.parameter_names]}
    close = get_close_matches(_folded(name[:40]), spelled, n=1, cutoff=0.8)
    if not close:
        return ""
    right = spelled[close[0]]
    where = f" inside {tool.inside[right]}" if right in tool.inside else ""
    return f": use {right}{where}"


def _folded(name: str) -> str:
    """A name without regard to case, underscores, hyphens and blanks."""
    return "".join(each for each in name.lower() if each.isalnum())
