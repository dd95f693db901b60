"""People, agents, agent keys, one-time sign-in links, and the audit log."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from conderis.accounts.handle_rules import validate_handle
from conderis.common.ids import new_id


class Handle(models.Model):
    """A name in the one namespace of persons and organizations, held for good.

    A former name stays its holder's, so that nobody else can take it. `holder` is a
    reference (`person:<id>`, `organization:<id>`), since organizations live above.
    """

    name = models.CharField(max_length=39, primary_key=True)
    holder = models.CharField(max_length=40, db_index=True)

    def __str__(self) -> str:
        return self.name


class Theme(models.TextChoices):
    """A look that a person chose over the system's."""

    LIGHT = "light"
    DARK = "dark"


class PersonManager(BaseUserManager["Person"]):
    """What `createsuperuser` needs; everything else creates people by the service."""

    def create_superuser(self, handle: str, password: str | None, **fields: Any) -> "Person":
        """An admin of this server, with a password."""
        person = self.model(handle=handle, is_staff=True, is_superuser=True, **fields)
        person.set_password(password)
        Handle.objects.create(name=handle, holder=person.ref)
        person.save()
        return person


class Person(AbstractBaseUser, PermissionsMixin):
    """A user who signs in. The email address is shown to its owner and admins alone."""

    public_id = models.CharField(max_length=12, unique=True, default=new_id, editable=False)
    handle = models.CharField(max_length=39, unique=True, validators=[validate_handle])
    display_name = models.CharField(max_length=80)
    email = models.EmailField(blank=True)
    time_zone = models.CharField(max_length=64, default="UTC")
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    created = models.DateTimeField(default=timezone.now)
    # The account was deleted by its person: the row stays, so that what it wrote has an author.
    left_at = models.DateTimeField(null=True, blank=True)

    # How the browser looks and reads; empty means as the browser asks for.
    theme = models.CharField(max_length=5, choices=Theme.choices, blank=True)
    language = models.CharField(max_length=10, blank=True)
    single_keys = models.BooleanField(default=True)

    objects = PersonManager()

    USERNAME_FIELD = "handle"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["display_name"]

    class Meta:
        verbose_name_plural = "people"
        constraints: ClassVar = [
            models.UniqueConstraint(
                Lower("email"),
                condition=~models.Q(email=""),
                name="person_email_unique",
            )
        ]

    def __str__(self) -> str:
        return self.display_name

    @property
    def ref(self) -> str:
        """The immutable reference."""
        return f"person:{self.public_id}"


class Agent(models.Model):
    """An installation of an AI client that belongs to a person ("Codex on laptop")."""

    public_id = models.CharField(max_length=12, unique=True, default=new_id, editable=False)
    person = models.ForeignKey(Person, models.CASCADE, related_name="agents")
    name = models.CharField(max_length=80)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "name"], name="agent_name_unique")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def ref(self) -> str:
        """The immutable reference."""
        return f"agent:{self.public_id}"


class AgentKey(models.Model):
    """A bearer secret of one agent. Only a keyed digest is kept (see `keys`)."""

    public_id = models.CharField(max_length=12, unique=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="keys")
    lookup = models.CharField(max_length=8, unique=True)
    digest = models.CharField(max_length=64)
    scopes = models.JSONField(default=list)
    all_projects = models.BooleanField(default=True)
    always_review = models.BooleanField(default=False)
    created = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"key {self.public_id} of {self.agent}"


class AgentUsage(models.Model):
    """What an agent has written in a day (UTC) and in a minute (of the epoch), to be limited.

    `size` is in bytes. One row an agent, which the next day and the next minute begin anew.
    """

    agent = models.OneToOneField(Agent, models.CASCADE, primary_key=True, related_name="usage")
    day = models.DateField()
    items = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    minute = models.PositiveIntegerField(default=0)
    writes = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "agent usage"

    def __str__(self) -> str:
        return f"usage of {self.agent}"


class SignInLink(models.Model):
    """A link that signs one person in once. Only a digest of its secret is kept."""

    person = models.ForeignKey(Person, models.CASCADE, related_name="sign_in_links")
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"sign-in link of {self.person}"


class AuditEvent(models.Model):
    """Who did what to what, without content. Written in the change's transaction.

    The ids and `subject` are plain values, not relations: the log outlives what
    it is about. `detail` holds field names, roles, places: never stored text.
    """

    at = models.DateTimeField(default=timezone.now)
    action = models.CharField(max_length=40)
    person_id = models.BigIntegerField(null=True)
    agent_id = models.BigIntegerField(null=True)
    surface = models.CharField(max_length=10)
    project_id = models.BigIntegerField(null=True)
    organization_id = models.BigIntegerField(null=True)
    subject = models.CharField(max_length=60)
    detail = models.JSONField(default=dict)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["project_id", "-id"], name="audit_by_project"),
            models.Index(
                fields=["organization_id", "-id"],
                condition=models.Q(organization_id__isnull=False),
                name="audit_by_organization",
            ),
            models.Index(fields=["person_id", "-id"], name="audit_by_person"),
            models.Index(fields=["subject", "-id"], name="audit_by_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.subject}"
