"""The lines of an export of this product, and what a first look at all of them tells."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _

from conderis.common.errors import Invalid
from conderis.common.json import Json, JsonObject
from exchange.exporting import layout
from exchange.importers.folders import UNREADABLE
from exchange.importers.json_lines import numbered_lines, value_of
from exchange.importers.values import line_of
from exchange.sources import SourceFile
from items.kinds.values import read_number

MAX_NAME: Final = 140  # characters of owner/name
MAX_NUMBER: Final = 1_000_000  # of an item


@dataclass(slots=True)
class Survey:
    """What the lines hold, told before any is used: the ids of the items by their numbers.

    `project` is the name of the one that was exported; `cut_off`: the last line is missing.
    """

    project: str = ""
    ids: dict[int, str] = field(default_factory=dict)
    proposals: int = 0
    unknown: int = 0
    miscounted: bool = False
    cut_off: bool = True


def objects_of(file: SourceFile) -> Iterator[tuple[int, JsonObject | None]]:
    """The lines with their numbers from 1, empty ones left out; None for one that is damaged.

    Raises:
        Invalid: there are too many.
    """
    return ((number, _parsed(line)) for number, line in numbered_lines(file))


def survey_of(file: SourceFile) -> Survey:
    """A first look at all lines of the file.

    Raises:
        Invalid: it is no export, one of a version that is not read here, or it is damaged
            so that no line can be read.
    """
    survey = Survey()
    counts: dict[str, int] = {}
    try:
        lines = objects_of(file)
        _number, header = next(lines, (0, None))
        survey.project = _project_in(header)
        for _number, line in lines:
            _note(survey, line, counts)
    except UNREADABLE as error:
        raise Invalid(_("This file is damaged. Export the project again."), field="file") from error
    return survey


def is_export(beginning: bytes) -> bool:
    """Whether a file that begins so is an export of lines."""
    return beginning.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"{") and (
        f'"{layout.FORMAT}"'.encode() in beginning.partition(b"\n")[0]
    )


def _parsed(line: bytes | None) -> JsonObject | None:
    try:
        value = value_of(line) if line is not None else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _project_in(header: JsonObject | None) -> str:
    """The name of the project, of a header that can be read."""
    if header is None or header.get("format") != layout.FORMAT:
        raise Invalid(
            _("The first line is not that of an export of Conderis. Export the project again."),
            field="file",
        )
    version = str(header.get("version", ""))
    if version.partition(".")[0] != str(layout.MAJOR):
        said = _(
            "This export has the version %(version)s, and only versions %(major)d.x are read "
            "here. Import it into a server of the version that made it, or export it there anew."
        )
        raise Invalid(said % {"version": version[:20], "major": layout.MAJOR}, field="file")
    project = header.get("project")
    return line_of(project.get("name"))[:MAX_NAME] if isinstance(project, dict) else ""


def _note(survey: Survey, line: JsonObject | None, counts: dict[str, int]) -> None:
    kind = line.get("type") if line is not None else None
    if line is None or not isinstance(kind, str):
        return
    counts[kind] = counts.get(kind, 0) + 1
    number = number_in(line.get("number"))
    if kind == layout.ITEM and number is not None and isinstance(line.get("id"), str):
        survey.ids.setdefault(number, line["id"])
    elif kind == layout.PROPOSAL:
        survey.proposals += 1
    elif kind == layout.END:
        survey.cut_off = False
        survey.miscounted = any(
            line.get(name, 0) != counts.get(of, 0) for of, name in layout.COUNTED.items()
        )
    elif kind not in (layout.ITEM, layout.TOMBSTONE, layout.EVENT):
        survey.unknown += 1


def number_in(value: Json) -> int | None:
    """A number of an item; None for anything else, and for numbers beyond what is read."""
    number = read_number(value)
    return number if number is not None and number <= MAX_NUMBER else None
