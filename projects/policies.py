"""The rules that owners set for a project. People change them, no key does."""

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import Json, JsonObject
from projects.capabilities import Role
from projects.managing import manage_project, record_change
from projects.models import Project, SecretsPolicy
from projects.services import ProjectChange, clean_recall_mode

LEAST_DAYS = 1
MOST_DAYS = 3650


@transaction.atomic
def change_policies(caller: Caller, project_id: str, *, fields: JsonObject) -> ProjectChange:
    """The project with these policies changed; omitted ones are kept.

    `contributorsPublishMemories` (true or false), `secrets` (refuse or warn),
    `acceptProposals` (true or false; means something while the project is public),
    `agentsReviewed` (true or false: whether agents' changes always need review),
    `sessionDays` (1 to 3650), `recallMode` (flat, grouped or null) and, in a project of an
    organization, `memberRole` (a role, or null for the organization's default).

    Raises:
        Denied: an agent asks, or a person whose role lacks `manage`.
        NotFound: there is no such project that the caller may read.
        Invalid: there is no such policy, or its value is not allowed.
    """
    project = manage_project(caller, project_id)
    unknown = sorted(set(fields) - set(_POLICIES))
    if unknown:
        raise Invalid(
            f"There is no policy {unknown[0][:40]!r}. Policies: {', '.join(_POLICIES)}.",
            field=unknown[0][:40],
            allowed=list(_POLICIES),
        )
    changed: JsonObject = {}
    for name, (column, clean) in _POLICIES.items():
        if name not in fields:
            continue
        value = clean(project, fields[name])
        if value != getattr(project, column):
            setattr(project, column, value)
            changed[name] = value
    if not changed:
        return ProjectChange(project, ())
    project.changed = timezone.now()
    project.save()
    record_change(
        caller, project, action="policies.changed", fields=sorted(changed), policies=changed
    )
    return ProjectChange(project, tuple(changed))


def _yes_or_no(name: str) -> Callable[[Project, Json], Json]:
    def clean(_project: Project, value: Json) -> Json:
        if not isinstance(value, bool):
            raise Invalid(f"{name} must be true or false.", field=name, allowed=[True, False])
        return value

    return clean


def _clean_secrets(_project: Project, value: Json) -> Json:
    if value not in SecretsPolicy.values:
        raise Invalid(
            f"secrets must be one of {', '.join(SecretsPolicy.values)}.",
            field="secrets",
            allowed=SecretsPolicy.values,
        )
    return value


def _clean_session_days(_project: Project, value: Json) -> Json:
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or (not LEAST_DAYS <= value <= MOST_DAYS)
    ):
        raise Invalid(
            f"sessionDays must be a whole number from {LEAST_DAYS} to {MOST_DAYS}.",
            field="sessionDays",
            allowed=[f"{LEAST_DAYS} to {MOST_DAYS}"],
        )
    return value


def _clean_recall_mode(_project: Project, value: Json) -> Json:
    return clean_recall_mode(value)


def _clean_member_role(project: Project, value: Json) -> Json:
    if value is None:
        return ""
    if project.owner_organization_id is None:
        raise Invalid(
            f"{project.full_name} belongs to a person, so there is no role that an "
            "organization's members have in it.",
            field="memberRole",
            allowed=[None],
        )
    if value not in Role.values:
        raise Invalid(
            f"memberRole must be one of {', '.join(Role.values)}; null is the organization's "
            "default.",
            field="memberRole",
            allowed=[*Role.values, None],
        )
    return value


_POLICIES: dict[str, tuple[str, Callable[[Project, Json], Json]]] = {
    "contributorsPublishMemories": (
        "memories_unreviewed",
        _yes_or_no("contributorsPublishMemories"),
    ),
    "secrets": ("secrets_policy", _clean_secrets),
    "acceptProposals": ("open_proposals", _yes_or_no("acceptProposals")),
    "agentsReviewed": ("agents_reviewed", _yes_or_no("agentsReviewed")),
    "sessionDays": ("session_days", _clean_session_days),
    "recallMode": ("recall_mode", _clean_recall_mode),
    "memberRole": ("member_role", _clean_member_role),
}
