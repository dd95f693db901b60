"""Who gets what: a row for every use of every tool, a column for every kind of caller.

An answer is `ok`, `proposed`, or the code of the refusal; a denial names what is missing.
Later surfaces add their routes to the rows. In arguments `PROJECT` stands for the project,
`PROPOSAL` for a contributor's pending one.
"""

from dataclasses import dataclass
from typing import Any

PROJECT = "PROJECT"
PROPOSAL = "PROPOSAL"

CALLERS = (
    "stranger",  # signed in, no member; the project is private
    "visitor",  # signed in, no member; the project is public
    "reader",
    "contributor",
    "moderator",
    "owner",
    "reading key",  # the owner's, scope read alone
    "foreign key",  # the owner's, limited to another project
    "careful key",  # the owner's, its changes always need review
)


@dataclass(frozen=True, slots=True)
class Row:
    """A use, the tool call that makes it, and the answer for each caller."""

    use: str
    tool: str
    arguments: dict[str, Any]
    answers: tuple[str, ...]


HIDDEN = "not_found"
OK = "ok"
P = "proposed"
W, M, A = "denied write", "denied moderate", "denied manage"
V = "denied review"

READING = (HIDDEN, OK, OK, OK, OK, OK, OK, HIDDEN, OK)
WORKING = (HIDDEN, W, W, OK, OK, OK, W, HIDDEN, OK)
PUBLISHING = (HIDDEN, W, W, P, OK, OK, W, HIDDEN, P)
INSTRUCTING = (HIDDEN, W, W, P, P, OK, W, HIDDEN, P)
MANAGING = (HIDDEN, A, A, A, A, OK, W, HIDDEN, OK)
DELETING = (HIDDEN, W, W, OK, OK, OK, "denied delete", HIDDEN, OK)
# Somebody else's private memory exists for nobody but its author (here: the owner).
PRIVATE = (HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN, OK, OK, HIDDEN, OK)
NEVER = (HIDDEN,) * len(CALLERS)
# A contributor's proposal is there for that contributor and for who may approve it.
PROPOSED = (HIDDEN, HIDDEN, HIDDEN, OK, OK, OK, OK, HIDDEN, OK)
REVIEWING = (HIDDEN, HIDDEN, HIDDEN, M, OK, OK, V, HIDDEN, "denied person")

TASK, PAGE, MEMORY, SECRET, NOTHING = 1, 2, 3, 4, 999


def _at(number: int, **more: Any) -> dict[str, Any]:
    return {"projectId": PROJECT, "number": number, **more}


ROWS = (
    Row("recall a project", "recall", {"projectId": PROJECT}, READING),
    Row("read a project", "project_get", {"projectId": PROJECT}, READING),
    Row("change a project", "project_store",
        {"projectId": PROJECT, "fields": {"description": "New"}}, MANAGING),
    Row("read a task", "item_get", _at(TASK), READING),
    Row("read a page", "item_get", _at(PAGE), READING),
    Row("read a shared memory", "item_get", _at(MEMORY), READING),
    Row("read a history", "item_get", _at(PAGE, history=True), READING),
    Row("read an old version", "item_get", _at(PAGE, version=1), READING),
    Row("read the instructions", "item_get",
        {"projectId": PROJECT, "ref": "instructions"}, READING),
    Row("read by long reference", "item_get", {"ref": f"{PROJECT}#{PAGE}"}, READING),
    Row("read a private memory", "item_get", _at(SECRET), PRIVATE),
    Row("read its history", "item_get", _at(SECRET, history=True), PRIVATE),
    Row("read nothing", "item_get", _at(NOTHING), NEVER),
    Row("list tasks", "item_list", {"kind": "task", "projectId": PROJECT}, READING),
    Row("list pages", "item_list", {"kind": "page", "projectId": PROJECT}, READING),
    Row("search memories", "item_list",
        {"kind": "memory", "projectId": PROJECT, "query": "text"}, READING),
    Row("list proposals", "item_list", {"kind": "proposal", "projectId": PROJECT}, READING),
    Row("create a task", "item_store",
        {"kind": "task", "projectId": PROJECT, "fields": {"title": "New"}}, WORKING),
    Row("create a page", "item_store",
        {"kind": "page", "projectId": PROJECT, "fields": {"title": "New"}}, PUBLISHING),
    Row("create a shared memory", "item_store",
        {"kind": "memory", "projectId": PROJECT,
         "fields": {"title": "New", "visibility": "shared"}}, PUBLISHING),
    Row("create a private memory", "item_store",
        {"kind": "memory", "projectId": PROJECT,
         "fields": {"title": "New", "visibility": "private"}}, WORKING),
    Row("change a task", "item_store", _at(TASK, version=1, fields={"title": "X"}), WORKING),
    Row("change a page", "item_store", _at(PAGE, version=1, fields={"title": "X"}), PUBLISHING),
    Row("append to a page", "item_store", _at(PAGE, fields={"append": "X"}), PUBLISHING),
    Row("change a shared memory", "item_store",
        _at(MEMORY, version=1, fields={"title": "X"}), PUBLISHING),
    Row("change a private memory", "item_store",
        _at(SECRET, version=1, fields={"title": "X"}),
        (HIDDEN, W, W, HIDDEN, HIDDEN, OK, W, HIDDEN, OK)),
    Row("move a page", "item_store", _at(PAGE, fields={"position": 1, "parent": 5}), PUBLISHING),
    Row("change the instructions", "item_store",
        {"projectId": PROJECT, "ref": "instructions", "version": 1,
         "fields": {"content": "Other"}}, INSTRUCTING),
    Row("claim a task", "item_action", _at(TASK, action="claim", version=1), WORKING),
    Row("complete a task", "item_action", _at(TASK, action="complete", version=1), WORKING),
    Row("block a task", "item_action",
        _at(TASK, action="block", version=1, reason="waits"), WORKING),
    Row("archive a page", "item_action", _at(PAGE, action="archive", version=1), PUBLISHING),
    Row("archive a private memory", "item_action",
        _at(SECRET, action="archive", version=1),
        (HIDDEN, W, W, HIDDEN, HIDDEN, OK, W, HIDDEN, OK)),
    Row("relate items", "item_action",
        _at(PAGE, action="relate", target=TASK, relation="documents"), WORKING),
    Row("propose a page", "item_store",
        {"kind": "page", "projectId": PROJECT, "fields": {"title": "New"}, "propose": True},
        (HIDDEN, W, W, P, P, P, W, HIDDEN, P)),
    Row("read a proposal", "item_get", {"ref": PROPOSAL}, PROPOSED),
    Row("change a proposal", "item_store", {"ref": PROPOSAL, "fields": {"title": "X"}},
        ("invalid",) * len(CALLERS)),
    Row("approve a proposal", "item_action", {"ref": PROPOSAL, "action": "approve"}, REVIEWING),
    Row("reject a proposal", "item_action",
        {"ref": PROPOSAL, "action": "reject", "reason": "r"}, REVIEWING),
    Row("withdraw a proposal", "item_action", {"ref": PROPOSAL, "action": "withdraw"},
        (HIDDEN, HIDDEN, HIDDEN, OK, "denied ownership", "denied ownership", W, HIDDEN,
         "denied ownership")),
    Row("approve what never was", "item_action",
        {"projectId": PROJECT, "ref": "proposal:abcdef", "action": "approve", "reason": "r"},
        (HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN, V, HIDDEN, HIDDEN)),
    Row("request a deletion", "item_delete", _at(PAGE, reason="personal data"), DELETING),
    Row("request a version's deletion", "item_delete",
        _at(PAGE, version=1, reason="personal data"), DELETING),
    Row("request a private memory's deletion", "item_delete", _at(SECRET, reason="personal data"),
        (HIDDEN, W, W, HIDDEN, HIDDEN, OK, "denied delete", HIDDEN, OK)),
)  # fmt: skip

# Uses that name no project: what each caller gets for itself.
OWN = ("ok",) * len(CALLERS)
OWN_ROWS = (
    Row("list projects", "project_get", {}, OWN),
    Row("list projects by kind", "item_list", {"kind": "project"}, OWN),
    Row("read the guide", "recall", {"guide": True}, OWN),
    Row("create a project", "project_store", {"fields": {"name": "fresh"}},
        (OK, OK, OK, OK, OK, OK, W, "denied all projects", OK)),
    Row("store a personal memory", "item_store", {"kind": "memory", "fields": {"title": "Mine"}},
        (OK, OK, OK, OK, OK, OK, W, "denied all projects", OK)),
    Row("list personal memories", "item_list", {"kind": "memory"},
        (OK, OK, OK, OK, OK, OK, OK, "denied all projects", OK)),
)  # fmt: skip
