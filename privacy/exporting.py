"""Export of what a person has here: one JSON document, written as it is read.

It holds what the person entered and wrote and may still read, and nothing that identifies
others but the names that they show. No secret is in it: of keys neither text nor digest.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby

from django.db.models import Q, QuerySet
from django.utils import timezone

from conderis.accounts.models import Agent, AgentKey, AuditEvent, Handle, Person
from conderis.common.caller import Caller
from conderis.common.errors import Denied
from conderis.common.json import JsonObject, compact, without_nulls
from conderis.common.pieces import gathered
from conderis.common.times import iso
from exchange.jobs import counts_of, readable_report, with_locks
from exchange.models import Import
from items.access import reference_of
from items.models import Item, ItemEvent
from items.state import full_state
from privacy.models import DeletionRequest
from projects.access import access_of, visible_projects
from projects.models import OrganizationMember
from proposals.access import is_locked, whole
from proposals.entries import item_reference
from proposals.models import Proposal

FORMAT = "conderis-account-1"
CHUNK = 100  # rows that are read at once
PIECE = 16_384  # characters, about, that are handed on at once
_ITEM_ROWS = ("project", "parent", "assignee_person", "assignee_agent__person")


def export_account(caller: Caller) -> Iterator[str]:
    """The caller's own data, as pieces of one JSON document that together are whole.

    Read while it is taken, a hundred rows at a time at most, so that its size fills no
    memory; what changes meanwhile may be in it or not.

    Raises:
        Denied: an agent asks (at once, not while it is read).
    """
    if caller.is_agent:
        raise Denied("Only a person exports an account, in the browser.", missing="person")
    return gathered(_document(caller), PIECE)


def _document(caller: Caller) -> Iterator[str]:
    person = Person.objects.get(pk=caller.person_id)
    names = _Names(caller)
    yield f'{{"format":{compact(FORMAT)},"made":{compact(iso(timezone.now()))},"account":'
    yield compact(_account(person))
    sections: dict[str, Iterable[Iterable[str]]] = {
        "agents": _rows(_agents(person, names)),
        "organizations": _rows(_organizations(person)),
        "projects": _rows(_projects(caller)),
        "personalMemories": _own_items(_personal(person), names),
        "privateMemories": _own_items(_private(person), names),
        "sharedItems": _shared(person, names),
        "proposals": _rows(_proposals(person, names)),
        "imports": _rows(_imports(person, names)),
        "deletionRequests": _rows(_deletion_requests(person, names)),
        "auditEvents": _rows(_audit_events(person, names)),
    }
    for name, rows in sections.items():
        yield f",{compact(name)}:["
        yield from _parted(rows)
        yield "]"
    yield "}"


class _Names:
    """The `owner/name` of projects by key, as far as the caller may read them now."""

    def __init__(self, caller: Caller) -> None:
        self.projects = visible_projects(caller)
        self._known: dict[int, str | None] = {}

    def of(self, project_id: int | None) -> str | None:
        """The name, or None where there is no project or none that may be read."""
        if project_id is None:
            return None
        if project_id not in self._known:
            found = self.projects.filter(pk=project_id).first()
            self._known[project_id] = found.full_name if found is not None else None
        return self._known[project_id]


def _rows(rows: Iterable[JsonObject]) -> Iterator[Iterable[str]]:
    return ([compact(row)] for row in rows)


def _with_list(head: JsonObject, name: str, rows: Iterable[JsonObject]) -> Iterator[str]:
    """An object whose last member is a list that may be long."""
    yield f"{compact(head)[:-1]},{compact(name)}:["
    yield from _parted(_rows(rows))
    yield "]}"


def _parted(rows: Iterable[Iterable[str]]) -> Iterator[str]:
    for place, row in enumerate(rows):
        if place:
            yield ","
        yield from row


def _account(person: Person) -> JsonObject:
    handles = Handle.objects.filter(holder=person.ref).order_by("name")
    former = [name for name in handles.values_list("name", flat=True) if name != person.handle]
    return {
        "ref": person.ref,
        "handle": person.handle,
        "formerHandles": former,
        "displayName": person.display_name,
        "email": person.email,
        "timeZone": person.time_zone,
        "theme": person.theme,
        "language": person.language,
        "singleKeys": person.single_keys,
        "created": iso(person.created),
    }


def _agents(person: Person, names: _Names) -> Iterator[JsonObject]:
    for agent in Agent.objects.filter(person=person).order_by("pk").iterator(CHUNK):
        keys = AgentKey.objects.filter(agent=agent).defer("lookup", "digest").order_by("pk")
        yield {
            "ref": agent.ref,
            "name": agent.name,
            "created": iso(agent.created),
            "keys": [_key(key, names) for key in keys],
        }


def _key(key: AgentKey, names: _Names) -> JsonObject:
    chosen = map(names.of, key.chosen_projects.order_by("pk").values_list("project", flat=True))
    return without_nulls(
        {
            "id": key.public_id,
            "scopes": key.scopes,
            "alwaysReview": key.always_review,
            "projects": None if key.all_projects else [name for name in chosen if name],
            "created": iso(key.created),
            "expires": iso(key.expires_at) if key.expires_at else None,
            "revoked": iso(key.revoked_at) if key.revoked_at else None,
            "lastUsed": iso(key.last_used_at) if key.last_used_at else None,
        }
    )


def _organizations(person: Person) -> Iterator[JsonObject]:
    members = OrganizationMember.objects.filter(person=person).select_related("organization")
    for member in members.order_by("organization__handle").iterator(CHUNK):
        organization = member.organization
        yield {"handle": organization.handle, "name": organization.name, "role": member.role}


def _projects(caller: Caller) -> Iterator[JsonObject]:
    for project in visible_projects(caller).order_by("path").iterator(CHUNK):
        role = access_of(caller, project).role
        if role is not None:
            yield {"projectId": project.public_id, "name": project.full_name, "role": role}


def _personal(person: Person) -> QuerySet[Item]:
    return Item.objects.filter(author=person, project__isnull=True, organization__isnull=True)


def _private(person: Person) -> QuerySet[Item]:
    return Item.objects.filter(author=person, project__isnull=False, visibility="private")


def _own_items(items: QuerySet[Item], names: _Names) -> Iterator[Iterable[str]]:
    """Items that nobody else sees, whole, with their histories.

    Also in projects that the person may no longer read, then without the project's name.
    """
    for item in items.select_related(*_ITEM_ROWS).order_by("pk").iterator(CHUNK):
        events = item.events.order_by("pk").select_related("author_agent").iterator(CHUNK)
        head = {
            **_named(item, names),
            "version": item.version,
            "created": iso(item.created),
            "changed": iso(item.changed),
            **(full_state(item) if item.locked_at is None else {}),
        }
        yield _with_list(head, "history", map(_event, events))


def _shared(person: Person, names: _Names) -> Iterator[Iterable[str]]:
    """The versions that the person or an agent of the person wrote of items of all."""
    organizations = OrganizationMember.objects.filter(person=person).values("organization")
    events = ItemEvent.objects.filter(
        ~Q(item__visibility="private"),
        Q(item__project__in=names.projects.values("pk")) | Q(item__organization__in=organizations),
        author=person,
    )
    rows = events.select_related("item", "author_agent").defer("item__content", "item__data")
    by_item = groupby(rows.order_by("item_id", "pk").iterator(CHUNK), key=lambda row: row.item_id)
    for _, of_item in by_item:
        first = next(of_item)
        yield _with_list(
            _named(first.item, names), "versions", map(_event, chain([first], of_item))
        )


def _named(item: Item, names: _Names) -> JsonObject:
    locked = {"locked": iso(item.locked_at)} if item.locked_at is not None else {}
    if item.erased_at is not None:
        locked = {"erased": iso(item.erased_at)}
    name = names.of(item.project_id)
    return {**({"project": name} if name else {}), **reference_of(item), "kind": item.kind,
            **locked}  # fmt: skip


def _event(event: ItemEvent) -> JsonObject:
    """An event with the whole state; of what is locked neither that nor its reason."""
    readable = event.item.locked_at is None and not event.locked_by
    return without_nulls(
        {
            "event": event.event,
            "version": event.version,
            "at": iso(event.at),
            "agent": event.author_agent.name if event.author_agent else None,
            "fields": event.changed or None,
            "reason": event.reason or None if readable else None,
            "state": event.state if readable else None,
        }
    )


def _proposals(person: Person, names: _Names) -> Iterator[JsonObject]:
    """What the person or an agent of the person has proposed, where it may still be read.

    Of a locked one neither fields nor reasons.
    """
    own = Proposal.objects.filter(proposer=person, project__in=names.projects.values("pk"))
    for proposal in whole(own).order_by("pk").iterator(CHUNK):
        locked, agent = is_locked(proposal), proposal.proposer_agent
        yield without_nulls(
            {
                "ref": proposal.ref,
                "project": names.of(proposal.project_id),
                **item_reference(proposal),
                "kind": proposal.kind,
                "action": proposal.action,
                "agent": agent.name if agent is not None else None,
                "state": proposal.state,
                "baseVersion": proposal.base_version,
                "created": iso(proposal.created),
                "reason": None if locked else proposal.reason or None,
                "decided": iso(proposal.decided_at) if proposal.decided_at else None,
                "decisionReason": None if locked else proposal.decision_reason or None,
                "version": proposal.result_version,
                "locked": True if locked else None,
            }
        ) | ({} if locked else _proposed(proposal))


def _proposed(proposal: Proposal) -> JsonObject:
    if proposal.action != Proposal.Action.BATCH:
        return {"fields": proposal.fields}
    rows = proposal.entries.order_by("position").values("position", "under", "fields")
    return {"title": proposal.title or None, "items": list(rows)}


def _imports(person: Person, names: _Names) -> Iterator[JsonObject]:
    """The imports that the person or an agent of the person began, without the files.

    Of projects that the person may no longer read the reports have their counts alone.
    """
    own = with_locks(Import.objects.filter(person=person)).select_related("agent")
    for row in own.order_by("pk").iterator(CHUNK):
        name = names.of(row.project_id)
        yield without_nulls(
            {
                "id": row.public_id,
                "project": name,
                "importer": row.importer,
                "agent": row.agent.name if row.agent is not None else None,
                "state": row.state,
                "file": row.name or None,
                "parts": row.only or None,
                "storeAnyway": row.store_anyway,
                "created": iso(row.created),
                "ended": iso(row.ended) if row.ended else None,
                "report": (readable_report(row) if name else counts_of(row.report)) or None,
            }
        )


def _deletion_requests(person: Person, names: _Names) -> Iterator[JsonObject]:
    requests = DeletionRequest.objects.filter(requester=person).select_related("item", "proposal")
    for request in requests.defer("item__content", "item__data").order_by("pk").iterator(CHUNK):
        item, proposal = request.item, request.proposal
        yield without_nulls(
            {
                "ref": request.ref,
                "of": _named(item, names) if item is not None else None,
                "proposal": proposal.ref if proposal is not None else None,
                "version": request.version,
                "reason": request.reason or None,
                "state": request.state,
                "decisionReason": request.decision_reason or None,
                "created": iso(request.created),
            }
        )


def _audit_events(person: Person, names: _Names) -> Iterator[JsonObject]:
    agents = dict(Agent.objects.filter(person=person).values_list("pk", "name"))
    for event in AuditEvent.objects.filter(person_id=person.pk).order_by("pk").iterator(CHUNK):
        yield without_nulls(
            {
                "at": iso(event.at),
                "action": event.action,
                "subject": event.subject,
                "surface": event.surface,
                "agent": agents.get(event.agent_id) if event.agent_id else None,
                "project": names.of(event.project_id),
                "detail": event.detail or None,
            }
        )
