"""Invitations: links that make whoever opens them first a member.

The secret of a link is shown once; the database has its keyed digest. A link works while
its inviter could still make it, so what somebody handed out ends with their role.
"""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from conderis.accounts import audit
from conderis.accounts.actors import Actor, Operator, require_person
from conderis.accounts.digests import Secret, keyed_digest
from conderis.accounts.people import lock_active_person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Invalid, NotFound
from conderis.common.json import Json
from conderis.common.times import iso
from projects.capabilities import OrganizationRole, Role
from projects.invitation_places import (
    Place,
    clean_invited_role,
    lock_place,
    manage_place,
    open_invitations,
)
from projects.models import Invitation, Organization, Project, ProjectMember

LEAST_DAYS = 1
MOST_DAYS = 30
DEFAULT_DAYS = 7
MOST_OPEN = 100  # of one place


@dataclass(frozen=True, slots=True)
class MadeInvitation:
    """A new invitation, and the secret of its link, which is shown this once."""

    invitation: Invitation
    token: str


@transaction.atomic
def create_invitation(
    actor: Actor,
    *,
    project_id: str | None = None,
    organization: str | None = None,
    role: str = "",
    days: int = DEFAULT_DAYS,
) -> MadeInvitation:
    """A link to a project, to an organization (by handle) or, with neither, to the server.

    `role` is one in the project or in the organization; to the server there is none. The
    link works once, for 1 to 30 days.

    Raises:
        Denied: an agent asks, or somebody who neither manages the project nor owns the
            organization nor is an admin.
        NotFound: there is no such project or organization that the actor may read.
        Invalid: both are named; there is no such role; the days are out of bounds.
        Conflict: 100 invitations to the place are open.
    """
    place = manage_place(actor, project_id=project_id, organization=organization)
    given = clean_invited_role(place, role)
    if isinstance(days, bool) or not LEAST_DAYS <= days <= MOST_DAYS:
        raise Invalid(
            f"An invitation works {LEAST_DAYS} to {MOST_DAYS} days.",
            field="days",
            allowed=[f"{LEAST_DAYS} to {MOST_DAYS}"],
        )
    if place.working().count() >= MOST_OPEN:
        raise Conflict(f"{MOST_OPEN} invitations are open here. Revoke some of them first.")
    now = timezone.now()
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        digest=keyed_digest(Secret.INVITATION, token),
        created=now,
        expires_at=now + timedelta(days=days),
        inviter_id=None if isinstance(actor, Operator) else actor.person_id,
        project=place.project,
        organization=place.organization,
        role=given,
    )
    _record(actor, invitation, place, "created", role=given, expires=iso(invitation.expires_at))
    return MadeInvitation(invitation, token)


def access_invitation(token: str) -> Invitation:
    """The invitation with this secret, if it would let somebody in now; not used up.

    With its project, organization and inviter loaded.

    Raises:
        NotFound: it is unknown, used, expired or revoked; its project is deleted; its
            inviter lost the right to invite or is deactivated. One answer for all.
    """
    return _usable(token)


@transaction.atomic
def accept_invitation(caller: Caller, *, token: str) -> Invitation:
    """Use the invitation up. Of two at once one wins.

    The person gets its role if that is more than they have there directly, and never less.

    Raises:
        Denied: an agent asks.
        NotFound: as for `access_invitation`, or the account was shut or deleted meanwhile.
    """
    require_person(caller)
    invitation = _usable(token)
    # From here on nobody else changes who is in the place; what was true above may have ended.
    place = lock_place(invitation)
    if place is None or not place.lets_invite(invitation.inviter_id):
        raise _gone()
    if lock_active_person(caller.person_id) is None:
        raise _gone()
    if not _take(invitation, used_at=timezone.now(), used_by=caller.person_id):
        raise _gone()
    given = _give(caller, invitation, place)
    _record(caller, invitation, place, "accepted", role=invitation.role, given=given)
    invitation.refresh_from_db(fields=["used_at", "used_by"])
    return invitation


def list_invitations(
    caller: Caller,
    *,
    project_id: str | None = None,
    organization: str | None = None,
    server: bool = False,
) -> list[Invitation]:
    """The invitations to one place that work now, newest first, with their inviters.

    Raises:
        Denied, NotFound: as for `create_invitation`.
        Invalid: not exactly one place is named.
    """
    if [project_id is not None, organization is not None, server].count(True) != 1:
        raise Invalid("Name a project, an organization or the server.", field="projectId")
    with transaction.atomic():  # the door locks
        place = manage_place(caller, project_id=project_id, organization=organization)
        return list(place.working().select_related("inviter").order_by("-pk")[:MOST_OPEN])


@transaction.atomic
def revoke_invitation(actor: Actor, *, invitation_id: str) -> None:
    """End an open invitation, named by its id. The next opening of the link finds nothing.

    Raises:
        Denied: an agent asks.
        NotFound: there is no open one that the actor could have made.
    """
    require_person(actor)
    found = (
        open_invitations()
        .filter(public_id=invitation_id)
        .select_related("project__owner_organization", "organization")
        .first()
    )
    if found is None:
        raise _no_invitation()
    place = Place(found.project, found.organization)
    if not place.lets_invite(None if isinstance(actor, Operator) else actor.person_id):
        raise _no_invitation()
    if not _take(found, revoked_at=timezone.now()):
        raise _no_invitation()
    _record(actor, found, place, "revoked")


def _usable(token: str) -> Invitation:
    found = (
        open_invitations()
        .filter(digest=keyed_digest(Secret.INVITATION, token))
        .select_related("project__owner_organization", "organization", "inviter")
        .first()
    )
    if found is None:
        raise _gone()
    if not Place(found.project, found.organization).lets_invite(found.inviter_id):
        raise _gone()
    return found


def _take(invitation: Invitation, **values: Any) -> bool:
    """Write these values, unless somebody used or revoked the invitation meanwhile.

    The conditions are columns of the row itself: those over a join would not be looked at
    again once a call that came first has let go of the row.
    """
    still_open = Invitation.objects.filter(
        pk=invitation.pk, used_at__isnull=True, revoked_at__isnull=True
    )
    return still_open.update(**values) == 1


def _give(caller: Caller, invitation: Invitation, place: Place) -> bool:
    """Whether the person has more now than before."""
    if place.project is not None:
        return _give_in_project(caller, place.project, Role(invitation.role))
    if place.organization is not None:
        return _give_in_organization(caller, place.organization, invitation.role)
    return False


def _give_in_project(caller: Caller, project: Project, role: Role) -> bool:
    if project.owner_person_id == caller.person_id:
        return False
    weakest_first = list(Role)
    member = ProjectMember.objects.filter(project=project, person=caller.person_id).first()
    if member is None:
        member = ProjectMember(project=project, person_id=caller.person_id)
    elif weakest_first.index(role) <= weakest_first.index(Role(member.role)):
        return False
    member.role = role
    member.save()
    return True


def _give_in_organization(caller: Caller, organization: Organization, role: str) -> bool:
    member, made = organization.members.get_or_create(
        person_id=caller.person_id, defaults={"role": role}
    )
    if made:
        return True
    if role != OrganizationRole.OWNER or member.role == OrganizationRole.OWNER:
        return False
    member.role = role
    member.save()
    return True


def _record(actor: Actor, invitation: Invitation, place: Place, what: str, **detail: Json) -> None:
    audit.record(
        actor,
        action=f"invitation.{what}",
        subject=invitation.ref,
        project_id=place.project_id,
        organization_id=place.organization_id,
        **detail,
    )


def _gone() -> NotFound:
    return NotFound("This invitation does not work, or no longer.")


def _no_invitation() -> NotFound:
    return NotFound("There is no open invitation with this id.", field="invitation")
