"""Names of exported files that every system takes and that tell what is in them.

The number stands first, so that no two names are the same on systems that know no case, and
none is a device of Windows. Letters and digits of every script stay, anything else becomes
a hyphen, so that no name leads out of its folder.
"""

import unicodedata
from typing import Final

from conderis.common.json import JsonObject
from exchange.exporting.outline import Node, Outline, has_order
from items.kinds.registry import kind_of

MAX_WORDS: Final = 40  # characters of a title in a name
MAX_PATH: Final = 200  # characters of a path: with a folder before it under 260, as Windows has it
RESERVE: Final = 60  # of these for bare numbers, so that the deepest tree has room


class Paths:
    """The paths of items; those that stand in an order have folders as they stand."""

    def __init__(self, outline: Outline) -> None:
        nodes = outline.nodes.values()
        self._nodes = {node.number: node for node in nodes if has_order(kind_of(node.kind))}
        self._outline = outline

    def of(self, line: JsonObject) -> str:
        """Where the item of this line stands: `pages/3-setup/7-install.md`."""
        kind, number = kind_of(line["kind"]), line.get("number")
        if number is None:
            return f"{kind.name}.md"
        node = self._nodes.get(number)
        if node is not None:
            return f"{self._path(node)}.md"
        return (
            f"{kind.plural}/{_name(number, str(line['fields'].get('title', '')), kind.plural)}.md"
        )

    def _path(self, node: Node) -> str:
        over = self._outline.nodes.get(node.parent or 0)
        shown = over is not None and not over.hidden
        folder = self._path(over) if over is not None and shown else kind_of(node.kind).plural
        return f"{folder}/{_name(node.number or 0, node.title, folder)}"


def _name(number: int, title: str, folder: str) -> str:
    """The name in a folder; half of what is left, since others may stand below it."""
    room = (MAX_PATH - RESERVE - len(folder)) // 2 - len(f"/{number}-")
    words = slug(title, limit=min(MAX_WORDS, room))
    return f"{number}-{words}" if words else str(number)


def slug(title: str, *, limit: int) -> str:
    """The words of a title in small letters with hyphens between, at most `limit` characters."""
    text = unicodedata.normalize("NFC", title.lower())
    kept = "".join(one if unicodedata.category(one)[0] in "LMN" else " " for one in text)
    return "-".join(kept.split())[: max(limit, 0)].rstrip("-")


def file_stem(full_name: str) -> str:
    """`owner/name` as part of a file's name."""
    return slug(full_name.replace("/", " "), limit=100) or "project"
