"""Who has which role where, and which projects keys are limited to."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.administration.acting import acting
from conderis.administration.deeds import Deed, DoingAdmin, Outcome
from conderis.administration.places import in_places
from conderis.administration.reading import ReadOnlyAdmin
from conderis.administration.site import site
from conderis.common.caller import Caller
from conderis.web.forms import Form
from conderis.web.projects.words import ORGANIZATION_ROLE_CHOICES, ROLE_CHOICES
from projects.members import remove_member, set_member
from projects.models import KeyProject, OrganizationMember, ProjectMember
from projects.organizations import remove_organization_member, set_organization_member

Typed = dict[str, Any]
CHANGE = gettext_lazy("Change the role")
CHANGE_SAYS = gettext_lazy("The person has the other role from the next call on.")
SEARCHED = gettext_lazy("Handle, organization or owner/name, from its beginning.")


class RoleForm(Form):
    """Another role in a project."""

    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ROLE_CHOICES)


class OrganizationRoleForm(Form):
    """Another role in an organization."""

    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ORGANIZATION_ROLE_CHOICES)


def _change(caller: Caller, member: ProjectMember, typed: Typed) -> Outcome:
    place, handle = member.project.public_id, member.person.handle
    with acting(caller) as operator:
        set_member(operator, project_id=place, handle=handle, role=typed["role"])
    return _changed(handle)


def _remove(caller: Caller, member: ProjectMember, _typed: Typed) -> Outcome:
    place, handle = member.project.public_id, member.person.handle
    with acting(caller) as operator:
        remove_member(operator, project_id=place, handle=handle)
    return _removed(handle)


def _change_in_organization(caller: Caller, member: OrganizationMember, typed: Typed) -> Outcome:
    place, handle = member.organization.handle, member.person.handle
    with acting(caller) as operator:
        set_organization_member(operator, handle=place, person=handle, role=typed["role"])
    return _changed(handle)


def _remove_from_organization(caller: Caller, member: OrganizationMember, _typed: Typed) -> Outcome:
    place, handle = member.organization.handle, member.person.handle
    with acting(caller) as operator:
        remove_organization_member(operator, handle=place, person=handle)
    return _removed(handle)


def _changed(handle: str) -> Outcome:
    return Outcome(_("Role of %(handle)s changed.") % {"handle": handle})


def _removed(handle: str) -> Outcome:
    return Outcome(_("%(handle)s has been removed.") % {"handle": handle})


@admin.register(ProjectMember, site=site)
class ProjectMemberAdmin(DoingAdmin):
    """Roles that people have in projects directly."""

    list_display = fields = ("id", "project", "person", "role")
    list_filter = ("role",)
    list_select_related = ("project", "person")
    search_fields = ("project",)
    search_help_text = SEARCHED
    deeds = (
        Deed("role", CHANGE, CHANGE_SAYS, _change, RoleForm),
        Deed(
            "remove",
            gettext_lazy("Remove from the project"),
            gettext_lazy("Ends the person's direct role. Roles over an organization stay."),
            _remove,
            stops=True,
        ),
    )

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By project or person."""
        return in_places(rows, term, project="project", person="person")


@admin.register(OrganizationMember, site=site)
class OrganizationMemberAdmin(DoingAdmin):
    """People in organizations."""

    list_display = fields = ("id", "organization", "person", "role")
    list_filter = ("role",)
    list_select_related = ("organization", "person")
    search_fields = ("organization",)
    search_help_text = SEARCHED
    deeds = (
        Deed("role", CHANGE, CHANGE_SAYS, _change_in_organization, OrganizationRoleForm),
        Deed(
            "remove",
            gettext_lazy("Remove from the organization"),
            gettext_lazy("Ends the membership, and what it gave in the organization's projects."),
            _remove_from_organization,
            stops=True,
        ),
    )

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By organization or person."""
        return in_places(rows, term, organization="organization", person="person")


@admin.register(KeyProject, site=site)
class KeyProjectAdmin(ReadOnlyAdmin):
    """Projects that agent keys are limited to."""

    list_display = fields = ("id", "agent_key", "project")
    list_select_related = ("key__agent", "project")
    search_fields = ("project",)
    search_help_text = SEARCHED

    @admin.display(description=gettext_lazy("key"))
    def agent_key(self, row: KeyProject) -> str:
        """The key by its id and agent."""
        return str(row.key)

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By project, or by the key's person."""
        return in_places(rows, term, project="project", person="key__agent__person")
