"""Make a person an admin of this server, or take that back."""

from argparse import ArgumentParser

from conderis.accounts.actors import Operator
from conderis.accounts.admins import give_admin, take_admin
from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand


class Command(OperatorCommand):
    help = "Make a person an admin of this server, or with --revoke an admin no longer."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("handle", metavar="HANDLE", type=str.lower)
        parser.add_argument(
            "--revoke", action="store_true", help="Take it back; not from the last admin."
        )

    def answer(self, options: JsonObject) -> JsonObject:
        change = take_admin if options["revoke"] else give_admin
        person = change(Operator(), handle=options["handle"])
        return {"handle": person.handle, "admin": person.is_superuser}
