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
BATCH = 10  # items


@dataclass(slots=True)
class Course:
    """Where a run of calls stands: what has been made, and which version comes next.

    `made` are the numbers of tasks that were made and not deleted; `changed` is the task that
    changes are made to, and `blocked` says how it stands.
    """

    seeded: Seeded
    count: int = 0
    changed: int = 0
    version: int | None = None
    blocked: bool = False
    made: list[int] = field(default_factory=list)
    writer: Writer = field(default_factory=lambda: Writer(1))

    def __post_init__(self) -> None:
        self.changed = self.changed or self.seeded.changed

    def here(self, **arguments: object) -> JsonObject:
        """Arguments of a call in the project."""
        return {"projectId": self.seeded.project, **arguments}


@dataclass(frozen=True, slots=True)
class Row:
    """A kind of call.

    `ratio` is the most that it may cost, in pings, and `queries` the most statements that
    it may take. `learn` is given the answer, where the next call needs something of it.
    `most` is how often one run may call it, where the product sets a bound.
    """

    name: str
    tool: str
    arguments: Callable[[Course], JsonObject]
    ratio: float | None = None
    queries: int | None = None
    learn: Callable[[Course, JsonObject], None] | None = None
    most: int | None = None


def _new_task(course: Course) -> JsonObject:
    course.count += 1
    return {
        "title": f"{course.writer.task_title()} ({course.count})",
        "content": course.writer.text(400),
        "tags": ["backend", "release"],
        "priority": "high",
    }


def _create(course: Course) -> JsonObject:
    return course.here(kind=TASK.name, fields=_new_task(course))


def _learn_number(course: Course, answer: JsonObject) -> None:
    course.made.append(answer["number"])


def _change(course: Course) -> JsonObject:
    fields = {"content": course.writer.text(400), "priority": course.writer.often(("low", "high"))}
    return course.here(number=course.changed, version=course.version, fields=fields)


def _learn_version(course: Course, answer: JsonObject) -> None:
    course.version = answer["version"]
    course.blocked = answer.get("status", "blocked" if course.blocked else "") == "blocked"


def _batch(course: Course) -> JsonObject:
    items = [{"kind": TASK.name, "fields": _new_task(course)} for _ in range(BATCH)]
    return course.here(batch={"items": items})


def _act(course: Course) -> JsonObject:
    action = {"action": "block", "reason": "It waits for the vendor."}
    if course.blocked:
        action = {"action": "unblock"}
    return course.here(number=course.changed, version=course.version, **action)


def _delete(course: Course) -> JsonObject:
    return course.here(number=course.made.pop(), reason="It was made to measure with.")


def _describe(course: Course) -> JsonObject:
    course.count += 1
    return course.here(fields={"description": f"{course.writer.sentence()} ({course.count})"})


def _take(course: Course, answer: JsonObject) -> None:
    course.changed, course.version = answer["number"], answer["version"]


ROWS = (
    Row("item_get", "item_get", lambda c: c.here(number=c.seeded.task), 3.5, 6),
    Row("item_get page", "item_get", lambda c: c.here(number=c.seeded.page), 3.5, 6),
    Row("item_get history", "item_get",
        lambda c: c.here(number=c.seeded.task, history=True), None, 4),
    Row("item_list", "item_list", lambda c: c.here(kind=TASK.name, limit=20), 5, 6),
    Row("item_list query", "item_list", lambda c: c.here(kind=TASK.name, query=QUERY), 6, 6),
    Row("item_store create", "item_store", _create, 9, 12, _learn_number),
    Row("item_store change", "item_store", _change, 9, 12, _learn_version),
    Row("item_store batch", "item_store", _batch, None, 9),
    Row("item_action", "item_action", _act, None, 8, _learn_version),
    # 20 requests of one agent may wait for a person.
    Row("item_delete", "item_delete", _delete, None, 10, None, 4),
    Row("project_get", "project_get", lambda c: c.here(), None, 11),
    Row("project_store", "project_store", _describe, None, 7),
    Row("recall", "recall", lambda c: c.here(maxChars=RECALL_CHARS), 14, 14),
)  # fmt: skip
BY_NAME = {row.name: row for row in ROWS}
# Not measured: how the changed task stands, so that a change can name its version.
STANDING = Row("standing", "item_get", lambda c: c.here(number=c.changed),
               learn=_learn_version)  # fmt: skip
# Not measured: a task of its own for a run that changes beside others.
OWN = Row("own", "item_store", _create, learn=_take)
