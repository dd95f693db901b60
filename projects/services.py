"""Creating projects and changing what they say of themselves.

Visibility is no field here: public or private is a person's decision in the browser.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from conderis.accounts.limits import count_write
from conderis.accounts.models import Person
from conderis.accounts.people import lock_active_person
from conderis.common.caller import Caller, Scope
from conderis.common.errors import Denied, Invalid, NotFound
from conderis.common.json import Json, JsonObject
from conderis.common.secrets import refuse_secrets
from conderis.common.text import clean_line, clean_text
from projects.access import access_project, require_scope
from projects.capabilities import OrganizationRole, Use
from projects.managing import record_change
from projects.models import Organization, OrganizationMember, Project
from projects.names import clean_name, save_under
from projects.remotes import MAX_REMOTE, canonical_remote
from projects.upstreams import find_upstream

FIELDS = ("name", "owner", "description", "remote", "upstream", "recallMode")
MAX_DESCRIPTION = 500
RECALL_MODES = ("flat", "grouped")


@dataclass(frozen=True, slots=True)
class ProjectChange:
    """A project as it now stands, and the fields that the call has changed."""

    project: Project
    changed: tuple[str, ...]


def store_project(caller: Caller, *, project_id: str | None, fields: JsonObject) -> JsonObject:
    """Create a project, or with a `project_id` change it: `outcome, projectId, name`.

    Raises:
        Those of `create_project` and `change_project`.
    """
    if project_id is None:
        project, published = create_project(caller, fields=fields), True
    else:
        change = change_project(caller, project_id, fields=fields)
        project, published = change.project, bool(change.changed)
    return {
        "outcome": "published" if published else "unchanged",
        "projectId": project.public_id,
        "name": project.full_name,
    }


@transaction.atomic
def create_project(caller: Caller, *, fields: JsonObject) -> Project:
    """A new private project of the caller's person, or of an organization of theirs.

    Raises:
        Denied: the key lacks the scope `write` or is for chosen projects; the person is
            no owner of the organization.
        Invalid, TooLarge: a field is unknown or its value is not allowed; no name.
        NotFound: no such organization or upstream that the caller may read; the caller's
            account was shut or deleted meanwhile.
        Conflict: the name is taken.
    """
    require_scope(caller, Scope.WRITE)
    if caller.key is not None and not caller.key.all_projects:
        raise Denied(
            "This key is for chosen projects, so it cannot create one. Its person can, in the "
            "browser, or with a key for all projects.",
            missing="all projects",
        )
    _check_names(fields)
    if fields.get("name") is None:
        raise Invalid("A new project needs a name.", field="name", allowed=list(FIELDS))
    name = clean_name(fields["name"])
    project = Project()
    owner_handle = _give_owner(caller, project, fields.get("owner"))
    _patch(caller, project, fields)
    save_under(project, owner_handle=owner_handle, name=name)
    record_change(caller, project, action="project.created")
    count_write(caller)
    return project


@transaction.atomic
def change_project(caller: Caller, project_id: str, *, fields: JsonObject) -> ProjectChange:
    """The project with these fields changed; omitted ones are kept, null clears.

    Under its old name it answers on. Another remote ends the verification.

    Raises:
        Denied: the caller's role lacks `manage`, or the key the scope `write`.
        Invalid, TooLarge: a field is unknown or its value is not allowed.
        NotFound: no such project or upstream that the caller may read.
        Conflict: the name is taken.
    """
    access = access_project(caller, project_id, use=Use.MANAGE, lock=True)
    _check_names(fields)
    project = access.project
    if fields.get("owner") not in (None, project.owner_handle):
        raise Invalid(
            f"A project keeps its owner ({project.owner_handle}); leave out owner.",
            field="owner",
            allowed=[project.owner_handle],
        )
    name = clean_name(fields["name"]) if "name" in fields else project.name
    changed = _patch(caller, project, fields)
    if name != project.name:
        changed.append("name")
    if not changed:
        return ProjectChange(project, ())
    project.changed = timezone.now()
    save_under(project, owner_handle=project.owner_handle, name=name)
    record_change(caller, project, action="project.changed", fields=sorted(changed))
    count_write(caller)
    return ProjectChange(project, tuple(changed))


def _check_names(fields: Json) -> None:
    if not isinstance(fields, dict):
        raise Invalid(
            f"fields must be an object of {', '.join(FIELDS)}.",
            field="fields",
            allowed=list(FIELDS),
        )
    if "visibility" in fields:
        raise Invalid(
            "visibility is no field: a new project is private, and a person makes it public or "
            "private in the browser, on a page that shows what becomes readable by whom.",
            field="visibility",
            allowed=list(FIELDS),
        )
    unknown = sorted(set(fields) - set(FIELDS))
    if unknown:
        raise Invalid(
            f"Projects have no field {', '.join(repr(name[:40]) for name in unknown[:5])}. "
            f"Fields: {', '.join(FIELDS)}.",
            field=unknown[0][:40],
            allowed=list(FIELDS),
        )


def _give_owner(caller: Caller, project: Project, handle: Json) -> str:
    """Make the project the caller's person's or an organization's; the owner's handle."""
    own = Person.objects.only("handle").get(pk=caller.person_id).handle
    wanted = own if handle is None else clean_line(handle, field="owner", limit=200).lower()
    if wanted == own:
        # Locked and read anew, so that the person neither gets another handle nor leaves meanwhile.
        person = lock_active_person(caller.person_id)
        if person is None:
            raise NotFound("There is no such account.")
        project.owner_person_id = person.pk
        return person.handle
    # Locked, so that the organization neither gets another handle nor ends meanwhile.
    membership = (
        OrganizationMember.objects.filter(organization__handle=wanted, person=caller.person_id)
        .select_related("organization")
        .select_for_update(of=("organization",), no_key=True)
        .first()
    )
    if membership is None:
        mine = Organization.objects.filter(
            members__person=caller.person_id, members__role=OrganizationRole.OWNER
        )
        raise NotFound(
            "You own no organization with this handle. Leave out owner for a project of your "
            "person.",
            field="owner",
            allowed=[own, *mine.order_by("handle").values_list("handle", flat=True)[:20]],
        )
    if membership.role != OrganizationRole.OWNER:
        raise Denied(
            f"Only its owners create projects in {wanted}.", missing="manage", field="owner"
        )
    project.owner_organization = membership.organization
    return wanted


def _patch(caller: Caller, project: Project, fields: JsonObject) -> list[str]:
    """Put the fields but name and owner into the project; those that it changed."""
    return [
        name
        for name, put in _PUTTERS.items()
        if name in fields and put(caller, project, fields[name])
    ]


def _put_description(_caller: Caller, project: Project, value: Json) -> bool:
    text = "" if value is None else clean_text(value, field="description", limit=MAX_DESCRIPTION)
    refuse_secrets(text, field="description")
    changed = text != project.description
    project.description = text
    return changed


def _put_remote(_caller: Caller, project: Project, value: Json) -> bool:
    remote = "" if value is None else _clean_remote(value, now=project.remote)
    if remote == project.remote:
        return False
    project.remote, project.remote_verified = remote, False
    return True


def _clean_remote(value: Json, *, now: str) -> str:
    text = clean_line(value, field="remote", limit=MAX_REMOTE)
    if text and text == now:
        return now  # as it is shown, whatever way it was once written
    remote = canonical_remote(text, field="remote")
    if remote is None:
        raise Invalid(
            "remote is no address of a git repository. null clears it.",
            field="remote",
            allowed=["https://host/owner/name", "git@host:owner/name.git", "host/owner/name", None],
        )
    return remote


def _put_upstream(caller: Caller, project: Project, value: Json) -> bool:
    upstream = None if value is None else find_upstream(caller, project, value)
    changed = upstream != project.upstream_id
    project.upstream_id = upstream
    return changed


def _put_recall_mode(_caller: Caller, project: Project, value: Json) -> bool:
    mode = clean_recall_mode(value)
    changed = mode != project.recall_mode
    project.recall_mode = mode
    return changed


def clean_recall_mode(value: Json) -> str:
    """The mode as it is stored; empty where the number of memories decides.

    Raises:
        Invalid: there is no such mode.
    """
    if value is not None and value not in RECALL_MODES:
        raise Invalid(
            "recallMode must be flat or grouped; null lets the number of memories decide.",
            field="recallMode",
            allowed=[*RECALL_MODES, None],
        )
    return "" if value is None else str(value)


_PUTTERS: dict[str, Callable[[Caller, Project, Json], bool]] = {
    "description": _put_description,
    "remote": _put_remote,
    "upstream": _put_upstream,
    "recallMode": _put_recall_mode,
}
