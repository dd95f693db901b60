"""The one way into the audit log."""

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
    AuditEvent.objects.create(
        action=action,
        subject=subject,
        project_id=project_id,
        organization_id=organization_id,
        person_id=caller.person_id,
        agent_id=None if isinstance(caller, Operator) else caller.agent_id,
        surface=caller.surface,
        detail=detail,
    )
