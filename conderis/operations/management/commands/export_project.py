"""Export a project to a file or a folder."""

from argparse import ArgumentParser
from pathlib import Path

from django.utils import timezone

from conderis.accounts.authentication import caller_of_person
from conderis.accounts.people import find_person
from conderis.common.caller import Surface
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from conderis.operations.exporting import save_export
from exchange.exporting.reading import Private
from exchange.exporting.writing import LINES, MARKDOWN, export_name


class Command(OperatorCommand):
    help = (
        "Export what a person may read of a project: items with their histories and relations, "
        "and what became of proposals. Nothing locked and nothing private of others is in it. "
        "An erasure that comes later does not reach the file."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="owner/name, or the project's id.")
        parser.add_argument(
            "--as", required=True, dest="handle", metavar="HANDLE", type=str.lower,
            help="The person whose rights count.",
        )  # fmt: skip
        parser.add_argument(
            "--format", choices=[LINES, MARKDOWN], default=LINES,
            help="One file of JSON lines (the default), or a folder of Markdown files.",
        )  # fmt: skip
        parser.add_argument(
            "--out",
            help="The file or folder to make; for Markdown a .zip, too. Without it: one of the "
            "project's name here.",
        )
        parser.add_argument(
            "--without-private",
            action="store_true",
            help="Leave out the person's own private memories, too.",
        )

    def answer(self, options: JsonObject) -> JsonObject:
        person = find_person(options["handle"])
        if not person.is_active:
            raise Invalid(f"The account {person.handle} is deactivated.", field="as")
        caller = caller_of_person(person, Surface.COMMAND)
        project, form = options["project"], options["format"]
        ending = "jsonl" if form == LINES else "zip"
        named = export_name(project, timezone.now(), ending)
        path = save_export(
            caller,
            project,
            Path(options["out"] or named),
            form=form,
            private=Private.NONE if options["without_private"] else Private.OWN,
        )
        return {"project": project, "format": form, "file": str(path)}

    def words(self, answer: JsonObject) -> str:
        where = f"Exported {answer['project']} to {answer['file']}."
        return f"{where} Keep it where nobody else reads it."
