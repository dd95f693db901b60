"""What the commands share: `--json`, one clear line for a refusal, exit code 1.

With `--json` stdout holds one JSON object and nothing else: the answer, or the refusal
(`error`, `message` and details, as every surface shows it). A refusal is also one line
on stderr either way.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error

from conderis import __version__
from conderis.accounts.redaction import redact
from conderis.common.errors import DomainError, Unavailable
from conderis.common.json import JsonObject, compact
from conderis.operations.database import database_place, require_prepared
from conderis.operations.faults import Fault, database_fault
from conderis.operations.indexing import mend_index


class Refused(CommandError):
    """A command that was refused, with the refusal as JSON."""

    def __init__(self, refusal: JsonObject) -> None:
        super().__init__(str(refusal["message"]))
        self.refusal = refusal


class OperatorCommand(BaseCommand):
    """A command for whoever runs the server. It needs no account, only the machine."""

    # Costs a second at every call and finds what the tests find.
    requires_system_checks = ()
    from_shell = False
    usage = ""

    def get_version(self) -> str:
        """Ours, not Django's."""
        return __version__

    def run_from_argv(self, argv: list[str]) -> None:
        """Run as from a shell: what is refused ends the process."""
        self.from_shell = True
        super().run_from_argv(argv)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """The parser, which refuses in one line as everything else does."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)

        def refuse(message: str) -> NoReturn:
            said = f"{redact(message)} (see {subcommand} --help)"
            refusal = {"error": "invalid", "message": said}
            if not self.from_shell:
                raise Refused(refusal)
            self._show_and_exit(refusal, as_json="--json" in sys.argv)

        parser.error = refuse  # type: ignore[method-assign]
        self.usage = parser.format_usage()
        return parser

    def add_arguments(self, parser: CommandParser) -> None:
        """The command's own arguments and `--json`."""
        self.arguments(parser)
        parser.add_argument(
            "--json", action="store_true", help="Print one JSON object and nothing else."
        )

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; a refusal becomes its one line and exit code 1."""
        try:
            with refusals():
                return super().execute(*args, **options)
        except Refused as refused:
            if not self.from_shell:
                raise
            self._show_and_exit(refused.refusal, as_json=bool(options.get("json")))

    def handle(self, *_args: Any, **options: Any) -> None:
        """Answer, in JSON or in words."""
        require_prepared()
        self.show(self.answer(options), as_json=options["json"])

    def show(self, answer: JsonObject, *, as_json: bool, words: str | None = None) -> None:
        """Print an answer, in these words where it is not to be JSON."""
        self.stdout.write(compact(answer) if as_json else words or self.words(answer))
        self.stdout.flush()

    def mend_index(self) -> int | None:
        """Rebuild a search index that is not whole, told of on stderr; how many items it holds.

        None where it was whole. The caller holds `setup_lock`. Nothing goes to stdout.
        """
        return mend_index(lambda done: self.stderr.write(f"{done:,} items …", style_func=str))

    def arguments(self, parser: ArgumentParser) -> None:
        """Add the command's own arguments."""

    def answer(self, options: JsonObject) -> JsonObject:
        """Do what the command is for, and answer with the JSON object of it."""
        raise NotImplementedError

    def words(self, answer: JsonObject) -> str:
        """The answer for people: one line for each member."""
        return "\n".join(f"{name}: {value}" for name, value in answer.items())

    def _show_and_exit(self, refusal: JsonObject, *, as_json: bool) -> NoReturn:
        if as_json:
            self.stdout.write(compact(refusal))
        self.stderr.write(self._line(refusal))
        sys.exit(1)

    def _line(self, refusal: JsonObject) -> str:
        """The refusal's message; where it is about an option, that is named as it is typed."""
        message, field = str(refusal["message"]), refusal.get("field")
        if not field or f"--{field} " not in self.usage:
            return message
        return f"--{message}" if message.startswith(f"{field} ") else f"--{field}: {message}"


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what can go wrong for good reasons into `Refused`.

    Raises:
        Refused: with the refusal that it stands for.
    """
    try:
        yield
    except DomainError as refusal:
        raise Refused(refusal.as_answer()) from refusal
    except Fault as fault:
        raise Refused(Unavailable(str(fault)).as_answer()) from fault
    except Error as error:
        said = str(database_fault(error, place=database_place()))
        raise Refused(Unavailable(said).as_answer()) from error
