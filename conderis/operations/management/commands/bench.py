"""Measure the tools: time, processor, queries and size of each call."""

import sys
from argparse import ArgumentParser

from django.db import connection

from conderis.common.environment import BadSetting, as_whole_number
from conderis.common.json import JsonObject
from conderis.operations.bench.benching import bench
from conderis.operations.bench.drafts import LEAST_ITEMS
from conderis.operations.bench.reference import compared, keep, require_kept
from conderis.operations.bench.reporting import Sizes
from conderis.operations.bench.tables import table
from conderis.operations.commanding import OperatorCommand
from conderis.operations.faults import Fault
from conderis.operations.trial.wire import Era

BOTH = "both"
# By option: what it is without being named, the least that it can be, and what it says.
NUMBERS = {
    "items": (10_000, LEAST_ITEMS, "Items of the large project."),
    "small": (1_000, LEAST_ITEMS, "Items of the small project, and of each other one."),
    "others": (100, 0, "Other projects, made after the small one was measured alone."),
    "calls": (100, 1, "Calls of each row."),
    "clients": (8, 1, "Clients that call at once."),
    "seconds": (10, 1, "Seconds of their mix of calls."),
    "workers": (2, 1, "Worker processes of the server that they call."),
}
MOST_WORKERS = 64  # that `serve` starts


class Command(OperatorCommand):
    help = (
        "Measure the tools on a server, data folder and database of their own, which are gone "
        "afterwards. With DATABASE_URL on PostgreSQL, in a new database beside that one."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        for name, (default, _, says) in NUMBERS.items():
            parser.add_argument(
                f"--{name}", default=str(default), help=f"{says} Without it: {default:,}."
            )
        parser.add_argument(
            "--era", choices=[*Era, BOTH], default=BOTH, help="Of the protocol. Without it: both."
        )
        parser.add_argument(
            "--check", action="store_true",
            help="End with 1 where a ratio is more than a third above the kept one.",
        )  # fmt: skip
        parser.add_argument(
            "--keep", action="store_true", help="Keep the ratios, for later runs with --check."
        )

    def handle(self, *_args: object, **options: object) -> None:
        answer = self.answer(options)
        self.show(answer, as_json=bool(options["json"]))
        if options["keep"]:
            keep(answer)
        if answer.get("worse"):
            sys.exit(1)

    def answer(self, options: JsonObject) -> JsonObject:
        numbers = {
            name: _number(f"--{name}", options[name], least=least)
            for name, (_, least, _) in NUMBERS.items()
        }
        if options["check"]:
            require_kept(connection.vendor, numbers)
        era = options["era"]
        report = bench(
            Sizes(**numbers),
            eras=list(Era) if era == BOTH else [Era(era)],
            say=lambda text: self.stderr.write(f"{text} …", style_func=str),
        )
        answer = report.as_answer()
        return answer | (compared(answer) if options["check"] else {})

    def words(self, answer: JsonObject) -> str:
        return "\n".join(table(answer))


def _number(name: str, value: object, *, least: int) -> int:
    most = MOST_WORKERS if name == "--workers" else 1_000_000
    try:
        return as_whole_number(name, str(value), least=least, most=most)
    except BadSetting as error:
        raise Fault(str(error)) from error
