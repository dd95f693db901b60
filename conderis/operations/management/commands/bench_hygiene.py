"""Measure what judging a project's hygiene costs."""

from argparse import ArgumentParser

from conderis.common.environment import BadSetting, as_whole_number
from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from conderis.operations.faults import Fault
from conderis.operations.hygiene.benching import bench_hygiene, table


class Command(OperatorCommand):
    help = (
        "Measure what judging a project's hygiene costs, on a database of its own, which is "
        "gone afterwards: on SQLite, and with DATABASE_URL on PostgreSQL also in a new "
        "database beside that one."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--items", default="10000", help="Items of the project. Without it: 10000."
        )
        parser.add_argument("--times", default="20", help="Runs. Without it: 20.")

    def handle(self, *_args: object, **options: object) -> None:
        self.show(self.answer(options), as_json=bool(options["json"]))

    def answer(self, options: JsonObject) -> JsonObject:
        return bench_hygiene(
            items=_number("--items", options["items"], least=10),
            times=_number("--times", options["times"], least=1),
            say=lambda text: self.stderr.write(f"{text} …", style_func=str),
        )

    def words(self, answer: JsonObject) -> str:
        return "\n".join(table(answer))


def _number(name: str, value: object, *, least: int) -> int:
    try:
        return as_whole_number(name, str(value), least=least, most=1_000_000)
    except BadSetting as error:
        raise Fault(str(error)) from error
