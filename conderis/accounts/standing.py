"""Whether a caller may still act: for work that goes on long after it was asked for."""

from conderis.accounts.agent_keys import live_keys
from conderis.accounts.models import Person
from conderis.common.caller import Caller
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
