"""The calls that are measured, one row each, and what a fast server keeps to."""

from collections.abc import Callable
from dataclasses import dataclass, field

from conderis.common.json import JsonObject
from conderis.operations.bench.seeding import Seeded
from conderis.operations.bench.texts import Writer
from items.kinds.task import TASK

PING = "ping"
RECALL_CHARS = 8_000
QUERY = "webhook timeout retry"


@dataclass(slots=True)
class Course:
    """Where a run of calls stands: what has been made, and which version comes next."""

    seeded: Seeded
    count: int = 0
    version: int | None = None
    writer: Writer = field(default_factory=lambda: Writer(1))

    def here(self, **arguments: object) -> JsonObject:
        """Arguments of a call in the project."""
        return {"projectId": self.seeded.project, **arguments}


@dataclass(frozen=True, slots=True)
class Row:
    """A kind of call.

    `ratio` is the most that it may cost, in pings, and `queries` the most statements that
    it may take. `learn` is given the answer, where the next call needs something of it.
    """

    name: str
    tool: str
    arguments: Callable[[Course], JsonObject]
    ratio: float | None = None
    queries: int | None = None
    learn: Callable[[Course, JsonObject], None] | None = None


def _create(course: Course) -> JsonObject:
    course.count += 1
    fields = {
        "title": f"{course.writer.task_title()} ({course.count})",
        "content": course.writer.text(400),
        "tags": ["backend", "release"],
        "priority": "high",
    }
    return course.here(kind=TASK.name, fields=fields)


def _change(course: Course) -> JsonObject:
    fields = {"content": course.writer.text(400), "priority": course.writer.often(("low", "high"))}
    return course.here(number=course.seeded.changed, version=course.version, fields=fields)


def _learn_version(course: Course, answer: JsonObject) -> None:
    course.version = answer["version"]


ROWS = (
    Row("item_get", "item_get", lambda c: c.here(number=c.seeded.task), 3.5, 6),
    Row("item_get page", "item_get", lambda c: c.here(number=c.seeded.page), 3.5, 6),
    Row("item_list", "item_list", lambda c: c.here(kind=TASK.name, limit=20), 5, 6),
    Row("item_list query", "item_list", lambda c: c.here(kind=TASK.name, query=QUERY), 6, 6),
    Row("item_store create", "item_store", _create, 9, 12),
    Row("item_store change", "item_store", _change, 9, 12, _learn_version),
    Row("recall", "recall", lambda c: c.here(maxChars=RECALL_CHARS), 14, 14),
)
# Not measured: how the changed task stands, so that a change can name its version.
STANDING = Row("standing", "item_get", lambda c: c.here(number=c.seeded.changed),
               learn=_learn_version)  # fmt: skip
