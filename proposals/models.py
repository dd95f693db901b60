"""Proposals: changes that wait for a person, and what became of them. Never edited."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from conderis.accounts.models import Agent, Person
from conderis.common.ids import new_id
from items.models import Item
from projects.models import Project


class Proposal(models.Model):
    """A change of one item, a new one, or a batch of new ones, as its proposer wants it.

    `fields` holds the proposed values of the fields that would differ, whole (a text that
    was appended to or edited is the whole text that came of it), `base_version` the item's
    version that they were worked out from. `digest` is the same for equal proposals of one
    proposer. What is decided keeps its row, so that the proposer can read why.

    Of a batch the items are rows of `ProposedItem`, `count` of them; `fields` is empty, and the
    title is the source that the batch named, if it named one.
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
        BATCH = "batch"

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
    count = models.PositiveSmallIntegerField(null=True)
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


class ProposedItem(models.Model):
    """A new item of a proposed batch. Never edited, but for what became of it.

    `position` is its place in the proposal, from 0, `under` that of the one that is to be its
    parent; a parent that stands already is in `fields`, as the proposed values are. `item` is
    what approving has made of it; one that was left out has none.
    """

    proposal = models.ForeignKey(Proposal, models.CASCADE, related_name="entries")
    position = models.PositiveSmallIntegerField()
    under = models.PositiveSmallIntegerField(null=True)
    item = models.ForeignKey(Item, models.PROTECT, null=True, related_name="proposed_as")
    left_out = models.BooleanField(default=False)
    erased_at = models.DateTimeField(null=True)
    fields = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["proposal", "position"], name="proposed_item_position_unique"
            )
        ]

    def __str__(self) -> str:
        return f"{self.proposal} {self.position}"


class BatchResult(models.Model):
    """What came of one kind of a batch that was sent with an idempotency key; kept for ever.

    `lookup` is a digest of who sent it, where, the kind and the key: there is one row of each.
    `digest` is one of what was sent, empty where something of it has been erased. `made` holds
    the ids of the items in their order, null for those that wait in `proposal`.
    """

    project = models.ForeignKey(Project, models.PROTECT, null=True, related_name="batch_results")
    person = models.ForeignKey(Person, models.PROTECT, related_name="batch_results")
    agent = models.ForeignKey(Agent, models.PROTECT, null=True, related_name="batch_results")
    kind = models.CharField(max_length=20)
    lookup = models.CharField(max_length=64, unique=True)
    digest = models.CharField(max_length=64, blank=True)
    made = models.JSONField(default=list)
    proposal = models.ForeignKey(Proposal, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["project", "kind", "created"], name="batch_result_by_project"),
            models.Index(fields=["person", "kind", "created"], name="batch_result_by_person"),
        ]

    def __str__(self) -> str:
        return f"batch of {self.kind}, {self.created:%Y-%m-%d}"
