"""What the items of a project to measure on say, before there is a project.

As many as asked for, the same ones every time. Drafts are of nobody and of no time, so that
a hundred projects of one size are drawn once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from conderis.operations.bench.texts import Writer
from items.kinds.memory import TYPES
from items.kinds.task import PRIORITIES, TASK
from items.search.documents import Document

LEAST_ITEMS = 20
TARGETS = 6  # items that the measured calls name, the last ones of the project
PAGE_LENGTH = 2_000
MOST_KEPT = 5_000  # items of a project whose drafts are kept for the next one
AGENT, PERSON = "agent", "person"
# Of twenty items in a row: tasks, memories and pages.
_KINDS = ("task", "memory", "task", "page", "task", "memory", "task", "task", "memory", "task",
          "task", "page", "memory", "task", "task", "memory", "task", "page", "memory",
          "task")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draft:
    """An item to be made: `columns` are those of its row that hold for any project and time.

    `age` says when it was created, as a share of the days that the items were written in, and
    `idle` how much of its age it was left unchanged for, as a share, too. `parent` is the place
    of an earlier draft, and `order` counts pages. `due_in` are days from now; a task that is
    `held` has been taken by its holder just now.
    """

    kind: str
    columns: Mapping[str, Any]
    version: int
    age: float
    idle: float
    parent: int | None = None
    depth: int = 1
    order: int = 0
    holder: str = ""
    held: bool = False
    due_in: int | None = None


@dataclass(slots=True)
class Drafts:
    """All items of a project; those in `items` are numbered in their order, from 1.

    `relations` are places of two of them around a relation's name. `documents` are what the
    search index holds of the instructions and the items, once somebody has worked it out.
    """

    items: list[Draft] = field(default_factory=list)
    relations: list[tuple[int, str, int]] = field(default_factory=list)
    instructions: Draft | None = None
    documents: list[Document] = field(default_factory=list)

    @property
    def is_kept(self) -> bool:
        """Whether they are drawn for more than one project: large ones would fill the memory."""
        return len(self.items) <= MOST_KEPT


def drafts_of(total: int) -> Drafts:
    """So many items, and the instructions beside them."""
    return _kept(total) if total <= MOST_KEPT else _Drafter(total).draft()


@lru_cache(maxsize=1)
def _kept(total: int) -> Drafts:
    return _Drafter(total).draft()


class _Drafter:
    """Draws the drafts; parents and relations join items that come before."""

    def __init__(self, total: int) -> None:
        self.writer = Writer(20_260_728)
        self.drafts = Drafts()
        self._by_kind: dict[str, list[int]] = {"task": [], "memory": [], "page": []}
        self._total = total

    def draft(self) -> Drafts:
        """Draw them all."""
        makers: dict[str, Callable[[], int]] = {
            "task": self._task, "memory": self._memory, "page": self._page,
        }  # fmt: skip
        for place in range(self._total - TARGETS):
            self._relate(makers[_KINDS[place % len(_KINDS)]]())
        self._targets()
        self.drafts.instructions = self._new("instructions", content=self.writer.text(1_500))
        return self.drafts

    def _targets(self) -> None:
        parent, first, second = (
            self._add(self._new("task", **self._work("open"), title=title, tags=["release"]))
            for title in ("Release 4.2", "Freeze the schema", "Translate the new texts")
        )
        task = self._add(
            self._new(
                "task", **self._work("in_progress"), title="Cut the release branch",
                content=self.writer.text(600), tags=["release", "ops"],
            ),
            parent, holder=AGENT, held=True, due_in=9,
        )  # fmt: skip
        page = self._add(
            self._new(
                "page", title="How a release is made", tags=["release"],
                content=self.writer.page(PAGE_LENGTH),
            ),
            order=self._total,
        )  # fmt: skip
        self._add(self._new("task", **self._work("open"), title="Keep the notes of the release",
                            content=self.writer.text(300)))  # fmt: skip
        self.drafts.relations += [
            (first, "blocks", task), (second, "blocks", task), (page, "documents", task),
        ]  # fmt: skip

    def _task(self) -> int:
        writer = self.writer
        status = writer.random.choices(
            ("done", "open", "in_progress", "blocked", "canceled"), (48, 37, 5, 5, 5)
        )[0]
        holder = ""
        if writer.chance(0.3):
            holder = AGENT if writer.chance(0.5) else PERSON
        columns: dict[str, Any] = {}
        if status == "blocked":
            columns = {"blocked_reason": writer.sentence(), "status_before": "open"}
        columns |= self._work(status)
        columns |= {"title": writer.task_title(), "tags": writer.tags()}
        columns["content"] = writer.text(writer.random.randint(100, 1_500))
        has_day = status in TASK.active_statuses and writer.chance(0.3)
        due_in = writer.random.randint(-20, 60) if has_day else None
        parent = self._above("task", 0.25, depth=3)
        return self._add(self._new("task", **columns), parent, holder=holder, due_in=due_in)

    def _memory(self) -> int:
        writer = self.writer
        parent = self._above("memory", 0.2, depth=2)
        weight = writer.random.choices(("normal", "low", "critical"), (90, 8, 2))[0]
        private = parent is None and writer.chance(0.1)
        return self._add(self._new(
            "memory", title=writer.fact_title(), summary=writer.sentence()[:300],
            content=writer.text(writer.random.randint(150, 1_200)), tags=writer.tags(),
            category=writer.often(TYPES), visibility="private" if private else "shared",
            weight="normal" if parent is not None else weight,
        ), parent)  # fmt: skip

    def _page(self) -> int:
        writer, before = self.writer, len(self.drafts.items)
        columns = {
            "title": f"{writer.page_title()} ({before + 1})", "tags": writer.tags(),
            "content": writer.page(writer.random.randint(1_000, 9_000)),
        }  # fmt: skip
        parent = self._above("page", 0.8, depth=4)
        return self._add(self._new("page", **columns), parent, order=before)

    def _work(self, status: str) -> dict[str, Any]:
        priority = self.writer.random.choices(range(len(PRIORITIES)), (5, 15, 65, 15))[0]
        return {"status": status, "priority": priority}

    def _above(self, kind: str, share: float, *, depth: int) -> int | None:
        """For this share of the items a parent: an earlier one that may have children."""
        before = self._by_kind[kind]
        if not before or not self.writer.chance(share):
            return None
        # The older half, so that parents have several children.
        place = self.writer.random.choice(before[: len(before) // 2 + 1])
        parent = self.drafts.items[place]
        fits = parent.depth < depth and parent.columns.get("visibility") != "private"
        return place if fits and parent.columns.get("weight") != "critical" else None

    def _relate(self, place: int) -> None:
        before = self._by_kind["task"]
        if len(before) < 2 or not self.writer.chance(0.2):
            return
        other = self.writer.random.choice(before[:-1])
        kind = self.drafts.items[place].kind
        relation = {"task": "blocks", "memory": "relates", "page": "documents"}[kind]
        source, target = (other, place) if kind == TASK.name else (place, other)
        self.drafts.relations.append((source, relation, target))

    def _add(self, draft: Draft, parent: int | None = None, **more: Any) -> int:
        """Put it behind the others; its place."""
        place = len(self.drafts.items)
        depth = 1 if parent is None else 1 + self.drafts.items[parent].depth
        self.drafts.items.append(replace(draft, parent=parent, depth=depth, **more))
        self._by_kind[draft.kind].append(place)
        return place

    def _new(self, kind: str, **columns: Any) -> Draft:
        return Draft(
            kind=kind,
            columns=columns,
            version=self.writer.random.choices((1, 2, 3, 4), (55, 25, 12, 8))[0],
            age=1 - len(self.drafts.items) / self._total,
            idle=self.writer.random.random() * 0.8,
        )
