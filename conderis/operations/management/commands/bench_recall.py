"""Measure what recall shows, and with --scale what it takes."""

from argparse import ArgumentParser

from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from conderis.operations.recalling.benching import bench_recall, bench_scale
from conderis.operations.recalling.reporting import scale_table, table

MEMORIES = 10_000


class Command(OperatorCommand):
    help = (
        "Measure what recall shows, on a database of its own, which is gone afterwards: on "
        "SQLite, and with DATABASE_URL on PostgreSQL also in a new database beside that one."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            metavar="FILE",
            nargs="?",
            help="Conversations in JSON, as for bench_retrieval. Without it: "
            "../shared/bench/locomo-dev.json, if it is there.",
        )
        parser.add_argument(
            "--scale", action="store_true", help=f"Measure times among {MEMORIES:,} memories."
        )

    def handle(self, *_args: object, **options: object) -> None:
        self.show(self.answer(options), as_json=bool(options["json"]))

    def answer(self, options: JsonObject) -> JsonObject:
        def say(text: str) -> None:
            self.stderr.write(f"{text} …", style_func=str)

        if options["scale"]:
            return bench_scale(MEMORIES, say=say)
        return bench_recall(options["file"], say=say)

    def words(self, answer: JsonObject) -> str:
        return "\n".join(scale_table(answer) if "memories" in answer else table(answer))
