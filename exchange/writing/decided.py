"""What a chunk of an import has been decided to write."""

from dataclasses import dataclass, field

from exchange.writing.nodes import Node
from items.importing import Writing


@dataclass(slots=True)
class Renamed:
    """A page that came to stand beside one of the same title, and its new title."""

    node: Node
    title: str


@dataclass(slots=True)
class Made:
    """A new item, with both digests of its record, and whether its texts are to be mended."""

    node: Node
    digest: str
    content: str
    unmended: bool


@dataclass(slots=True)
class Decided:
    """What one chunk writes."""

    writing: Writing
    nodes: list[Made] = field(default_factory=list)
    renamed: list[Renamed] = field(default_factory=list)
    last_number: int = 0
