"""Measure what search finds: questions whose answers are known."""

from argparse import ArgumentParser

from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from conderis.operations.retrieval.limits import Sizes
from conderis.operations.retrieval.retrieving import (
    bench_retrieval,
    bench_scale,
    scale_table,
    table,
)


class Command(OperatorCommand):
    help = (
        "Measure what search finds, on a database of its own, which is gone afterwards: on "
        "SQLite, and with DATABASE_URL on PostgreSQL also in a new database beside that one."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            metavar="FILE",
            nargs="?",
            help="Conversations in JSON. Without it: ../shared/bench/locomo-dev.json.",
        )

        parser.add_argument(
            "--scale",
            action="store_true",
            help="Measure instead what a search takes among 10,000 memories of one project, "
            "alone and beside 100 projects of 1,000. Takes some minutes.",
        )

    def handle(self, *_args: object, **options: object) -> None:
        self.show(self.answer(options), as_json=bool(options["json"]))

    def answer(self, options: JsonObject) -> JsonObject:
        if options["scale"]:
            return bench_scale(Sizes(), say=self._say)
        return bench_retrieval(options["file"], say=self._say)

    def words(self, answer: JsonObject) -> str:
        return "\n".join(table(answer) if "questions" in answer else scale_table(answer))

    def _say(self, text: str) -> None:
        self.stderr.write(f"{text} …", style_func=str)
