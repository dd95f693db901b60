"""The projects of a person: those with a role of theirs, not all that are public."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Scope, Surface
from conderis.common.prepared import Prepared, Value
from projects.access import ProjectAccess, access_of, require_scope, visible_projects
from projects.capabilities import OrganizationRole, Role
from projects.models import OrganizationMember, Project, ProjectMember

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class OwnProjects:
    """Some of the caller's projects, and how many there are in all."""

    items: list[ProjectAccess]
    total: int


def as_person(person: int) -> Caller:
    """A person of whom only the key is known, without a key of an agent.

    For statements that are prepared for all people: they depend on nothing else of a caller.
    """
    return Caller(person_id=person, person_ref="", person_name="", surface=Surface.WEB)


class RowsOfCaller(Generic[Row]):
    """What `build` finds for a caller: prepared for people, built anew for a key.

    A key narrows what is found, so that a statement for all people would give it too much.
    `parameters` are the types of the further values by name, as `Prepared` takes them.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Row]], **parameters: type) -> None:
        self._build = build
        self._prepared: Prepared[Row] = Prepared(
            lambda person, **values: build(as_person(person), **values), person=int, **parameters
        )

    def rows(self, caller: Caller, **values: Value) -> list[Row]:
        """The rows for the caller and these values."""
        if caller.key is None:
            return self._prepared.rows(person=caller.person_id, **values)
        return list(self._build(caller, **values))

    def count(self, caller: Caller, **values: Value) -> int:
        """How many rows there are for the caller and these values."""
        if caller.key is None:
            return self._prepared.count(person=caller.person_id, **values)
        return self._build(caller, **values).count()


def own_projects(caller: Caller) -> QuerySet[Project]:
    """The projects that the caller may read and has a role in, annotated for `access_of`."""
    return visible_projects(caller).filter(
        Q(owner_person=caller.person_id)
        | Q(direct_role__isnull=False)
        | Q(organization_role__isnull=False)
    )


def latest_own_projects(caller: Caller, *, limit: int) -> OwnProjects:
    """The caller's projects with the latest change, at most `limit` of them.

    Raises:
        Denied: the key lacks the scope `read`.
    """
    require_scope(caller, Scope.READ)
    rows = _LATEST.rows(caller, limit=limit + 1)
    total = len(rows) if len(rows) <= limit else _KEYS.count(caller)
    return OwnProjects([access_of(caller, row) for row in rows[:limit]], total)


def _latest(caller: Caller, limit: int) -> QuerySet[Project]:
    return own_projects(caller).order_by("-changed", "public_id")[:limit]


def _keys(caller: Caller) -> QuerySet[Project, tuple[int]]:
    return own_projects(caller).order_by().values_list("pk")


_LATEST: Final = RowsOfCaller(_latest, limit=int)
_KEYS: Final = RowsOfCaller(_keys)


def others_with(person: int, roles: Collection[Role]) -> Q:
    """Rows with a `project` in which an active person beside this one has one of the roles.

    In one query for all rows what `assignees` asks for one project: an owner is among them,
    and a role may come directly or over the organization.
    """
    active = Person.objects.filter(is_active=True).exclude(pk=person)
    direct = ProjectMember.objects.filter(
        project=OuterRef("project"), role__in=roles, person__in=active
    )
    through = OrganizationMember.objects.filter(
        Q(role=OrganizationRole.OWNER)
        | Q(organization__projects__member_role__in=roles)
        | Q(organization__projects__member_role="", organization__member_role__in=roles),
        organization__projects=OuterRef("project"),
        person__in=active,
    )
    return Q(project__owner_person__in=active) | Exists(direct) | Exists(through)
