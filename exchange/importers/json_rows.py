"""The rows of a JSON file: one on each line, or the elements of the one list that it is."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from conderis.common.json import Json
from exchange.importers.folders import UNREADABLE
from exchange.importers.json_lines import numbered_lines, value_of
from exchange.importers.json_streams import Unreadable, pieces
from exchange.importers.values import storable
from exchange.sources import SourceFile


@dataclass(frozen=True, slots=True)
class Row:
    """A line or an element: a value, or what is wrong with it."""

    place: str
    value: Json = None
    problem: str = ""


def rows_of(file: SourceFile) -> Iterator[Row]:
    """The rows of a file; what cannot be read is a row with a problem.

    Raises:
        Invalid: it has too many lines.
    """
    try:
        beginning = file.beginning()
    except UNREADABLE:
        reason = _("The file cannot be read: it is damaged or encrypted.")
        yield Row(storable(file.name), problem=reason)
        return
    if beginning.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"[":
        yield from _elements(file)
    else:
        yield from _lines(file)


def _elements(file: SourceFile) -> Iterator[Row]:
    count = 0
    try:
        for count, piece in enumerate(pieces(file), start=1):
            yield Row(_("entry %(number)d") % {"number": count}, piece.value)
    except Unreadable as error:
        yield Row(_("entry %(number)d") % {"number": count + 1}, problem=str(error))


def _lines(file: SourceFile) -> Iterator[Row]:
    number = 0
    try:
        for number, line in numbered_lines(file):
            place = _("line %(number)d") % {"number": number}
            if line is None:
                yield Row(place, problem=_("The line is too long."))
            else:
                yield _parsed(place, line)
    except UNREADABLE:
        place = _("line %(number)d") % {"number": number + 1}
        yield Row(place, problem=_("The file cannot be read from here on: it is damaged."))


def _parsed(place: str, line: bytes) -> Row:
    try:
        return Row(place, value_of(line))
    except ValueError:
        return Row(place, problem=_("The line is no JSON; it may be cut off."))
