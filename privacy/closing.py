"""Steps of deleting an account: ending ways in and memberships, clearing the person's row."""

from django.contrib.sessions.models import Session
from django.db.models import Model
from django.db.models.fields.reverse_related import ForeignObjectRel
from django.utils import timezone

from conderis.accounts import audit
from conderis.accounts.agent_keys import live_keys
from conderis.accounts.models import Person
from conderis.common.caller import Caller
from projects.models import Invitation, KeyProject, OrganizationMember, ProjectMember

# What stays of a person's row: who wrote what, and that the handle is taken.
KEPT = frozenset({"id", "public_id", "handle", "display_name", "created"})
# Packages whose rows about a person have their own rule, or hold none but ids.
OURS = frozenset(
    {
        "conderis",
        "django",
        "exchange",
        "items",
        "mcp_surface",
        "privacy",
        "projects",
        "proposals",
    }
)
MOST_SESSIONS = 20_000  # that are looked into


def end_credentials(person: Person) -> int:
    """End the person's keys, sign-in links, open invitations and sessions; how many keys.

    A session is refused from the next request on, since the account is not active any more;
    of those that are kept in the database the latest 20,000 are looked through, and the
    person's deleted, as they may hold the address that was signed in with.
    """
    ended = live_keys().filter(agent__person=person).update(revoked_at=timezone.now())
    KeyProject.objects.filter(key__agent__person=person).delete()
    person.sign_in_links.all().delete()
    Invitation.objects.filter(inviter=person, used_at__isnull=True).delete()
    _delete_sessions(person)
    return ended


def end_memberships(caller: Caller, person: Person) -> None:
    """Take the person out of all organizations and projects, each with its audit event."""
    organizations = OrganizationMember.objects.filter(person=person)
    for member in organizations.order_by("pk"):
        audit.record(
            caller,
            action="organization_member.removed",
            subject=person.ref,
            organization_id=member.organization_id,
            role=member.role,
        )
    organizations.delete()
    projects = ProjectMember.objects.filter(person=person).select_related("project")
    for direct in projects.order_by("pk"):
        audit.record(
            caller,
            action="member.removed",
            subject=person.ref,
            project_id=direct.project_id,
            organization_id=direct.project.owner_organization_id,
            role=direct.role,
        )
    projects.delete()


def forget_elsewhere(person: Person) -> None:
    """Delete the rows that other packages' apps hold about the person.

    These are addresses, second factors, accounts elsewhere, devices; whichever apps are
    installed, by the relations that their models have to the person.
    """
    relations = Person._meta.get_fields(include_hidden=True)  # noqa: SLF001 - Django's public API
    for relation in relations:
        if isinstance(relation, ForeignObjectRel) and _is_foreign(relation.related_model):
            rows = relation.related_model._base_manager  # noqa: SLF001 - the one that hides no row
            rows.filter(**{relation.field.name: person}).delete()


def clear_person(person: Person) -> None:
    """Set every column of the row but a few back to what a new one has, and close it.

    So a setting that is added later is cleared too.
    """
    for field in Person._meta.concrete_fields:  # noqa: SLF001 - Django's public API
        if field.name not in KEPT:
            setattr(person, field.attname, field.get_default())
    person.set_unusable_password()
    person.is_active = False
    person.left_at = timezone.now()
    person.save()
    person.groups.clear()
    person.user_permissions.clear()


def _is_foreign(model: object) -> bool:
    return (
        isinstance(model, type)
        and issubclass(model, Model)
        and model.__module__.partition(".")[0] not in OURS
    )


def _delete_sessions(person: Person) -> None:
    latest = Session.objects.order_by("-expire_date")[:MOST_SESSIONS]
    keys = [
        session.session_key
        for session in latest.iterator(200)
        if session.get_decoded().get("_auth_user_id") == str(person.pk)
    ]
    Session.objects.filter(session_key__in=keys).delete()
