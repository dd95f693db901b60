"""Shut a person's account."""

from argparse import ArgumentParser

from conderis.accounts.actors import Operator
from conderis.accounts.deactivation import deactivate_person
from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand


class Command(OperatorCommand):
    help = (
        "Shut a person's account: sessions, sign-in links and keys are refused from the very "
        "next call on. What the person wrote stays."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("handle", metavar="HANDLE", type=str.lower)

    def answer(self, options: JsonObject) -> JsonObject:
        person = deactivate_person(Operator(), handle=options["handle"])
        return {"handle": person.handle, "active": person.is_active}
