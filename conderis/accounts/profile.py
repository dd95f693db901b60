"""What people say of themselves, how they are reached, and how the browser looks for them.

The handle is renamed by `renaming`, since the paths of projects follow it.
"""

import zoneinfo
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.db import IntegrityError, transaction

from conderis.accounts import audit
from conderis.accounts.actors import Operator, require_person
from conderis.accounts.models import Person, Theme
from conderis.accounts.people import EmailTaken, clean_display_name, clean_email, find_person
from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import Json, JsonObject

FIELDS = ("displayName", "timeZone")
NO_ZONES = frozenset({"Factory", "localtime"})  # of this machine, not of a place
DEFAULT_ZONE = "UTC"


@transaction.atomic
def change_profile(caller: Caller, *, fields: JsonObject) -> Person:
    """The caller's person with these fields changed: `displayName`, `timeZone`.

    An omitted field is kept; a `timeZone` of null is UTC. What stands already changes
    nothing and leaves no audit row.

    Raises:
        Denied: an agent asks.
        Invalid, TooLarge: a field is unknown or its value is not allowed.
    """
    person = _own_person(caller)
    _check_names(fields)
    changed = [
        name for name, put in _PUTTERS.items() if name in fields and put(person, fields[name])
    ]
    if changed:
        person.save(update_fields=["display_name", "time_zone"])
        audit.record(caller, action="person.changed", subject=person.ref, fields=sorted(changed))
    return person


@transaction.atomic
def give_display_name(operator: Operator, *, handle: str, display_name: str) -> Person:
    """The person with another display name, which an admin gives.

    Raises:
        NotFound: there is no such person.
        Invalid, TooLarge: it is no name.
    """
    person = Person.objects.select_for_update(no_key=True).get(pk=find_person(handle).pk)
    if _PUTTERS["displayName"](person, display_name):
        person.save(update_fields=["display_name"])
        audit.record(operator, action="person.changed", subject=person.ref, fields=["displayName"])
    return person


@transaction.atomic
def change_email(caller: Caller, *, email: str) -> Person:
    """The caller's person with this email address; an empty one takes it away.

    Raises:
        Denied: an agent asks.
        Invalid, TooLarge: it is no email address.
        EmailTaken: it cannot be used here; the refusal says of nobody that they have it.
    """
    person = _own_person(caller)
    address = clean_email(email) if email else ""
    if address == person.email:
        return person
    person.email = address
    try:
        with transaction.atomic():
            person.save(update_fields=["email"])
    except IntegrityError as error:
        raise EmailTaken(
            "This email address cannot be used here. Choose another one.", field="email"
        ) from error
    audit.record(caller, action="person.email_changed", subject=person.ref)
    return person


@transaction.atomic
def change_preferences(
    caller: Caller,
    *,
    theme: str | None = None,
    language: str | None = None,
    single_keys: bool | None = None,
) -> Person:
    """The caller's person with these preferences of the browser; None keeps one.

    An empty theme or language follows the browser. `single_keys` says whether keys alone,
    without Ctrl or Alt, do something on the pages. No right depends on them: no audit row.

    Raises:
        Denied: an agent asks.
        Invalid: there is no such theme or language.
    """
    person = _own_person(caller)
    if theme is not None:
        person.theme = _one_of(theme, ["", *Theme.values], field="theme")
    if language is not None:
        languages = ["", *(code for code, _ in settings.LANGUAGES)]
        person.language = _one_of(language, languages, field="language")
    if single_keys is not None:
        person.single_keys = single_keys
    person.save(update_fields=["theme", "language", "single_keys"])
    return person


@cache
def time_zones() -> tuple[str, ...]:
    """The IANA zones that a person can choose, sorted."""
    return tuple(sorted(zoneinfo.available_timezones() - NO_ZONES))


def _own_person(caller: Caller) -> Person:
    """The caller's own row, locked.

    Raises:
        Denied: an agent asks.
    """
    require_person(caller)
    return Person.objects.select_for_update(no_key=True).get(pk=caller.person_id)


def _check_names(fields: Json) -> None:
    listed = ", ".join(FIELDS)
    if not isinstance(fields, dict):
        raise Invalid(f"fields must be an object of {listed}.", field="fields", allowed=FIELDS)
    unknown = sorted(set(fields) - set(FIELDS))
    if unknown:
        raise Invalid(
            f"A profile has no field {unknown[0][:40]!r}. Fields: {listed}.",
            field=unknown[0][:40],
            allowed=FIELDS,
        )


def _put_display_name(person: Person, value: Json) -> bool:
    name = clean_display_name(value, field="displayName")
    if not name:
        raise Invalid(
            "displayName is empty. It is the name that others are shown.", field="displayName"
        )
    changed = name != person.display_name
    person.display_name = name
    return changed


def _put_time_zone(person: Person, value: Json) -> bool:
    zone = DEFAULT_ZONE if value is None else value
    if zone not in time_zones():
        raise Invalid(
            "timeZone must be the name of an IANA time zone, such as Europe/Berlin.",
            field="timeZone",
            allowed=["Europe/Berlin", "America/New_York", DEFAULT_ZONE],
        )
    changed = zone != person.time_zone
    person.time_zone = zone
    return changed


_PUTTERS: dict[str, Callable[[Person, Json], bool]] = {
    "displayName": _put_display_name,
    "timeZone": _put_time_zone,
}


def _one_of(value: str, allowed: list[str], *, field: str) -> str:
    if value not in allowed:
        words = ", ".join(word or "''" for word in allowed)
        raise Invalid(f"{field} must be one of {words}.", field=field, allowed=allowed)
    return value
