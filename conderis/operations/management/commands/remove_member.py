"""End a person's role in a project."""

from argparse import ArgumentParser

from conderis.accounts.actors import Operator
from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from projects.members import remove_member


class Command(OperatorCommand):
    help = "End the role that a person has in a project directly."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", metavar="PROJECT", help="owner/name, or the project's id.")
        parser.add_argument("handle", metavar="HANDLE", type=str.lower)

    def answer(self, options: JsonObject) -> JsonObject:
        project, handle = options["project"], options["handle"]
        remove_member(Operator(), project_id=project, handle=handle)
        return {"project": project, "handle": handle, "removed": True}
