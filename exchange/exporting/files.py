"""An export as one file with a name, in the form that was asked for."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.echoes import echo
from conderis.common.errors import Invalid
from exchange.exporting.reading import Private
from exchange.exporting.writing import LINES, MARKDOWN, export_lines, export_name, export_zip
from projects.access import access_project
from projects.capabilities import Use

FORMS: Final = (LINES, MARKDOWN)


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file that is made while its pieces are taken."""

    name: str
    pieces: Iterator[str] | Iterator[bytes] = field(repr=False)
    written_as: str


def exported_file(
    caller: Caller, project_id: str, *, written_as: str, private: Private
) -> ExportedFile:
    """The project as a file: JSON Lines, or a zip archive of Markdown files.

    Raises:
        Invalid: there is no such form.
        Denied: nobody has signed in, or the key has not the scope `read`.
        NotFound: there is no such project that the caller may read.
    """
    if written_as not in FORMS:
        raise Invalid(
            f"There is no format {echo(written_as)}. Known are {', '.join(FORMS)}.",
            field="format",
            allowed=list(FORMS),
        )
    project = access_project(caller, project_id, use=Use.READ).project
    ending, write = ("zip", export_zip) if written_as == MARKDOWN else ("jsonl", export_lines)
    name = export_name(project.full_name, timezone.now(), ending)
    pieces = write(caller, project.public_id, private=private)
    return ExportedFile(name, pieces, written_as)
