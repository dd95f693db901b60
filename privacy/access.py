"""The doors to deletion requests: the only way from a caller to one.

A request is there for who made it (the person, with all agents of theirs) and for those who
may decide it. For everybody else it does not exist. What nobody but its author may read, a
private or a personal memory, its author alone decides.
"""

import re
from dataclasses import dataclass

from django.db.models import BooleanField, Case, Exists, OuterRef, Q, QuerySet, Value, When

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Scope, Surface
from conderis.common.errors import Conflict, Denied, NotFound
from items.access import nothing_at, subject_of
from items.access import whole as whole_items
from items.kinds.base import Review
from items.kinds.registry import all_kinds
from items.models import Item
from privacy.models import DeletionRequest
from projects.access import projects_with, require_scope, visible_projects
from projects.capabilities import Capability, OrganizationRole
from projects.models import Organization, OrganizationMember, Project

_REF = re.compile(r"deletion:(?P<id>[0-9a-z]{1,20})\Z")
# What a request is read with in one query; of items and proposals no texts.
RELATED = ("project", "item__organization", "proposal", "requester", "requester_agent",
           "decided_by")  # fmt: skip
_UNREAD = (
    *(f"item__{name}" for name in ("title", "summary", "content", "tags", "data", "commits")),
    *(f"proposal__{name}" for name in ("title", "fields", "reason", "decision_reason")),
)
PENDING, ERASING = DeletionRequest.State.PENDING, DeletionRequest.State.ERASING


@dataclass(frozen=True, slots=True)
class RequestAccess:
    """A deletion request that the caller may see, with what the caller may do with it."""

    request: DeletionRequest
    caller: Caller

    @property
    def is_own(self) -> bool:
        """Whether the caller's person, or an agent of that person, has made it."""
        return self.request.requester_id == self.caller.person_id

    @property
    def is_private(self) -> bool:
        """Whether it is of what nobody but its author may know of."""
        return is_private(self.request.item)

    @property
    def subject(self) -> str:
        """What it is of: `#12`, `memory:<id>`, `instructions`, `proposal:<id>`."""
        return subject_of_request(self.request)

    @property
    def may_decide(self) -> bool:
        """Whether the caller may erase or refuse now."""
        return self.cannot_decide_because is None

    @property
    def may_withdraw(self) -> bool:
        """Whether the caller may take it back now."""
        return self.is_own and self._is_person and self.request.state == PENDING

    @property
    def cannot_decide_because(self) -> str | None:
        """Why the caller may neither erase nor refuse, as one sentence; None where it may."""
        refusal = self._refusal()
        return refusal.message if refusal is not None else None

    def require_decision(self) -> None:
        """Go on only if the caller may decide it now.

        Raises:
            Denied: an agent asks, or not in the browser (`person`), or the role lacks
                `moderate`.
            Conflict: it is not pending any more.
        """
        refusal = self._refusal()
        if refusal is not None:
            raise refusal

    @property
    def _is_person(self) -> bool:
        return not self.caller.is_agent and self.caller.surface is Surface.WEB

    def _refusal(self) -> Denied | Conflict | None:
        if not self._is_person:
            return Denied("A person decides deletions, in the browser.", missing="person")
        if not vars(self.request)["decides"]:
            return Denied(
                "Whoever may moderate here decides this request.", missing=Capability.MODERATE
            )
        if self.request.state != PENDING:
            return Conflict(
                f"{self.request.ref} is decided already: it is {self.request.state}.",
                state=self.request.state,
            )
        return None


def is_private(item: Item | None) -> bool:
    """Whether nobody but its author may know of the item; of none, no."""
    if item is None:
        return False
    personal = item.project_id is None and item.organization_id is None
    return personal or item.visibility == "private"


def subject_of_request(request: DeletionRequest) -> str:
    """What a request is of, as the audit log names it."""
    if request.proposal is not None:
        return request.proposal.ref
    return subject_of(request.item) if request.item is not None else ""


def visible_requests(caller: Caller) -> QuerySet[DeletionRequest]:
    """The requests that the caller has made or may decide, each with `decides`.

    Raises:
        Denied: the key has not the scope to read.
    """
    require_scope(caller, Scope.READ)
    decides = decided_by(caller)
    readable = _in(visible_projects(caller))
    own = Q(requester=caller.person_id) & (readable | _without_project(caller))
    return (
        DeletionRequest.objects.filter(own | decides)
        .select_related(*RELATED)
        .defer(*_UNREAD)
        .annotate(
            decides=Case(
                When(decides, then=Value(value=True)),
                default=Value(value=False),
                output_field=BooleanField(),
            )
        )
    )


def access_request(caller: Caller, ref: str, *, lock: bool = False) -> RequestAccess:
    """The request of this reference, if the caller has made it or may decide it.

    `lock` takes the rows of its place and then its own until the transaction ends.

    Raises:
        NotFound: there is none that the caller may see, or the reference is none.
        Denied: the key has not the scope to read.
    """
    found = _seen(caller, ref)
    if lock:
        lock_place(found)
        DeletionRequest.objects.select_for_update(no_key=True).only("pk").get(pk=found.pk)
        found = _seen(caller, ref)
    return RequestAccess(found, caller)


def item_of(request: DeletionRequest) -> Item:
    """The item that the request is of, with all that changing it takes.

    Raises:
        TypeError: it is of a proposal.
    """
    if request.item_id is None:
        raise TypeError("this request is of a proposal")
    item = whole_items(Item.objects.filter(pk=request.item_id)).get()
    item.project = request.project
    return item


def lock_place(request: DeletionRequest) -> None:
    """Have the writes at the place of what the request is of wait until the transaction ends.

    In the order of all: organizations, projects, people.
    """
    item = request.item
    if request.project_id is not None:
        Project.objects.select_for_update(no_key=True).only("pk").get(pk=request.project_id)
    elif item is not None and item.organization_id is not None:
        rows = Organization.objects.select_for_update(no_key=True)
        rows.only("pk").get(pk=item.organization_id)
    elif item is not None:
        Person.objects.select_for_update(no_key=True).only("pk").get(pk=item.author_id)


def _seen(caller: Caller, ref: str) -> DeletionRequest:
    found = _REF.match(ref.strip())
    if found is None:
        raise nothing()
    row = visible_requests(caller).filter(public_id=found["id"]).first()
    if row is None:
        raise nothing_at(f"deletion:{found['id']}")
    return row


def nothing() -> NotFound:
    """The answer for what is no reference of a request."""
    return nothing_at("such deletion request")


def _without_project(caller: Caller) -> Q:
    """Requests of what stands in no project: a key with chosen projects has none."""
    if caller.key is not None and not caller.key.all_projects:
        return Q(pk__in=[])
    return Q(project__isnull=True)


def _in(projects: QuerySet[Project]) -> Q:
    """Requests in one of the projects; asked for each request, which are few."""
    return Q(Exists(projects.filter(pk=OuterRef("project"))))


def decided_by(caller: Caller) -> Q:
    """The requests that the caller's role, or authorship, lets it decide."""
    moderated = _in(projects_with(caller, Capability.MODERATE))
    managed = _in(projects_with(caller, Capability.MANAGE))
    owners_kinds = [kind.name for kind in all_kinds() if kind.review is Review.OWNERS]
    owned = OrganizationMember.objects.filter(
        person=caller.person_id, role=OrganizationRole.OWNER
    ).values("organization")
    shared = Q(item__isnull=False) & moderated & ~Q(item__visibility="private")
    proposals = Q(proposal__isnull=False) & (
        managed | (moderated & ~Q(proposal__kind__in=owners_kinds))
    )
    private = Q(item__author=caller.person_id) & (
        (Q(item__visibility="private") & _in(visible_projects(caller)))
        | (Q(item__organization__isnull=True) & _without_project(caller))
    )
    organizations = Q(item__organization__in=owned) & _without_project(caller)
    return shared | proposals | private | organizations
