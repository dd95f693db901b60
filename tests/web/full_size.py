"""A project of many rows, written past the services: a memory store, a board and a wiki as
they stand after years.
"""

from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.db import connection
from django.utils import timezone

from conderis.accounts.models import AuditEvent, Person
from conderis.operations.bench.texts import Writer
from items.models import Item, ItemEvent, ItemTag, Relation
from items.search import index_items
from items.state import full_state
from projects.models import Project
from proposals.models import Proposal

# Of the kinds, with how many versions each; and the proposals.
FULL = {"memory": 10_000, "task": 5_000, "page": 2_000}
VERSIONS = {"memory": 2, "task": 20, "page": 50}
PROPOSALS = 1_000
FEW = 30  # more than a page of them
DAYS = 400
CHUNK = 500


class Filler:
    """Fills the project up to a share of the full number of rows of each kind."""

    def __init__(self, project: Project, owner: Person, other: Person) -> None:
        self.project, self.owner, self.other = project, owner, other
        self.writer = Writer(7)
        self.made = dict.fromkeys((*FULL, "proposal"), 0)
        self.now = timezone.now()

    def up_to(self, share: float) -> None:
        """Add what is missing to this share, and have the database count its rows."""
        for kind, number in FULL.items():
            self._add_items(kind, int(number * share) - self.made[kind])
        self._add_proposals(max(FEW, int(PROPOSALS * share)) - self.made["proposal"])
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")

    def _add_items(self, kind: str, number: int) -> None:
        for start in range(0, number, CHUNK):
            first = self.project.last_number + 1
            items = [self._item(kind, first + place) for place in range(min(CHUNK, number - start))]
            self._write(items)
            self.project.last_number += len(items)
            self.project.save(update_fields=["last_number"])
        self.made[kind] += max(0, number)

    def _item(self, kind: str, number: int) -> Item:
        writer = self.writer
        created = self._moment()
        columns: dict[str, Any] = {"task": self._task, "memory": self._memory}.get(kind, dict)()
        return Item(
            project=self.project, kind=kind, number=number, author=self.owner,
            version=VERSIONS[kind], title=f"{writer.fact_title()} ({number})"[:200],
            content=writer.text(200), tags=writer.tags(), created=created,
            changed=created + timedelta(hours=1), rank=number * 1024, **columns,
        )  # fmt: skip

    def _task(self) -> dict[str, Any]:
        status = self.writer.random.choice(("open", "open", "in_progress", "done"))
        return {"status": status, "priority": self.writer.random.randrange(4),
                "assignee_person": self.owner if self.writer.chance(0.3) else None}  # fmt: skip

    def _memory(self) -> dict[str, Any]:
        return {"visibility": "shared", "weight": "normal", "summary": self.writer.sentence()[:300]}

    def _moment(self) -> datetime:
        return self.now - timedelta(days=self.writer.random.random() * DAYS)

    def _write(self, items: list[Item]) -> None:
        Item.objects.bulk_create(items, CHUNK)
        ItemTag.objects.bulk_create(
            [ItemTag(item=item, tag=tag) for item in items for tag in item.tags], CHUNK
        )
        events = (event for item in items for event in self._events(item))
        while chunk := list(islice(events, 5 * CHUNK)):
            ItemEvent.objects.bulk_create(chunk, CHUNK)
        AuditEvent.objects.bulk_create(
            [AuditEvent(action="item.created", subject=f"#{item.number}", surface="web",
                        person_id=self.owner.pk, project_id=self.project.pk) for item in items],
            CHUNK,
        )  # fmt: skip
        Relation.objects.bulk_create(
            [Relation(source=items[place], target=items[place - 1], relation="relates")
             for place in range(1, len(items), 4)],
            CHUNK,
        )  # fmt: skip
        index_items(items)

    def _events(self, item: Item) -> list[ItemEvent]:
        return [
            ItemEvent(item=item, event="changed" if version > 1 else "created", version=version,
                      at=item.created + timedelta(minutes=version), author=self.owner,
                      changed=["content"] if version > 1 else [], state=full_state(item))
            for version in range(1, item.version + 1)
        ]  # fmt: skip

    def _add_proposals(self, number: int) -> None:
        first = self.made["proposal"]
        Proposal.objects.bulk_create([
            Proposal(project=self.project, kind="page", action=Proposal.Action.CREATE,
                     digest=f"{place:064d}", proposer=self.other, title=f"Proposed {place}",
                     fields={"title": f"Proposed {place}", "content": self.writer.text(200)})
            for place in range(first, first + number)
        ], CHUNK)  # fmt: skip
        self.made["proposal"] += max(0, number)
