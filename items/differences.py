"""What a change makes of an item: its fields after it, what differs, whether it may be."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conderis.common.errors import Invalid
from items.assignees import caller_as_holder, find_assignee
from items.change import Change
from items.guard import refuse_cut_off
from items.kinds.base import Field
from items.kinds.task import Holder, Work, set_status
from items.kinds.values import Assignee, Commits, ItemReference, Numbers, Position, SourceState
from items.models import Item
from items.patches import text_after
from items.places import (
    check_parent,
    find_parent,
    position_of,
    refuse_same_title,
    siblings,
)
from items.relations import blockers_of_new, depends_on
from items.screening import Named, screen_texts
from items.state import work_of
from projects.remotes import canonical_remote

# Fields whose change makes a recorded source state untrue.
TEXT_FIELDS = frozenset({"title", "summary", "content"})


def work_out(change: Change, *, standing: str) -> None:
    """Complete `after`, and find out what differs from what stands and whether it may.

    `standing` is the content that stands.

    Raises:
        Invalid, TooLarge, NotFound, Conflict, Locked: it may not be so.
    """
    if "content" in change.kind.by_name:
        text = text_after(change.kind, change.patch, standing)
        if text is not None:
            change.after["content"] = text
    for each in change.kind.fields:
        if each.name in change.patch.values:
            _look_up(change, each)
    if change.kind.statuses:
        _set_work(change)
    _compare(change)
    _forget_source_state(change)
    _check_texts(change)
    if change.kind.check is not None:
        change.kind.check(change.after, change.before)
    if change.parent is not None and "parent" in change.structure:
        check_parent(change.kind, change.item, change.parent, known=change.mates.above)
    _check_titles(change)


def _look_up(change: Change, each: Field) -> None:
    """Turn a value that names other rows or the repository into what is kept."""
    value = change.after[each.name]
    project = change.place.project
    repository = project.remote if project is not None else ""
    if isinstance(each.type, Assignee) and value is not None:
        change.after[each.name] = _assignee(change, value)
    elif isinstance(each.type, Commits):
        known = {row["sha"]: row for row in change.item.commits}
        linked = {"repository": repository} if repository else {}
        change.after[each.name] = [known.get(sha, {"sha": sha, **linked}) for sha in value]
    elif isinstance(each.type, SourceState) and value:
        change.after[each.name] = _source_state(value, repository, each.name)
    elif isinstance(each.type, ItemReference) and value is not None:
        before = change.before[each.name] if change.before else None
        if value != before:
            parents = change.mates.parents
            change.parent = parents.get(value) or find_parent(change.place, value)
            parents[value] = change.parent
    elif isinstance(each.type, Numbers) and change.creates:
        change.blockers = [*blockers_of_new(change.place, value, change.mates), *change.blockers]


def _assignee(change: Change, reference: str) -> Holder:
    if change.before is not None:
        return find_assignee(change.place, reference, change.before["assignee"])
    holders = change.mates.holders
    if reference not in holders:
        holders[reference] = find_assignee(change.place, reference, None)
    return holders[reference]


def _source_state(value: dict[str, str], repository: str, field: str) -> dict[str, str]:
    """The commit with its repository in one spelling; the project's where none was sent.

    Raises:
        Invalid: the repository is no git remote, or carries a password.
    """
    sent = value.get("repository")
    if sent is None:
        return {**value, "repository": repository} if repository else value
    remote = canonical_remote(sent, field=f"{field}.repository")
    if remote is None:
        raise Invalid(
            f"{field}.repository must be a git remote, as https://host/owner/name.",
            field=f"{field}.repository",
            allowed=["git remote"],
        )
    return {**value, "repository": remote}


def _set_work(change: Change) -> None:
    item, sent = change.item, change.patch.values
    work = work_of(item) if change.before is not None else Work("open")
    standing = work.assignee
    assignee: Holder | None = change.after["assignee"]
    if assignee != standing:
        work = replace(work, assignee=assignee, held_since=change.now if assignee else None)
    status = sent.get("status", work.status)
    again = sent.get("status") == "blocked" and change.reason not in ("", work.blocked_reason)
    if status != work.status or again:
        work = set_status(
            work,
            status,
            by=caller_as_holder(change.place.caller),
            assigned="assignee" in sent,
            reason=change.reason,
            now=change.now,
        )
    change.work = work
    change.after |= {"status": work.status, "assignee": work.assignee}


def _compare(change: Change) -> None:
    sent = change.patch.values
    content: list[str] = []
    structure: list[str] = []
    for each in change.kind.fields:
        if isinstance(each.type, Position):
            differs = each.name in sent and _is_elsewhere(change, sent[each.name])
        elif isinstance(each.type, Numbers):
            differs = bool(change.blockers) if change.creates else _waits_anew(change, each)
        else:
            standing = change.before[each.name] if change.before else each.type.empty
            differs = change.after[each.name] != standing
        if differs:
            (structure if each.structure else content).append(each.name)
    work = change.work
    if work and change.before and work.blocked_reason != change.item.blocked_reason:
        content = list(dict.fromkeys([*content, "status"]))
    change.content, change.structure = tuple(content), tuple(structure)


def _waits_anew(change: Change, each: Field) -> bool:
    sent = change.patch.values.get(each.name)
    return sent is not None and set(depends_on(change.item)) != set(sent)


def _is_elsewhere(change: Change, position: int | None) -> bool:
    """Whether the item stands at another place than this; behind the last is the last."""
    if change.before is None:
        return True
    last = siblings(change.item).count() + 1
    return position_of(change.item) != min(position or last, last)


def _forget_source_state(change: Change) -> None:
    """A text that changes without naming what it was checked against is unchecked."""
    name = next((f.name for f in change.kind.fields if isinstance(f.type, SourceState)), None)
    if name is None or name in change.patch.values or not TEXT_FIELDS & set(change.content):
        return
    if change.before is not None and change.before[name]:
        change.after[name] = None
        change.content = (*change.content, name)
        change.warnings.append(
            f"The text changed without {name}, so this version has none. Send it again if you "
            "have checked the new text against that commit."
        )


def _check_texts(change: Change) -> None:
    """Screen any text that would be stored for secrets, and refuse cut-off text."""
    if not change.screened:
        change.warnings += screen_texts(change.place.project, named_texts(change))
    replaced = "content" in change.patch.values and "content" in change.content
    if replaced and change.before is not None:
        refuse_cut_off(
            change.before["content"],
            change.after["content"],
            complete=change.patch.complete,
            version=change.item.version,
        )


def named_texts(change: Change) -> Iterator[Named]:
    """The texts that the change would store, each with its field."""
    for name in change.content:
        for text in texts_in(change.after[name]):
            yield name, text
    if change.reason:
        yield "reason", change.reason


def texts_in(value: Any) -> Iterator[str]:
    """Every text inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_in(each)


def _check_titles(change: Change) -> None:
    if not change.kind.unique_sibling_titles:
        return
    if not change.creates and not {"title", "parent"} & {*change.content, *change.structure}:
        return
    trial = Item(
        pk=change.item.pk,
        project=change.item.project,
        kind=change.kind.name,
        title=change.after["title"],
        parent=change.parent if "parent" in change.structure else change.item.parent,
    )
    refuse_same_title(trial, change.mates)
