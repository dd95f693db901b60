"""The words for roles and invitations that both projects and organizations show."""

from collections.abc import Iterable
from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import npgettext_lazy

from conderis.web.reaching import public
from projects.capabilities import OrganizationRole, Role

ROLE_WORDS: Final[dict[str, Promise]] = {
    Role.READER: _("Reader"),
    Role.CONTRIBUTOR: _("Contributor"),
    Role.MODERATOR: _("Moderator"),
    Role.OWNER: _("Owner"),
    OrganizationRole.MEMBER: _("Member"),
}
ROLE_CHOICES: Final[list[tuple[str, Promise]]] = [
    (Role.READER.value, _("Reader: reads everything that is shared")),
    (Role.CONTRIBUTOR.value, _("Contributor: works on tasks, proposes the rest")),
    (Role.MODERATOR.value, _("Moderator: publishes memories and pages, reviews proposals")),
    (Role.OWNER.value, _("Owner: also settings, members and instructions")),
]
ORGANIZATION_ROLE_CHOICES: Final[list[tuple[str, Promise]]] = [
    (OrganizationRole.MEMBER.value, _("Member: has the organization's projects")),
    (OrganizationRole.OWNER.value, _("Owner: also members, instructions and settings")),
]
DAY_CHOICES: Final[list[tuple[int, Promise]]] = [
    (1, _("1 day")),
    (7, _("7 days")),
    (30, _("30 days")),
]
# Of what pages count: by the name that the service gives it. The number stands beside it.
COUNTED: Final[dict[str, Any]] = {
    "memories": npgettext_lazy("count", "Memory", "Memories"),
    "activeTasks": npgettext_lazy("count", "Active task", "Active tasks"),
    "pages": npgettext_lazy("count", "Page", "Pages"),
    "pendingProposals": npgettext_lazy("count", "Pending proposal", "Pending proposals"),
    "memory": npgettext_lazy("count", "Shared memory", "Shared memories"),
    "page": npgettext_lazy("count", "Page", "Pages"),
    "task": npgettext_lazy("count", "Task", "Tasks"),
    "instructions": npgettext_lazy("count", "Instructions", "Instructions"),
}


def counted_word(name: str, many: int) -> str:
    """The word for so many of this, without the number."""
    return str(COUNTED[name] % many) if name in COUNTED else name


def role_word(role: str) -> str:
    """The role as people read it."""
    return str(ROLE_WORDS.get(role, role))


def several(words: Iterable[object]) -> str:
    """The words in a row."""
    return ", ".join(str(word) for word in words)


def invitation_link(request: HttpRequest, token: str) -> str:
    """The whole address of the page where an invitation is accepted."""
    return public(request.build_absolute_uri(reverse("invitation", args=[token])))
