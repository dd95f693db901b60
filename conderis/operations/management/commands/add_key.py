"""Create an agent key for a person."""

from argparse import ArgumentParser
from collections.abc import Sequence

from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import DEFAULT_SCOPES, KeyWish, MadeKey
from conderis.accounts.expiry import parse_expiry
from conderis.accounts.models import Person
from conderis.accounts.people import find_person
from conderis.common.caller import Scope
from conderis.common.environment import as_list
from conderis.common.errors import Conflict, Invalid
from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from projects.keys import create_agent_key


class Command(OperatorCommand):
    help = "Create an agent key and print it: the only time that it is shown."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "handle", metavar="HANDLE", type=str.lower, help="Whose rights the agent has."
        )
        parser.add_argument(
            "--name", required=True, help="Which client, and where: 'Codex on laptop'."
        )
        parser.add_argument(
            "--scopes",
            default=",".join(DEFAULT_SCOPES),
            help=f"Some of {','.join(Scope)}. Without it: {','.join(DEFAULT_SCOPES)}.",
        )
        parser.add_argument(
            "--projects", help="Only these, as owner/name,owner/name. Without it: all."
        )
        parser.add_argument(
            "--always-review",
            action="store_true",
            help="Whatever can be a proposal becomes one. Not together with the scope review.",
        )
        parser.add_argument(
            "--expires", help="2027-01-31, 90d, or 2027-01-31T12:00:00Z. Without it: never."
        )

    def answer(self, options: JsonObject) -> JsonObject:
        person = find_person(options["handle"])
        expires, projects = options["expires"], options["projects"]
        wish = KeyWish(
            name=options["name"],
            scopes=as_list(options["scopes"]),
            always_review=options["always_review"],
            expires_at=(
                parse_expiry(expires, zone=person.time_zone, now=timezone.now())
                if expires is not None
                else None
            ),
        )
        made = _create(person, wish, as_list(projects) if projects is not None else None)
        return {"id": made.key.public_id, "key": made.text}


def _create(person: Person, wish: KeyWish, projects: Sequence[str] | None) -> MadeKey:
    """The key; refusals that speak to its owner are put in words for the operator."""
    handle = person.handle
    try:
        return create_agent_key(Operator(), person=person, wish=wish, projects=projects)
    except Conflict as refusal:
        raise Conflict(
            f"{handle} has a key named {wish.name.strip()} already. Add where this one runs, "
            "such as 'Codex on laptop'.",
            **refusal.details,
        ) from refusal
    except Invalid as refusal:
        if refusal.details.get("field") != "projects" or refusal.details.get("allowed") != []:
            raise
        raise Invalid(
            f"{handle} may read no project yet. Give {handle} a role in one first, with "
            "add_member.",
            **refusal.details,
        ) from refusal
