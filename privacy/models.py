"""Deletion requests, which a person decides in the browser, and what has been erased."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from conderis.accounts.models import Agent, Person
from conderis.common.ids import new_id
from items.models import Item
from projects.models import Project
from proposals.models import Proposal


class DeletionRequest(models.Model):
    """Asks a person to erase an item, one version of it, or a proposal, for good.

    `project` is the place of what it is of; personal memories and the instructions of
    organizations have none. Erasing empties the reasons: they may quote what was erased.
    """

    class State(models.TextChoices):
        """How far the request has come."""

        PENDING = "pending"
        WITHDRAWN = "withdrawn"
        REFUSED = "refused"
        ERASING = "erasing"  # gone from the tables; files are still to be cleared
        ERASED = "erased"

    public_id = models.CharField(max_length=12, unique=True, default=new_id, editable=False)
    project = models.ForeignKey(
        Project, models.PROTECT, null=True, related_name="deletion_requests"
    )
    item = models.ForeignKey(Item, models.PROTECT, null=True, related_name="deletion_requests")
    version = models.PositiveIntegerField(null=True)
    proposal = models.ForeignKey(
        Proposal, models.PROTECT, null=True, related_name="deletion_requests"
    )
    reason = models.CharField(max_length=2000, blank=True)
    requester = models.ForeignKey(Person, models.PROTECT, related_name="deletion_requests")
    requester_agent = models.ForeignKey(Agent, models.PROTECT, null=True, related_name="+")
    created = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)

    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    decision_reason = models.CharField(max_length=2000, blank=True)
    # How many rows of each sort erasing has emptied or removed.
    removed = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(item__isnull=False, proposal__isnull=True)
                | models.Q(item__isnull=True, proposal__isnull=False, version__isnull=True),
                name="deletion_of_one_thing",
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["requester", "state"], name="deletion_by_requester"),
            models.Index(fields=["project", "state", "-id"], name="deletion_by_project"),
        ]

    def __str__(self) -> str:
        return f"deletion request {self.public_id}"

    @property
    def ref(self) -> str:
        """The immutable reference."""
        return f"deletion:{self.public_id}"


class Erasure(models.Model):
    """Something that has been erased, by its id alone: kept for good.

    What comes from outside (a restored backup, an import) is held against it. `cause` is the
    deletion request, or another id where nobody had to ask: who deletes an account or a
    project erases what is in it.
    """

    class What(models.TextChoices):
        """What the id names."""

        ITEM = "item"
        VERSION = "version"
        PROPOSAL = "proposal"
        PROJECT = "project"
        PERSON = "person"

    cause = models.CharField(max_length=12, default=new_id)
    what = models.CharField(max_length=10, choices=What.choices)
    target = models.CharField(max_length=12)
    version = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(default=timezone.now)
    by = models.CharField(max_length=30, blank=True)  # person:<id>; empty: the operator
    cleared = models.BooleanField(default=False)  # of the database's files, too

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["cause", "what", "target"], name="erasure_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["target"], name="erasure_by_target"),
            models.Index(
                fields=["cause"], condition=models.Q(cleared=False), name="erasure_uncleared"
            ),
        ]

    def __str__(self) -> str:
        return f"erasure of {self.what} {self.target}"
