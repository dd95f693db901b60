"""Measure what importing costs."""

from argparse import ArgumentParser

from conderis.common.environment import BadSetting, as_whole_number
from conderis.common.json import JsonObject
from conderis.operations.bench.importing_report import bench_importing, table
from conderis.operations.commanding import OperatorCommand
from conderis.operations.faults import Fault


class Command(OperatorCommand):
    help = (
        "Measure what importing many issues costs, and how long others wait meanwhile, on a "
        "database of its own, which is gone afterwards: on SQLite, and with DATABASE_URL on "
        "PostgreSQL also in a new database beside that one."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--items", default="10000", help="Items. Without it: 10000.")

    def handle(self, *_args: object, **options: object) -> None:
        self.show(self.answer(options), as_json=bool(options["json"]))

    def answer(self, options: JsonObject) -> JsonObject:
        try:
            items = as_whole_number("--items", str(options["items"]), least=10, most=1_000_000)
        except BadSetting as error:
            raise Fault(str(error)) from error
        return bench_importing(
            items=items, say=lambda text: self.stderr.write(f"{text} …", style_func=str)
        )

    def words(self, answer: JsonObject) -> str:
        return "\n".join(table(answer))
