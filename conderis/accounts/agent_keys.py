"""Agents and their keys. Keys are created by `projects.keys`, which knows projects too."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from conderis.accounts import audit
from conderis.accounts.actors import Actor, Operator, require_person
from conderis.accounts.key_limits import (
    clean_scopes,
    refuse_own_review,
    refuse_past_expiry,
)
from conderis.accounts.keys import PREFIX, KeyText, mint_key, parse_key
from conderis.accounts.models import Agent, AgentKey, Person
from conderis.accounts.people import clean_display_name
from conderis.common.caller import Caller, Scope
from conderis.common.errors import Conflict, Denied, Invalid, NotFound
from conderis.common.ids import LENGTH
from conderis.common.text import clean_line

NAME_LIMIT = 80
DEFAULT_SCOPES = (Scope.READ, Scope.WRITE, Scope.DELETE)


@dataclass(frozen=True, slots=True)
class MadeKey:
    """A new key, and its text: the only time that anybody sees it."""

    key: AgentKey
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeyWish:
    """What a new key is to be, as sent. `always_review` and `review` exclude each other."""

    name: str
    scopes: Sequence[str] = DEFAULT_SCOPES
    always_review: bool = False
    expires_at: datetime | None = None


def issue_key(actor: Actor, *, person: Person, wish: KeyWish, all_projects: bool) -> MadeKey:
    """The rows of a new key: a step of `projects.keys.create_agent_key`, which audits it.

    A name whose keys have all ended gets a new key for the same agent.

    Raises:
        Denied: an agent asks, or a person for somebody else.
        Invalid: a value has a form that is not allowed.
        Conflict: there is a key with this name that works.
    """
    require_person(actor)
    _require_own(actor, person)
    name = _clean_name(wish.name)
    scopes = clean_scopes(wish.scopes)
    now = timezone.now()
    refuse_own_review(scopes, always_review=wish.always_review)
    refuse_past_expiry(wish.expires_at, now=now)
    # Two keys of one name at once: the second waits here for the first.
    Person.objects.select_for_update(no_key=True).get(pk=person.pk)
    if live_keys().filter(agent__person=person, agent__name=name).exists():
        raise Conflict(
            "You have a key with this name. Add where it runs, such as 'Codex on laptop'.",
            field="name",
        )
    agent, _ = Agent.objects.get_or_create(person=person, name=name)
    return mint_agent_key(
        AgentKey(
            agent=agent,
            scopes=scopes,
            all_projects=all_projects,
            always_review=wish.always_review,
            created=now,
            expires_at=wish.expires_at,
        )
    )


def mint_agent_key(key: AgentKey) -> MadeKey:
    """The new row stored with a new secret, and its text."""
    text = mint_key()
    key.lookup, key.digest = text.lookup, text.digest
    key.save(force_insert=True)
    return MadeKey(key, text.text)


@transaction.atomic
def revoke_key(actor: Actor, *, key_id: str) -> AgentKey:
    """The key, ended for the very next call. Ending it again changes nothing.

    `key_id` is its public id, or the whole key. No refusal repeats what may be a key.

    Raises:
        Denied: an agent asks.
        NotFound: there is none with this public id that is the caller's.
    """
    key = access_key(actor, key_id=key_id, lock=True)
    if key.revoked_at is None:
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at"])
        audit.record(actor, action="key.revoked", subject=f"key:{key.public_id}")
    return key


def access_key(actor: Actor, *, key_id: str, lock: bool = False) -> AgentKey:
    """The door to keys: the caller's own one of this public id or text; the operator's any.

    `lock` takes the key's row until the transaction ends.

    Raises:
        Denied: an agent asks.
        NotFound: there is none with this public id that is the caller's.
    """
    require_person(actor)
    name = clean_line(key_id, field="id", limit=NAME_LIMIT)
    keys = AgentKey.objects.select_related("agent__person")
    if not isinstance(actor, Operator):
        keys = keys.filter(agent__person=actor.person_id)
    return _named_key(keys.select_for_update(of=("self",), no_key=True) if lock else keys, name)


def key_connected(caller: Caller, *, key_id: str) -> datetime | None:
    """When the caller's own key was last used, to the minute; None before the first call.

    For a page that waits until an agent has connected: a first use shows within seconds.

    Raises:
        Denied: an agent asks.
        NotFound: there is none with this public id that is the caller's.
    """
    return access_key(caller, key_id=key_id).last_used_at


def find_key(text: KeyText) -> AgentKey | None:
    """The key that has this text, whether it still works or not."""
    key = AgentKey.objects.select_related("agent__person").filter(lookup=text.lookup).first()
    return key if key is not None and text.matches(key.digest) else None


def is_live(key: AgentKey) -> bool:
    """Whether the key has not ended and its person is not deactivated."""
    return not has_ended(key, now=timezone.now()) and key.agent.person.is_active


def has_ended(key: AgentKey, *, now: datetime) -> bool:
    """Whether the key was revoked or has expired."""
    return key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= now)


def live_keys() -> QuerySet[AgentKey]:
    """The keys that have not ended."""
    now = timezone.now()
    return AgentKey.objects.filter(
        Q(expires_at__isnull=True) | Q(expires_at__gt=now), revoked_at__isnull=True
    )


def _named_key(keys: QuerySet[AgentKey], name: str) -> AgentKey:
    """The one of these keys that has this public id or this text.

    Raises:
        NotFound: none has.
    """
    if PREFIX not in name.lower():
        found = keys.filter(public_id=name).first()
        # A key may have been sent without its beginning.
        shown = f" {name}" if len(name) <= LENGTH else " with this id"
        said = f"There is no key{shown}."
    else:
        text = parse_key(name)
        found = keys.filter(lookup=text.lookup).first() if text is not None else None
        if text is not None and found is not None and not text.matches(found.digest):
            found = None
        said = (
            "This server knows no such agent key. Name it by its id."
            if text is not None
            else "This is not a whole agent key: it was mistyped or cut. Name it by its id."
        )
    if found is None:
        raise NotFound(said, field="id")
    return found


def _clean_name(value: str) -> str:
    name = clean_display_name(value)
    if not name:
        raise Invalid("A key needs a name, such as 'Codex on laptop'.", field="name")
    return name


def _require_own(actor: Actor, person: Person) -> None:
    if isinstance(actor, Operator):
        return
    if actor.person_id == person.pk:
        return
    raise Denied("You can create keys for yourself alone.", missing="person")
