"""Making and finding people."""

import re

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from conderis.accounts import audit
from conderis.accounts.actors import Operator
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.handles import claim_handle
from conderis.accounts.models import Person
from conderis.common.caller import Surface
from conderis.common.errors import Conflict, Invalid, NotFound
from conderis.common.json import Json
from conderis.common.text import clean_line, refuse_unseen

NAME_LIMIT = 80
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
EMAIL_LIMIT = 254


class EmailTaken(Conflict):
    """The email address is somebody else's, which not everybody may be told."""


@transaction.atomic
def create_person(operator: Operator, *, handle: str, email: str, display_name: str = "") -> Person:
    """A new person, who signs in by a link.

    Without a display name it is the part of the email address before the @.

    Raises:
        Invalid: a value has a form that is not allowed.
        Conflict: the handle or the email address is somebody else's.
    """
    address = clean_email(email)
    name = clean_display_name(display_name) or clean_display_name(address.partition("@")[0])
    person = Person(email=address, display_name=name)
    person.set_unusable_password()
    try:
        _save_new(person, handle)
    except EmailTaken as taken:
        raise Conflict("Somebody here has this email address already.", field="email") from taken
    _record_creation(operator, person)
    return person


@transaction.atomic
def create_owner(operator: Operator, *, handle: str, display_name: str = "") -> Person:
    """A new person without an email address; the first one of a server is its admin.

    Without a display name it is the handle.

    Raises:
        Invalid: a value has a form that is not allowed.
        Conflict: the handle is somebody else's.
    """
    first = not Person.objects.exists()
    name = clean_display_name(display_name) or handle.strip()
    person = Person(display_name=name, is_staff=first, is_superuser=first)
    person.set_unusable_password()
    _save_new(person, handle)
    _record_creation(operator, person)
    return person


@transaction.atomic
def sign_up(
    *, handle: str, email: str, display_name: str, password: str | None, surface: Surface
) -> Person:
    """A new person who makes the account without anybody's help, and is never an admin.

    `password` has passed the form's validators; None where another server signs the person
    in. `email` may be empty. Without a display
    name it is the part of the email address before the @, else the handle.

    Raises:
        Invalid, TooLarge: a value has a form that is not allowed.
        EmailTaken: the email address is somebody else's; neither message nor details say so,
            and a form answers as if the account had been made.
        Conflict: the handle is somebody else's, which anybody may know.
    """
    address = clean_email(email) if email else ""
    name = clean_display_name(display_name) or clean_display_name(address.partition("@")[0])
    person = Person(email=address, display_name=name or handle.strip())
    # Hashed before anything is looked up: how long it takes must not tell what is there.
    person.set_password(password)
    _save_new(person, handle)
    audit.record(caller_of_person(person, surface), action="person.signed_up", subject=person.ref)
    return person


def find_person(handle: str) -> Person:
    """The person with this handle, in whatever case, also one who has deleted the account.

    Raises:
        NotFound: there is none.
    """
    return _named(Person.objects.all(), handle)


def lock_present_person(handle: str) -> Person:
    """The person with this handle, in whatever case, the row locked until the transaction ends.

    For giving them something. Who has deleted the account is not there. Organizations and
    projects are locked before people.

    Raises:
        NotFound: there is none.
    """
    present = Person.objects.filter(left_at__isnull=True)
    return _named(present.select_for_update(no_key=True), handle)


def lock_active_person(person_id: int) -> Person | None:
    """The person as they are now, the row locked until the transaction ends.

    None if the account was shut or deleted. Organizations and projects are locked before
    people.
    """
    active = Person.objects.filter(pk=person_id, is_active=True, left_at__isnull=True)
    return active.select_for_update(no_key=True).first()


def clean_display_name(value: Json, *, field: str = "name") -> str:
    """The name that others are shown: one line, at most 80 characters; may be empty.

    Raises:
        Invalid, TooLarge: it is no such line, or holds an email address.
    """
    name = clean_line(value, field=field, limit=NAME_LIMIT)
    if _ADDRESS.search(name):
        raise Invalid("A name is shown to others, so it cannot hold an email address.", field=field)
    if name or str(value).strip():  # a name of which nothing is seen is not left out
        refuse_unseen(name or str(value), field=field)
    return name


def clean_email(value: Json) -> str:
    """The email address, trimmed and in lower case: letters of addresses compare without it.

    Raises:
        Invalid, TooLarge: it is none.
    """
    email = clean_line(value, field="email", limit=EMAIL_LIMIT)
    try:
        validate_email(email)
    except ValidationError as error:
        raise Invalid(
            "email must be an email address such as ada@example.org.", field="email"
        ) from error
    return email.lower()


def _named(people: QuerySet[Person], handle: str) -> Person:
    name = clean_line(handle, field="handle", limit=NAME_LIMIT).lower()
    person = people.filter(handle=name).first()
    if person is None:
        raise NotFound(f"There is no person {name}.", field="handle")
    return person


def _save_new(person: Person, handle: str) -> None:
    """Claim the handle and store the person.

    Raises:
        Invalid: it is no handle.
        Conflict: the handle is somebody else's.
        EmailTaken: the email address is.
    """
    person.handle = claim_handle(handle, holder=person.ref)
    try:
        with transaction.atomic():
            person.save()
    except IntegrityError as error:  # the handle is claimed, so it is the email address
        raise EmailTaken("This account cannot be made. If you have one, sign in.") from error


def _record_creation(operator: Operator, person: Person) -> None:
    audit.record(operator, action="person.created", subject=person.ref, admin=person.is_superuser)
