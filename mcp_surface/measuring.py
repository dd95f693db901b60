"""What a tool list costs a model, and how well its tools are found.

Characters and tokens are those of the compact JSON of the `tools` array, as a client
receives it; any saved `tools/list` can be measured the same way.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from conderis.common.json import Json, JsonObject, compact
from conderis.common.tokens import count_tokens
from items.kinds.base import ARCHIVE, RELATE, RESTORE, UNRELATE, Field, Filter, Kind
from items.kinds.registry import one_more
from items.kinds.values import ItemReference, Line, ParentFilter, Switch, Tags, Text
from mcp_surface.tools import listed_tools

# What people and agents look for, and the tool that does it.
QUERIES = {
    "create task": "item_store",
    "store memory": "item_store",
    "read page": "item_get",
    "approve proposal": "item_action",
    "block task": "item_action",
    "recall project": "recall",
}
ROUND_TRIP = ("item_store", "item_list", "item_action")
"""What a client that loads tools on demand needs to create, list and complete a task."""

IN_NAME, IN_FIRST_SENTENCE, ELSEWHERE = 5, 3, 1
_WORD = re.compile(r"[a-z0-9]+")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")

SAMPLE_KIND = Kind(
    name="note",
    plural="notes",
    fields=(
        Field("title", Line(200), "title", required=True, clearable=False, searched=True),
        Field("content", Text(20_000), "content", searched=True),
        Field("tags", Tags(), "tags", searched=True),
        Field("parent", ItemReference(), "parent", structure=True, historic=False),
    ),
    filters=(
        Filter("parent", ParentFilter()),
        Filter("tags", Tags()),
        Filter("includeArchived", Switch()),
    ),
    actions=(ARCHIVE, RESTORE, RELATE, UNRELATE),
    max_depth=2,
)
"""A kind like those that there are, for measuring what one more costs."""


class NoToolListError(ValueError):
    """A saved text is no `tools/list`; the message says why."""


@dataclass(frozen=True, slots=True)
class Size:
    """Characters and o200k tokens."""

    characters: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Measurement:
    """The figures of a list. `growth` and `round_trip` are known of our own tools alone.

    `found` has for each query the tool that stands alone on top, or None.
    """

    whole: Size
    by_tool: Mapping[str, Size]
    found: Mapping[str, str | None]
    growth: Size | None = None
    round_trip: Size | None = None

    @property
    def hits(self) -> int:
        """How many of the queries find the tool that is meant."""
        return sum(self.found[query] == meant for query, meant in QUERIES.items())

    def as_answer(self) -> JsonObject:
        """The figures as JSON."""
        answer: JsonObject = {
            **_figures(self.whole),
            "tools": {name: _figures(size) for name, size in self.by_tool.items()},
            "findability": dict(self.found),
        }
        if self.growth is not None and self.round_trip is not None:
            answer["growth"] = _figures(self.growth)
            answer["roundTrip"] = _figures(self.round_trip)
            answer["found"] = self.hits
        return answer


def measure_ours() -> Measurement:
    """The figures of the tools as they are registered now.

    For commands and tests: while it runs, the registry has the sample kind for a moment.
    """
    tools = listed_tools()
    measured = measure(tools)
    return Measurement(
        whole=measured.whole,
        by_tool=measured.by_tool,
        found=measured.found,
        growth=growth_by(SAMPLE_KIND),
        round_trip=size_of([tool for tool in tools if tool["name"] in ROUND_TRIP]),
    )


def measure(tools: Sequence[JsonObject]) -> Measurement:
    """The figures of any list of tools."""
    return Measurement(
        whole=size_of(list(tools)),
        by_tool={str(tool["name"]): size_of(tool) for tool in tools},
        found={query: found_tool(query, tools) for query in QUERIES},
    )


def size_of(value: Json) -> Size:
    """The size of a value as compact JSON."""
    text = compact(value)
    return Size(len(text), count_tokens(text))


def growth_by(kind: Kind) -> Size:
    """What the list grows by when there is this kind too."""
    before = size_of(listed_tools())
    with one_more(kind):
        after = size_of(listed_tools())
    return Size(after.characters - before.characters, after.tokens - before.tokens)


def found_tool(query: str, tools: Sequence[JsonObject]) -> str | None:
    """The tool that stands alone on top for a query, or None."""
    scores = {str(tool["name"]): score(query, tool) for tool in tools}
    best = max(scores.values(), default=0)
    top = [name for name, points in scores.items() if points == best]
    return top[0] if best and len(top) == 1 else None


def score(query: str, tool: JsonObject) -> int:
    """The points of a tool for a query: each word counts where it stands best."""
    description = str(tool.get("description") or "")
    end = _SENTENCE_END.search(description)
    first = description[: end.start()] if end else description
    name_words, first_words, all_words = map(_words, (str(tool["name"]), first, description))
    points = 0
    for word in _words(query):
        if word in name_words:
            points += IN_NAME
        elif word in first_words:
            points += IN_FIRST_SENTENCE
        elif word in all_words:
            points += ELSEWHERE
    return points


def saved_tools(text: str) -> list[JsonObject]:
    """The tools of a saved `tools/list`: the array, `{"tools": […]}`, or a JSON-RPC answer.

    Raises:
        NoToolListError: it is none of these.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NoToolListError(f"This is no JSON: {error}.") from error
    for member in ("result", "tools"):
        if isinstance(value, dict) and member in value:
            value = value[member]
    if not isinstance(value, list) or not all(
        isinstance(tool, dict) and isinstance(tool.get("name"), str) for tool in value
    ):
        raise NoToolListError(
            'No list of tools: neither an array, nor {"tools": […]}, nor a JSON-RPC answer.'
        )
    return value


def _words(text: str) -> set[str]:
    """The words of a text in lower case, each without an s at its end."""
    return {word.removesuffix("s") for word in _WORD.findall(text.lower())}


def _figures(size: Size) -> JsonObject:
    return {"characters": size.characters, "tokens": size.tokens}
