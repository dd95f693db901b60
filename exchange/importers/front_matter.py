"""Front matter of Markdown files, read without running anything and without losing anything.

It is YAML between two lines `---` at the beginning of a file, often not quite. Values are
kept as they are written (`012`, `yes` and `2026-01-05` stay text). What no YAML reader takes is
read line by line; what is not read at all is handed on as text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import yaml
from django.utils.translation import gettext as _

from conderis.common.json import Json
from exchange.importers.values import text_of

MAX_BLOCK: Final = 65_536  # code points; a longer one is taken for text between two rules
MAX_NODES: Final = 5_000  # values after aliases are followed, against alias bombs
MAX_DEPTH: Final = 30

_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_OPENING = re.compile(r"---[ \t]*\n")
_ENTRY = re.compile(r"(\w[\w ./-]{0,80}?)[ \t]*:(?=\s|$)[ \t]*(.*)")
_COMMENT = re.compile(r"[ \t]+#[^\n]*")
_TAG: Final = "tag:yaml.org,2002:"
_PLAIN_TAGS: Final = frozenset(_TAG + name for name in (
    "str", "int", "float", "bool", "null", "timestamp", "value", "merge", "binary",
    "map", "seq", "set", "omap", "pairs",
))  # fmt: skip
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _RefusedError(Exception):
    """The front matter is YAML that is not read; the sentence says why."""


@dataclass(slots=True)
class FrontMatter:
    """What a file says of itself before its text.

    `take` hands out values by name, letters of any case; `rest` is what nobody has taken.
    `unread` is the block as it stands in the file, where it could not be read whole.
    """

    values: dict[str, tuple[str, Json]] = field(default_factory=dict)
    doubled: list[tuple[str, Json]] = field(default_factory=list)
    unread: str = ""
    warnings: list[str] = field(default_factory=list)

    def take(self, *names: str) -> Json:
        """The value of the first of these names that has one; it counts as taken."""
        for name in names:
            if self.get(name) is not None:
                return self.values.pop(name)[1]
        return None

    def get(self, name: str) -> Json:
        """The value of this name, not taken; None without one."""
        return self.values.get(name, ("", None))[1]

    def rest(self) -> list[tuple[str, str]]:
        """What nobody has taken, as names and lines of text."""
        return [(name, text_of(value)) for name, value in (*self.values.values(), *self.doubled)]

    def add(self, name: str, value: Json) -> None:
        """Take up a value; of two with one name the last counts and the first is kept aside."""
        before = self.values.pop(name.casefold(), None)
        if before is not None:
            self.doubled.append(before)
            self.warnings.append(
                _("The front matter has “%(name)s” twice; the last one counts.") % {"name": name}
            )
        self.values[name.casefold()] = (name, value)


def read_front_matter(text: str) -> tuple[FrontMatter, str]:
    """The front matter of a text with LF, and the text after it; raises nothing."""
    opening = _OPENING.match(text)
    if opening is None:
        return FrontMatter(), text
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return _never_closed(text[opening.end() :]), text
    block = text[opening.end() : closing.start()]
    found = _read_block(block) if len(block) <= MAX_BLOCK else None
    return (FrontMatter(), text) if found is None else (found, text[closing.end() :].lstrip("\n"))


def as_code(block: str) -> str:
    """The block as a code block of a page, whatever marks it holds."""
    if not block.strip():
        return ""
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`{3,}", block)), 3)
    return f"{fence}yaml\n{block.rstrip()}\n{fence}"


def _never_closed(after: str) -> FrontMatter:
    if _ENTRY.match(after):
        return FrontMatter(
            warnings=[_("The front matter has no closing line ---; all of it was kept as text.")]
        )
    return FrontMatter()


def _read_block(block: str) -> FrontMatter | None:
    """The block as front matter; None where it is text between two rules."""
    try:
        pairs = _pairs(block)
    except _RefusedError as refused:
        return FrontMatter(unread=block, warnings=[str(refused)])
    except (yaml.YAMLError, RecursionError, ValueError):
        return _read_lines(block)
    if pairs is None:
        return None
    found = FrontMatter()
    for name, value in pairs:
        found.add(name, value)
    return found


def _read_lines(block: str) -> FrontMatter | None:
    """The block entry by entry, an entry being a line `key: value` and what belongs to it."""
    first = next((line for line in block.split("\n") if line.strip()), "")
    if not _ENTRY.match(first):
        return None
    found = FrontMatter(
        warnings=[_("The front matter is not valid YAML; it was read line by line.")]
    )
    for lines in _entries(block):
        try:
            for name, value in _read_entry(lines):
                found.add(name, value)
        except _RefusedError as refused:
            return FrontMatter(unread=block, warnings=[str(refused)])
    return found


def _entries(block: str) -> Iterator[list[str]]:
    """The lines of the block, those that begin with a key each with what follows it."""
    lines: list[str] = []
    for line in block.split("\n"):
        if _ENTRY.match(line) and lines:
            yield lines
            lines = []
        if line.strip():
            lines.append(line)
    if lines:
        yield lines


def _read_entry(lines: list[str]) -> list[tuple[str, Json]]:
    indented = "\n".join(re.sub(r"^\t+", lambda tabs: "  " * len(tabs[0]), line) for line in lines)
    try:
        pairs = _pairs(indented)
    except (yaml.YAMLError, RecursionError, ValueError):
        pairs = None
    if pairs is not None:
        return pairs
    match = _ENTRY.match(lines[0])
    if match is None:  # what stands before the first key; there is none
        return []
    items = [line.strip() for line in lines[1:]]
    if items and not match[2].strip() and all(item.startswith("-") for item in items):
        return [(match[1], [_unquoted(item[1:]) for item in items])]
    return [(match[1], " ".join([_unquoted(match[2]), *items]).strip())]


def _unquoted(text: str) -> str:
    text = text.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and text.count(text[0]) == 2
    return text[1:-1] if quoted else text


def _pairs(block: str) -> list[tuple[str, Json]] | None:
    """The names and values of a block that is a mapping; None where it is anything else.

    Raises:
        yaml.YAMLError: it is no YAML.
        _RefusedError: it has tags that stand for more than plain values, or too many of these.
    """
    node = yaml.compose(block, Loader=_Loader)
    if node is None:
        return []
    walk = _Walk(block)
    if not isinstance(node, yaml.MappingNode):
        walk.plain(node)  # refused all the same where it has such tags
        return None
    walk.known(node)
    return [
        (walk.name(key), walk.plain(value, flow=bool(node.flow_style))) for key, value in node.value
    ]


class _Walk:
    """Nodes of YAML as plain values; nothing is constructed, so nothing can be run."""

    def __init__(self, block: str) -> None:
        self.block = block
        self.left = MAX_NODES

    def name(self, node: yaml.Node) -> str:
        return text_of(self.plain(node, flow=True)) or "~"

    def plain(self, node: yaml.Node, depth: int = 0, *, flow: bool = False) -> Json:
        self.known(node)
        self.left -= 1
        if self.left < 0 or depth > MAX_DEPTH:
            raise _RefusedError(
                _("The front matter is too large with its aliases followed; it was kept as text.")
            )
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, flow=flow)
        if not isinstance(node, yaml.CollectionNode):
            return None
        inside = flow or bool(node.flow_style)
        if isinstance(node, yaml.SequenceNode):
            return [self.plain(each, depth + 1, flow=inside) for each in node.value]
        return {
            self.name(key): self.plain(value, depth + 1, flow=inside) for key, value in node.value
        }

    def known(self, node: yaml.Node) -> None:
        if node.tag not in _PLAIN_TAGS:
            raise _RefusedError(
                _(
                    "The front matter has the YAML tag %(tag)s, which is not read; it was kept "
                    "as text."
                )
                % {"tag": node.tag.replace(_TAG, "!!")[:60]}
            )

    def _scalar(self, node: yaml.ScalarNode, *, flow: bool) -> str | None:
        value: str = node.value
        if node.style:
            return value
        if not flow and (comment := _COMMENT.match(self.block, node.end_mark.index)):
            value = f"{value}{comment[0]}".strip()  # a `#` in a title cuts nothing off
        return None if value in {"", "~"} or value.lower() == "null" else value
