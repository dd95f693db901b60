"""Addresses of organizations, behind `organizations/`."""

from django.urls import path

from conderis.web.organizations.views import (
    instructions,
    invitations,
    listing,
    log,
    members,
    overview,
    settings,
)

HERE = "<owner:handle>/"
INSTRUCTIONS = f"{HERE}instructions/"
MEMBER = f"{HERE}members/<str:person>/"

urlpatterns = [
    path("", listing.organizations, name="organizations"),
    path("new/", listing.new, name="organization-new"),
    path(HERE, overview.overview, name="organization"),
    path(f"{HERE}leave/", members.leave, name="organization-leave"),
    path(MEMBER, members.member, name="organization-member"),
    path(f"{MEMBER}remove/", members.remove, name="organization-member-remove"),
    path(f"{HERE}invitations/", invitations.invite, name="organization-invite"),
    path(
        f"{HERE}invitations/<str:invitation_id>/revoke/",
        invitations.revoke,
        name="organization-invitation-revoke",
    ),
    path(INSTRUCTIONS, instructions.read, name="organization-instructions"),
    path(f"{INSTRUCTIONS}edit/", instructions.edit, name="organization-instructions-edit"),
    path(f"{INSTRUCTIONS}history/", instructions.history, name="organization-instructions-history"),
    path(
        f"{INSTRUCTIONS}versions/<int:version>/",
        instructions.at_version,
        name="organization-instructions-version",
    ),
    path(f"{HERE}settings/", settings.settings, name="organization-settings"),
    path(f"{HERE}delete/", settings.delete, name="organization-delete"),
    path(f"{HERE}log/", log.log, name="organization-log"),
]
