"""Make the first account, project and key, and print how to connect."""

import shlex
from argparse import ArgumentParser

from conderis.accounts.people import find_person
from conderis.common.json import JsonObject
from conderis.operations.addresses import base_address
from conderis.operations.commanding import OperatorCommand
from conderis.operations.database import prepared_database
from conderis.operations.kept_key import forget_keys
from conderis.operations.quickstart import quickstart
from conderis.operations.welcome import welcome


class Command(OperatorCommand):
    help = (
        "Make what is missing of the first account, project and agent key, and print how to "
        "connect. Each call makes a new sign-in link."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--handle",
            default="",
            help="Whose account, made where it is missing. Without it: the first owner of this "
            "server, on an empty one `owner`.",
        )
        parser.add_argument(
            "--project", default="", help="Name of that account's project. Without it: home."
        )
        parser.add_argument(
            "--forget",
            action="store_true",
            help="Only delete the kept keys from the data folder, with --handle that person's "
            "alone. The keys live on.",
        )

    def handle(self, *_args: object, **options: object) -> None:
        handle, project = str(options["handle"]), str(options["project"])
        as_json = bool(options["json"])
        with prepared_database():
            if options["forget"]:
                person = find_person(handle.lower()) if handle else None
                self.show({"forgotten": forget_keys(person)}, as_json=as_json)
                return
            self.mend_index()
            made = quickstart(base_address(), handle=handle, project=project)
        again = "quickstart"
        if handle:
            again += f" --handle {made.handle}"
        if project:
            again += f" --project {shlex.quote(project)}"
        self.show(made.as_answer(), as_json=as_json, words=welcome(made, command=again))

    def words(self, answer: JsonObject) -> str:
        return (
            "No key is kept in the data folder any more; a key lives until revoke_key ends it."
            if answer["forgotten"]
            else "No key was kept."
        )
