"""Give a person a role in a project."""

from argparse import ArgumentParser

from conderis.accounts.actors import Operator
from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from projects.capabilities import Role
from projects.members import set_member


class Command(OperatorCommand):
    help = "Give a person a role in a project, instead of the one they had there directly."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", metavar="PROJECT", help="owner/name, or the project's id.")
        parser.add_argument("handle", metavar="HANDLE", type=str.lower)
        parser.add_argument("role", metavar="ROLE", help=f"One of {', '.join(Role.values)}.")

    def answer(self, options: JsonObject) -> JsonObject:
        member = set_member(
            Operator(),
            project_id=options["project"],
            handle=options["handle"],
            role=options["role"],
        )
        return {
            "project": member.project.full_name,
            "handle": member.person.handle,
            "role": str(member.role),
        }
