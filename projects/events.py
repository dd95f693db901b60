"""Changes of rights and deletions in a project or an organization: the audit log, for owners."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Concat

from conderis.accounts.actors import require_person
from conderis.accounts.models import Agent, AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from conderis.common.paging import read_limit
from projects.access import access_project
from projects.capabilities import Use
from projects.models import KeyProject, Project
from projects.organization_access import access_organization

ACTIONS = (
    "deletion.erased",
    "deletion.refused",
    "deletion.requested",
    "deletion.revealed",
    "deletion.withdrawn",
    "invitation.accepted",
    "invitation.created",
    "invitation.revoked",
    "member.added",
    "member.changed",
    "member.removed",
    "organization.changed",
    "organization.created",
    "organization.project_left",
    "organization_member.added",
    "organization_member.changed",
    "organization_member.removed",
    "policies.changed",
    "project.changed",
    "project.created",
    "project.deleted",
    "project.exported",
    "project.restored",
    "project.transferred",
    "visibility.changed",
)
# Of a key, an owner sees what it may do; which other projects it is for is its person's.
SHOWN_OF_KEYS = ("scopes", "alwaysReview", "expires", "fields", "overlapMinutes")
_PERSON = "person:"


@dataclass(frozen=True, slots=True)
class Who:
    """A person as others see them."""

    handle: str
    display_name: str


@dataclass(frozen=True, slots=True)
class EventRow:
    """One change of rights. `person` is None where whoever runs the server made it.

    `subject` is a reference, `subject_person` who it names if that is a person; `project`
    is the `owner/name` of the project that it happened in, if it still belongs here.
    """

    id: int
    at: datetime
    action: str
    person: Who | None
    agent: str | None
    subject: str
    subject_person: Who | None
    project: str | None
    detail: JsonObject


@dataclass(frozen=True, slots=True)
class EventPage:
    """Some events, newest first; `before` is where the next page begins, or None."""

    items: list[EventRow]
    before: int | None


def project_events(
    caller: Caller, project_id: str, *, limit: int | None = None, before: int | None = None
) -> EventPage:
    """What has changed the rights in the project, and its deletions; newest first.

    The keys that are limited to it are among it, of private memories nothing. 20 events where
    no limit is given, at most 100; those older than the id `before`. Five queries at most.

    Raises:
        Denied: an agent asks, or a person whose role lacks `manage`.
        NotFound: there is no such project that the caller may read.
        Invalid: the limit or the id is not allowed.
    """
    require_person(caller)
    project = access_project(caller, project_id, use=Use.MANAGE).project
    keys = KeyProject.objects.filter(project=project)
    refs = keys.annotate(ref=Concat(Value("key:"), "key__public_id")).values("ref")
    events = AuditEvent.objects.filter(
        Q(project_id=project.pk, action__in=ACTIONS)
        | Q(action__startswith="key.", subject__in=refs)
    )
    return _page(events, {project.pk: project.full_name}, limit=limit, before=before)


def organization_events(
    caller: Caller, handle: str, *, limit: int | None = None, before: int | None = None
) -> EventPage:
    """What has changed the rights in the organization and its projects; newest first.

    The deletions of its instructions are among it. Pages as `project_events`. Seven queries
    at most.

    Raises:
        Denied: an agent asks, or a person who is no owner.
        NotFound: there is no such organization that the caller is in.
        Invalid: the limit or the id is not allowed.
    """
    access = access_organization(caller, handle)
    access.require_owner()
    organization = access.organization
    events = AuditEvent.objects.filter(organization_id=organization.pk, action__in=ACTIONS)
    projects = {
        project.pk: project.full_name
        for project in Project.objects.filter(owner_organization=organization)
    }
    return _page(events, projects, limit=limit, before=before)


def _page(
    events: QuerySet[AuditEvent],
    projects: dict[int, str],
    *,
    limit: int | None,
    before: int | None,
) -> EventPage:
    size = read_limit(limit)
    told = Q(detail__private__isnull=True) | Q(detail__private=False)
    events = events.filter(told)
    if before is not None:
        if before < 1:
            raise Invalid("before must be the id of an event.", field="before")
        events = events.filter(pk__lt=before)
    found = list(events.order_by("-pk")[: size + 1])
    shown = found[:size]
    return EventPage(_rows(shown, projects), shown[-1].pk if len(found) > size else None)


def _rows(events: Sequence[AuditEvent], projects: dict[int, str]) -> list[EventRow]:
    people = _people(events)
    agents = Agent.objects.in_bulk({event.agent_id for event in events if event.agent_id})
    return [
        EventRow(
            id=event.pk,
            at=event.at,
            action=event.action,
            person=people.get(event.person_id) if event.person_id is not None else None,
            agent=agents[event.agent_id].name if event.agent_id in agents else None,
            subject=event.subject,
            subject_person=people.get(event.subject),
            project=projects.get(event.project_id) if event.project_id is not None else None,
            detail=_shown_detail(event),
        )
        for event in events
    ]


def _people(events: Sequence[AuditEvent]) -> dict[int | str, Who]:
    """Those who acted, by key, and those who were acted on, by reference."""
    actors = {event.person_id for event in events if event.person_id is not None}
    subjects = {
        event.subject.removeprefix(_PERSON) for event in events if event.subject.startswith(_PERSON)
    }
    known: dict[int | str, Who] = {}
    for person in Person.objects.filter(Q(pk__in=actors) | Q(public_id__in=subjects)):
        known[person.pk] = known[person.ref] = Who(person.handle, person.display_name)
    return known


def _shown_detail(event: AuditEvent) -> JsonObject:
    detail: JsonObject = event.detail
    if not event.action.startswith("key."):
        return detail
    return {name: detail[name] for name in SHOWN_OF_KEYS if name in detail}
