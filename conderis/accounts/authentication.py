"""From a credential to a caller. Nothing is remembered between two calls."""

from typing import Final

from django.utils import timezone

from conderis.accounts.keys import parse_key
from conderis.accounts.last_use import note_use
from conderis.accounts.models import AgentKey, Person
from conderis.common.caller import Caller, KeyLimits, Scope, Surface
from conderis.common.prepared import PreparedByKey
from conderis.common.times import iso

_SCOPES = {scope.value: scope for scope in Scope}

_KEYS: Final = PreparedByKey[AgentKey](
    lambda lookup: AgentKey.objects.filter(lookup=lookup).select_related("agent__person"),
    lookup=str,
)


class NotAuthenticated(Exception):
    """The credential is refused; `reason` says why in one sentence, without the secret."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def caller_of_key(text: str, *, surface: Surface) -> Caller:
    """The agent that this key is of, for its person: one query, for a malformed key none.

    Raises:
        NotAuthenticated: the key is mistyped, unknown, revoked or expired, or its person
            is deactivated.
    """
    key = parse_key(text)
    if key is None:
        raise NotAuthenticated(
            "This is not a whole agent key: it was mistyped or cut. One begins with cndr_."
        )
    found = next(iter(_KEYS.rows(lookup=key.lookup)), None)
    if found is None or not key.matches(found.digest):
        raise NotAuthenticated("This server knows no such agent key.")
    if found.revoked_at is not None:
        raise NotAuthenticated(f"This agent key was revoked on {iso(found.revoked_at)}.")
    if found.expires_at is not None and found.expires_at <= timezone.now():
        raise NotAuthenticated(f"This agent key expired on {iso(found.expires_at)}.")
    if not found.agent.person.is_active:
        raise NotAuthenticated("The account that this agent key belongs to is deactivated.")
    note_use(found.pk)
    return agent_caller(found, surface)


def caller_of_person(person: Person, surface: Surface) -> Caller:
    """The person, without an agent between."""
    return Caller(
        person_id=person.pk,
        person_ref=person.ref,
        person_name=person.display_name,
        surface=surface,
        zone=person.time_zone,
    )


def agent_caller(key: AgentKey, surface: Surface) -> Caller:
    """The agent of a key that was proven to be in force, with the rights of the key."""
    agent = key.agent
    person = agent.person
    return Caller(
        person_id=person.pk,
        person_ref=person.ref,
        person_name=person.display_name,
        surface=surface,
        zone=person.time_zone,
        agent_id=agent.pk,
        agent_ref=agent.ref,
        agent_name=agent.name,
        key=KeyLimits(
            key_id=key.pk,
            scopes=_scopes(key.scopes),
            all_projects=key.all_projects,
            always_review=key.always_review,
        ),
    )


def _scopes(words: list[str]) -> frozenset[Scope]:
    """The known ones of a key's scopes; without `read` the others give nothing either."""
    known = frozenset(_SCOPES[word] for word in words if word in _SCOPES)
    return known if Scope.READ in known else frozenset()
