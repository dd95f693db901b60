"""A project to measure on: as many items as asked for, the same ones every time.

They are written in bulk, with all the rows that the services would have written but the
audit log's (a test compares the two), so that large projects take minutes, not hours.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish, MadeKey
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.models import Agent, Person
from conderis.accounts.people import create_owner
from conderis.common.caller import Surface
from conderis.operations.bench.texts import Writer
from items.kinds.memory import TYPES
from items.kinds.task import PRIORITIES, TASK
from items.models import Item, ItemEvent, ItemTag, Relation
from items.places import GAP
from items.search import index_new
from items.state import full_state
from projects.keys import create_agent_key
from projects.models import Project
from projects.services import create_project

HANDLE = "bench"
LEAST_ITEMS = 20
TARGETS = 6  # items that the measured calls name, the last ones of the project
DAYS = 120  # over which the items were written
CHUNK = 500
PAGE_LENGTH = 2_000
# Of twenty items in a row: tasks, memories and pages.
_KINDS = ("task", "memory", "task", "page", "task", "memory", "task", "task", "memory", "task",
          "task", "page", "memory", "task", "task", "memory", "task", "page", "memory",
          "task")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seeded:
    """What there is to call: the key (a secret), the project, and numbers in it.

    `task` has a parent, relations and an assignee; `page` is 2,000 characters long;
    `changed` is the task that calls change.
    """

    key: str
    project: str
    task: int
    page: int
    changed: int


def seed(items: int, *, name: str = "shop") -> Seeded:
    """A project of this many items (LEAST_ITEMS or more), its owner and an agent's key."""
    with transaction.atomic():
        person = Person.objects.filter(handle=HANDLE).first() or create_owner(
            Operator(), handle=HANDLE, display_name="Bea Bench"
        )
        caller = caller_of_person(person, Surface.COMMAND)
        project = create_project(caller, fields={"name": name})
        made: MadeKey = create_agent_key(
            Operator(), person=person, wish=KeyWish(name=f"Agent of {name}")
        )
        planner = Planner(project, person, made.key.agent, timezone.now())
        planner.plan(items)
        _write(project, planner)
        for start in range(0, len(planner.items), CHUNK):
            index_new(planner.items[start : start + CHUNK])
    task, page, changed = (planner.items[-place].number or 0 for place in (3, 2, 1))
    return Seeded(made.text, project.full_name, task, page, changed)


def settle() -> None:
    """Have PostgreSQL count its rows, as its own daemon does a minute after so many."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def more_keys(count: int) -> list[str]:
    """Keys (secrets) of so many more agents of the owner."""
    person = Person.objects.get(handle=HANDLE)
    return [
        create_agent_key(Operator(), person=person, wish=KeyWish(name=f"Client {place}")).text
        for place in range(1, count + 1)
    ]


class Planner:
    """Plans the rows; parents and relations join items that come before."""

    def __init__(self, project: Project, person: Person, agent: Agent, now: datetime) -> None:
        self.project, self.person, self.agent, self.now = project, person, agent, now
        self.writer = Writer(20_260_728)
        self.items: list[Item] = []
        self.relations: list[Relation] = []
        self.depths: dict[int, int] = {}
        self._by_kind: dict[str, list[Item]] = {"task": [], "memory": [], "page": []}
        self._total = 0

    def plan(self, total: int) -> None:
        """Plan the items, and the instructions beside them."""
        self._total = total
        makers: dict[str, Callable[[], Item]] = {
            "task": self._task, "memory": self._memory, "page": self._page,
        }  # fmt: skip
        for place in range(total - TARGETS):
            made = makers[_KINDS[place % len(_KINDS)]]()
            self._relate(made)
        self._plan_targets()
        self.items.insert(0, self._new("instructions", content=self.writer.text(1_500)))

    def _plan_targets(self) -> None:
        parent, first, second = (
            self._add(self._new("task", **self._work("open"), title=title, tags=["release"]))
            for title in ("Release 4.2", "Freeze the schema", "Translate the new texts")
        )
        task = self._add(self._new(
            "task", **self._work("in_progress"), title="Cut the release branch",
            content=self.writer.text(600), tags=["release", "ops"], parent=parent,
            assignee_agent=self.agent, held_since=self.now, due=self.now.date() + timedelta(9),
        ))  # fmt: skip
        page = self._add(self._new(
            "page", title="How a release is made", tags=["release"], rank=GAP * self._total,
            content=self.writer.page(PAGE_LENGTH),
        ))  # fmt: skip
        self._add(self._new("task", **self._work("open"), title="Keep the notes of the release",
                            content=self.writer.text(300)))  # fmt: skip
        for source, relation, target in (
            (first, "blocks", task), (second, "blocks", task), (page, "documents", task),
        ):  # fmt: skip
            self.relations.append(Relation(source=source, target=target, relation=relation))

    def _task(self) -> Item:
        writer = self.writer
        status = writer.random.choices(
            ("done", "open", "in_progress", "blocked", "canceled"), (48, 37, 5, 5, 5)
        )[0]
        active = status in TASK.active_statuses
        more: dict[str, Any] = {}
        if writer.chance(0.3):
            holder = "assignee_agent" if writer.chance(0.5) else "assignee_person"
            more = {holder: self.agent if holder == "assignee_agent" else self.person}
        if status == "blocked":
            more |= {"blocked_reason": writer.sentence(), "status_before": "open"}
        return self._add(self._new(
            "task", **self._work(status), title=writer.task_title(), tags=writer.tags(),
            content=writer.text(writer.random.randint(100, 1_500)),
            due=self._some_day() if active and writer.chance(0.3) else None,
            parent=self._above("task", 0.25, depth=3), **more,
        ))  # fmt: skip

    def _memory(self) -> Item:
        writer = self.writer
        parent = self._above("memory", 0.2, depth=2)
        weight = writer.random.choices(("normal", "low", "critical"), (90, 8, 2))[0]
        private = parent is None and writer.chance(0.1)
        return self._add(self._new(
            "memory", title=writer.fact_title(), summary=writer.sentence()[:300],
            content=writer.text(writer.random.randint(150, 1_200)), tags=writer.tags(),
            category=writer.often(TYPES), visibility="private" if private else "shared",
            weight="normal" if parent else weight, parent=parent,
        ))  # fmt: skip

    def _page(self) -> Item:
        writer = self.writer
        return self._add(self._new(
            "page", title=f"{writer.page_title()} ({len(self.items) + 1})", tags=writer.tags(),
            content=writer.page(writer.random.randint(1_000, 9_000)),
            rank=GAP * len(self.items), parent=self._above("page", 0.8, depth=4),
        ))  # fmt: skip

    def _work(self, status: str) -> dict[str, Any]:
        priority = self.writer.random.choices(range(len(PRIORITIES)), (5, 15, 65, 15))[0]
        return {"status": status, "priority": priority}

    def _above(self, kind: str, share: float, *, depth: int) -> Item | None:
        """For this share of the items a parent: an earlier one that may have children."""
        before = self._by_kind[kind]
        if not before or not self.writer.chance(share):
            return None
        # The older half, so that parents have several children.
        parent = self.writer.random.choice(before[: len(before) // 2 + 1])
        fits = self.depths[id(parent)] < depth and parent.visibility != "private"
        return parent if fits and parent.weight != "critical" else None

    def _relate(self, item: Item) -> None:
        before = self._by_kind["task"]
        if len(before) < 2 or not self.writer.chance(0.2):
            return
        other = self.writer.random.choice(before[:-1])
        relation = {"task": "blocks", "memory": "relates", "page": "documents"}[item.kind]
        source, target = (other, item) if item.kind == TASK.name else (item, other)
        self.relations.append(Relation(source=source, target=target, relation=relation))

    def _add(self, item: Item) -> Item:
        item.number = len(self.items) + 1
        self.depths[id(item)] = 1 + (self.depths[id(item.parent)] if item.parent else 0)
        self.items.append(item)
        self._by_kind[item.kind].append(item)
        return item

    def _new(self, kind: str, **columns: Any) -> Item:
        age = timedelta(DAYS) * (1 - len(self.items) / max(self._total, 1))
        created = self.now - age
        return Item(
            project=self.project,
            kind=kind,
            author=self.person,
            author_agent=self.agent,
            version=self.writer.random.choices((1, 2, 3, 4), (55, 25, 12, 8))[0],
            created=created,
            changed=created + age * self.writer.random.random() * 0.8,
            **columns,
        )

    def _some_day(self) -> date:
        return self.now.date() + timedelta(self.writer.random.randint(-20, 60))


def _write(project: Project, planner: Planner) -> None:
    items = planner.items
    by_depth = sorted(items, key=lambda each: planner.depths.get(id(each), 1))
    for _, level in groupby(by_depth, key=lambda each: planner.depths.get(id(each), 1)):
        # The parents have their keys by now.
        Item.objects.bulk_create(list(level), CHUNK)
    Relation.objects.bulk_create(planner.relations, CHUNK)
    ItemTag.objects.bulk_create(
        (ItemTag(item=item, tag=tag) for item in items for tag in item.tags), CHUNK
    )
    ItemEvent.objects.bulk_create(_events(items), CHUNK)
    project.last_number = len(items) - 1
    project.save(update_fields=["last_number"])


def _events(items: Iterable[Item]) -> Iterator[ItemEvent]:
    """One for each version, all with the state as it now is."""
    for item in items:
        step = (item.changed - item.created) / item.version
        for version in range(1, item.version + 1):
            yield ItemEvent(
                item=item,
                event="created" if version == 1 else "changed",
                version=version,
                at=item.created + step * (version - 1),
                author_id=item.author_id,
                author_agent_id=item.author_agent_id,
                changed=["content"] if version > 1 else [],
                state=full_state(item),
            )
