"""List agent keys."""

from argparse import ArgumentParser

from conderis.accounts.people import find_person
from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from conderis.operations.key_list import key_lines, key_list


class Command(OperatorCommand):
    help = "List agent keys, those that work first. No key itself is shown: only digests are kept."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "handle",
            metavar="HANDLE",
            nargs="?",
            default="",
            type=str.lower,
            help="Whose keys. Without it: everybody's.",
        )

    def answer(self, options: JsonObject) -> JsonObject:
        handle = options["handle"]
        return {"keys": key_list(find_person(handle) if handle else None)}

    def words(self, answer: JsonObject) -> str:
        return "\n".join(key_lines(answer["keys"])) or "There are no keys."
