"""Make a sign-in link for a person who is there already."""

from argparse import ArgumentParser

from conderis.accounts.actors import Operator
from conderis.accounts.people import find_person
from conderis.accounts.sign_in import create_sign_in_link
from conderis.common.json import JsonObject
from conderis.operations.addresses import base_address, sign_in_address
from conderis.operations.commanding import OperatorCommand


class Command(OperatorCommand):
    help = "Print a link that signs a person in once, within 15 minutes."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("handle", metavar="HANDLE", type=str.lower)

    def answer(self, options: JsonObject) -> JsonObject:
        person = find_person(options["handle"])
        token = create_sign_in_link(Operator(), person=person)
        return {"handle": person.handle, "sign_in": sign_in_address(base_address(), token)}
