"""Import a file or folder of another system, or an export of this product, into a project."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Final

from conderis.accounts.authentication import caller_of_person
from conderis.accounts.people import find_person
from conderis.common.caller import Surface
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from conderis.operations.database import require_prepared
from exchange.importers.base import Importer, Options
from exchange.importers.registry import IMPORTERS, importer_for, importer_named
from exchange.reporting import report_as_json, report_lines
from exchange.sources import Source, source_of_path
from exchange.writing.running import Order, check_import, run_import

LEFT_OUT: Final = 2
SAID: Final = 1_000  # records after which it says how far it is, where nobody watches


class Command(OperatorCommand):
    help = (
        "Import a file, folder or zip archive into a project. Run again, it goes on where it was "
        "broken off, and adds nothing twice. Exit code 0: everything is there; 2: some records "
        "were left out, each named; 1: nothing could be imported, or not all."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        names = [importer.name for importer in IMPORTERS]
        parser.add_argument("path", metavar="FILE", help="A file, a folder or a zip archive.")
        parser.add_argument("--project", required=True, help="owner/name, or the project's id.")
        parser.add_argument(
            "--as", required=True, dest="handle", metavar="HANDLE", type=str.lower,
            help="The person who imports: their rights count, and they answer for it.",
        )  # fmt: skip
        parser.add_argument(
            "--format",
            metavar="FORMAT",
            help=f"One of {', '.join(names)}. Without it: as the file looks.",
        )
        parser.add_argument(
            "--only", action="append", default=[], metavar="PART",
            help="Import this part of the file alone; may be given several times.",
        )  # fmt: skip
        parser.add_argument(
            "--dry-run", action="store_true", help="Say what it would do, and write nothing."
        )
        parser.add_argument(
            "--store-anyway", action="store_true", help="Store texts that look like secrets, too."
        )

    def handle(self, *_args: object, **options: object) -> None:
        """Import, say what came of it, and end with the exit code of that."""
        require_prepared()
        answer = self.answer(options)
        self.show(answer, as_json=bool(options["json"]))
        if self.from_shell and answer.get("leftOut"):
            sys.exit(LEFT_OUT)

    def answer(self, options: JsonObject) -> JsonObject:
        person = find_person(options["handle"])
        if not person.is_active:
            raise Invalid(f"The account {person.handle} is deactivated.", field="as")
        source = source_of_path(Path(options["path"]).expanduser())
        order = Order(
            options["project"],
            _importer(source, options["format"]),
            source,
            Options(only=tuple(options["only"])),
            store_anyway=options["store_anyway"],
        )
        work = check_import if options["dry_run"] else run_import
        telling = _Telling(self)
        report = work(caller_of_person(person, Surface.COMMAND), order, progress=telling)
        telling.end()
        dry = {"dryRun": True} if options["dry_run"] else {}
        return {"importer": order.importer.name, **dry, **report_as_json(report)}

    def words(self, answer: JsonObject) -> str:
        return "\n".join(report_lines(answer))


def _importer(source: Source, name: str | None) -> Importer:
    if name is not None:
        return importer_named(name)
    found = importer_for(source)
    if found is None:
        names = [importer.name for importer in IMPORTERS]
        raise Invalid(
            "The format of this file is not known. Name it with --format: one of "
            f"{', '.join(names)}.",
            field="format",
            allowed=names,
        )
    return found


class _Telling:
    """Says on stderr how many records are worked through: steadily to a person, else at times."""

    def __init__(self, command: OperatorCommand) -> None:
        self._command = command
        self._said = 0

    def __call__(self, done: int) -> None:
        stream = self._command.stderr
        if stream.isatty():
            stream.write(f"\r{done:,} records", style_func=str, ending="")
            self._said = done
        elif done - self._said >= SAID:
            stream.write(f"{done:,} records …", style_func=str)
            self._said = done

    def end(self) -> None:
        """End the line on which it was said."""
        if self._said and self._command.stderr.isatty():
            self._command.stderr.write("", style_func=str)
