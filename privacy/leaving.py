"""Deleting one's account: what stands in the way, what goes, and what stays.

What nobody but the person could see is erased. What was shared stays for those who work
with it, under the person's name or without it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from conderis.accounts import audit
from conderis.accounts.admins import lock_with_admins, refuse_last_admin
from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, Invalid, NotFound
from exchange.models import Import
from items.models import Item
from items.unassigning import assigned_work, unassign_work
from privacy.anonymizing import remove_names
from privacy.clearing import start_finishing
from privacy.closing import clear_person, end_credentials, end_memberships, forget_elsewhere
from privacy.erasing import erase_items, erase_project
from privacy.erasures import note_erasure
from privacy.models import Erasure
from projects.capabilities import OrganizationRole
from projects.models import Organization, OrganizationMember, Project
from proposals.models import BatchResult

MOST_NAMED = 20


class NameChoice(StrEnum):
    """Whether what a person shared goes on showing the person's name."""

    KEEP = "keep"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class LeavingReport:
    """What stands in the way of deleting an account, and what deleting it would do.

    In the way: organizations (handles) of which the person is the last owner, own projects
    (`owner/name`), which are transferred or deleted first, and being the `last_admin`.
    `deleted_projects` (own ones in their days of grace) are erased with the account, as are
    the personal and private memories. The shared items stay; active tasks are given back.
    """

    last_owner_of: tuple[str, ...]
    projects: tuple[str, ...]
    deleted_projects: tuple[str, ...]
    last_admin: bool
    personal_memories: int
    private_memories: int
    shared_items: int
    assigned_tasks: int

    @property
    def may_leave(self) -> bool:
        """Whether nothing stands in the way."""
        return not (self.last_owner_of or self.projects or self.last_admin)


def leaving_report(caller: Caller) -> LeavingReport:
    """What deleting the caller's own account would meet and do.

    Raises:
        Denied: an agent asks.
    """
    _require_person(caller)
    person = Person.objects.get(pk=caller.person_id)
    own = Project.objects.filter(owner_person=person).order_by("path")
    return LeavingReport(
        last_owner_of=_last_owner_of(person),
        projects=_names(own.filter(deleted_at__isnull=True)),
        deleted_projects=_names(own.filter(deleted_at__isnull=False)),
        last_admin=_is_last_admin(person),
        personal_memories=_personal(person).count(),
        private_memories=_private(person).count(),
        shared_items=Item.objects.filter(~Q(visibility="private"), author=person).count(),
        assigned_tasks=assigned_work(person.pk).count(),
    )


@transaction.atomic
def delete_account(caller: Caller, *, keep_name: NameChoice, typed_handle: str) -> None:
    """Delete the caller's own account; it cannot come back.

    Ended for the very next call: keys, sign-in links, sessions, memberships. Cleared: email
    address, password, settings, and what other apps hold about the person. Erased: personal
    and private memories, and own projects that were deleted already. Active tasks are given
    back. Shared items and histories stay, with the name or as by a former member.

    Raises:
        Denied: an agent asks.
        NotFound: the account was deleted meanwhile.
        Invalid: the typed handle is not the person's.
        Conflict: the person is the last owner of an organization, the last admin, or owns
            projects; the details name them, and nothing was changed.
    """
    _require_person(caller)
    person = _lock(caller)
    if typed_handle.strip().lower() != person.handle:
        raise Invalid(
            f"Type {person.handle} to confirm.", field="typedHandle", allowed=[person.handle]
        )
    _leave(caller, person, keep_name)


@transaction.atomic
def leave(caller: Caller, *, keep_name: NameChoice) -> None:
    """Delete the caller's account once more, in a database that was put back.

    Raises:
        NotFound, Conflict: as `delete_account`.
    """
    _leave(caller, _lock(caller), keep_name)


def _leave(caller: Caller, person: Person, keep_name: NameChoice) -> None:
    _refuse_if_needed(person)
    counts = {
        "projects": _erase_deleted_projects(caller, person),
        "tasks": unassign_work(caller, timezone.now()),
        "memories": erase_items(Item.objects.filter(_seen_by_nobody_else(person)), by=person.ref),
        "keys": end_credentials(person),
    }
    BatchResult.objects.filter(person=person).delete()  # nobody can send those again
    Import.objects.filter(person=person).delete()  # files and reports; what they made stays
    end_memberships(caller, person)
    forget_elsewhere(person)
    clear_person(person)
    if keep_name is NameChoice.REMOVE:
        remove_names(person)
    audit.record(
        caller, action="account.deleted", subject=person.ref, name=keep_name.value, **counts
    )
    note_erasure(what=Erasure.What.PERSON, target=person.public_id, by=person.ref)
    transaction.on_commit(start_finishing)


def _require_person(caller: Caller) -> None:
    if caller.is_agent:
        raise Denied("Only a person deletes an account, in the browser.", missing="person")


def _lock(caller: Caller) -> Person:
    """The person's row, after those that others lock before it: no two wait in a circle."""
    person = caller.person_id
    rows: Sequence[QuerySet[Organization] | QuerySet[Project]] = (
        Organization.objects.filter(members__person=person),
        Project.objects.filter(
            Q(owner_person=person)
            | Q(pk__in=assigned_work(person).values("project"))
            | Q(pk__in=Item.objects.filter(author=person, visibility="private").values("project"))
        ),
    )
    for each in rows:
        list(each.order_by("pk").select_for_update(of=("self",), no_key=True).only("pk"))
    found = lock_with_admins(person).get(person)
    if found is None or found.left_at is not None:
        raise NotFound("There is no such account.")
    return found


def _refuse_if_needed(person: Person) -> None:
    refuse_last_admin(person)
    organizations = _last_owner_of(person)
    if organizations:
        raise Conflict(
            "You are the last owner of organizations. Make somebody else an owner of each, or "
            "delete it.",
            organizations=list(organizations[:MOST_NAMED]),
        )
    projects = _names(
        Project.objects.filter(owner_person=person, deleted_at__isnull=True).order_by("path")
    )
    if projects:
        raise Conflict(
            "You own projects. Transfer or delete each of them first.",
            projects=list(projects[:MOST_NAMED]),
        )


def _is_last_admin(person: Person) -> bool:
    try:
        refuse_last_admin(person)
    except Conflict:
        return True
    return False


def _last_owner_of(person: Person) -> tuple[str, ...]:
    owners = OrganizationMember.objects.filter(role=OrganizationRole.OWNER)
    # Whoever cannot sign in keeps no organization going.
    others = owners.exclude(person=person).filter(
        person__is_active=True, person__left_at__isnull=True
    )
    alone = Organization.objects.filter(
        ~Q(pk__in=others.values("organization")),
        pk__in=owners.filter(person=person).values("organization"),
    )
    return tuple(alone.order_by("handle").values_list("handle", flat=True))


def _names(projects: QuerySet[Project]) -> tuple[str, ...]:
    return tuple(project.full_name for project in projects)


def _seen_by_nobody_else(person: Person) -> Q:
    personal = Q(project__isnull=True, organization__isnull=True)
    return Q(author=person) & (personal | Q(visibility="private"))


def _personal(person: Person) -> QuerySet[Item]:
    return Item.objects.filter(_seen_by_nobody_else(person), project__isnull=True)


def _private(person: Person) -> QuerySet[Item]:
    return Item.objects.filter(_seen_by_nobody_else(person), project__isnull=False)


def _erase_deleted_projects(caller: Caller, person: Person) -> int:
    projects = list(Project.objects.filter(owner_person=person, deleted_at__isnull=False))
    for project in projects:
        erase_project(caller, project)
    return len(projects)
