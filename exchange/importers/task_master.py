"""The tasks.json of task-master, with several contexts (tags) in one file or in the old layout."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.common.errors import Invalid
from conderis.common.json import Json
from exchange.importers.base import Importer, Options
from exchange.importers.drafts import Draft
from exchange.importers.json_streams import Unreadable, pieces
from exchange.importers.members import Members, clean
from exchange.importers.places import named_place
from exchange.importers.standing import deepest
from exchange.importers.statuses import priority_of, status_of
from exchange.importers.texts import closed
from exchange.importers.values import line_of, text_of
from exchange.records import Found, Link, Problem
from exchange.sources import Source, SourceFile

DEFAULT: Final = "master"  # the context that task-master itself makes of the old layout
_PATHS: Final = (".taskmaster/tasks/tasks.json", "tasks/tasks.json", "tasks.json")
_LOOKED_AT: Final = 10  # members of the file, to tell what it is
_TASKS: Final = "tasks"
_USED: Final = frozenset(
    {"id", "title", "description", "details", "testStrategy", "status", "priority",
     "dependencies", "subtasks", "createdAt", "updatedAt", "updated", "parentTaskId", "parentId"}
)  # fmt: skip
_SECTIONS: Final = (("details", "Implementation"), ("testStrategy", "Test strategy"))
_REASON: Final = "Blocked in task-master."


@dataclass(slots=True)
class _Node:
    """A task of a context: its path of numbers as "3.1", and what waits for it."""

    path: str
    place: str
    value: Members
    parent: str | None
    blocks: dict[str, None] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def _file(source: Source) -> SourceFile | None:
    if source.single:
        return source.single
    by_name = {file.name: file for file in source.files}
    found = (by_name[path] for path in _PATHS if path in by_name)
    return next(found, None) or next(
        (file for file in source.files if file.name.endswith(_PATHS[:2])), None
    )


def _looks_like(source: Source) -> bool:
    file = _file(source)
    if file is None or file.suffix != ".json":
        return False
    with suppress(Unreadable):
        for piece in islice(pieces(file), _LOOKED_AT):
            if piece.name == _TASKS and piece.index is not None:
                return _is_task(piece.value)
            if _is_context(piece.value):
                return all(_is_task(task) for task in piece.value[_TASKS][:1])
    return False


def _is_task(value: Json) -> bool:
    return isinstance(value, dict) and {"id", "title", "status"} <= value.keys()


def _is_context(value: Json) -> bool:
    return isinstance(value, dict) and isinstance(value.get(_TASKS), list)


def _contexts(file: SourceFile) -> Iterator[tuple[str, list[Json]]]:
    """Each context with its tasks; that of the old layout is called "".

    Raises:
        Unreadable: the file is no JSON from some place on.
    """
    old: list[Json] = []
    for piece in pieces(file):
        if piece.name == _TASKS and piece.index is not None:
            old.append(piece.value)
        elif _is_context(piece.value):
            yield line_of(clean(piece.name)), piece.value[_TASKS]
    if old:
        yield "", old


def _parts(source: Source) -> list[str]:
    file = _file(source)
    found: list[str] = []
    with suppress(Unreadable):
        found.extend(name for name, _tasks in _contexts(file) if name) if file else None
    return list(dict.fromkeys(found))


def _read(source: Source, options: Options) -> Iterator[Found]:
    file = _file(source)
    if file is None:
        raise Invalid(_("There is no tasks.json here."), field="file")
    parts = _parts(source)
    if unknown := [name for name in options.only if name not in parts]:
        raise Invalid(
            _("The file has no context called %(name)s.") % {"name": unknown[0]},
            field="only",
            allowed=parts,
        )
    try:
        for context, tasks in _contexts(file):
            if not options.only or context in options.only:
                yield from _of_context(context, tasks)
    except Unreadable as error:
        yield Problem(file.name, str(error))


def _of_context(context: str, tasks: list[Json]) -> Iterator[Found]:
    nodes: dict[str, _Node] = {}
    problems: list[Problem] = []
    _collect(tasks, None, context, nodes, problems)
    yield from problems
    for node in nodes.values():
        _depend(node, nodes)
    for node in nodes.values():
        yield _drafted(node, context).finished()


def _collect(
    tasks: list[Json],
    above: _Node | None,
    context: str,
    nodes: dict[str, _Node],
    problems: list[Problem],
) -> None:
    """Take the tasks, each before its subtasks, as deep as tasks stand here."""
    level = above.path.count(".") + 2 if above else 1
    start = above.place if above else _("context %(name)s") % {"name": context or DEFAULT}
    for index, entry in enumerate(tasks, start=1):
        value = Members(entry)
        number = value.line("id").rpartition(".")[2]
        place = f"{start}, {_named(number, index, subtask=above is not None)}"
        path = f"{above.path}.{number}" if above else number
        reason = _unfit(entry, value, number, path in nodes, level)
        if reason:
            problems.append(Problem(place, reason))
            continue
        node = _Node(path, place, value, above.path if above else None)
        nodes[path] = node
        subtasks = value.entries("subtasks")
        if subtasks:
            _collect(subtasks, node, context, nodes, problems)


def _named(number: str, index: int, *, subtask: bool) -> str:
    """The task by its number, else by its place in the list."""
    if not number:
        return _("entry %(number)d") % {"number": index}
    what = _("subtask %(number)s") if subtask else _("task %(number)s")
    return what % {"number": number}


def _unfit(entry: Json, value: Members, number: str, known: bool, level: int) -> str:  # noqa: FBT001
    """Why no task comes of the entry; "" where one does."""
    if not isinstance(entry, dict):
        return _("It is no object.")
    if level > deepest("task"):
        return _("It stands deeper than %(limit)d levels; its subtasks are left out with it.") % {
            "limit": deepest("task")
        }
    if not number:
        return _("It has no id.")
    if not value.line("title"):
        return _("It has no title; its subtasks are left out with it.")
    return _("A task with this id came before in this context.") if known else ""


def _depend(node: _Node, nodes: dict[str, _Node]) -> None:
    """Tell the tasks that this one waits for that they block it."""
    for entry in node.value.entries("dependencies"):
        named = line_of(clean(text_of(entry)))
        before = _meant(named, node, nodes)
        if before is None or before == node.path:
            node.warnings.append(
                _("It depends on task %(number)s, which is not imported.") % {"number": named}
                if before is None
                else _("It depends on itself; this is not kept.")
            )
        else:
            nodes[before].blocks[node.path] = None


def _meant(named: str, node: _Node, nodes: dict[str, _Node]) -> str | None:
    """The path of the task that a dependency names: among subtasks a sibling comes first."""
    sibling = f"{node.parent}.{named}" if node.parent else named
    return next((path for path in (sibling, named) if path in nodes), None)


def _drafted(node: _Node, context: str) -> Draft:
    value = node.value
    title = value.line("title")
    draft = Draft(_key(context, node.path), named_place(node.place, title), "task", title)
    draft.content = closed(value.text("description"))
    draft.parent = _key(context, node.parent) if node.parent else None
    draft.links = [Link("blocks", _key(context, path)) for path in node.blocks]
    draft.tags = [context] if context else []
    for name, heading in _SECTIONS:
        if text := value.text(name).strip():
            draft.sections.append(f"## {heading}\n\n{closed(text)}")
    _work(draft, value)
    for name in value.names():
        if name not in _USED and not isinstance(value.raw(name), dict | list):
            draft.details.append((line_of(clean(name)), value.line(name)))
    draft.created = value.moment("createdAt")
    draft.changed = value.moment("updatedAt", "updated")
    draft.warnings.extend(node.warnings)
    draft.warnings.extend(value.odd.sentences())
    return draft


def _work(draft: Draft, value: Members) -> None:
    """Status and priority."""
    name = value.line("status")
    status = status_of(name)
    draft.fields["status"] = status or "open"
    if status == "blocked":
        draft.fields["blockedReason"] = _REASON
    if name and status is None:
        draft.warnings.append(
            _("Its status is not known here; it is open, with the status in the Details.")
        )
    if name and name.casefold() not in {"pending", "in-progress", "done", "blocked", "cancelled"}:
        draft.details.append(("Status", name))
    level = value.line("priority")
    draft.fields["priority"] = priority_of(level) or "normal"
    if level and priority_of(level) is None:
        draft.details.append(("Priority", level))


def _key(context: str, path: str) -> str:
    return f"{context or DEFAULT}:{path}"


TASK_MASTER: Final = Importer(
    name="task-master",
    label=gettext_lazy("task-master tasks"),
    hint=gettext_lazy("The file .taskmaster/tasks/tasks.json of the repository."),
    looks_like=_looks_like,
    read=_read,
    parts=_parts,
)
