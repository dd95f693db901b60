"""Measure the tools: time, processor, queries and size of each call."""

from argparse import ArgumentParser

from conderis.common.environment import BadSetting, as_whole_number
from conderis.common.json import JsonObject
from conderis.operations.bench.benching import bench
from conderis.operations.bench.reporting import table
from conderis.operations.bench.seeding import LEAST_ITEMS
from conderis.operations.commanding import OperatorCommand
from conderis.operations.faults import Fault
from conderis.operations.trial.wire import Era

BOTH = "both"


class Command(OperatorCommand):
    help = (
        "Measure the tools on a server, data folder and database of their own, which are gone "
        "afterwards. With DATABASE_URL on PostgreSQL, in a new database beside that one."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--calls", default="100", help="Calls of each row. Without it: 100.")
        parser.add_argument(
            "--items", default="1000", help="Items of the project. Without it: 1000."
        )
        parser.add_argument(
            "--era", choices=[*Era, BOTH], default=BOTH, help="Of the protocol. Without it: both."
        )

    def handle(self, *_args: object, **options: object) -> None:
        self.show(self.answer(options), as_json=bool(options["json"]))

    def answer(self, options: JsonObject) -> JsonObject:
        era = options["era"]
        report = bench(
            items=_number("--items", options["items"], least=LEAST_ITEMS),
            calls=_number("--calls", options["calls"], least=1),
            eras=list(Era) if era == BOTH else [Era(era)],
            say=lambda text: self.stderr.write(f"{text} …", style_func=str),
        )
        return report.as_answer()

    def words(self, answer: JsonObject) -> str:
        return "\n".join(table(answer))


def _number(name: str, value: object, *, least: int) -> int:
    try:
        return as_whole_number(name, str(value), least=least, most=1_000_000)
    except BadSetting as error:
        raise Fault(str(error)) from error
