"""Invite somebody who has no account yet."""

from argparse import ArgumentParser

from conderis.accounts.actors import Operator
from conderis.common.json import JsonObject
from conderis.operations.addresses import absolute, base_address
from conderis.operations.commanding import OperatorCommand
from projects.capabilities import OrganizationRole, Role
from projects.invitations import create_invitation

DAYS = 7


class Command(OperatorCommand):
    help = "Print a link by which one person can make an account, within days."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", help="Also a role in this one: owner/name, or its id.")
        parser.add_argument("--organization", help="Also a role in this one, by its handle.")
        parser.add_argument(
            "--role",
            default="",
            help=f"In a project one of {', '.join(Role.values)}; in an organization one of "
            f"{', '.join(OrganizationRole.values)}.",
        )
        parser.add_argument(
            "--days", type=int, default=DAYS, help=f"How long it works. Without it: {DAYS}."
        )

    def answer(self, options: JsonObject) -> JsonObject:
        made = create_invitation(
            Operator(),
            project_id=options["project"],
            organization=options["organization"],
            role=options["role"],
            days=options["days"],
        )
        return {
            "invitation": made.invitation.public_id,
            "link": absolute(base_address(), "invitation", made.token),
        }
