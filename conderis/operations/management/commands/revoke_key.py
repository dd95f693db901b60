"""End an agent key."""

from argparse import ArgumentParser

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import revoke_key
from conderis.common.json import JsonObject
from conderis.common.times import iso
from conderis.operations.commanding import OperatorCommand
from conderis.operations.kept_key import forget_if


class Command(OperatorCommand):
    help = "End an agent key: its very next call is refused."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "id", metavar="ID", help="As add_key and list_keys print it; or the whole key."
        )

    def answer(self, options: JsonObject) -> JsonObject:
        key = revoke_key(Operator(), key_id=options["id"])
        forget_if(key)
        revoked = key.revoked_at
        return {"id": key.public_id, "revoked": iso(revoked) if revoked is not None else None}
