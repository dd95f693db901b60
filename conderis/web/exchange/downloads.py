"""Exports as downloads."""

from django.utils import timezone

from conderis.web.exchange.forms import ExportForm
from conderis.web.projects.frame import ProjectFrame
from conderis.web.settings.download import Download
from exchange.exporting.reading import Private
from exchange.exporting.writing import MARKDOWN, export_lines, export_name, export_zip


def download(frame: ProjectFrame, form: ExportForm) -> Download:
    """The project as the file that the form asks for."""
    private = Private.OWN if form.cleaned_data["private"] else Private.NONE
    now = timezone.now()
    if form.cleaned_data["form"] == MARKDOWN:
        return Download(
            export_zip(frame.caller, frame.project_id, private=private),
            name=export_name(frame.full_name, now, "zip"),
            kind="application/zip",
        )
    return Download(
        export_lines(frame.caller, frame.project_id, private=private),
        name=export_name(frame.full_name, now, "jsonl"),
        kind="application/jsonl",
    )
