"""Who may do what: roles, capabilities, and what each use of a project needs.

One table each (spec: "Who may do what"). A use needs a capability of the person's role
and a scope of the key, if the caller is an agent; nothing else decides.
"""

from dataclasses import dataclass
from enum import StrEnum

from django.db import models

from conderis.common.caller import Scope


class Capability(StrEnum):
    """What a role lets a person do in a project."""

    READ = "read"
    WRITE = "write"
    MODERATE = "moderate"
    MANAGE = "manage"


class Role(models.TextChoices):
    """A person's role in a project, weakest first."""

    READER = "reader"
    CONTRIBUTOR = "contributor"
    MODERATOR = "moderator"
    OWNER = "owner"


class OrganizationRole(models.TextChoices):
    """A person's role in an organization."""

    MEMBER = "member"
    OWNER = "owner"


ANYONE = frozenset({Capability.READ})

CAPABILITIES: dict[Role, frozenset[Capability]] = {
    Role.READER: ANYONE,
    Role.CONTRIBUTOR: ANYONE | {Capability.WRITE},
    Role.MODERATOR: ANYONE | {Capability.WRITE, Capability.MODERATE},
    Role.OWNER: ANYONE | {Capability.WRITE, Capability.MODERATE, Capability.MANAGE},
}


@dataclass(frozen=True, slots=True)
class Needs:
    """The capability and the key scope that a use takes."""

    capability: Capability
    scope: Scope


class Use(StrEnum):
    """What a caller wants to do in a project."""

    READ = "read it"
    WORK = "work on tasks and relate items"
    STORE_PRIVATE = "store private memories"
    PROPOSE = "change or propose anything"
    PROPOSE_INSTRUCTIONS = "propose changes of the instructions"
    PUBLISH = "publish memories and pages"
    PUBLISH_INSTRUCTIONS = "publish the instructions"
    REVIEW = "review proposals"
    REVIEW_INSTRUCTIONS = "review proposals for the instructions"
    REQUEST_DELETION = "request deletions"
    MANAGE = "change the project"


NEEDS: dict[Use, Needs] = {
    Use.READ: Needs(Capability.READ, Scope.READ),
    Use.WORK: Needs(Capability.WRITE, Scope.WRITE),
    Use.STORE_PRIVATE: Needs(Capability.WRITE, Scope.WRITE),
    Use.PROPOSE: Needs(Capability.WRITE, Scope.WRITE),
    Use.PROPOSE_INSTRUCTIONS: Needs(Capability.WRITE, Scope.WRITE),
    Use.PUBLISH: Needs(Capability.MODERATE, Scope.WRITE),
    Use.PUBLISH_INSTRUCTIONS: Needs(Capability.MANAGE, Scope.WRITE),
    Use.REVIEW: Needs(Capability.MODERATE, Scope.REVIEW),
    Use.REVIEW_INSTRUCTIONS: Needs(Capability.MANAGE, Scope.REVIEW),
    Use.REQUEST_DELETION: Needs(Capability.WRITE, Scope.DELETE),
    Use.MANAGE: Needs(Capability.MANAGE, Scope.WRITE),
}
