"""Changing and replacing agent keys: steps of `projects.keys`, which knows projects too."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

from conderis.accounts.actors import Actor
from conderis.accounts.agent_keys import (
    MadeKey,
    access_key,
    has_ended,
    live_keys,
    mint_agent_key,
)
from conderis.accounts.expiry import parse_expiry
from conderis.accounts.key_limits import clean_scopes, refuse_own_review, refuse_past_expiry
from conderis.accounts.models import AgentKey, Person
from conderis.common.errors import Conflict, Invalid
from conderis.common.json import Json, JsonObject

MOST_OVERLAP = timedelta(hours=24)
PROJECTS = "projects"
FIELDS = ("scopes", "alwaysReview", "expires", PROJECTS)


def access_current_key(actor: Actor, *, key_id: str) -> AgentKey:
    """The caller's own key, locked, that works and that no newer one has replaced.

    Locks its person too, as making a key does, so that an agent has one current key. An
    operator gets anybody's key.

    Raises:
        Denied: an agent asks.
        NotFound: there is none with this public id that is the caller's.
        Conflict: it has ended or been replaced.
    """
    person = access_key(actor, key_id=key_id).agent.person_id
    Person.objects.select_for_update(no_key=True).get(pk=person)
    key = access_key(actor, key_id=key_id, lock=True)
    if has_ended(key, now=timezone.now()):
        raise Conflict("This key has ended. Create a new one.", field="id")
    if live_keys().filter(agent=key.agent_id, pk__gt=key.pk).exists():
        raise Conflict(
            "This key has been replaced and ends soon. Use the newer key of its agent.", field="id"
        )
    return key


def replace_key(key: AgentKey, *, overlap: timedelta) -> MadeKey:
    """A new key of the same agent with the same limits; the old one ends after the overlap.

    `key` comes from `access_current_key`. The new key expires when the old one would have.

    Raises:
        Invalid: the overlap is negative or longer than 24 hours.
    """
    if not timedelta() <= overlap <= MOST_OVERLAP:
        raise Invalid("overlap must be between 0 and 24 hours.", field="overlap")
    now = timezone.now()
    made = mint_agent_key(
        AgentKey(
            agent=key.agent,
            scopes=key.scopes,
            all_projects=key.all_projects,
            always_review=key.always_review,
            created=now,
            expires_at=key.expires_at,
        )
    )
    if not overlap:
        key.revoked_at = now
    elif key.expires_at is None or key.expires_at > now + overlap:
        key.expires_at = now + overlap
    key.save(update_fields=["revoked_at", "expires_at"])
    return made


def patch_key(key: AgentKey, *, fields: JsonObject) -> list[str]:
    """Put `scopes`, `alwaysReview` and `expires` into the key, unsaved; those that it changed.

    `expires` is a text as `expiry` reads it, in the person's zone; null is never.

    Raises:
        Invalid: a field is unknown or its value is not allowed.
    """
    _check_names(fields)
    changed = [name for name, put in _PUTTERS.items() if name in fields and put(key, fields[name])]
    refuse_own_review(key.scopes, always_review=key.always_review)
    return changed


def _check_names(fields: Json) -> None:
    listed = ", ".join(FIELDS)
    if not isinstance(fields, dict):
        raise Invalid(f"fields must be an object of {listed}.", field="fields", allowed=FIELDS)
    unknown = sorted(set(fields) - set(FIELDS))
    if unknown:
        raise Invalid(
            f"Of a key {listed} can be changed, not {unknown[0][:40]!r}.",
            field=unknown[0][:40],
            allowed=FIELDS,
        )


def _put_scopes(key: AgentKey, value: Json) -> bool:
    if not isinstance(value, list | tuple):
        raise Invalid("scopes must be a list.", field="scopes")
    scopes = clean_scopes(value)
    changed = bool(scopes != key.scopes)
    key.scopes = scopes
    return changed


def _put_always_review(key: AgentKey, value: Json) -> bool:
    if not isinstance(value, bool):
        raise Invalid(
            "alwaysReview must be true or false.", field="alwaysReview", allowed=[True, False]
        )
    changed = value != key.always_review
    key.always_review = value
    return changed


def _put_expires(key: AgentKey, value: Json) -> bool:
    now = timezone.now()
    expires = _moment(key, value, now) if value is not None else None
    changed = expires != key.expires_at
    key.expires_at = expires
    return changed


def _moment(key: AgentKey, value: Json, now: datetime) -> datetime:
    expires = parse_expiry(value, zone=key.agent.person.time_zone, now=now)
    refuse_past_expiry(expires, now=now)
    return expires


_PUTTERS: dict[str, Callable[[AgentKey, Json], bool]] = {
    "scopes": _put_scopes,
    "alwaysReview": _put_always_review,
    "expires": _put_expires,
}
