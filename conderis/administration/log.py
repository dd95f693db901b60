"""The audit log: read here, written by services alone."""

from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from conderis.accounts.models import Agent, AuditEvent, Person
from conderis.administration.filters import words_filter
from conderis.administration.reading import ReadOnlyAdmin, people_named
from conderis.administration.site import site
from conderis.common.caller import Surface
from projects.models import Organization, Project

# The first words of actions: `key` stands for `key.created`, `key.revoked` and so on.
AREAS = (
    "account", "admin", "deletion", "invitation", "item", "key", "member", "organization",
    "organization_member", "person", "policies", "project", "proposal", "sign_in_link",
    "visibility",
)  # fmt: skip
# Of the details, those that tell nothing of memories that are somebody's alone.
DETAILS = (
    "admin", "alwaysReview", "expires", "fields", "given", "memberRole", "moved", "request", "role",
    "scopes", "version", "visibility",
)  # fmt: skip


@admin.register(AuditEvent, site=site)
class AuditEventAdmin(ReadOnlyAdmin):
    """Who did what to what. Events of private and personal memories are not here."""

    list_display = fields = (
        "at", "action", "subject", "person", "agent", "surface", "project", "organization",
        "details",
    )  # fmt: skip
    list_filter = (
        words_filter("action", AREAS, title=gettext_lazy("action"), lookup="startswith", end="."),
        words_filter("surface", list(Surface), title=gettext_lazy("surface")),
        "at",
    )
    list_display_links = ("action",)
    search_fields = ("subject",)
    search_help_text = gettext_lazy(
        "Handle of whoever did it from its beginning, or a whole subject: #12, person:<id>."
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The events that are not of memories which are somebody's alone, with names."""
        told = Q(detail__private__isnull=True) | Q(detail__private=False)
        rows = super().get_queryset(request).filter(told).exclude(subject__startswith="memory:")
        named: QuerySet[Any] = rows.annotate(
            person_handle=_name_of(Person, "person_id", "handle"),
            agent_name=_name_of(Agent, "agent_id", "name"),
            project_path=_name_of(Project, "project_id", "path"),
            organization_handle=_name_of(Organization, "organization_id", "handle"),
        )
        return named

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By who did it, or to what."""
        return rows.filter(Q(subject=term) | Q(person_id__in=people_named(term)))

    @admin.display(description=gettext_lazy("person"))
    def person(self, row: Any) -> str:
        """The handle of who did it; empty for whoever runs the server."""
        return row.person_handle or ""

    @admin.display(description=gettext_lazy("agent"))
    def agent(self, row: Any) -> str:
        """The name of the person's agent that did it."""
        return row.agent_name or ""

    @admin.display(description=gettext_lazy("project"))
    def project(self, row: Any) -> str:
        """The project's `owner/name`, if it is still there."""
        return row.project_path or ""

    @admin.display(description=gettext_lazy("organization"))
    def organization(self, row: Any) -> str:
        """The organization's handle, if it is still there."""
        return row.organization_handle or ""

    @admin.display(description=gettext_lazy("details"))
    def details(self, row: AuditEvent) -> str:
        """Fields, roles and places."""
        told = [(name, row.detail[name]) for name in DETAILS if name in row.detail]
        return "; ".join(f"{name}: {_words(value)}" for name, value in told)


def _words(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _name_of(model: type[Any], column: str, name: str) -> Subquery:
    return Subquery(model.objects.filter(pk=OuterRef(column)).values(name)[:1])
