"""Rows of Jira's CSV export, read one by one. Columns may stand there several times."""

import codecs
import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from django.utils.translation import gettext as _

from conderis.common.errors import Invalid
from exchange.importers.folders import UNREADABLE
from exchange.importers.jira_cells import text_of_cell
from exchange.importers.values import line_of
from exchange.sources import MAX_FILE_BYTES, Source, SourceFile

SUMMARY: Final = "summary"
KEYS: Final = ("issue key", "key")
_DELIMITERS: Final = ",;\t"
_PIECE: Final = 1024 * 1024

# The limit is one for the whole process, so it is set once and for all readers of tables.
csv.field_size_limit(MAX_FILE_BYTES)


class Header:
    """The names of the columns, and where those of one name stand."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.folded = [name.casefold() for name in names]
        self.places: dict[str, list[int]] = defaultdict(list)
        for place, name in enumerate(self.folded):
            self.places[name].append(place)

    def find(self, names: Iterable[str]) -> list[int]:
        """The columns with these names, in the order of the file."""
        return sorted(place for name in names for place in self.places.get(name, ()))


@dataclass(frozen=True, slots=True)
class Row:
    """A row by its number as a table shows it: the header is row 1."""

    number: int
    header: Header
    cells: Sequence[str]

    def all(self, *names: str) -> list[str]:
        """All filled cells of the columns with these names, in the order of the file.

        Names are in lower case.
        """
        cells = (self.cells[at] for at in self.header.find(names) if at < len(self.cells))
        return [text_of_cell(cell) for cell in cells if cell.strip()]

    def filled(self) -> Iterator[tuple[str, str, str]]:
        """Each filled cell with its column's name, as it is and in lower case."""
        for place, cell in enumerate(self.cells[: len(self.header.names)]):
            if cell.strip():
                yield self.header.names[place], self.header.folded[place], cell

    def one(self, *names: str) -> str:
        """The first filled cell of these columns, the first name first, as one line."""
        found = (line_of(cell) for name in names for cell in self.all(name))
        return next((cell for cell in found if cell), "")

    @property
    def key(self) -> str:
        """The issue's key, as SHOP-12."""
        return self.one(*KEYS)

    @property
    def surplus(self) -> bool:
        """Whether it has filled cells without a column."""
        return any(cell.strip() for cell in self.cells[len(self.header.names) :])


def looks_like_jira(source: Source) -> bool:
    """Whether the file begins as Jira's CSV exports do."""
    file = source.single
    if file is None or file.suffix in {".json", ".jsonl", ".md"}:
        return False
    try:
        line = file.beginning(64 * 1024).decode(_bom(file)[0], errors="replace").partition("\n")[0]
    except UNREADABLE:
        return False
    names = {cell.strip().strip('"').casefold() for cell in line.replace(";", ",").split(",")}
    return SUMMARY in names and bool(names.intersection(KEYS))


def encoding_of(file: SourceFile) -> tuple[str, str | None]:
    """The file's encoding, and its name for people where it is not UTF-8."""
    encoding, name = _bom(file)
    if encoding != "utf-8":
        return encoding, name
    decoder = codecs.getincrementaldecoder("utf-8")()
    with file.open() as stream:
        try:
            while piece := stream.read(_PIECE):
                decoder.decode(piece)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252", "Windows-1252"
    return "utf-8", None


def rows(file: SourceFile, encoding: str) -> Iterator[Row]:
    """The rows below the header; empty ones are passed over.

    Raises:
        Invalid: the file is no table, or without the columns Summary and Issue key.
    """
    try:
        with io.TextIOWrapper(file.open(), encoding, errors="replace", newline="") as text:
            first = text.readline()
            delimiter = max(_DELIMITERS, key=first.count)
            table = csv.reader(chain([first], text), delimiter=delimiter)
            header = Header([line_of(name) for name in next(table, [])])
            _expect_columns(header)
            for number, cells in enumerate(table, start=2):
                if any(cell.strip() for cell in cells):
                    yield Row(number, header, cells)
    except csv.Error as error:
        raise Invalid(_("The file is no CSV table that can be read."), field="file") from error
    except UNREADABLE as error:
        raise Invalid(_("The file cannot be read: it is damaged."), field="file") from error


def _expect_columns(header: Header) -> None:
    if SUMMARY not in header.places or not header.places.keys() & set(KEYS):
        raise Invalid(
            _(
                "The first row must name the columns Summary and Issue key. Export from Jira with "
                "English as your language."
            ),
            field="file",
        )


def _bom(file: SourceFile) -> tuple[str, str | None]:
    start = file.beginning(4)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16", "UTF-16"
    return ("utf-8-sig", None) if start.startswith(codecs.BOM_UTF8) else ("utf-8", None)
