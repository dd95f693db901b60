"""Who may change accounts: people their own, and whoever runs the server."""

from dataclasses import dataclass

from conderis.common.caller import Caller, Surface
from conderis.common.errors import Denied


@dataclass(frozen=True, slots=True)
class Operator:
    """Whoever runs the server: by its commands, without an account, or as one of its admins.

    `person_id` is the admin's, for the audit log; a command has none.
    """

    surface: Surface = Surface.COMMAND
    person_id: int | None = None


Actor = Caller | Operator


def require_person(actor: Actor) -> None:
    """Go on only for a person or the operator: no scope of a key reaches accounts.

    Raises:
        Denied: an agent asks, or somebody who has not signed in.
    """
    if isinstance(actor, Operator):
        return
    if actor.is_nobody:
        raise Denied("Sign in first.", missing="account")
    if not actor.is_agent:
        return
    raise Denied(
        "Agents can change neither accounts nor keys nor members. Ask your person to do it.",
        missing="person",
    )
