"""The doors to projects: the only way from a caller to a project.

A project that the caller may not read does not exist for it: same answer, same path
through the code, as for an id that was never given out.
"""

import re
from dataclasses import dataclass
from functools import cache

from django.db.models import (
    Case,
    CharField,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Lower

from conderis.common.caller import Caller, Scope
from conderis.common.errors import Denied, Invalid, NotFound
from conderis.common.prepared import Prepared, PreparedByKey
from conderis.common.text import clean_line
from projects.capabilities import (
    ANYONE,
    CAPABILITIES,
    NEEDS,
    Capability,
    OrganizationRole,
    Role,
    Use,
)
from projects.models import OrganizationMember, Project, ProjectMember
from projects.remotes import canonical_remote

MAX_PROJECT_ID = 500  # characters
MAX_CANDIDATES = 20
SPELLINGS = ("a project's id", "owner/name", "git remote")

_PATH = re.compile(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class ProjectAccess:
    """A project that the caller may read, with what the caller may do there."""

    project: Project
    caller: Caller
    role: Role | None

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What the role gives; without one, what anyone has on a public project."""
        return CAPABILITIES[self.role] if self.role is not None else ANYONE

    @property
    def takes_proposals_of_everyone(self) -> bool:
        """Whether everybody who may read the project may propose something to it."""
        return self.project.is_public and self.project.open_proposals

    @property
    def always_reviewed(self) -> bool:
        """Whether whatever can become a proposal of this caller must become one here."""
        return self.caller.always_reviewed or (
            self.caller.is_agent and self.project.agents_reviewed
        )

    def missing(self, use: Use) -> str | None:
        """The key scope or capability that this use lacks, or None when it may go on."""
        needs = NEEDS[use]
        if not self.caller.has_scope(needs.scope):
            return needs.scope
        if use == Use.PROPOSE and self.takes_proposals_of_everyone:
            return None
        if needs.capability not in self.capabilities:
            return needs.capability
        return None

    def may(self, use: Use) -> bool:
        """Whether the caller may do this here."""
        return self.missing(use) is None

    def require(self, use: Use) -> None:
        """Go on only if the caller may do this here.

        Raises:
            Denied: the key lacks the scope, or the role the capability.
        """
        require_scope(self.caller, NEEDS[use].scope)
        needed = NEEDS[use].capability
        if not self.may(use):
            raise Denied(
                f"To {use} in {self.project.full_name} you need the capability {needed}, "
                "which your role there does not give.",
                missing=needed,
            )


def require_scope(caller: Caller, scope: Scope) -> None:
    """Go on only if the caller's key (if any) has the scope.

    Raises:
        Denied: it has not.
    """
    if not caller.has_scope(scope):
        raise Denied(f"This key lacks the scope {scope}.", missing=scope)


def visible_projects(caller: Caller) -> QuerySet[Project]:
    """The projects that the caller may read, each annotated for `access_of`.

    A key with chosen projects sees those alone, however public others are.
    """
    return _readable(caller.person_id, _limiting_key(caller))


def _limiting_key(caller: Caller) -> int | None:
    """The key, where it is for chosen projects."""
    key = caller.key
    return key.key_id if key is not None and not key.all_projects else None


def readable_among(projects: QuerySet[Project], *, person: int) -> QuerySet[Project]:
    """Those of the projects that the person may read, each annotated for `access_of`.

    For lists of projects that are not there for others, such as the deleted ones; whoever
    asks otherwise takes `visible_projects`.
    """
    direct = ProjectMember.objects.filter(project=OuterRef("pk"), person=person)
    through = OrganizationMember.objects.filter(
        organization=OuterRef("owner_organization"), person=person
    )
    return projects.annotate(
        direct_role=Subquery(direct.values("role")[:1]),
        organization_role=Subquery(through.values("role")[:1]),
        granted_role=Case(
            When(~Q(member_role=""), then=F("member_role")),
            default=F("owner_organization__member_role"),
            output_field=CharField(),
        ),
    ).filter(
        Q(is_public=True)
        | Q(owner_person=person)
        | Q(direct_role__isnull=False)
        | Q(organization_role__isnull=False)
    )


def _readable(person: int, key: int | None) -> QuerySet[Project]:
    projects = readable_among(Project.objects.filter(deleted_at__isnull=True), person=person)
    return projects if key is None else projects.filter(chosen_by_keys__key=key)


def projects_with(caller: Caller, capability: Capability) -> QuerySet[Project]:
    """Those of the projects that the caller may read where its role gives the capability.

    Where a role alone gives it: `read` has no roles, ask `visible_projects`.
    """
    roles = [role for role in Role if capability in CAPABILITIES[role]]
    return visible_projects(caller).filter(
        Q(owner_person=caller.person_id)
        | Q(organization_role=OrganizationRole.OWNER)
        | Q(direct_role__in=roles)
        | Q(organization_role__isnull=False, granted_role__in=roles)
    )


def access_of(caller: Caller, project: Project) -> ProjectAccess:
    """What the caller may do in a project that came out of `visible_projects`."""
    return ProjectAccess(project, caller, _role(caller, project))


def _role(caller: Caller, project: Project) -> Role | None:
    """The strongest of the person's roles: as owner, over the organization, directly."""
    annotated = vars(project)
    if project.owner_person_id == caller.person_id:
        return Role.OWNER
    if annotated["organization_role"] == OrganizationRole.OWNER:
        return Role.OWNER
    found = []
    if annotated["organization_role"] is not None:
        found.append(Role(annotated["granted_role"]))
    if annotated["direct_role"] is not None:
        found.append(Role(annotated["direct_role"]))
    return max(found, key=list(Role).index, default=None)


def access_project(
    caller: Caller,
    project_id: str,
    *,
    use: Use = Use.READ,
    lock: bool = False,
    field: str = "projectId",
) -> ProjectAccess:
    """The project of this id, `owner/name` or git remote, if the caller may use it so.

    `lock` takes the project's row until the transaction ends: writes in one project
    run one after the other, which is what makes numbers dense and structure sound.
    `field` is the parameter that refusals name. One query by id or `owner/name`, two
    by remote. What a key may never do is refused before anything is looked up, so that
    a refusal does not tell what is there.

    Raises:
        Invalid: the text is no project id, or a remote that several projects name.
        TooLarge: it is longer than 500 characters.
        NotFound: there is none that the caller may read.
        Denied: the caller may read it, but not use it so.
    """
    require_scope(caller, NEEDS[use].scope)
    project = _find(caller, _read_id(project_id, field=field), lock=lock, field=field)
    access = access_of(caller, project)
    access.require(use)
    return access


def _read_id(project_id: str, *, field: str) -> str:
    text = clean_line(project_id, field=field, limit=MAX_PROJECT_ID)
    if not text:
        raise Invalid(f"{field} is empty.", field=field, allowed=SPELLINGS)
    if text.startswith("@"):
        raise Invalid(
            f"{field} names one project; @handle for those of an organization is reserved "
            "for later.",
            field=field,
            allowed=SPELLINGS,
        )
    if len(text.split()) > 1:
        raise Invalid(
            f"{field} names one project; several parted by blanks are reserved for later.",
            field=field,
            allowed=SPELLINGS,
        )
    return text


def _find(caller: Caller, text: str, *, lock: bool, field: str) -> Project:
    if "/" not in text and ":" not in text:
        found = _named(caller, "public_id", text.lower(), lock=lock)
    else:
        found = []
        if _PATH.fullmatch(text):
            found = _named(caller, "paths__path", text.lower(), lock=lock)
        if not found:
            found = _by_remote(visible_projects(caller), canonical_remote(text, field=field))
            if lock and len(found) == 1:
                found = _named(caller, "public_id", found[0].public_id, lock=True)
    if not found:
        raise NotFound(
            f"{field} names no project that you may read. "
            "project_get without projectId lists those that you may; a new one is made with "
            'project_store fields {"name": …, "remote": …}.',
            field=field,
        )
    if len(found) > 1:
        raise Invalid(
            "Several projects name this git remote; send the name of one of them.",
            field=field,
            allowed=[project.full_name for project in found],
        )
    return found[0]


def _named(caller: Caller, column: str, name: str, *, lock: bool) -> list[Project]:
    """The one project that has this name in a column."""
    key = _limiting_key(caller)
    if key is None:
        return _lookup(column, lock=lock).rows(person=caller.person_id, name=name)
    return _limited_lookup(column, lock=lock).rows(person=caller.person_id, name=name, key=key)


@cache
def _lookup(column: str, *, lock: bool) -> Prepared[Project]:
    def build(person: int, name: str) -> QuerySet[Project]:
        return _locked(_readable(person, None).filter(**{column: name}), lock=lock)[:1]

    return PreparedByKey(build, person=int, name=str)


@cache
def _limited_lookup(column: str, *, lock: bool) -> Prepared[Project]:
    def build(person: int, name: str, key: int) -> QuerySet[Project]:
        return _locked(_readable(person, key).filter(**{column: name}), lock=lock)[:1]

    return PreparedByKey(build, person=int, name=str, key=int)


def _locked(projects: QuerySet[Project], *, lock: bool) -> QuerySet[Project]:
    return projects.select_for_update(of=("self",), no_key=True) if lock else projects


def _by_remote(projects: QuerySet[Project], remote: str | None) -> list[Project]:
    """Those that name the remote, without regard to case unless some name it exactly."""
    if remote is None:
        return []
    same = projects.alias(remote_key=Lower("remote")).filter(remote_key=Lower(Value(remote)))
    found: list[Project] = list(same.order_by("path")[:MAX_CANDIDATES])
    return [project for project in found if project.remote == remote] or found
