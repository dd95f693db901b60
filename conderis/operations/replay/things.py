"""The things that a session does, each as the call of an agent that has read the recall.

An agent that has read nothing but the list of tools slips where only a refusal teaches
better; the slips are changes of those calls.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

from conderis.common.json import JsonObject
from conderis.operations.replay.mending import Call
from conderis.operations.replay.recalled import find_line, find_proposal

# What the person has told the agent, by the name under which it is sent.
REASON = "The contract for the second region is not signed."
GIST = "Deploys are allowed Monday to Thursday."
TOLD = {"reason": REASON, "summary": GIST}


@dataclass(frozen=True, slots=True)
class Thing:
    """Something to do.

    `call` makes the call from the project and its recall; `done` says whether an answer
    shows that it was done.
    """

    name: str
    call: Callable[[str, str], Call]
    done: Callable[[JsonObject], bool]


def _subtask(project: str, recalled: str) -> Call:
    parent = find_line(recalled, "importer").number
    fields = {"title": "Read a comment's author", "parent": parent}
    return Call("item_store", {"projectId": project, "kind": "task", "fields": fields})


def _gist(project: str, recalled: str) -> Call:
    memory = find_line(recalled, "deploy windows")
    where = {"projectId": project, "number": memory.number, "version": memory.version}
    return Call("item_store", {**where, "fields": {"summary": GIST}})


def _block(project: str, recalled: str) -> Call:
    task = find_line(recalled, "nightly backup")
    where = {"projectId": project, "number": task.number, "version": task.version}
    return Call("item_action", {**where, "action": "block", "reason": REASON})


def _open_tasks(project: str, _recalled: str) -> Call:
    return Call("item_list", {"projectId": project, "kind": "task"})


def _section(project: str, recalled: str) -> Call:
    page = find_line(recalled, "deploying")
    where = {"projectId": project, "number": page.number}
    return Call("item_get", {**where, "section": "rolling back"})


def _approve(project: str, recalled: str) -> Call:
    ref = find_proposal(recalled, "deploying")
    return Call("item_action", {"projectId": project, "ref": ref, "action": "approve"})


THINGS = (
    Thing("create a subtask", _subtask, lambda answer: "parent" in answer),
    Thing("change a memory's summary", _gist, lambda answer: answer.get("changed") == ["summary"]),
    Thing(
        "block a task with a reason", _block, lambda answer: answer.get("blockedReason") == REASON
    ),
    Thing("list the open tasks", _open_tasks, lambda answer: answer.get("total") == 3),
    Thing(
        "read a section of a page",
        _section,
        lambda answer: answer.get("section") == "Rolling back a release",
    ),
    Thing("approve a proposal", _approve, lambda answer: answer.get("state") == "approved"),
)


def _no_version(call: Call) -> None:
    call.arguments.pop("version")


def _no_reason(call: Call) -> None:
    call.arguments.pop("reason")


def _status_filter(call: Call) -> None:
    call.arguments["filter"] = {"status": "open"}


def _parent_beside_fields(call: Call) -> None:
    call.arguments["parent"] = call.arguments["fields"].pop("parent")


def _guessed_heading(call: Call) -> None:
    call.arguments["section"] = "How to roll back"


@dataclass(frozen=True, slots=True)
class Slip:
    """What an agent does wrong at first in one of the things."""

    thing: str
    spoil: Callable[[Call], None]

    def spoiled(self, call: Call) -> Call:
        """The call with the slip in it."""
        spoiled = Call(call.tool, deepcopy(call.arguments))
        self.spoil(spoiled)
        return spoiled


# Agents by how they go about it; each slips at most twice in a session.
AGENTS: dict[str, tuple[Slip, ...]] = {
    "careful": (),
    "hasty": (
        Slip("change a memory's summary", _no_version),
        Slip("list the open tasks", _status_filter),
    ),
    "guessing": (
        Slip("create a subtask", _parent_beside_fields),
        Slip("read a section of a page", _guessed_heading),
    ),
    "forgetful": (
        Slip("change a memory's summary", _no_version),
        Slip("block a task with a reason", _no_reason),
    ),
}
