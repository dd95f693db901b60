"""Lines of JSON, read one by one and within limits, whoever wrote the file."""

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from conderis.common.errors import Invalid
from conderis.common.json import Json
from conderis.common.json_reading import DECODER
from exchange.sources import SourceFile

MAX_LINE: Final = 16 * 1024**2  # bytes; the longest text makes a line of some 3 MB
MAX_LINES: Final = 3_000_000  # empty ones included


def numbered_lines(file: SourceFile) -> Iterator[tuple[int, bytes | None]]:
    """The lines with their numbers from 1, empty ones left out; None for one that is too long.

    Raises:
        Invalid: there are too many.
    """
    with file.open() as stream:
        number = 0
        while line := stream.readline(MAX_LINE + 1):
            number += 1
            if number > MAX_LINES:
                raise Invalid(
                    _("The file has more than %(most)s lines.") % {"most": MAX_LINES}, field="file"
                )
            fits = len(line) <= MAX_LINE
            while len(line) > MAX_LINE and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE + 1)  # the rest of it is passed over
            if not fits:
                yield number, None
            elif line := line.removeprefix(b"\xef\xbb\xbf").strip():
                yield number, line


def value_of(line: bytes) -> Json:
    """The value of a line.

    Raises:
        ValueError: it is no JSON in UTF-8, has a number that is none, or is nested too deeply.
    """
    try:
        value: Json = DECODER.decode(line.decode())
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value
