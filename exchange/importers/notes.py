"""Notes: Markdown files that name each other by wiki links, as Obsidian and others keep them."""

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Final
from urllib.parse import unquote

from django.utils.translation import ngettext

from conderis.common.json import Json
from conderis.common.secrets import find_secret
from exchange.importers.drafts import Draft, tags_of
from exchange.importers.folders import Entry, text_read
from exchange.importers.front_matter import FrontMatter, read_front_matter
from exchange.importers.texts import without_code
from exchange.importers.values import line_of, moment_of, person_of, words_of
from exchange.records import Credit, Link, Problem

_HEADING = re.compile(r"\s*# +(\S[^\n]*?)(?:[ \t]+#+)?[ \t]*(?:\n|\Z)")
_TOP_HEADINGS = re.compile(r"^# +\S", re.MULTILINE)
_WIKI_LINK = re.compile(r"\[\[([^\[\]|#^\n]+)(?:[#^][^\[\]|\n]*)?(?:\\?\|[^\[\]\n]*)?\]\]")
_FILE_LINK = re.compile(r"\]\(<?([^()<>\s:]+\.(?:md|markdown))(?:#[^()\s]*)?>?\)", re.IGNORECASE)
_TAG = re.compile(r"(?<!\S)#([\w/-]*[^\W\d_][\w/-]*)")
_NAMED_AT_MOST: Final = 5  # links that lead nowhere, in a warning
_CREATED: Final = ("created", "date created", "created_at", "created_date", "creation date", "date")
_CHANGED: Final = ("updated", "modified", "date modified", "date updated", "updated_at",
                   "updated_date", "last_modified", "last modified", "lastmod")  # fmt: skip


@dataclass(slots=True)
class Note:
    """A note as it was read; `front` loses what is taken out of it."""

    entry: Entry
    front: FrontMatter
    title: str
    body: str  # without front matter, and without the heading that is its title
    warnings: list[str]
    headed: bool = False  # it has a title of its own, not only a file name

    @property
    def path(self) -> str:
        """Where the note lies in its source."""
        return self.entry.path


def note_of(entry: Entry) -> Note | Problem:
    """The note in a file, or why it cannot be read.

    Its title is that of the front matter, else the heading that begins its text, where that is
    the only one of its level, else the file's name. The heading is not doubled.
    """
    read = text_read(entry)
    if isinstance(read, Problem):
        return read
    text, warnings = read
    front, body = read_front_matter(text)
    title = line_of(front.take("title"))
    heading = _HEADING.match(body)
    if heading and len(_TOP_HEADINGS.findall(without_code(body))) == 1:
        first = line_of(heading[1])
        if title in {"", first}:
            title, body = first, body[heading.end() :].lstrip("\n")
    return Note(
        entry, front, title or line_of(entry.pure.stem) or entry.path, body,
        [*warnings, *front.warnings], headed=bool(title),
    )  # fmt: skip


@dataclass(slots=True)
class Index:
    """By which names the notes of a source can be found; small, whatever the notes hold."""

    by_path: dict[str, str] = field(default_factory=dict)  # to keys
    by_name: dict[str, list[str]] = field(default_factory=dict)  # the file's name, to paths
    by_title: dict[str, str] = field(default_factory=dict)  # titles, aliases, permalinks, to keys

    def add(self, note: Note, key: str, names: Iterable[str]) -> None:
        """Take up a note under its path and these names; the first note of a name has it."""
        path = _folded(posixpath.splitext(note.path)[0])
        self.by_path.setdefault(path, key)
        self.by_name.setdefault(posixpath.basename(path), []).append(path)
        for name in (note.title, *names):
            self.by_title.setdefault(_folded(name), key)

    def key_of(self, target: str, folder: str) -> str | None:
        """The key of the note that a link in a file of this folder means; None for none."""
        name = re.sub(r"\.(md|markdown)$", "", _folded(target).lstrip("/"))
        near = posixpath.normpath(posixpath.join(_folded(folder), name))
        for path in (near, name):
            if path in self.by_path:
                return self.by_path[path]
        paths = self.by_name.get(posixpath.basename(name), [])
        if fitting := [path for path in paths if f"/{path}".endswith(f"/{name}")]:
            return self.by_path[min(fitting, key=lambda path: (path.count("/"), path))]
        return self.by_title.get(_folded(target))


@dataclass(slots=True)
class Linking:
    """Relations between the notes of a source, each pair once."""

    index: Index
    _pairs: set[frozenset[str]] = field(default_factory=set)

    def link(self, draft: Draft, note: Note) -> None:
        """Relate the draft to what its text links to; what is not there is said."""
        missing: list[str] = []
        folder = posixpath.dirname(note.path)
        for target in dict.fromkeys(_targets(note.body)):
            key = self.index.key_of(target, folder)
            if key is None:
                missing.append(line_of(target)[:60])
                continue
            pair = frozenset((key, draft.key))
            if key != draft.key and pair not in self._pairs:
                self._pairs.add(pair)
                draft.links.append(Link("relates", key))
        if missing:
            draft.warnings.append(_leads_nowhere(missing))


def common_fields(draft: Draft, note: Note) -> None:
    """Take over what notes of every kind say of themselves: tags, times, author."""
    front = note.front
    draft.tags = tags_of(
        *(words_of(front.take(name)) for name in ("tags", "tag") if _are_words(front.get(name)))
    )
    draft.credit = Credit(person_of(front.take("author", "authors"))[:200])
    draft.created = _taken_time(front, _CREATED)
    draft.changed = _taken_time(front, _CHANGED)
    draft.warnings = note.warnings


def _are_words(value: Json) -> bool:
    return not isinstance(value, dict)


def inline_tags(body: str) -> Iterator[str]:
    """The tags that stand as `#tag` in a text, outside code."""
    if "#" in body:
        yield from (match[1] for match in _TAG.finditer(without_code(body)))


def _taken_time(front: FrontMatter, names: Iterable[str]) -> datetime | None:
    for name in names:
        if moment := moment_of(front.get(name)):
            front.take(name)
            return moment
    return None


def _targets(body: str) -> Iterator[str]:
    if "[" not in body:
        return
    prose = without_code(body)
    yield from (match[1].strip() for match in _WIKI_LINK.finditer(prose) if match[1].strip())
    yield from (unquote(match[1], errors="replace") for match in _FILE_LINK.finditer(prose))


def _leads_nowhere(names: list[str]) -> str:
    count = len(names)
    harmless = (name for name in names if not find_secret(name))
    shown = ", ".join(f"[[{name}]]" for name in islice(harmless, _NAMED_AT_MOST))
    if count > _NAMED_AT_MOST:
        shown += ", …"
    sentence = ngettext(
        "A link stays as text, as nothing of this source has its name: %(names)s.",
        "%(count)d links stay as text, as nothing of this source has their names: %(names)s.",
        count,
    )
    return sentence % {"count": count, "names": shown}


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold().strip()
