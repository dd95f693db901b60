"""Where imported items came from, and imports that are under way.

Columns that hold what people wrote are listed in docs/data.md.
"""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from conderis.accounts.models import Agent, AgentKey, Person
from conderis.common.ids import new_id
from items.models import Item
from projects.models import Project


class Origin(models.Model):
    """Which record of a source an item came of, so that a second import knows it.

    `digest` is a keyed digest of the record's key in its source, `content` one of what it held
    when it was imported, emptied when anything of the item is erased. The row stays then: it
    does not come back.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="origins")
    item = models.ForeignKey(Item, models.CASCADE, related_name="origins")
    importer = models.CharField(max_length=30)
    digest = models.CharField(max_length=64)
    content = models.CharField(max_length=64, blank=True)
    # Its texts name numbers that were not known when it was written: the import is not finished.
    unmended = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "importer", "digest"], name="origin_unique")
        ]

    def __str__(self) -> str:
        return f"{self.importer} {self.item}"


class Import(models.Model):
    """An import that a person began: first looked at without writing, then run.

    Its file is in a row of its own, so that noting how far it has come writes little; `report`
    is what came of it. Both go where something of the project is erased.
    """

    class State(models.TextChoices):
        """Where an import stands: looked at, waiting for a yes, running, ended."""

        CHECKING = "checking"
        CHECKED = "checked"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"  # `report` says why
        CANCELED = "canceled"

    public_id = models.CharField(max_length=12, unique=True, default=new_id, editable=False)
    project = models.ForeignKey(Project, models.CASCADE, related_name="imports")
    person = models.ForeignKey(Person, models.PROTECT, related_name="imports")
    agent = models.ForeignKey(Agent, models.PROTECT, null=True, related_name="imports")
    # The key that began it, whose rights an agent's import has.
    key = models.ForeignKey(AgentKey, models.SET_NULL, null=True, related_name="imports")
    importer = models.CharField(max_length=30)
    only = models.JSONField(default=list)
    store_anyway = models.BooleanField(default=False)  # texts that look like secrets
    state = models.CharField(max_length=10, choices=State.choices, default=State.CHECKING)
    done = models.PositiveIntegerField(default=0)  # records worked through
    total = models.PositiveIntegerField(default=0)  # records in all, once it has been checked
    created = models.DateTimeField(default=timezone.now)
    ended = models.DateTimeField(null=True)
    working_until = models.DateTimeField(null=True)  # a process works on it, at least so long
    claim = models.CharField(max_length=12, blank=True)  # which process it is that works on it
    digest = models.CharField(max_length=64, blank=True)  # of its file, keyed; emptied with that
    name = models.CharField(max_length=255, blank=True)
    report = models.JSONField(default=dict)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["project", "-created"], name="import_by_time")]

    def __str__(self) -> str:
        return f"import:{self.public_id}"


class ImportFile(models.Model):
    """The file of an import, as it was sent; the row is deleted when the import ends."""

    of = models.OneToOneField(Import, models.CASCADE, primary_key=True, related_name="file")
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"file of {self.of}"
