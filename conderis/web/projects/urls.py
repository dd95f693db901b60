"""Addresses of projects. `urls` of the server includes them last: they take any two words."""

from django.urls import path

from conderis.web.projects.views import (
    ending,
    general,
    hygiene,
    instructions,
    instructions_history,
    invitations,
    listing,
    log,
    members,
    overview,
    policies,
    visibility,
)

HERE = "<owner:owner>/<project:name>/"
SETTINGS = f"{HERE}settings/"

urlpatterns = [
    path("projects/", listing.projects, name="projects"),
    path("projects/new/", listing.new, name="project-new"),
    path("projects/restore/", listing.restore, name="project-restore"),
    path(HERE, overview.overview, name="project"),
    path(f"{HERE}hygiene/", hygiene.hygiene, name="project-hygiene"),
    path(f"{HERE}hygiene/<int:number>/<slug:deed>/", hygiene.mend, name="project-hygiene-mend"),
    path(SETTINGS, general.general, name="project-settings"),
    path(f"{SETTINGS}members/", members.members, name="project-members"),
    path(f"{SETTINGS}leave/", members.leave, name="project-leave"),
    path(f"{SETTINGS}members/<str:handle>/", members.member, name="project-member"),
    path(f"{SETTINGS}members/<str:handle>/remove/", members.remove, name="project-member-remove"),
    path(f"{SETTINGS}invitations/", invitations.invite, name="project-invite"),
    path(
        f"{SETTINGS}invitations/<str:invitation_id>/revoke/",
        invitations.revoke,
        name="project-invitation-revoke",
    ),
    path(f"{SETTINGS}instructions/", instructions.read, name="project-instructions"),
    path(f"{SETTINGS}instructions/edit/", instructions.edit, name="project-instructions-edit"),
    path(
        f"{SETTINGS}instructions/history/",
        instructions_history.history,
        name="project-instructions-history",
    ),
    path(
        f"{SETTINGS}instructions/history/compare/",
        instructions_history.compare,
        name="project-instructions-compare",
    ),
    path(
        f"{SETTINGS}instructions/versions/<int:version>/restore/",
        instructions_history.restore,
        name="project-instructions-restore",
    ),
    path(
        f"{SETTINGS}instructions/versions/<int:version>/",
        instructions_history.at_version,
        name="project-instructions-version",
    ),
    path(f"{SETTINGS}policies/", policies.policies, name="project-policies"),
    path(f"{SETTINGS}visibility/", visibility.visibility, name="project-visibility"),
    path(f"{SETTINGS}visibility/private/", visibility.private, name="project-private"),
    path(f"{SETTINGS}ending/", ending.ending, name="project-ending"),
    path(f"{SETTINGS}transfer/", ending.transfer, name="project-transfer"),
    path(f"{SETTINGS}delete/", ending.delete, name="project-delete"),
    path(f"{HERE}activity/", log.activity, name="project-activity"),
    path(f"{HERE}activity/feed/", log.feed, name="project-feed"),
    path(f"{HERE}activity/log/", log.log, name="project-log"),
]
