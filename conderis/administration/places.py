"""Organizations and projects."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.administration.acting import acting
from conderis.administration.deeds import Deed, DoingAdmin, Outcome
from conderis.administration.filters import set_filter
from conderis.administration.reading import ReadOnlyAdmin, people_named
from conderis.administration.site import site
from conderis.common.caller import Caller
from conderis.web.forms import Form
from conderis.web.projects.words import ORGANIZATION_ROLE_CHOICES, ROLE_CHOICES
from projects.ending import restore_project
from projects.members import set_member
from projects.models import Organization, Project, ProjectPath
from projects.organizations import set_organization_member

Typed = dict[str, Any]


class MemberForm(Form):
    """Who gets which role in a project."""

    handle = forms.CharField(label=gettext_lazy("Handle"), max_length=39)
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ROLE_CHOICES)


class OrganizationMemberForm(MemberForm):
    """Who gets which role in an organization."""

    refused_fields: ClassVar = {"person": "handle"}

    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ORGANIZATION_ROLE_CHOICES)


def _give_role(caller: Caller, project: Project, typed: Typed) -> Outcome:
    with acting(caller) as operator:
        member = set_member(operator, project_id=project.public_id, **typed)
    said = _("%(handle)s is %(role)s in %(place)s.")
    return Outcome(
        said % {"handle": member.person.handle, "role": member.role, "place": project.path}
    )


def _give_organization_role(caller: Caller, place: Organization, typed: Typed) -> Outcome:
    handle, role = typed["handle"].strip(), typed["role"]
    with acting(caller) as operator:
        set_organization_member(operator, handle=place.handle, person=handle, role=role)
    said = _("%(handle)s is %(role)s in %(place)s.")
    return Outcome(said % {"handle": handle, "role": role, "place": place.handle})


def _restore(caller: Caller, project: Project, _typed: Typed) -> Outcome:
    with acting(caller) as operator:
        restored = restore_project(operator, project_id=project.public_id)
    return Outcome(_("%(project)s is back.") % {"project": restored.path})


@admin.register(Project, site=site)
class ProjectAdmin(DoingAdmin):
    """Projects, deleted ones too while they can come back; nothing that they hold."""

    list_display = ("path", "is_public", "created", "changed", "deleted_at")
    list_filter = (
        "is_public",
        set_filter("deleted_at", title=gettext_lazy("deleted")),
        "created",
    )
    fields = (
        "public_id", "path", "owner_person", "owner_organization", "is_public", "member_role",
        "memories_unreviewed", "open_proposals", "agents_reviewed", "session_days",
        "secrets_policy", "recall_mode",
        "remote", "remote_verified", "upstream", "created", "changed", "deleted_at",
    )  # fmt: skip
    list_select_related = ("owner_person", "owner_organization", "upstream")
    search_fields = ("path__startswith", "public_id")
    search_help_text = gettext_lazy("owner/name from its beginning, or the id.")
    deeds = (
        Deed(
            "role",
            gettext_lazy("Give a role"),
            gettext_lazy("Gives a person this role in the project, instead of any other there."),
            _give_role,
            MemberForm,
            offered=lambda project: project.deleted_at is None,
        ),
        Deed(
            "restore",
            gettext_lazy("Bring the project back"),
            gettext_lazy("The project is as it was, for everybody who had a role."),
            _restore,
            offered=lambda project: project.deleted_at is not None,
        ),
    )


@admin.register(ProjectPath, site=site)
class ProjectPathAdmin(ReadOnlyAdmin):
    """Where projects answer: their current and former names."""

    list_display = fields = ("path", "project")
    list_select_related = ("project",)
    ordering = ("path",)
    search_fields = ("path__startswith",)
    search_help_text = gettext_lazy("owner/name from its beginning.")


@admin.register(Organization, site=site)
class OrganizationAdmin(DoingAdmin):
    """Organizations."""

    list_display = ("handle", "name", "member_role", "created")
    list_filter = ("created",)
    fields = ("public_id", "handle", "name", "member_role", "created")
    search_fields = ("handle__startswith", "public_id")
    search_help_text = gettext_lazy("Handle from its beginning, or the id.")
    deeds = (
        Deed(
            "role",
            gettext_lazy("Give a role"),
            gettext_lazy("Gives a person this role in the organization, instead of any other."),
            _give_organization_role,
            OrganizationMemberForm,
        ),
    )


def in_places(rows: QuerySet[Any], term: str, **columns: str) -> QuerySet[Any]:
    """The rows of a project or an organization whose name begins so, or of such people.

    `columns` are those of `project`, `organization` and `person`, where a row has them.
    """
    wanted = Q(pk__in=[])
    if "project" in columns:
        projects = Project.objects.filter(path__startswith=term.lower()).values("pk")
        wanted |= Q((f"{columns['project']}__in", projects))
    if "organization" in columns:
        organizations = Organization.objects.filter(handle__startswith=term.lower()).values("pk")
        wanted |= Q((f"{columns['organization']}__in", organizations))
    if "person" in columns:
        wanted |= Q((f"{columns['person']}__in", people_named(term)))
    return rows.filter(wanted)
