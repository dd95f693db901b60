"""Organizations, projects, their members, invitations, and the projects of limited keys."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from conderis.accounts.models import AgentKey, Person
from conderis.common.ids import new_id
from projects.capabilities import OrganizationRole, Role


class SecretsPolicy(models.TextChoices):
    """What happens to text that looks like it holds a password or a key."""

    REFUSE = "refuse"
    WARN = "warn"


class Organization(models.Model):
    """An access group: its members have its projects."""

    public_id = models.CharField(max_length=12, unique=True, default=new_id, editable=False)
    handle = models.CharField(max_length=39, unique=True)
    name = models.CharField(max_length=80)
    member_role = models.CharField(max_length=12, choices=Role.choices, default=Role.CONTRIBUTOR)
    created = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.handle

    @property
    def ref(self) -> str:
        """The immutable reference."""
        return f"organization:{self.public_id}"


class OrganizationMember(models.Model):
    """A person in an organization."""

    organization = models.ForeignKey(Organization, models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, models.CASCADE, related_name="organizations")
    role = models.CharField(max_length=12, choices=OrganizationRole.choices)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["organization", "person"], name="organization_member_unique"
            )
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.organization}"


class Project(models.Model):
    """Holds items. Belongs to a person or an organization; private until made public.

    `path` is the current `owner/name` in lower case, the key of look-ups; `last_number`
    the newest number given out. Every write in a project locks its row first.
    """

    public_id = models.CharField(max_length=12, unique=True, default=new_id, editable=False)
    owner_person = models.ForeignKey(
        Person, models.PROTECT, null=True, blank=True, related_name="own_projects"
    )
    owner_organization = models.ForeignKey(
        Organization, models.PROTECT, null=True, blank=True, related_name="projects"
    )
    name = models.CharField(max_length=100)
    path = models.CharField(max_length=140, unique=True)
    description = models.CharField(max_length=500, blank=True)
    is_public = models.BooleanField(default=False)
    remote = models.CharField(max_length=300, blank=True)
    remote_verified = models.BooleanField(default=False)
    upstream = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="forks"
    )
    recall_mode = models.CharField(max_length=8, blank=True)
    # What an organization's members have here, where it differs from its default.
    member_role = models.CharField(max_length=12, choices=Role.choices, blank=True)
    memories_unreviewed = models.BooleanField(default=False)
    session_days = models.PositiveSmallIntegerField(default=30)
    secrets_policy = models.CharField(
        max_length=6, choices=SecretsPolicy.choices, default=SecretsPolicy.REFUSE
    )
    # Whether strangers may propose changes; means something on a public project alone.
    open_proposals = models.BooleanField(default=False)
    # Whether agents' changes always wait for a person, whatever the role of theirs.
    agents_reviewed = models.BooleanField(default=False)
    last_number = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(default=timezone.now)
    changed = models.DateTimeField(default=timezone.now)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(owner_person__isnull=False, owner_organization__isnull=True)
                | models.Q(owner_person__isnull=True, owner_organization__isnull=False),
                name="project_has_one_owner",
            )
        ]
        indexes: ClassVar = [models.Index(Lower("remote"), name="project_by_remote")]

    def __str__(self) -> str:
        return self.path

    @property
    def owner_handle(self) -> str:
        """The handle of the person or organization that it belongs to."""
        return self.path.partition("/")[0]

    @property
    def full_name(self) -> str:
        """`owner/name` as people write it, the name in the spelling that was given."""
        return f"{self.owner_handle}/{self.name}"

    @property
    def ref(self) -> str:
        """The immutable reference."""
        return f"project:{self.public_id}"


class ProjectPath(models.Model):
    """An `owner/name` that a project answers under: its current and its former ones."""

    path = models.CharField(max_length=140, primary_key=True)
    project = models.ForeignKey(Project, models.CASCADE, related_name="paths")

    def __str__(self) -> str:
        return self.path


class ProjectMember(models.Model):
    """A person's direct role in a project."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role.choices)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "person"], name="project_member_unique")
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.project}"


class KeyProject(models.Model):
    """A project that an agent key is limited to (where it is not for all of them)."""

    key = models.ForeignKey(AgentKey, models.CASCADE, related_name="chosen_projects")
    project = models.ForeignKey(Project, models.CASCADE, related_name="chosen_by_keys")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["key", "project"], name="key_project_unique")
        ]

    def __str__(self) -> str:
        return f"{self.key} for {self.project}"


class Invitation(models.Model):
    """A link that makes one person a member. Only a digest of its secret is kept.

    It invites to a project, to an organization or, with neither, to the server itself. It
    works once, and only while its inviter could still make it; without an inviter it was
    made by whoever runs the server.
    """

    public_id = models.CharField(max_length=12, unique=True, default=new_id, editable=False)
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    inviter = models.ForeignKey(
        Person, models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    project = models.ForeignKey(
        Project, models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    organization = models.ForeignKey(
        Organization, models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    # A role in the project, or one in the organization; empty for the server.
    role = models.CharField(max_length=12, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        Person, models.SET_NULL, null=True, blank=True, related_name="used_invitations"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(project__isnull=True) | models.Q(organization__isnull=True),
                name="invitation_to_one_place",
            )
        ]

    def __str__(self) -> str:
        return f"invitation {self.public_id}"

    @property
    def ref(self) -> str:
        """The immutable reference."""
        return f"invitation:{self.public_id}"
