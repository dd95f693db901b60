"""Issues of beads (`.beads/issues.jsonl`, or what `bd list --json` prints), as tasks."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conderis.common.json import Json
from exchange.importers.base import Importer, Options
from exchange.importers.drafts import Draft, tags_of
from exchange.importers.folders import UNREADABLE
from exchange.importers.json_rows import Row, rows_of
from exchange.importers.members import Members
from exchange.importers.parents import without_circles
from exchange.importers.places import named_place
from exchange.importers.statuses import status_of
from exchange.importers.values import line_of, storable, text_of
from exchange.records import Credit, Found, Link, Problem, Record
from exchange.sources import Source, SourceFile
from items.kinds.memory import MEMORY, SHARED
from items.kinds.page import PAGE
from items.kinds.task import TASK

_ISSUE: Final = "issue"
_MEMORY: Final = "memory"
_NAMES: Final = ("issues.jsonl", "beads.jsonl")
_LOOKED_AT: Final = 20  # lines, to tell the format
_PRIORITIES: Final = ("urgent", "high", "normal", "low", "low")  # P0 to P4
_USUAL: Final = frozenset({"open", "in_progress", "blocked", "closed"})
_STATUSES: Final = {"hooked": "in_progress", "pinned": "open"}
_NO_TYPE: Final = ("", "task")  # types that say nothing
_TAGGED: Final = frozenset({"deferred", "pinned"})
_BLOCKING: Final = frozenset({"blocks", "blocked-by", "waits-for", "conditional-blocks"})
_ALIKE: Final = {"duplicates": "duplicates", "supersedes": "supersedes"}
_PARENT: Final = "parent-child"
_SECTIONS: Final = (("design", "Design"), ("acceptance_criteria", "Acceptance Criteria"),
                    ("notes", "Notes"))  # fmt: skip
_TAKEN: Final = frozenset({
    "_type", "id", "title", "description", "design", "acceptance_criteria", "notes", "status",
    "priority", "issue_type", "type", "assignee", "owner", "labels", "created_at", "created_by",
    "updated_at", "closed_at", "close_reason", "due_at", "dependencies", "dependents", "comments",
    "parent",
    # what beads keeps for itself
    "content_hash", "compaction_level", "compacted_at", "compacted_at_commit", "original_size",
    "original_type", "source_repo", "source_system", "dependency_count", "dependent_count",
    "comment_count", "metadata", "sender", "closed_by_session", "thread_id", "is_template",
    "ephemeral", "wisp_type",
})  # fmt: skip


def looks_like(source: Source) -> bool:
    """Whether one of its first lines is an issue with a text for an id, a title and a status."""
    file = _file_of(source)
    return file is not None and _has_issue(file)


def read(source: Source, _options: Options) -> Iterator[Found]:
    """The issues, parents before their children, and what `bd remember` keeps, as memories."""
    file = _file_of(source)
    if file is None:
        yield Problem(
            storable(source.name), _("There is no file of issues, as .beads/issues.jsonl.")
        )
        return
    yield from _others(source, file)
    graph = _Graph()
    for row in rows_of(file):
        graph.add(row)
    graph.settle()
    yield from _in_order(file, graph)


def _in_order(file: SourceFile, graph: "_Graph") -> Iterator[Found]:
    """What the rows make; a child whose parent comes later waits for it."""
    waiting: dict[str, list[tuple[str, Record | Problem]]] = {}
    given: set[str] = set()
    for row in rows_of(file):
        if problem := graph.problem_of(row):
            yield problem
            continue
        key = _key_of(row)
        parent = graph.parents.get(key)
        if parent is not None and parent not in given:
            waiting.setdefault(parent, []).append((key, _made(row, graph)))
            continue
        ready = [(key, _made(row, graph))]
        while ready:
            key, found = ready.pop()
            yield found
            given.add(key)
            ready.extend(reversed(waiting.pop(key, [])))


@dataclass(slots=True)
class _Graph:
    """What the issues say of each other, by id: little, whatever they hold."""

    places: dict[str, str] = field(default_factory=dict)
    parents: dict[str, str | None] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)  # parents that are not there
    blocks: dict[str, list[str]] = field(default_factory=dict)
    waits: dict[str, list[str]] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        """Take up an issue that can become a task."""
        key = _key_of(row)
        if key in self.places or _refusal(row):
            return
        self.places[key] = row.place
        self.parents[key] = _id(row.value.get("parent")) or None
        for kind, other in _dependencies(Members(row.value), key):
            if kind == _PARENT:
                self.parents[key] = other
            elif kind in _BLOCKING:
                self.waits.setdefault(key, []).append(other)

    def settle(self) -> None:
        """Parents that are there, without circles; who blocks whom."""
        for key, parent in self.parents.items():
            dotted = key.rpartition(".")[0]
            if parent is None and dotted in self.places:
                self.parents[key] = dotted
        asked = dict(self.parents)
        self.parents, lost = without_circles(asked)
        self.lost = {key: asked[key] or "" for key in lost}
        for key, others in self.waits.items():
            for other in others:
                if other in self.places and other != key:
                    self.blocks.setdefault(other, []).append(key)

    def problem_of(self, row: Row) -> Problem | None:
        """Why nothing comes of a row, if nothing does."""
        reason = _refusal(row)
        first = self.places.get(_key_of(row), "")
        if not reason and first != row.place:
            reason = _("Its id is that of %(other)s.") % {"other": first}
        return Problem(row.place, reason) if reason else None


def _kind_of(row: Row) -> str:
    """What the row says it is; issues need not say so."""
    return str(row.value.get("_type", _ISSUE)) if isinstance(row.value, dict) else ""


def _key_of(row: Row) -> str:
    """The id of an issue, or the name of a memory; "" without one."""
    if not isinstance(row.value, dict):
        return ""
    if _kind_of(row) == _MEMORY:
        return f"{_MEMORY}:{_id(row.value.get('key'))}"
    return _id(row.value.get("id"))


def _refusal(row: Row) -> str:
    """Why a row is no issue and no memory; "" where it is."""
    if row.problem or not isinstance(row.value, dict):
        return row.problem or _("This is no object.")
    kind = _kind_of(row)
    if kind == _MEMORY:
        return "" if _id(row.value.get("key")) else _("It has no key.")
    if kind != _ISSUE:
        return _("This is no issue.")
    if not _key_of(row):
        return _("It has no id.")
    return _refusal_of_issue(row.value)


def _refusal_of_issue(value: dict[str, Json]) -> str:
    if value.get("status") == "tombstone" or value.get("deleted_at"):
        return _("It was deleted in the source.")
    return "" if Members(value).line("title") else _("It has no title.")


def _made(row: Row, graph: _Graph) -> Record | Problem:
    if _kind_of(row) == _MEMORY:
        members = Members(row.value)
        name = members.line("key")
        return Draft(
            _key_of(row), named_place(row.place, name), MEMORY.name, name, members.text("value"),
            other_kind=PAGE.name, fields={"visibility": SHARED},
            warnings=list(members.odd.sentences()),
        ).finished()  # fmt: skip
    return _task(row, graph)


def _task(row: Row, graph: _Graph) -> Record | Problem:
    issue = Members(row.value)
    key = _key_of(row)
    title = issue.line("title")
    draft = Draft(key, named_place(row.place, title), TASK.name, title, issue.text("description"),
                  parent=graph.parents.get(key))  # fmt: skip
    draft.details = [("ID", key)]
    _take_state(draft, issue, graph)
    labels = [line_of(label) for label in issue.entries("labels")]
    kind = issue.line("issue_type", "type")
    draft.tags = tags_of(draft.tags, labels, [] if kind in _NO_TYPE else [kind])
    draft.credit = Credit(issue.person("created_by"))
    draft.created = issue.moment("created_at")
    draft.changed = issue.moment("updated_at", "closed_at")
    for name, heading in _SECTIONS:
        if text := issue.text(name).strip():
            draft.sections.append(f"## {heading}\n\n{text}")
    draft.comments = [
        (each.person("author"), each.moment("created_at"), each.text("text", "body"))
        for each in issue.objects("comments")
    ]
    _take_relations(draft, issue, graph)
    draft.details.extend([("Assignee", issue.person("assignee")), ("Owner", issue.person("owner"))])
    draft.details.append(("Close reason", issue.line("close_reason")))
    draft.details.extend(_rest(issue))
    draft.warnings.extend(issue.odd.sentences())
    return draft.finished()


def _take_state(draft: Draft, issue: Members, graph: _Graph) -> None:
    word = issue.line("status").lower()
    status = _STATUSES.get(word) or status_of(word) or "open"
    draft.fields["status"] = status
    if word in _TAGGED:
        draft.tags = [word]
    elif word and word not in _USUAL:
        draft.details.append(("Status", word))
    if status == "blocked":
        draft.fields["blockedReason"] = _blocked_by(graph.waits.get(draft.key, []))
    level = issue.raw("priority")
    if isinstance(level, int) and 0 <= level < len(_PRIORITIES) and not isinstance(level, bool):
        draft.fields["priority"] = _PRIORITIES[level]
    elif level is not None:
        draft.details.append(("Priority", line_of(level)))
    if due := issue.day("due_at"):
        draft.fields["due"] = due


def _blocked_by(ids: Sequence[str]) -> str:
    return f"Blocked in beads by {', '.join(ids)}."[:500] if ids else "Blocked in beads."


def _take_relations(draft: Draft, issue: Members, graph: _Graph) -> None:
    """Relations to what is there; the others, and the words that we have not, as details."""
    missing: list[str] = []
    links = [Link("blocks", other) for other in graph.blocks.get(draft.key, [])]
    for kind, other in _dependencies(issue, draft.key):
        if kind == _PARENT:
            continue
        there = other in graph.places
        if not there:
            missing.append(other)
        elif kind not in _BLOCKING and other != draft.key:
            links.append(Link(_ALIKE.get(kind, "relates"), other))
        if not there or kind not in {"blocks", "blocked-by", "related", *_ALIKE}:
            draft.details.append((_label(kind), other))
    draft.links = list(dict.fromkeys(links))
    if draft.key in graph.lost:
        draft.details.append(("Parent", graph.lost[draft.key]))
        draft.warnings.append(_("Its parent is not there; it stands at the top."))
    if missing:
        names = ", ".join(dict.fromkeys(missing))
        draft.warnings.append(
            _("Relations to what is not there were left out: %(names)s.") % {"names": names[:200]}
        )


def _label(kind: str) -> str:
    if kind in {"blocks", "blocked-by"}:
        return "Depends on"
    return kind.replace("-", " ").capitalize() or "Related"


def _dependencies(issue: Members, key: str) -> list[tuple[str, str]]:
    """The kinds of relations of an issue, and to which ids."""
    found: list[tuple[str, str]] = []
    for each in issue.objects("dependencies"):
        other = _id(each.raw("depends_on_id"))
        if other and _id(each.raw("issue_id")) in {"", key}:
            found.append((each.line("type", "dependency_type"), other))
    return found


def _rest(issue: Members) -> Iterator[tuple[str, str]]:
    """Members that this does not know and that say something in a line."""
    for name in issue.names():
        value = issue.raw(name)
        if name not in _TAKEN and isinstance(value, str | int | float | list):
            yield line_of(name), text_of(value) if value else ""


def _id(value: Json) -> str:
    return storable(line_of(value)) if isinstance(value, str | int) else ""


def _file_of(source: Source) -> SourceFile | None:
    """The file of issues: a single one, else the one of the usual name, else one with issues."""
    if source.single:
        return source.single
    files = list(source.with_suffix(".jsonl"))
    for name in _NAMES:
        for file in files:
            if file.name.rpartition("/")[2] == name:
                return file
    return next((file for file in files if _has_issue(file)), None)


def _has_issue(file: SourceFile) -> bool:
    with suppress(*UNREADABLE):
        for row, _count in zip(rows_of(file), range(_LOOKED_AT), strict=False):
            if _kind_of(row) == _ISSUE and isinstance(row.value, dict) and _is_issue(row.value):
                return True
    return False


def _is_issue(value: dict[str, Json]) -> bool:
    texts = all(isinstance(value.get(name), str) for name in ("id", "title", "status"))
    return texts and ("issue_type" in value or isinstance(value.get("priority"), int))


def _others(source: Source, file: SourceFile) -> Iterator[Problem]:
    count = len(source.files) - 1
    if count:
        reason = ngettext(
            "Another file of the source is not read.",
            "%(count)d other files of the source are not read.",
            count,
        )
        yield Problem(storable(file.name), reason % {"count": count}, left_out=False)


BEADS: Final = Importer(
    name="beads",
    label=gettext_lazy("beads"),
    hint=gettext_lazy("The file .beads/issues.jsonl of the repository, or what bd export prints."),
    looks_like=looks_like,
    read=read,
)
