"""Notes of basic-memory: Markdown with observations and relations, as memories."""

import re
from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exchange.importers.base import Importer, Options
from exchange.importers.drafts import Draft, tags_of
from exchange.importers.folders import Entry, hidden, listed, sampled
from exchange.importers.front_matter import read_front_matter
from exchange.importers.notes import Index, Linking, Note, common_fields, inline_tags, note_of
from exchange.importers.values import line_of, storable
from exchange.records import Found, Problem, Record
from exchange.sources import Source
from items.kinds.memory import MEMORY, SHARED, TYPES
from items.kinds.page import PAGE

_SIGNS = re.compile(
    r"^## (?:Observations|Relations)[ \t]*\n(?:[ \t]*\n)*- (?:\[[^\]\n]+\] \S|[^\n\[]*\[\[)",
    re.MULTILINE,
)
_OURS: Final = frozenset(TYPES) - {"session"}  # a session would expire at once
_MAX_SUMMARY: Final = 300


def looks_like(source: Source) -> bool:
    """Whether at least half of its Markdown files have a permalink, observations or relations."""
    beginnings = [entry.beginning() for entry in sampled(source)]
    return bool(beginnings) and sum(map(_is_note, beginnings)) * 2 >= len(beginnings)


def read(source: Source, _options: Options) -> Iterator[Found]:
    """Every note as a shared memory, or a page where it is too long for one."""
    listing = listed(source)
    yield from listing.problems
    yield from hidden(listing.entries)
    entries: list[Entry] = []
    for entry in listing.entries:
        if entry.hidden_in:
            continue
        if entry.is_markdown:
            entries.append(entry)
        else:
            yield Problem(entry.path, _("Only Markdown files are notes; this file is left out."))
    index = Index()
    linking = Linking(index)
    for key, entry in _indexed(entries, index).items():
        yield _memory(entry, key, linking)


def _is_note(beginning: str) -> bool:
    front, body = read_front_matter(beginning)
    return front.get("permalink") is not None or _SIGNS.search(body) is not None


def _indexed(entries: list[Entry], index: Index) -> dict[str, Entry]:
    """The notes by key: their permalink, or their path (where it is another's permalink too)."""
    keys: dict[str, Entry] = {}
    for entry in entries:
        note = note_of(entry)
        link = line_of(note.front.get("permalink")) if isinstance(note, Note) else ""
        key = storable(link) or entry.path
        key = f"file:{entry.path}" if key in keys else key
        keys[key] = entry
        if isinstance(note, Note):
            index.add(note, key, [link])
    return keys


def _memory(entry: Entry, key: str, linking: Linking) -> Record | Problem:
    note = note_of(entry)
    if isinstance(note, Problem):
        return note
    draft = Draft(
        key, entry.path, MEMORY.name, note.title, note.body, other_kind=PAGE.name,
        fields={"visibility": SHARED},
    )  # fmt: skip
    common_fields(draft, note)
    draft.tags = tags_of(draft.tags, inline_tags(note.body))
    _take_type(draft, note)
    _take_summary(draft, note)
    folder = entry.path.rpartition("/")[0]
    draft.details = [("Folder", folder)]
    draft.take_rest(note.front)
    linking.link(draft, note)
    return draft.finished()


def _take_type(draft: Draft, note: Note) -> None:
    """The type, where it is one of ours; others stay among the details, but for `note`."""
    word = line_of(note.front.get("type")).lower()
    if word in _OURS:
        draft.fields["type"] = word
    if word in _OURS or word == "note":
        note.front.take("type")


def _take_summary(draft: Draft, note: Note) -> None:
    for name in ("summary", "description"):
        text = line_of(note.front.get(name))
        if 0 < len(text) <= _MAX_SUMMARY:
            note.front.take(name)
            draft.fields["summary"] = text
            return


BASIC_MEMORY: Final = Importer(
    name="basic-memory",
    label=gettext_lazy("basic-memory notes"),
    hint=gettext_lazy(
        "The folder of the project (~/basic-memory, unless set otherwise), or a zip archive of it."
    ),
    looks_like=looks_like,
    read=read,
)
