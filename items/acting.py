"""Actions on items: prepared (checked), then run. What each does is a row by its name.

Kinds name the actions that they allow (items.kinds); an action that a later kind names
works for it as it stands here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from conderis.accounts import audit
from conderis.accounts.limits import count_write
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Invalid
from conderis.common.json import JsonObject
from conderis.common.times import iso
from items import archiving, relations
from items.access import Place, access_item, refuse_locked, subject_of
from items.assignees import caller_as_holder
from items.change import can_be_proposed, publishing_use
from items.crediting import doer_of
from items.events import (
    Signature,
    check_version,
    last_event,
    made_by,
    proposer_of,
    record_event,
)
from items.filling import WORK_COLUMNS, fill_work
from items.kinds import task
from items.kinds.base import ActionRow, Kind
from items.kinds.registry import kind_of
from items.kinds.relations import ALLOWED
from items.kinds.task import MAX_REASON, Work
from items.kinds.values import read_number
from items.metering import count_change
from items.models import Item
from items.numbers import touch_project
from items.patches import read_reason, read_value
from items.publishing import active_subtasks, what_stands
from items.requests import ActRequest
from items.screening import screen_texts
from items.search import index_item, stands
from items.state import holder_of, work_of
from projects.capabilities import Use


@dataclass(frozen=True, slots=True)
class Doing:
    """An action with what it needs: who acts on what, and what was sent with it.

    `signature` says whose an archiving or restoring is, where it is not the caller's.
    """

    place: Place
    kind: Kind
    item: Item
    request: ActRequest
    reason: str
    fields: Mapping[str, Any]
    now: datetime
    warnings: tuple[str, ...] = ()
    signature: Signature | None = None

    @property
    def caller(self) -> Caller:
        """Who acts."""
        return self.place.caller

    @property
    def use(self) -> Use:
        """What doing it directly needs."""
        if ACTIONS[self.request.action].shared_change:
            return publishing_use(self.kind, self.place, self.item.visibility)
        return Use.WORK

    @property
    def reviewed(self) -> bool:
        """Whether it can be a proposal: relations and work on tasks never are."""
        action = ACTIONS[self.request.action]
        return action.shared_change and can_be_proposed(self.kind, self.use)


@dataclass(frozen=True, slots=True)
class Action:
    """How an action works: what it takes besides the item, and what it does.

    A `shared_change` of a reviewed kind needs what publishing needs.
    """

    run: Callable[[Doing], JsonObject]
    takes: tuple[str, ...] = ()
    shared_change: bool = False


def prepare(caller: Caller, request: ActRequest) -> Doing:
    """Check an action's address, name and parameters; in the transaction that runs it.

    Raises:
        Invalid: the kind has no such action, or something sent does not belong to it.
        NotFound, Denied, Locked: as for every write.
    """
    place, item = access_item(caller, request.address, use=Use.WORK, lock=True)
    kind = kind_of(item.kind)
    row = next((each for each in kind.actions if each.name == request.action), None)
    if row is None:
        allowed = ", ".join(kind.action_names) or "none"
        raise Invalid(
            f"{subject_of(item)} is a {kind.name}; its actions are: {allowed}.",
            field="action",
            allowed=kind.action_names,
        )
    refuse_locked(item)
    _refuse_foreign(request, row)
    reason = read_reason(request.reason, limit=MAX_REASON)
    fields = _read_fields(row, request.fields)
    sent = [("reason", reason), *fields.items()]
    warnings = screen_texts(
        place.project, [(name, text) for name, text in sent if isinstance(text, str) and text]
    )
    return Doing(place, kind, item, request, reason, fields, timezone.now(), tuple(warnings))


def run(doing: Doing) -> JsonObject:
    """Do it and answer what now stands (spec, section 9)."""
    answer = ACTIONS[doing.request.action].run(doing)
    if doing.warnings and answer["outcome"] == "done":
        answer["warnings"] = list(doing.warnings)
    return answer


def _refuse_foreign(request: ActRequest, row: ActionRow) -> None:
    takes = ACTIONS[row.name].takes
    for name, value in (("target", request.target), ("relation", request.relation)):
        if value is not None and name not in takes:
            raise Invalid(f"{row.name} takes no {name}; relate and unrelate do.", field=name)
        if value is None and name in takes:
            raise Invalid(f"{row.name} needs {name}.", field=name, allowed=_shape(name))


def _shape(name: str) -> list[str]:
    return list(ALLOWED) if name == "relation" else ["number of the other item"]


def _read_fields(row: ActionRow, sent: Mapping[str, Any]) -> dict[str, Any]:
    known = {field.name: field for field in row.fields}
    for name in sent:
        if name not in known:
            shown = name.encode("utf-8", "replace").decode()[:40]
            raise Invalid(
                f"{row.name} takes no field {shown}."
                + (f" Fields: {', '.join(known)}." if known else ""),
                field=shown,
                allowed=list(known),
            )
    return {name: read_value(known[name], value) for name, value in sent.items()}


def _answer(doing: Doing, outcome: str = "done", **more: Any) -> JsonObject:
    return {"outcome": outcome, **what_stands(doing.item), **more}


# Tasks


def _work_on(doing: Doing, after: Work, event: str, reason: str) -> JsonObject:
    before, stood = work_of(doing.item), stands(doing.item)
    check_version(doing.item, doing.request.version)
    fill_work(doing.item, after)
    doing.item.version += 1
    doing.item.changed = doing.now
    doing.item.save(update_fields=[*WORK_COLUMNS, "version", "changed"])
    if stands(doing.item) != stood:
        index_item(doing.item)
    names = ["status"] if before.status != after.status else []
    names += ["assignee"] if before.assignee != after.assignee else []
    record_event(
        doing.caller,
        doing.item,
        event=event,
        at=doing.now,
        changed=names or ["status"],
        reason=reason,
    )
    touch_project(doing.item, doing.now)
    record_action(doing)
    return _answer(doing)


def record_action(doing: Doing, **detail: Any) -> None:
    """Write the action into the audit log, with the version that it made unless it relates."""
    if "relation" not in detail:
        detail["version"] = doing.item.version
    if doing.item.visibility == "private":
        detail["private"] = True
    audit.record(
        doing.caller,
        action=f"item.{doing.request.action}",
        subject=subject_of(doing.item),
        project_id=doing.item.project_id,
        **detail,
        **proposer_of(doing.signature),
    )
    if "relation" in detail:
        count_write(doing.caller)
    else:
        count_change(doing.caller, doing.item)


def _claim(doing: Doing) -> JsonObject:
    by = caller_as_holder(doing.caller)
    work = work_of(doing.item)
    if work.status == "in_progress" and work.assignee and work.assignee.ref == by.ref:
        return _answer(doing, "unchanged") | _held(doing)
    after = task.claim(work, by, doing.now)
    answer = _work_on(doing, after, "claimed", doing.reason) | _held(doing)
    waiting = relations.waits_for([doing.item.pk]).get(doing.item.pk)
    return answer | ({"waitsFor": waiting} if waiting else {})


def _held(doing: Doing) -> JsonObject:
    holder = holder_of(doing.item)
    if holder is None or doing.item.held_since is None:
        return {}
    return {
        "holder": {"ref": holder.ref, "name": holder.name},
        "since": iso(doing.item.held_since),
    }


def _complete(doing: Doing) -> JsonObject:
    work = work_of(doing.item)
    if work.status == "done":
        return _already(doing, ("completed",)) | active_subtasks(doing.item)
    summary = str(doing.fields.get("summary", "")) or doing.reason
    answer = _work_on(doing, task.complete(work), "completed", summary)
    return answer | active_subtasks(doing.item)


def _block(doing: Doing) -> JsonObject:
    work = work_of(doing.item)
    if work.status == "blocked":
        mine = made_by(last_event(doing.item, ("blocked", "created")), doing.caller)
        if mine and doing.reason in ("", work.blocked_reason):
            return _answer(doing, "unchanged")
        if not mine:
            raise Conflict(
                f"{subject_of(doing.item)} is already blocked. To give another reason, unblock "
                "it first.",
                current_version=doing.item.version,
                blockedReason=work.blocked_reason,
            )
    return _work_on(doing, task.block(work, doing.reason), "blocked", doing.reason)


def _unblock(doing: Doing) -> JsonObject:
    work = work_of(doing.item)
    if work.status != "blocked":
        newest = last_event(doing.item, ("blocked", "unblocked"))
        if newest is not None and newest.event == "unblocked" and made_by(newest, doing.caller):
            return _answer(doing, "unchanged")
    return _work_on(doing, task.unblock(work), "unblocked", doing.reason)


def _already(doing: Doing, events: tuple[str, ...]) -> JsonObject:
    """`unchanged` for who brought it there, the conflict for everybody else.

    Raises:
        Conflict: somebody else brought it there.
    """
    newest = last_event(doing.item, (*events, "created"))  # it may have begun so
    if newest is None or made_by(newest, doing.caller):
        return _answer(doing, "unchanged")
    by = doer_of(newest).actor
    raise Conflict(
        f"{by} has already done this: {subject_of(doing.item)} is {events[0]}.",
        current_version=doing.item.version,
        since=newest.at,
        holder={"name": by},
    )


# Memories and pages


def _archive(doing: Doing) -> JsonObject:
    if doing.item.archived_at is not None:
        return _already(doing, ("archived",))
    check_version(doing.item, doing.request.version)
    taken = archiving.archive(
        doing.caller, doing.item, doing.reason, doing.now, signature=doing.signature
    )
    touch_project(doing.item, doing.now)
    record_action(doing, along=len(taken))
    return _answer(doing) | _along(taken)


def _restore(doing: Doing) -> JsonObject:
    if doing.item.archived_at is None:
        newest = last_event(doing.item, ("archived", "restored"))
        if newest is None or newest.event != "restored":
            raise Conflict(
                f"{subject_of(doing.item)} is not archived.", current_version=doing.item.version
            )
        return _already(doing, ("restored",))
    check_version(doing.item, doing.request.version)
    back = archiving.restore(
        doing.caller, doing.item, doing.reason, doing.now, signature=doing.signature
    )
    touch_project(doing.item, doing.now)
    record_action(doing, along=len(back))
    return _answer(doing) | _along(back)


def _along(others: list[Item]) -> JsonObject:
    numbers = [other.number or f"memory:{other.public_id}" for other in others]
    return {"along": numbers} if numbers else {}


# Relations


def _relate(doing: Doing) -> JsonObject:
    return _set_relation(doing, relations.add_relation)


def _unrelate(doing: Doing) -> JsonObject:
    return _set_relation(doing, relations.remove_relation)


def _set_relation(doing: Doing, change: Callable[[Item, Item, str], bool]) -> JsonObject:
    name = str(doing.request.relation)
    target = relations.related_item(doing.place, _target_number(doing))
    about: JsonObject = {"target": target.number, "relation": name.strip()}
    if not change(doing.item, target, name):
        return _answer(doing, "unchanged", **about)
    record_action(doing, **about)
    touch_project(doing.item, doing.now)
    return _answer(doing, **about)


def _target_number(doing: Doing) -> int:
    number = read_number(doing.request.target)
    if number is None:
        raise Invalid("target must be the number of the other item.", field="target",
                      allowed=["12"])  # fmt: skip
    return number


ACTIONS: dict[str, Action] = {
    "claim": Action(_claim),
    "complete": Action(_complete),
    "block": Action(_block),
    "unblock": Action(_unblock),
    "archive": Action(_archive, shared_change=True),
    "restore": Action(_restore, shared_change=True),
    "relate": Action(_relate, takes=("target", "relation")),
    "unrelate": Action(_unrelate, takes=("target", "relation")),
}
