"""Whether a caller may still act: for work that goes on long after it was asked for."""

from conderis.accounts.agent_keys import live_keys
from conderis.accounts.authentication import NotAuthenticated, agent_caller
from conderis.accounts.models import Person
from conderis.common.caller import Caller, Surface
from conderis.common.errors import Denied


def refuse_ended(caller: Caller) -> None:
    """Go on only while the caller's account is active, and the key that it came with works.

    Raises:
        Denied: it is not, or does not any more.
    """
    if not Person.objects.filter(pk=caller.person_id, is_active=True).exists():
        raise Denied("The account that began this is deactivated.", missing="account")
    if caller.key is None:
        return
    if not live_keys().filter(pk=caller.key.key_id).exists():
        raise Denied("The agent key that began this works no more.", missing="key")


def caller_of_stored_key(key_id: int | None, *, surface: Surface) -> Caller:
    """The agent of a key, for work that was begun with it and goes on without a request.

    Raises:
        NotAuthenticated: the key works no more, or is gone, or its person is deactivated.
    """
    keys = live_keys().filter(agent__person__is_active=True).select_related("agent__person")
    found = keys.filter(pk=key_id).first() if key_id is not None else None
    if found is None:
        raise NotAuthenticated("The agent key that began this works no more.")
    return agent_caller(found, surface)
