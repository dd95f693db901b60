"""Short ways to ask for a deletion and to decide it."""

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items import search
from items.listing import list_items
from items.models import Item
from items.requests import Address, DeletionCall, ListRequest, ReadRequest
from privacy import deciding
from privacy.models import DeletionRequest
from privacy.reading import read_at
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import person_caller
from tests.privacy.tables import places_of

REASON = "holds a password"


def ask(
    caller: Caller,
    project: Project | None,
    where: int | str,
    version: int | None = None,
    reason: str = REASON,
) -> str:
    """The reference of a request for the item, or the version, at a number or reference."""
    path = project.path if project else None
    address = Address(path, number=where) if isinstance(where, int) else Address(path, ref=where)
    return str(request_deletion(caller, DeletionCall(address, version, reason))["request"])


def erase(person: Person, ref: str) -> JsonObject:
    """The person erases, in the browser."""
    return deciding.erase(person_caller(person), ref)


def erased(
    person: Person, project: Project | None, where: int | str, version: int | None = None
) -> str:
    """The person asks and erases at once; the request's reference."""
    ref = ask(person_caller(person), project, where, version)
    assert erase(person, ref)["outcome"] == "done"
    return ref


def refuse(person: Person, ref: str, reason: str = "no secret") -> JsonObject:
    """The person refuses, in the browser."""
    return deciding.refuse(person_caller(person), ref, reason=reason)


def request_at(ref: str) -> DeletionRequest:
    """The row."""
    return DeletionRequest.objects.get(public_id=ref.removeprefix("deletion:"))


def read(caller: Caller, project: Project | None, where: int | str, **more: object) -> JsonObject:
    """What reading the item says."""
    path = project.path if project else None
    address = Address(path, number=where) if isinstance(where, int) else Address(path, ref=where)
    return read_at(caller, ReadRequest(address, **more))  # type: ignore[arg-type]


def found(caller: Caller, project: Project, kind: str, query: str) -> list[int]:
    """The numbers that searching finds."""
    answer = list_items(caller, ListRequest(kind, project.path, query=query))
    return [entry["number"] for entry in answer["items"]]


def states(item: Item) -> dict[int, bool]:
    """By version, whether its text is still there."""
    rows = item.events.filter(version__isnull=False).order_by("version")
    return {row.version or 0: row.state is not None for row in rows}


def left_of(word: str) -> set[str]:
    """The tables and columns that hold the word, once the index's segments are written anew."""
    search.clear_traces()
    return places_of(word)
