"""Proposals: changes that wait for a person, and what became of them. Never edited."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from conderis.accounts.models import Agent, Person
from conderis.common.ids import new_id
from items.models import Item
from projects.models import Project


class Proposal(models.Model):
    """A change of one item, or a new one, as its proposer wants it.

    `fields` holds the proposed values of the fields that would differ, whole (a text that
    was appended to or edited is the whole text that came of it), `base_version` the item's
    version that they were worked out from. `digest` is the same for equal proposals of one
    proposer. What is decided keeps its row, so that the proposer can read why.
    """

    class State(models.TextChoices):
        """How far it has come."""

        PENDING = "pending"
        APPROVED = "approved"
        REJECTED = "rejected"
        WITHDRAWN = "withdrawn"

    class Action(models.TextChoices):
        """What approving it does."""

        CREATE = "create"
        CHANGE = "change"
        MOVE = "move"
        ARCHIVE = "archive"
        RESTORE = "restore"

    public_id = models.CharField(max_length=12, unique=True, default=new_id, editable=False)
    project = models.ForeignKey(Project, models.PROTECT, related_name="proposals")
    # What it is of; of a new item there is none before it is approved.
    item = models.ForeignKey(Item, models.PROTECT, null=True, related_name="proposals")
    kind = models.CharField(max_length=20)
    action = models.CharField(max_length=10, choices=Action.choices)
    base_version = models.PositiveIntegerField(null=True)
    digest = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)
    proposer = models.ForeignKey(Person, models.PROTECT, related_name="proposals")
    proposer_agent = models.ForeignKey(Agent, models.PROTECT, null=True, related_name="proposals")
    created = models.DateTimeField(default=timezone.now)
    changed = models.DateTimeField(default=timezone.now)

    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    decided_by_agent = models.ForeignKey(Agent, models.PROTECT, null=True, related_name="+")
    result_version = models.PositiveIntegerField(null=True)
    # The deletion request that asks to erase it; the erased one says when it was.
    locked_by = models.CharField(max_length=12, blank=True)
    erased_at = models.DateTimeField(null=True)

    reason = models.CharField(max_length=2000, blank=True)
    decision_reason = models.CharField(max_length=2000, blank=True)
    # Its title, for lists: the proposed one, else the item's at that time.
    title = models.CharField(max_length=200, blank=True)
    fields = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["proposer", "digest"],
                condition=models.Q(state="pending"),
                name="proposal_pending_once",
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["project", "state", "-id"], name="proposal_by_project"),
            models.Index(fields=["proposer", "state", "-id"], name="proposal_by_proposer"),
            models.Index(fields=["item", "state"], name="proposal_by_item"),
        ]

    def __str__(self) -> str:
        return self.ref

    @property
    def ref(self) -> str:
        """The immutable reference."""
        return f"proposal:{self.public_id}"
