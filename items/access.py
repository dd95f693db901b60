"""The doors to items: the only way from a caller to an item.

An item that the caller may not read does not exist for it: other people's private
memories are left out before anything is counted, matched or named.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from django.db.models import Exists, Model, Q, QuerySet

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import Denied, Invalid, Locked, NotFound
from conderis.common.json import JsonObject
from conderis.common.prepared import Prepared, PreparedByKey
from conderis.common.text import cut_at_word, expect_text
from conderis.common.times import iso
from items.absence import absence_said, absence_shown
from items.kinds.values import read_number
from items.models import Item
from items.requests import Address
from projects.access import ProjectAccess, access_project, visible_projects
from projects.capabilities import NEEDS, Use
from projects.models import Project

_LONG = re.compile(r"(?P<project>[^#\s]+/[^#\s]+)#(?P<number>[1-9][0-9]{0,8})\Z")
_WORD = re.compile(r"(?P<word>[a-z]{1,20}):(?P<id>[0-9a-z]{1,20})\Z")
ALLOWED = ("12", "owner/name#12", "instructions", "memory:<id>", "proposal:<id>", "deletion:<id>")


def all_but(path: str, model: type[Model], *kept: str) -> tuple[str, ...]:
    """The columns of what is at this path but its key and those kept, to be deferred."""
    columns = [field.name for field in model._meta.concrete_fields if not field.primary_key]  # noqa: SLF001 - public
    return tuple(f"{path}__{column}" for column in columns if column not in kept)


# What an item is read with in one query, to be shown whole: of the parent no texts, of
# people what names them.
RELATED = ("author", "author_agent", "parent", "assignee_person", "assignee_agent__person")
UNREAD = (
    *(
        f"parent__{column}"
        for column in ("content", "summary", "tags", "data", "verified_against", "commits")
    ),
    *(
        column
        for path in ("author", "assignee_person", "assignee_agent__person")
        for column in all_but(path, Person, "public_id", "display_name")
    ),
)


@dataclass(frozen=True, slots=True)
class Reference:
    """An address read: a number in a project, or a word with or without an id."""

    project_id: str | None = None
    number: int | None = None
    word: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where items are: a project, or (access None) the caller's personal memories."""

    caller: Caller
    access: ProjectAccess | None = None

    @property
    def project(self) -> Project | None:
        """The project, if it is one."""
        return self.access.project if self.access else None

    def missing(self, use: Use) -> str | None:
        """The capability or key scope that this use lacks, or None when it may go on."""
        if self.access is not None:
            return self.access.missing(use)
        scope = NEEDS[use].scope
        return None if self.caller.has_scope(scope) else scope

    def require(self, use: Use) -> None:
        """Go on only if the caller may do this here.

        Raises:
            Denied: the role lacks the capability, or the key the scope.
        """
        if self.access is not None:
            self.access.require(use)
            return
        missing = self.missing(use)
        if missing is not None:
            raise Denied(f"This key lacks the scope {missing}.", missing=missing)

    def items(self) -> QuerySet[Item]:
        """The items here that the caller may read, locked and archived ones included."""
        return visible_items(self.caller, self.project)

    def named(self, item: Item) -> JsonObject:
        """How the item is addressed here: `{number}` or `{ref}`."""
        return reference_of(item)


def reference_of(item: Item) -> JsonObject:
    """The member that addresses an item within its place: `{number}` or `{ref}`."""
    if item.number is not None:
        return {"number": item.number}
    return {"ref": "instructions" if item.kind == "instructions" else f"memory:{item.public_id}"}


def subject_of(item: Item) -> str:
    """The item as the audit log and refusals name it: `#12`, `memory:<id>`."""
    named = reference_of(item)
    return f"#{named['number']}" if "number" in named else str(named["ref"])


def visible_items(caller: Caller, project: Project | None) -> QuerySet[Item]:
    """The items of a project, or (None) the personal ones, that the caller may read."""
    if project is None:
        return Item.objects.filter(
            project__isnull=True, organization__isnull=True, author=caller.person_id
        )
    return items_of_project(project.pk, caller.person_id)


def items_of_project(project: int, person: int) -> QuerySet[Item]:
    """The items of a project, for a person who may read it."""
    return Item.objects.filter(readable_q(person), project=project)


def named_items(project: int, person: int) -> QuerySet[Item]:
    """As `items_of_project`, of which some are then looked up by their keys.

    Asked for the project itself, SQLite would rather go through an index of all of it.
    """
    return Item.objects.filter(readable_q(person), project__gte=project, project__lte=project)


def may_read(caller: Caller) -> Q:
    """Of a project's items all but other people's private ones."""
    return readable_q(caller.person_id)


def readable_q(person: int) -> Q:
    """Of a project's items what a person may read who may read the project."""
    return ~Q(visibility="private") | Q(author=person)


def items_across(caller: Caller) -> QuerySet[Item]:
    """The items of every project that the caller may read."""
    projects = visible_projects(caller).values("pk")
    return Item.objects.filter(may_read(caller), project__in=projects)


def read_address(address: Address) -> Reference:
    """The address, read: which project, which number or which word and id.

    Raises:
        Invalid: it addresses nothing, or two things at once.
    """
    sent = [each for each in (address.number, address.ref) if each is not None]
    if len(sent) == 2 and str(sent[0]).lstrip("#") != str(sent[1]).lstrip("#"):
        raise Invalid("Send number or ref, not both.", field="ref", allowed=ALLOWED)
    if not sent:
        raise Invalid("Send number or ref: which item.", field="number", allowed=ALLOWED)
    field = "number" if address.number is not None else "ref"
    number = read_number(sent[0])
    if number is not None:
        return Reference(address.project_id, number=number)
    text = expect_text(sent[0], field=field).strip() if isinstance(sent[0], str) else ""
    long = _LONG.match(text)
    if long:
        return Reference(long["project"], number=int(long["number"]))
    if text == "instructions":
        return Reference(address.project_id, word="instructions")
    word = _WORD.match(text)
    if word and field == "ref":
        return Reference(address.project_id, word=word["word"], id=word["id"])
    raise Invalid(f"{field} must be one of: {', '.join(ALLOWED)}.", field=field, allowed=ALLOWED)


def has_personal(caller: Caller) -> bool:
    """Whether the caller has personal memories: all do but keys with chosen projects."""
    return caller.key is None or caller.key.all_projects


def personal_place(caller: Caller) -> Place:
    """The caller's personal memories.

    Raises:
        Denied: a key with chosen projects has none.
    """
    if not has_personal(caller):
        raise Denied(
            "This key is limited to chosen projects, so it has no personal memories. "
            "Send projectId.",
            missing="all projects",
        )
    return Place(caller)


def place_of(caller: Caller, project_id: str | None, *, use: Use, lock: bool = False) -> Place:
    """The project, or without an id the caller's personal memories.

    `lock` makes this place's writes wait for each other until the transaction ends.

    Raises:
        NotFound: there is no such project that the caller may read.
        Denied: the caller may not use it so.
    """
    if project_id is not None:
        return Place(caller, access_project(caller, project_id, use=use, lock=lock))
    place = personal_place(caller)
    place.require(use)
    if lock:
        Person.objects.select_for_update(no_key=True).only("pk").get(pk=caller.person_id)
    return place


def access_item(
    caller: Caller, address: Address, *, use: Use = Use.READ, lock: bool = False
) -> tuple[Place, Item]:
    """The item at the address and its place, if the caller may use it so.

    Raises:
        Invalid: the address is none.
        NotFound: there is nothing there that the caller may read.
        Denied: the caller may read it, but not use it so.
    """
    reference = read_address(address)
    if reference.word == "memory":
        place = _personal_or_nothing(caller, use=use, lock=lock)
        item = _whole(place, "public_id", str(reference.id)) if place else None
        if place is None or item is None:
            raise nothing_at(f"memory:{reference.id}")
        return place, item
    if reference.word not in (None, "instructions"):
        raise nothing_at(f"{reference.word}:{reference.id}")
    project_id = _one_project(caller, reference, address)
    place = place_of(caller, project_id, use=use, lock=lock)
    if reference.word == "instructions":
        item = _whole(place, "kind", "instructions")
        if item is None:
            raise NotFound(
                "This project has no instructions yet. An owner stores them with item_store "
                'kind instructions, fields {"content": …}.'
            )
        return place, item
    item = _whole(place, "number", reference.number or 0)
    if item is None:
        raise nothing_at(f"#{reference.number}")
    return place, item


def whole(rows: QuerySet[Item]) -> QuerySet[Item]:
    """The rows with all that showing or changing them takes, in one query."""
    return rows.select_related(*RELATED).defer(*UNREAD)


def _whole(place: Place, column: str, value: int | str) -> Item | None:
    person, project = place.caller.person_id, place.project
    if project is None:
        rows = _personal(column).rows(person=person, value=value)
    else:
        rows = _of_project(column).rows(project=project.pk, person=person, value=value)
    for found in rows:
        found.project = project  # already read by the door
        return found
    return None


# What apps above want to know of an item in the query that loads it (annotations), so
# that they need not ask for each; registered before the first item is read.
MARKS: dict[str, Callable[[], Exists]] = {}


@cache
def _of_project(column: str) -> Prepared[Item]:
    def build(project: int, person: int, value: int | str) -> QuerySet[Item]:
        rows = whole(items_of_project(project, person).filter(**{column: value}))
        return rows.annotate(**{name: mark() for name, mark in MARKS.items()})

    kind = int if column == "number" else str
    return PreparedByKey(build, project=int, person=int, value=kind)


@cache
def _personal(column: str) -> Prepared[Item]:
    def build(person: int, value: str) -> QuerySet[Item]:
        rows = Item.objects.filter(
            project__isnull=True, organization__isnull=True, author=person, **{column: value}
        )
        return whole(rows)

    return PreparedByKey(build, person=int, value=str)


def _personal_or_nothing(caller: Caller, *, use: Use, lock: bool) -> Place | None:
    """A key with chosen projects finds no personal memory, as if there were none."""
    if not has_personal(caller):
        return None
    return place_of(caller, None, use=use, lock=lock)


def _one_project(caller: Caller, reference: Reference, address: Address) -> str:
    if reference.project_id is None:
        raise Invalid(
            "Send projectId: which project's number this is.",
            field="projectId",
            allowed=["owner/name", "git remote", "or the long form owner/name#12"],
        )
    if address.project_id is None or reference.project_id == address.project_id:
        return reference.project_id
    named = access_project(caller, address.project_id, use=Use.READ)
    long = access_project(caller, reference.project_id, use=Use.READ)
    if named.project.pk != long.project.pk:
        raise Invalid(
            f"projectId and {cut_at_word(reference.project_id, 150)}#{reference.number} name two "
            "projects. Leave out projectId, or send the number alone.",
            field="projectId",
        )
    return address.project_id


def nothing_at(what: str) -> NotFound:
    """The one answer for what is hidden and what never was."""
    return NotFound(f"There is no {what} that you may read.")


def refuse_locked(item: Item) -> None:
    """Refuse to work on what a deletion request has locked, or what was erased.

    Raises:
        NotFound: it was erased for good; the refusal says when and by whom it was decided. Or
            an import brought nothing but its number.
        Locked: it is locked; the refusal names the request.
    """
    if item.erased_at is not None:
        raise NotFound(absence_said(item, subject_of(item)), **absence_shown(item))
    if item.locked_at is not None:
        raise Locked(
            f"{subject_of(item)} is locked by a deletion request until a person has decided it.",
            request=f"deletion:{item.locked_by}",
            since=iso(item.locked_at),
        )
