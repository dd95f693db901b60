"""Calls of `store_project` that are refused, and what they must leave alone."""

import pytest

from conderis.accounts.models import AuditEvent
from conderis.common.caller import Caller
from conderis.common.errors import DomainError
from conderis.common.json import Json, JsonObject
from projects.models import Project, ProjectPath
from projects.services import store_project


def state() -> Json:
    """Everything that a refused call must leave alone."""
    return (
        list(Project.objects.order_by("pk").values()),
        list(ProjectPath.objects.order_by("path").values()),
        AuditEvent.objects.count(),
    )


def refusal(caller: Caller, project_id: str | None, fields: Json) -> JsonObject:
    """The refusal of a call, which has changed nothing."""
    before = state()
    with pytest.raises(DomainError) as refused:
        store_project(caller, project_id=project_id, fields=fields)
    assert state() == before
    return refused.value.as_answer()
