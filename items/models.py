"""Items with their current content, their history, tags and relations.

One table for every kind: fields that filters and sorts need are columns, the fields of
later kinds go into `data` (items/kinds/base.py says which is which). The columns that
hold what people wrote are listed in docs/data.md; erasure works on that list.
"""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from conderis.accounts.models import Agent, Person
from conderis.common.ids import new_id
from projects.models import Organization, Project


class Item(models.Model):
    """A memory, page, task, the instructions, or a later kind. Carries what now stands.

    `number` is the item's number in its project; personal memories (no project) and the
    instructions have none. `rank` orders siblings with gaps, so that a move touches one
    row; the `position` that callers see is counted from it. Empty text means "none".
    """

    public_id = models.CharField(max_length=12, unique=True, default=new_id, editable=False)
    # Without an index of its own where another one begins with it, or most rows have none.
    project = models.ForeignKey(
        Project, models.PROTECT, null=True, related_name="items", db_index=False
    )
    organization = models.ForeignKey(
        Organization, models.PROTECT, null=True, related_name="items", db_index=False
    )
    number = models.PositiveIntegerField(null=True)
    kind = models.CharField(max_length=20)
    version = models.PositiveIntegerField(default=1)
    author = models.ForeignKey(Person, models.PROTECT, related_name="items")
    author_agent = models.ForeignKey(Agent, models.PROTECT, null=True, related_name="items")
    # Who wrote it by name, where an import brought it: `author` is who imported it then.
    credit = models.JSONField(null=True)
    created = models.DateTimeField(default=timezone.now)
    changed = models.DateTimeField(default=timezone.now)
    parent = models.ForeignKey("self", models.PROTECT, null=True, related_name="children")
    rank = models.BigIntegerField(default=0)

    title = models.CharField(max_length=200, blank=True)
    summary = models.CharField(max_length=300, blank=True)
    tags = models.JSONField(default=list)

    category = models.CharField(max_length=20, blank=True)
    visibility = models.CharField(max_length=10, blank=True)
    weight = models.CharField(max_length=10, blank=True)
    expires_at = models.DateTimeField(null=True)
    verified_against = models.JSONField(null=True)

    status = models.CharField(max_length=12, blank=True)
    priority = models.PositiveSmallIntegerField(null=True)
    assignee_person = models.ForeignKey(
        Person, models.PROTECT, null=True, related_name="tasks", db_index=False
    )
    assignee_agent = models.ForeignKey(
        Agent, models.PROTECT, null=True, related_name="tasks", db_index=False
    )
    held_since = models.DateTimeField(null=True)
    due = models.DateField(null=True)
    blocked_reason = models.CharField(max_length=2000, blank=True)
    status_before = models.CharField(max_length=12, blank=True)
    commits = models.JSONField(default=list)

    archived_at = models.DateTimeField(null=True)
    # The bag or page whose archiving took this one along; restoring it brings this back.
    archived_with = models.ForeignKey(
        "self", models.SET_NULL, null=True, related_name="taken", db_index=False
    )
    locked_at = models.DateTimeField(null=True)
    locked_by = models.CharField(max_length=12, blank=True)
    # A tombstone: every field of content is empty, and the lock stays for good, so that
    # whatever leaves out locked items leaves out tombstones.
    erased_at = models.DateTimeField(null=True)
    erased_by = models.ForeignKey(
        Person, models.PROTECT, null=True, related_name="+", db_index=False
    )
    # Why an import brought a number without its item (items.absence); a tombstone, too.
    absent = models.CharField(max_length=12, blank=True)

    # What may be long stands last (in the table, too): SQLite keeps the rest of a row
    # together, so that filters and sorts need not read past it.
    data = models.JSONField(default=dict)
    content = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "number"], name="item_number_unique"),
            models.UniqueConstraint(
                fields=["project"],
                condition=models.Q(kind="instructions"),
                name="item_one_instructions_per_project",
            ),
            models.UniqueConstraint(
                fields=["organization"],
                condition=models.Q(kind="instructions"),
                name="item_one_instructions_per_organization",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["project", "kind", "-changed"], name="item_by_change"),
            # What lists and recall choose, order and count by, so that they read no rows for it.
            models.Index(
                fields=[
                    "project",
                    "kind",
                    "status",
                    "archived_at",
                    "locked_at",
                    "visibility",
                    "author",
                    "weight",
                    "category",
                    "expires_at",
                    "changed",
                    "parent",
                    "priority",
                    "due",
                    "number",
                    "rank",
                ],
                name="item_by_state",
            ),
            models.Index(
                fields=["project", "kind", "parent", "rank", "number", "archived_at", "erased_at"],
                name="item_by_rank",
            ),
            # What is in no project, which each person has little of.
            models.Index(
                fields=["author", "kind", "-changed"],
                condition=models.Q(project__isnull=True),
                name="item_personal",
            ),
            # What its author alone may read, and what a deletion request has locked: few rows.
            models.Index(
                fields=["project", "author", "kind"],
                condition=models.Q(visibility="private"),
                name="item_private",
            ),
            models.Index(
                fields=["project", "locked_at"],
                condition=models.Q(locked_at__isnull=False),
                name="item_locked",
            ),
            # What few rows have costs the others no write.
            *(
                models.Index(
                    fields=[column],
                    condition=models.Q((f"{column}__isnull", False)),
                    name=f"item_{column}",
                )
                for column in (
                    "organization",
                    "assignee_person",
                    "assignee_agent",
                    "archived_with",
                    "erased_by",
                )
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.number}" if self.number else f"{self.kind}:{self.public_id}"

    @property
    def is_new(self) -> bool:
        """Whether the row is not yet stored."""
        return self._state.adding


class ItemEvent(models.Model):
    """One entry of an item's history; never changed, except that erasure empties it.

    `version`, `state` (the full content as it then stood) and `changed` (field names,
    computed at write time) are there where the event made a version.
    """

    item = models.ForeignKey(Item, models.CASCADE, related_name="events", db_index=False)
    event = models.CharField(max_length=20)
    version = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(default=timezone.now)
    author = models.ForeignKey(Person, models.PROTECT, related_name="+")
    author_agent = models.ForeignKey(Agent, models.PROTECT, null=True, related_name="+")
    approver = models.ForeignKey(
        Person, models.PROTECT, null=True, related_name="+", db_index=False
    )
    approver_agent = models.ForeignKey(
        Agent, models.PROTECT, null=True, related_name="+", db_index=False
    )
    credit = models.JSONField(null=True)  # names, where an import brought it; see Item
    reason = models.CharField(max_length=2000, blank=True)
    changed = models.JSONField(default=list)
    state = models.JSONField(null=True)
    locked_by = models.CharField(max_length=12, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["item", "version"], name="event_version_unique")
        ]
        indexes: ClassVar = [
            models.Index(fields=["item", "-id"], name="event_by_item"),
            # To count events without reading their states.
            models.Index(fields=["item", "at", "locked_by"], name="event_by_time"),
            models.Index(
                fields=["item", "version"],
                condition=models.Q(version__isnull=False, state__isnull=True),
                name="event_emptied",
            ),
            *(
                models.Index(
                    fields=[column],
                    condition=models.Q((f"{column}__isnull", False)),
                    name=f"event_{column}",
                )
                for column in ("approver", "approver_agent")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.item}"


class ItemTag(models.Model):
    """A tag of an item, as a row to filter by (`Item.tags` is what is shown)."""

    item = models.ForeignKey(Item, models.CASCADE, related_name="tag_rows", db_index=False)
    tag = models.CharField(max_length=40)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["item", "tag"], name="tag_unique")]
        indexes: ClassVar = [models.Index(fields=["tag", "item"], name="item_by_tag")]

    def __str__(self) -> str:
        return self.tag


class Relation(models.Model):
    """A directed relation between two items of one project: source `relation` target."""

    source = models.ForeignKey(Item, models.CASCADE, related_name="relations_out")
    target = models.ForeignKey(Item, models.CASCADE, related_name="relations_in")
    relation = models.CharField(max_length=12)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["source", "target", "relation"], name="relation_unique"
            ),
            models.CheckConstraint(
                condition=~models.Q(source=models.F("target")), name="relation_joins_two"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.relation} {self.target}"


class HygienePoint(models.Model):
    """A project's hygiene on a day (UTC) that something changed: of shared items alone."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="hygiene_points")
    day = models.DateField()
    score = models.PositiveSmallIntegerField()
    found = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "day"], name="hygiene_one_point_per_day")
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.score}"
