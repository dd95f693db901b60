"""JSON as Conderis writes it: compact, UTF-8 as it is."""

import json
from collections.abc import Mapping
from typing import Any

# JSON is recursive and mypy's recursive aliases reject ordinary literals
# (invariance of dict), so values inside are Any and checked where they are read.
Json = Any
JsonObject = dict[str, Any]


def compact(value: Json) -> str:
    """The value as compact JSON without escapes for printable text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def without_nulls(value: Mapping[str, Json]) -> JsonObject:
    """The object without its null members (answers never carry one)."""
    return {name: member for name, member in value.items() if member is not None}
