"""The one way into the audit log."""

from collections.abc import Iterable

from conderis.accounts.actors import Actor, Operator
from conderis.accounts.models import AuditEvent
from conderis.common.json import Json


def record(
    caller: Actor,
    *,
    action: str,
    subject: str,
    project_id: int | None = None,
    organization_id: int | None = None,
    **detail: Json,
) -> None:
    """Write one audit event in the running transaction.

    `action` is a verb with its object (`item.created`, `key.revoked`), `subject` a
    reference (`#12`, `memory:<id>`, `key:<id>`). `detail` must hold no stored text.
    """
    event_of(
        caller,
        action=action,
        subject=subject,
        project_id=project_id,
        organization_id=organization_id,
        **detail,
    ).save()


def event_of(
    caller: Actor,
    *,
    action: str,
    subject: str,
    project_id: int | None = None,
    organization_id: int | None = None,
    **detail: Json,
) -> AuditEvent:
    """An audit event as `record` writes it, to be written by `record_all` with others."""
    return AuditEvent(
        action=action,
        subject=subject,
        project_id=project_id,
        organization_id=organization_id,
        person_id=caller.person_id,
        agent_id=None if isinstance(caller, Operator) else caller.agent_id,
        surface=caller.surface,
        detail=detail,
    )


def record_all(events: Iterable[AuditEvent]) -> None:
    """Write audit events in the running transaction, in one go."""
    AuditEvent.objects.bulk_create(events)
