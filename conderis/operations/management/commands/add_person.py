"""Add a person who signs in by a link."""

from argparse import ArgumentParser

from django.db import transaction

from conderis.accounts.actors import Operator
from conderis.accounts.people import create_person
from conderis.accounts.sign_in import create_sign_in_link
from conderis.common.json import JsonObject
from conderis.operations.addresses import base_address, sign_in_address
from conderis.operations.commanding import OperatorCommand


class Command(OperatorCommand):
    help = "Add a person, and print a link that signs them in once, within 15 minutes."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "handle",
            metavar="HANDLE",
            help="2 to 39 lower-case letters, digits and hyphens.",
        )
        parser.add_argument("--email", required=True, help="Shown to nobody but its owner.")
        parser.add_argument(
            "--name", default="", help="Display name. Without it: the email before the @."
        )

    def answer(self, options: JsonObject) -> JsonObject:
        operator = Operator()
        with transaction.atomic():
            person = create_person(
                operator,
                handle=options["handle"],
                email=options["email"],
                display_name=options["name"],
            )
            token = create_sign_in_link(operator, person=person)
        return {
            "id": person.ref,
            "handle": person.handle,
            "sign_in": sign_in_address(base_address(), token),
        }
