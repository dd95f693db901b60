"""Tasks, documents and decisions that Backlog.md keeps as Markdown files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from exchange.importers.base import Importer, Options
from exchange.importers.drafts import Draft, tags_of
from exchange.importers.folders import Entry, listed, sampled
from exchange.importers.front_matter import FrontMatter, read_front_matter
from exchange.importers.notes import Note, common_fields, note_of
from exchange.importers.parents import parents_first, without_circles
from exchange.importers.statuses import priority_of, status_of
from exchange.importers.values import day_of, line_of, lines_of, person_of, storable, text_of
from exchange.records import Found, Link, Problem, Record
from exchange.sources import Source
from items.kinds.page import PAGE
from items.kinds.task import TASK

_FOLDERS: Final = ("backlog", ".backlog")
_TASK_FILE = re.compile(r"([a-z]\w*-\d+(?:\.\d+)*)(?:\s*-\s*|\Z)(.*)", re.IGNORECASE)
_BARE_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_MARKERS = re.compile(r"^[ \t]*<!-- [A-Z_]+(?::[A-Z_]+)*:(?:BEGIN|END) -->[ \t]*\n?", re.MULTILINE)
_PAGES: Final = {"docs": "Documents", "documents": "Documents", "decisions": "Decisions",
                 "milestones": "Milestones"}  # fmt: skip
_PAGE_FILE = re.compile(r"(doc|decision|m)-\d+", re.IGNORECASE)
_PAGE_FOLDERS: Final = {"doc": "docs", "decision": "decisions", "m": "milestones"}
_ORDER: Final = ("tasks", "completed", "drafts", "archive")  # of two with one id the first counts
_USUAL: Final = frozenset({"", "to do", "in progress", "done", "blocked", "draft"})


def looks_like(source: Source) -> bool:
    """Whether a Markdown file is named as a task is, with an id and a status before its text."""
    for entry in sampled(source):
        if _TASK_FILE.match(entry.pure.stem) or "/tasks/" in f"/{entry.path}":
            front, _body = read_front_matter(entry.beginning())
            named = _TASK_FILE.fullmatch(line_of(front.get("id")))
            if named and front.get("status") is not None:
                return True
    return False


def read(source: Source, _options: Options) -> Iterator[Found]:
    """Tasks, parents first, then documents, decisions and milestones as pages."""
    listing = listed(source)
    yield from listing.problems
    base = _base(listing.entries)
    inside = [each for each in listing.entries if each.path.startswith(base)]
    if outside := len(listing.entries) - len(inside):
        yield _outside(base, outside)
    tasks: list[_File] = []
    pages: list[_File] = []
    for entry in inside:
        file = _File(entry, base)
        if file.problem:
            yield file.problem
        else:
            (pages if file.page_of else tasks).append(file)
    yield from _tasks(tasks)
    yield from _pages(pages)


@dataclass(slots=True)
class _File:
    """A file of the backlog by the folder it lies in."""

    entry: Entry
    base: str
    folder: str = field(init=False)
    archived: bool = field(init=False)
    page_of: str = field(init=False)  # the folder whose page it becomes one of; "" for tasks

    def __post_init__(self) -> None:
        folders = [part.casefold() for part in self.entry.path[len(self.base) :].split("/")[:-1]]
        self.archived = "archive" in folders[:1]
        self.folder = folders[self.archived] if len(folders) > self.archived else ""
        named = _PAGE_FILE.match(self.entry.pure.stem)
        self.page_of = self.folder if self.folder in _PAGES else ""
        if named and self.folder in {"", *_PAGE_FOLDERS.values()}:
            self.page_of = self.page_of or _PAGE_FOLDERS[named[1].lower()]

    @property
    def problem(self) -> Problem | None:
        """A word about a file that is neither task nor page."""
        if self.entry.is_markdown and (self.page_of or _TASK_FILE.match(self.entry.pure.stem)
                                       or self.folder in _ORDER):  # fmt: skip
            return None
        settings = self.entry.pure.name in {"config.yml", "config.yaml", "backlog.config.yml"}
        reason = _("Settings are not imported.") if settings else _("This is no file of a task.")
        return Problem(self.entry.path, reason, left_out=not settings)

    @property
    def rank(self) -> int:
        """Its place among files with one id."""
        order = "archive" if self.archived else self.folder
        return _ORDER.index(order) if order in _ORDER else 0


@dataclass(slots=True)
class _Graph:
    """What the tasks say of each other, by key."""

    files: dict[str, _File] = field(default_factory=dict)
    parents: dict[str, str | None] = field(default_factory=dict)
    waits: dict[str, list[str]] = field(default_factory=dict)
    blocks: dict[str, list[str]] = field(default_factory=dict)
    guesses: dict[str, str] = field(default_factory=dict)  # parents by the dots of an id alone
    lost: set[str] = field(default_factory=set)


def _tasks(files: list[_File]) -> Iterator[Found]:
    graph = _Graph()
    for file in sorted(files, key=lambda each: (each.rank, each.entry.path)):
        note = note_of(file.entry)
        if isinstance(note, Problem):
            yield note
            continue
        key = _id_of(note)
        if key in graph.files:
            other = graph.files[key].entry.path
            yield Problem(file.entry.path, _("Its id is that of %(other)s.") % {"other": other})
            continue
        graph.files[key] = file
        graph.parents[key] = _parent_of(note.front, key)
        if graph.parents[key] is None and _TASK_FILE.fullmatch(key):
            graph.guesses[key] = key.rpartition(".")[0]
        graph.waits[key] = [_key(each, key) for each in lines_of(note.front.get("dependencies"))]
    _settle(graph)
    ordered = {key: graph.parents[key] for key in sorted(graph.parents, key=_natural)}
    for key in parents_first(ordered):
        yield _task(key, graph)


def _settle(graph: _Graph) -> None:
    for key, guess in graph.guesses.items():
        graph.parents[key] = guess if guess in graph.files else None
    graph.parents, graph.lost = without_circles(graph.parents)
    for key, waits in graph.waits.items():
        for other in waits:
            if other in graph.files and other != key:
                graph.blocks.setdefault(other, []).append(key)


def _task(key: str, graph: _Graph) -> Record | Problem:
    file = graph.files[key]
    note = note_of(file.entry)
    if isinstance(note, Problem):  # it could be read a moment ago
        return note
    front = note.front
    title = note.title if note.headed else _title_of(file.entry)
    draft = Draft(key, file.entry.path, TASK.name, title, _MARKERS.sub("", note.body),
                  parent=graph.parents[key])  # fmt: skip
    common_fields(draft, note)
    draft.details = [("ID", line_of(front.take("id")))]
    draft.tags = tags_of(draft.tags, lines_of(front.take("labels")))
    _take_status(draft, front, file)
    _take_priority(draft, front)
    if due := day_of(front.get("due_date") or front.get("duedate") or front.get("due")):
        draft.fields["due"] = due
        front.take("due_date", "duedate", "due")
    draft.details.append(("Assignee", person_of(front.take("assignee", "assignees"))))
    draft.details.append(("Reporter", person_of(front.take("reporter"))))
    front.take("ordinal")
    _take_relations(draft, front, graph)
    draft.take_rest(front)
    return draft.finished()


def _take_status(draft: Draft, front: FrontMatter, file: _File) -> None:
    word = line_of(front.take("status"))
    status = status_of(word) or "open"
    if word.casefold() not in _USUAL:
        draft.details.append(("Status", word))
    if file.folder == "drafts":
        draft.tags = tags_of(draft.tags, ["draft"])
    if file.archived:
        status = "done" if status == "done" else "canceled"
        draft.tags = tags_of(draft.tags, ["archived"])
    elif file.folder == "completed" and status != "canceled":
        status = "done"
    draft.fields["status"] = status
    if status == "blocked":
        draft.fields["blockedReason"] = "Blocked in Backlog.md."


def _take_priority(draft: Draft, front: FrontMatter) -> None:
    if priority := priority_of(line_of(front.get("priority"))):
        front.take("priority")
        draft.fields["priority"] = priority


def _take_relations(draft: Draft, front: FrontMatter, graph: _Graph) -> None:
    key = draft.key
    parent = front.take("parent_task_id", "parent")
    if key in graph.lost:
        draft.details.append(("Parent", line_of(parent)))
        draft.warnings.append(_("Its parent is not there; it stands at the top."))
    front.take("dependencies")
    missing = [other for other in graph.waits[key] if other not in graph.files]
    if missing:
        names = ", ".join(missing)
        draft.details.append(("Depends on", names))
        draft.warnings.append(
            _("What it depends on is not there: %(names)s.") % {"names": names[:200]}
        )
    draft.links = [Link("blocks", other) for other in dict.fromkeys(graph.blocks.get(key, []))]


def _pages(files: list[_File]) -> Iterator[Found]:
    made: set[str] = set()
    for file in sorted(files, key=lambda each: (_PAGES[each.page_of], each.entry.path)):
        name = _PAGES[file.page_of]
        if name not in made:
            made.add(name)
            yield Draft(f"{name.lower()}/", name, PAGE.name, title=name).finished()
        note = note_of(file.entry)
        if isinstance(note, Problem):
            yield note
            continue
        title = note.title if note.headed else _title_of(file.entry)
        key = file.entry.path[len(file.base) :]
        draft = Draft(key, file.entry.path, PAGE.name, title, _MARKERS.sub("", note.body),
                      parent=f"{name.lower()}/")  # fmt: skip
        common_fields(draft, note)
        if file.archived:
            draft.tags = tags_of(draft.tags, ["archived"])
        draft.take_rest(note.front)
        yield draft.finished()


def _base(entries: tuple[Entry, ...]) -> str:
    """The path of the backlog's folder with a slash; "" where the source is that folder."""
    bases = {
        "/".join(parts[:place]) + "/"
        for entry in entries
        for parts in [entry.path.split("/")]
        for place in range(1, len(parts))
        if parts[place - 1].casefold() in _FOLDERS and parts[place].casefold() in _ORDER
    }
    return min(bases, key=lambda base: (base.count("/"), base), default="")


def _outside(base: str, count: int) -> Problem:
    reason = ngettext(
        "A file outside of this folder is not read.",
        "%(count)d files outside of this folder are not read.",
        count,
    )
    return Problem(base, reason % {"count": count}, left_out=False)


def _id_of(note: Note) -> str:
    named = _TASK_FILE.match(note.entry.pure.stem)
    given = line_of(note.front.get("id")) or (named[1] if named else note.path)
    return _key(given, named[1] if named else "task-0")


def _key(given: str, like: str) -> str:
    """An id as a key: `TASK-007` and `7` beside `task-3` are both `task-7`."""
    text = storable(given).casefold().strip()
    if _BARE_NUMBER.fullmatch(text):
        text = f"{like.rpartition('-')[0] or 'task'}-{text}".casefold()
    return re.sub(r"(?<![\w])0+(?=\d)", "", text)


def _parent_of(front: FrontMatter, key: str) -> str | None:
    given = line_of(front.get("parent_task_id") or front.get("parent"))
    return _key(given, key) if given else None


def _title_of(entry: Entry) -> str:
    named = _TASK_FILE.match(entry.pure.stem)
    rest = text_of(named[2]) if named else ""
    return rest.replace("-", " ").strip() or entry.pure.stem


def _natural(key: str) -> list[tuple[int, int | str]]:
    return [(0, int(part[:18])) if part.isdecimal() else (1, part)
            for part in re.split(r"(\d+)", key)]  # fmt: skip


BACKLOG_MD: Final = Importer(
    name="backlog-md",
    label=gettext_lazy("Backlog.md"),
    hint=gettext_lazy("The folder backlog/ of the repository, or a zip archive of it."),
    looks_like=looks_like,
    read=read,
)
