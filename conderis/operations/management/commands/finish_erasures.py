"""Finish what was erased from the tables and may still stand in the database's files."""

from argparse import ArgumentParser

from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from privacy.clearing import count_unfinished, finish_erasures


class Command(OperatorCommand):
    help = (
        "Clear the database's files of what was erased from its tables. `serve` does so after "
        "each decision and at its start; run it where a decision stays at `erasing`, once no "
        "long transaction is open any more."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--whole",
            action="store_true",
            help="Write the whole database anew, also where SQLite's file is large. Stop the "
            "server first: nobody can write meanwhile, which takes minutes.",
        )

    def answer(self, options: JsonObject) -> JsonObject:
        finished = finish_erasures(whole=bool(options["whole"]))
        return {"finished": finished, "left": count_unfinished()}

    def words(self, answer: JsonObject) -> str:
        left = answer["left"]
        more = f" Left for later: {left}." if left else ""
        return f"Erasures finished: {answer['finished']}.{more}"
