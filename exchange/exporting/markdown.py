"""A project as a folder: a Markdown file for each item, the rest in a file of lines beside.

Front matter holds every field and what else the item's line has; the text after it is the
content, byte for byte. `conderis.jsonl` has all lines of the export in their order, of an
item's but where its file is.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, Final

import yaml

from conderis.common.json import JsonObject, compact
from conderis.common.pieces import gathered
from exchange.exporting import layout
from exchange.exporting.names import Paths
from exchange.exporting.reading import Export, header_of, item_lines, lines_of
from items.kinds.registry import kind_of
from items.kinds.values import Day

PIECE: Final = 65_536  # characters that are handed on at once
_MARKS: Final = re.compile(r"([\\`*_{}\[\]<>#|&])")


def markdown_files(export: Export) -> Iterator[tuple[str, Iterator[str]]]:
    """The files of the folder: of each its path and its text in pieces, to be read in turn.

    Each is read when it is taken: nothing that is locked meanwhile waits anywhere.

    Raises:
        NotFound, Denied: as `lines_of`.
    """
    paths = Paths(export.outline)
    written: dict[str, str] = {}  # the files of items, by their ids
    for line in item_lines(export):
        if line["type"] == layout.ITEM:
            written[line["id"]] = path = paths.of(line)
            yield path, iter([document_of(line)])
    yield layout.LINES_FILE, gathered(_lines_beside(export, written), PIECE)
    yield layout.INDEX_FILE, gathered(_index(export, written), PIECE)


def _lines_beside(export: Export, written: dict[str, str]) -> Iterator[str]:
    for line in lines_of(export):
        is_item = line["type"] == layout.ITEM
        yield f"{compact(_pointer(line, written[line['id']]) if is_item else line)}\n"


def _index(export: Export, written: dict[str, str]) -> Iterator[str]:
    yield _about(header_of(export))
    for line in item_lines(export):
        if line["type"] == layout.ITEM:
            yield _entry(line, written[line["id"]])


def document_of(line: JsonObject) -> str:
    """The item of a line as a Markdown file."""
    fields = {**line["fields"]}
    content = fields.pop("content", "")
    days = {each.name for each in kind_of(line["kind"]).fields if isinstance(each.type, Day)}
    shown = {
        name: date.fromisoformat(value) if name in days else value for name, value in fields.items()
    }
    beside: JsonObject = {name: line[name] for name in layout.OF_ITEM if name in line}
    if "relations" in beside:
        beside["relations"] = _by_name(beside["relations"])
    title = {"title": shown.pop("title")} if "title" in shown else {}
    return f"---\n{_as_yaml({**title, **beside, **shown})}---\n{content}"


def _by_name(relations: list[JsonObject]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for each in relations:
        found.setdefault(each["relation"], []).append(each["number"])
    return found


def _pointer(line: JsonObject, path: str) -> JsonObject:
    """What the file of lines has of an item: where it is."""
    known: JsonObject = {
        name: line[name] for name in ("type", "id", "kind", "number") if name in line
    }
    return {**known, "file": path}


def _about(header: JsonObject) -> str:
    project = header["project"]
    said = [f"# {_plain(project['name'])}", project.get("description", "")]
    said.append(
        f"Exported from Conderis at {header['exported']}. Front matter holds the fields of each "
        f"item; histories and what was left out are in `{layout.LINES_FILE}`."
    )
    return "\n\n".join(each for each in said if each) + "\n\n"


def _entry(line: JsonObject, path: str) -> str:
    title = _plain(str(line["fields"].get("title", ""))) or kind_of(line["kind"]).name
    number = f"#{line['number']} " if "number" in line else ""
    return f"- [{number}{title}](<{path}>)\n"


def _plain(text: str) -> str:
    """A text of one line as Markdown that shows it as it is."""
    return _MARKS.sub(r"\\\1", text)


class _Dumper(yaml.SafeDumper):
    """Without names for what stands there twice."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


def _as_yaml(values: JsonObject) -> str:
    written: str = yaml.dump(
        values, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=float("inf")
    )
    return written
