"""Agent keys, for all projects of their owner or for chosen ones: made, changed, listed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from conderis.accounts import audit
from conderis.accounts.actors import Actor, Operator, require_person
from conderis.accounts.agent_keys import KeyWish, MadeKey, has_ended, issue_key
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.key_changes import PROJECTS, access_current_key, patch_key, replace_key
from conderis.accounts.keys import PREFIX
from conderis.accounts.models import AgentKey, Person
from conderis.common.caller import Caller
from conderis.common.errors import Invalid, NotFound
from conderis.common.json import Json, JsonObject
from conderis.common.times import iso
from projects.access import access_project, projects_with, visible_projects
from projects.capabilities import Capability
from projects.models import KeyProject, Project

MOST_PROJECTS = 100
MOST_NAMED = 20
SHOWN_AFTER_END = timedelta(days=30)


class KeyState(StrEnum):
    """Whether a key works."""

    LIVE = "live"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class KeyRow:
    """An agent key as its owner sees it in a list. `shown` is its beginning, no secret.

    `projects` are full names, None where the key is for all of them. While
    `owner_active` is false no key of the owner works, whatever its state.
    """

    id: str
    owner: str
    owner_active: bool
    agent: str
    shown: str
    scopes: tuple[str, ...]
    projects: tuple[str, ...] | None
    always_review: bool
    created: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    state: KeyState


def reviewed_by_default(caller: Caller) -> bool:
    """Whether a new key's changes always need review unless its owner says otherwise.

    So for contributors: who may write somewhere and publish nowhere. Their agents' shared
    changes wait for a moderator anyway, and go on doing so when the person is raised.
    """
    publishes = projects_with(caller, Capability.MODERATE).exists()
    return not publishes and projects_with(caller, Capability.WRITE).exists()


@transaction.atomic
def create_agent_key(
    actor: Actor, *, person: Person, wish: KeyWish, projects: Sequence[str] | None = None
) -> MadeKey:
    """A new key of the person, with its text, which is shown this once.

    `projects` are ids, `owner/name` or git remotes of projects that the person may
    read; None means all, also later ones.

    Raises:
        Denied: an agent asks, or a person for somebody else.
        Invalid: a value has a form that is not allowed, or names no such project.
        Conflict: the person has a key with this name that works.
    """
    made = issue_key(actor, person=person, wish=wish, all_projects=projects is None)
    chosen = [] if projects is None else _chosen(person, projects, actor)
    KeyProject.objects.bulk_create(
        [KeyProject(key=made.key, project=project) for project in chosen]
    )
    expires = made.key.expires_at
    audit.record(
        actor,
        action="key.created",
        subject=f"key:{made.key.public_id}",
        scopes=made.key.scopes,
        alwaysReview=made.key.always_review,
        projects=None if projects is None else [project.public_id for project in chosen],
        expires=iso(expires) if expires is not None else None,
    )
    return made


@transaction.atomic
def rotate_agent_key(actor: Actor, *, key_id: str, overlap: timedelta = timedelta()) -> MadeKey:
    """A new key of the same agent with the same limits and expiry, shown this once.

    The old key ends now, or after the overlap (at most 24 hours) in which both work. Of two
    calls at once for one key one makes a key, the other gets the conflict.

    Raises:
        Denied: an agent asks.
        NotFound: there is no such key that is the caller's.
        Invalid: the overlap is out of bounds.
        Conflict: the key has ended or been replaced.
    """
    key = access_current_key(actor, key_id=key_id)
    made = replace_key(key, overlap=overlap)
    chosen = KeyProject.objects.filter(key=key).values_list("project", flat=True)
    KeyProject.objects.bulk_create(
        [KeyProject(key=made.key, project_id=project) for project in chosen]
    )
    audit.record(
        actor,
        action="key.rotated",
        subject=f"key:{key.public_id}",
        newKey=f"key:{made.key.public_id}",
        overlapMinutes=int(overlap.total_seconds() // 60),
    )
    return made


@transaction.atomic
def change_agent_key(actor: Actor, *, key_id: str, fields: JsonObject) -> AgentKey:
    """The key with these fields changed: `scopes, alwaysReview, expires, projects`.

    Omitted ones are kept; `expires` null is never, `projects` null is all of them, also
    later ones. What stands already changes nothing and leaves no audit row. The change
    counts from the very next call.

    Raises:
        Denied: an agent asks.
        NotFound: there is no such key that is the caller's.
        Invalid: a field is unknown, its value not allowed, or names no such project.
        Conflict: the key has ended or been replaced.
    """
    key = access_current_key(actor, key_id=key_id)
    changed = patch_key(key, fields=fields)
    if PROJECTS in fields and _put_projects(actor, key, fields[PROJECTS]):
        changed.append(PROJECTS)
    if changed:
        key.save(update_fields=["scopes", "always_review", "expires_at", "all_projects"])
        audit.record(
            actor, action="key.changed", subject=f"key:{key.public_id}", fields=sorted(changed)
        )
    return key


_SHOWN = (
    "public_id", "lookup", "scopes", "all_projects", "always_review",
    "created", "expires_at", "revoked_at", "last_used_at",
    "agent__name", "agent__person__handle", "agent__person__is_active",
)  # fmt: skip


def list_agent_keys(actor: Actor, *, person: Person | None = None) -> list[KeyRow]:
    """The caller's keys, those that work first, then by age. Two queries at most.

    Ended ones are listed for 30 days. The operator gets everybody's, or those of `person`,
    with all their projects; people get the projects that they may still read.

    Raises:
        Denied: an agent asks.
    """
    require_person(actor)
    now = timezone.now()
    keys = AgentKey.objects.select_related("agent__person").filter(
        Q(revoked_at__isnull=True) | Q(revoked_at__gt=now - SHOWN_AFTER_END),
        Q(expires_at__isnull=True) | Q(expires_at__gt=now - SHOWN_AFTER_END),
    )
    readable = Project.objects.filter(deleted_at__isnull=True)
    if not isinstance(actor, Operator):
        keys = keys.filter(agent__person=actor.person_id)
        readable = visible_projects(actor)
    elif person is not None:
        keys = keys.filter(agent__person=person)
    found = list(keys.only(*_SHOWN).order_by("created", "pk"))
    limited = [key.pk for key in found if not key.all_projects]
    names: dict[int, list[str]] = {}
    if limited:
        chosen = KeyProject.objects.filter(key__in=limited, project__in=readable)
        for row in chosen.select_related("project").order_by("project__path"):
            names.setdefault(row.key_id, []).append(row.project.full_name)
    rows = [_row(key, names.get(key.pk, []), now) for key in found]
    return sorted(rows, key=lambda row: row.state is not KeyState.LIVE or not row.owner_active)


def _row(key: AgentKey, projects: list[str], now: datetime) -> KeyRow:
    return KeyRow(
        id=key.public_id,
        owner=key.agent.person.handle,
        owner_active=key.agent.person.is_active,
        agent=key.agent.name,
        shown=f"{PREFIX}{key.lookup}\N{HORIZONTAL ELLIPSIS}",
        scopes=tuple(key.scopes),
        projects=None if key.all_projects else tuple(projects),
        always_review=key.always_review,
        created=key.created,
        expires_at=key.expires_at,
        revoked_at=key.revoked_at,
        last_used_at=key.last_used_at,
        state=_state(key, now),
    )


def _state(key: AgentKey, now: datetime) -> KeyState:
    if not has_ended(key, now=now):
        return KeyState.LIVE
    return KeyState.REVOKED if key.revoked_at is not None else KeyState.EXPIRED


def _put_projects(actor: Actor, key: AgentKey, value: Json) -> bool:
    """Limit the key to these projects, or for None to none; whether that is a change."""
    rows = KeyProject.objects.filter(key=key)
    before = set(rows.values_list("project", flat=True))
    if value is None:
        changed = not key.all_projects
        key.all_projects = True
        rows.delete()
        return changed
    if not isinstance(value, list | tuple):
        raise Invalid("projects must be a list of names, or null for all.", field=PROJECTS)
    after = {project.pk for project in _chosen(key.agent.person, value, actor)}
    changed = key.all_projects or after != before
    key.all_projects = False
    rows.exclude(project__in=after).delete()
    KeyProject.objects.bulk_create(
        [KeyProject(key=key, project_id=project) for project in sorted(after - before)]
    )
    return changed


def _chosen(person: Person, names: Sequence[str], actor: Actor) -> list[Project]:
    """The named projects, each once.

    Raises:
        Invalid: there are none or too many, or the person may not read one of them.
    """
    if not 0 < len(names) <= MOST_PROJECTS:
        raise Invalid(
            f"Choose 1 to {MOST_PROJECTS} projects, or none at all for every project.",
            field="projects",
        )
    caller = caller_of_person(person, actor.surface)
    found: dict[int, Project] = {}
    for name in names:
        try:
            project = access_project(caller, name).project
        except NotFound as missing:
            readable = visible_projects(caller).order_by("path").values_list("path", flat=True)
            allowed = list(readable[:MOST_NAMED])
            raise Invalid(
                f"{person.handle} may read no project {name}; "
                f"there are: {', '.join(allowed) or 'none'}.",
                field="projects",
                allowed=allowed,
            ) from missing
        found[project.pk] = project
    return list(found.values())
