"""Open a person's account again."""

from argparse import ArgumentParser

from conderis.accounts.actors import Operator
from conderis.accounts.deactivation import activate_person
from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand


class Command(OperatorCommand):
    help = "Open an account that was shut; its keys that have not ended work again."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("handle", metavar="HANDLE", type=str.lower)

    def answer(self, options: JsonObject) -> JsonObject:
        person = activate_person(Operator(), handle=options["handle"])
        return {"handle": person.handle, "active": person.is_active}
