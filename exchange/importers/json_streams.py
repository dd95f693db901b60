"""JSON files read piece by piece, so that a large one need not stand in memory as a whole.

The parser is the standard library's; this cuts the file for it. (Tried and left: ijson, which
takes all memory for a file of deeply nested arrays and turns broken escapes into question marks.)
"""

import codecs
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Final

from django.utils.translation import gettext as _

from conderis.common.json import Json
from exchange.importers.folders import UNREADABLE
from exchange.records import Problem
from exchange.sources import Source, SourceFile

_PIECE: Final = 256 * 1024  # bytes read at once
_LONGEST_NUMBER: Final = 1000  # digits; longer ones become infinite, as their value is of no use
_DAMAGED: Final = (*UNREADABLE, EOFError)


class Unreadable(Exception):
    """The file is no JSON from here on; the text is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a file: an element of a list, or a member of the object that the file is.

    `name` is "" for elements of a list that is the whole file. `index` counts the elements of a
    list from 0; it is None for a member that is no list, and for an empty list.
    """

    name: str
    index: int | None
    value: Json


def pieces(file: SourceFile) -> Iterator[Piece]:
    """The pieces of a JSON file, in its order. Several documents in one file are read in turn.

    Raises:
        Unreadable: it is no JSON from some place on; what came before has been given.
    """
    try:
        with file.open() as stream:
            text = _Text(stream)
            while text.next():
                yield from _document(text)
    except UnicodeError as error:
        raise Unreadable(_("The file is no UTF-8 text.")) from error
    except _DAMAGED as error:
        raise Unreadable(_("The file cannot be read: it is damaged or encrypted.")) from error


def json_files(source: Source) -> list[SourceFile]:
    """The JSON files of a source; a single file whatever its name."""
    return [source.single] if source.single else list(source.with_suffix(".json"))


def other_files(source: Source) -> Iterator[Problem]:
    """The files of a source that are no JSON, each left out by name."""
    read = {file.name for file in json_files(source)}
    for file in source.files:
        if file.name not in read:
            yield Problem(file.name, _("It is no JSON file."))


def first_piece(file: SourceFile) -> Piece | None:
    """The first piece of a file, to tell what it is; None where there is none."""
    with suppress(Unreadable):
        return next(pieces(file), None)
    return None


def has_members(file: SourceFile, *names: str) -> bool:
    """Whether the file is an object with all these members (read until they are found)."""
    missing = set(names)
    with suppress(Unreadable):
        for piece in pieces(file):
            if not piece.name:
                return False
            missing.discard(piece.name)
            if not missing:
                return True
    return False


def _document(text: "_Text") -> Iterator[Piece]:
    opening = text.next()
    if opening == "[":
        yield from _elements(text, "")
    elif opening == "{":
        yield from _members(text)
    else:
        raise text.unreadable()


def _elements(text: "_Text", name: str) -> Iterator[Piece]:
    text.skip("[")
    index = 0
    while text.next() != "]":
        if index:
            text.skip(",")
        yield Piece(name, index, text.value())
        index += 1
    text.skip("]")
    if name and not index:
        yield Piece(name, None, [])


def _members(text: "_Text") -> Iterator[Piece]:
    text.skip("{")
    first = True
    while text.next() != "}":
        if not first:
            text.skip(",")
        first = False
        if text.next() != '"':
            raise text.unreadable()
        name = str(text.value())
        text.skip(":")
        if text.next() == "[":
            yield from _elements(text, name)
        else:
            yield Piece(name, None, text.value())
    text.skip("}")


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else float("inf")


class _Text:
    """The text of a stream, as much of it as is needed."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._read = 0  # characters before the buffer
        self._buffer = ""
        self._at = 0
        self._ended = False
        self._json = json.JSONDecoder(strict=False, parse_int=_number)
        start = stream.read(_PIECE)
        utf_16 = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        self._decoder = codecs.getincrementaldecoder("utf-16" if utf_16 else "utf-8-sig")()
        self._take(start)

    def next(self) -> str:
        """The next character that is no blank; "" at the end."""
        while True:
            while self._at < len(self._buffer):
                if self._buffer[self._at] not in " \t\r\n\ufeff":
                    return self._buffer[self._at]
                self._at += 1
            if not self._more(_PIECE):
                return ""

    def skip(self, character: str) -> None:
        """Pass this character.

        Raises:
            Unreadable: another one stands there.
        """
        if self.next() != character:
            raise self.unreadable()
        self._at += 1

    def value(self) -> Json:
        """The JSON value that begins here.

        Raises:
            Unreadable: none does, or it is nested too deeply.
        """
        self.next()
        while True:
            try:
                value, end = self._json.raw_decode(self._buffer, self._at)
            except RecursionError:
                raise Unreadable(
                    _("The file is nested too deeply after character %(place)d.")
                    % {"place": self._read + self._at}
                ) from None
            except ValueError as error:
                if not self._more(max(_PIECE, len(self._buffer) - self._at)):
                    raise self.unreadable() from error
                continue
            # A number at the end of what is read may go on.
            if end < len(self._buffer) or not self._more(_PIECE):
                self._at = end
                return value

    def unreadable(self) -> Unreadable:
        """The refusal that names this place."""
        return Unreadable(
            _("The file is no JSON after character %(place)d; it may be cut off.")
            % {"place": self._read + self._at}
        )

    def _more(self, size: int) -> bool:
        """Read on; whether there was more. What has been passed is let go."""
        if self._ended:
            return False
        self._read += self._at
        self._buffer = self._buffer[self._at :]
        self._at = 0
        self._take(self._stream.read(size))
        return True

    def _take(self, content: bytes) -> None:
        self._ended = not content
        self._buffer += self._decoder.decode(content, final=not content)
