"""The first account, project and key: what a server needs before anybody can use it."""

from dataclasses import dataclass, field

from django.db import transaction

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish, live_keys
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.models import Person
from conderis.accounts.people import create_owner
from conderis.accounts.sign_in import create_sign_in_link
from conderis.common.caller import Scope, Surface
from conderis.common.json import JsonObject
from conderis.operations.addresses import mcp_address, sign_in_address
from conderis.operations.kept_key import keep_key, kept_key
from projects.keys import create_agent_key
from projects.models import Project
from projects.services import create_project

HANDLE = "owner"
DISPLAY_NAME = "Owner"
PROJECT = "home"
AGENT = "First agent"


@dataclass(frozen=True, slots=True)
class FirstKey:
    """The key of quickstart.

    `beside` says that it was just made although an older one may still work.
    """

    public_id: str
    agent: str
    text: str = field(repr=False)
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Quickstart:
    """What somebody needs to begin. `key` and `sign_in` are secrets."""

    address: str
    mcp: str
    handle: str
    made: FirstKey
    project: str
    sign_in: str = field(repr=False)

    @property
    def key(self) -> str:
        """The text of the key."""
        return self.made.text

    def as_answer(self) -> JsonObject:
        """The JSON object of the command."""
        return {
            "address": self.address,
            "mcp": self.mcp,
            "key": self.key,
            "project": self.project,
            "sign_in": self.sign_in,
        }


def is_first_start() -> bool:
    """Whether there is nobody yet."""
    return not Person.objects.exists()


def quickstart(base: str, *, handle: str = "", project: str = "") -> Quickstart:
    """Make what is missing of the account, the project and the key; a new sign-in link.

    Without a handle it is the account of `first_owner`, else a new one, `owner`; without
    a project it is that account's `home`, else its oldest one. The first account of a
    server is an admin. No key is made while a kept one of that account works.

    Raises:
        Invalid: the handle or the project's name has a form that is not allowed.
        Conflict: the handle or the project's name is taken.
        Fault: the data folder cannot be written.
    """
    operator = Operator()
    with transaction.atomic():
        person = _person(operator, handle)
        home = _project(person, project)
        key = _key(operator, person)
        token = create_sign_in_link(operator, person=person)
    return Quickstart(
        address=base,
        mcp=mcp_address(base),
        handle=person.handle,
        made=key,
        project=home.full_name,
        sign_in=sign_in_address(base, token),
    )


def first_owner() -> Person | None:
    """The account that quickstart and mcp_stdio act for: the oldest admin, else `owner`."""
    people = Person.objects.filter(is_active=True)
    admin = people.filter(is_superuser=True).order_by("pk").first()
    return admin or people.filter(handle=HANDLE).first()


def _person(operator: Operator, handle: str) -> Person:
    wanted = handle.strip()
    person = Person.objects.filter(handle=wanted.lower()).first() if wanted else first_owner()
    if person is not None:
        return person
    wanted = wanted or HANDLE
    name = DISPLAY_NAME if wanted == HANDLE else wanted
    return create_owner(operator, handle=wanted, display_name=name)


def _project(person: Person, name: str) -> Project:
    own = Project.objects.filter(owner_person=person, deleted_at__isnull=True).order_by("pk")
    path = f"{person.handle}/{name.strip() or PROJECT}".lower()
    found = own.filter(paths__path=path).first()
    if found is None and not name:
        found = own.first()
    if found is not None:
        return found
    caller = caller_of_person(person, Surface.COMMAND)
    return create_project(caller, fields={"name": name.strip() or PROJECT})


def _key(operator: Operator, person: Person) -> FirstKey:
    kept = kept_key(person)
    if kept is not None:
        key, text = kept
        return FirstKey(key.public_id, key.agent.name, text)
    name = _free_name(person)
    wish = KeyWish(name=name, scopes=tuple(Scope))
    made = create_agent_key(operator, person=person, wish=wish)
    moved = keep_key(made.text, person=person, first=person == first_owner())
    return FirstKey(made.key.public_id, name, made.text, beside=moved or name != AGENT)


def _free_name(person: Person) -> str:
    """The agent's name, numbered where a key that is not kept still lives under it."""
    taken = set(live_keys().filter(agent__person=person).values_list("agent__name", flat=True))
    number = 1
    name = AGENT
    while name in taken:
        number += 1
        name = f"{AGENT} {number}"
    return name
