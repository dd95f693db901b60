"""What happened to a person's own account and keys, out of the audit log."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, Value
from django.db.models.functions import Concat

from conderis.accounts.actors import require_person
from conderis.accounts.models import Agent, AgentKey, AuditEvent, Person
from conderis.common.caller import Caller, Surface
from conderis.common.errors import Invalid
from conderis.common.json import Json
from conderis.common.paging import read_limit

KEY = "key:"


@dataclass(frozen=True, slots=True)
class AccountEvent:
    """Something that happened to an account: `action` is the audit log's word for it.

    `by` is the display name of who did it, None for whoever runs the server, `by_own` whether
    that was the person. `key` and `agent` name the key that it was done to, if it was one.
    `role`, `project_id` and `organization_id` are of roles: the rows' ids, for a layer that
    knows whether the person may still read them. `fields` are those that changed.
    """

    id: int
    at: datetime
    action: str
    surface: Surface
    by: str | None
    by_own: bool
    key: str | None
    agent: str | None
    role: str | None
    fields: tuple[str, ...]
    project_id: int | None
    organization_id: int | None


def account_events(
    caller: Caller, *, limit: int | None = None, before: int | None = None
) -> list[AccountEvent]:
    """Sign-ins, changes of the account, keys, roles given and taken; the newest first.

    `limit` is 20, at most 100; `before` is the id of the last event that was shown. Three
    queries at most.

    Raises:
        Denied: an agent asks.
        Invalid: the limit or `before` is out of bounds.
    """
    require_person(caller)
    size = read_limit(limit)
    own_keys = (
        AgentKey.objects.filter(agent__person=caller.person_id)
        .annotate(subject=Concat(Value(KEY), "public_id"))
        .values("subject")
    )
    events = AuditEvent.objects.filter(Q(subject=caller.person_ref) | Q(subject__in=own_keys))
    if before is not None:
        events = events.filter(pk__lt=_clean_before(before))
    found = list(events.order_by("-pk")[:size])
    actors = {event.person_id for event in found if event.person_id is not None}
    names = dict(Person.objects.filter(pk__in=actors).values_list("pk", "display_name"))
    keys = {event.subject.removeprefix(KEY) for event in found if event.subject.startswith(KEY)}
    agents = dict(
        Agent.objects.filter(keys__public_id__in=keys).values_list("keys__public_id", "name")
    )
    return [_row(caller, event, names, agents) for event in found]


def _row(
    caller: Caller, event: AuditEvent, names: dict[int, str], agents: dict[str, str]
) -> AccountEvent:
    key = event.subject.removeprefix(KEY) if event.subject.startswith(KEY) else None
    return AccountEvent(
        id=event.pk,
        at=event.at,
        action=event.action,
        surface=Surface(event.surface),
        by=names.get(event.person_id) if event.person_id is not None else None,
        by_own=event.person_id == caller.person_id,
        key=key,
        agent=agents.get(key) if key is not None else None,
        role=event.detail.get("role"),
        fields=tuple(event.detail.get("fields", ())),
        project_id=event.project_id,
        organization_id=event.organization_id,
    )


def _clean_before(before: Json) -> int:
    if isinstance(before, bool) or not isinstance(before, int) or not 0 < before < 2**63:
        raise Invalid("before must be the id of an event.", field="before")
    return before
