"""Files that tell agents how to work (AGENTS.md, CLAUDE.md and such): instructions and pages."""

import re
from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from exchange.importers.base import Importer, Options
from exchange.importers.drafts import Draft
from exchange.importers.folders import Entry, listed, text_read
from exchange.importers.notes import common_fields, note_of
from exchange.importers.values import storable
from exchange.records import Found, Problem, Record
from exchange.sources import Source
from items.kinds.instructions import INSTRUCTIONS
from items.kinds.page import PAGE

INSTRUCTIONS_PART: Final = INSTRUCTIONS.name
PAGES_PART: Final = PAGE.plural
# Of those in the top folder the first becomes the instructions.
_TOP: Final = ("agents.md", "claude.md", "gemini.md", ".github/copilot-instructions.md",
               ".cursorrules", ".windsurfrules", ".clinerules")  # fmt: skip
_NAMES: Final = frozenset({"agents.md", "agents.override.md", "claude.md", "claude.local.md",
                           "gemini.md", "copilot-instructions.md", ".cursorrules",
                           ".windsurfrules", ".clinerules"})  # fmt: skip
_FOLDERS: Final = re.compile(
    r"(?:^|/)(?:\.(?:claude|cursor|windsurf|clinerules|github/instructions)/.*|\.agents/.*)"
    r"\.(?:md|mdc)$",
    re.IGNORECASE,
)
_ENDING: Final = re.compile(r"(?:^|[^a-z])(?:agents|claude|gemini)\.md$", re.IGNORECASE)
_ONLY_IMPORT: Final = re.compile(r"\s*@[^\s]+\s*")


def looks_like(source: Source) -> bool:
    """Whether it is one such file, or a folder without other Markdown."""
    entries = listed(source).entries
    if not any(_is_one(entry, alone=len(entries) == 1) for entry in entries):
        return False
    return not any(
        entry.is_markdown and not entry.hidden_in and not _is_one(entry, alone=len(entries) == 1)
        for entry in entries
    )


def parts(_source: Source) -> list[str]:
    """What can be chosen: pages alone leave the project's instructions as they are."""
    return [INSTRUCTIONS_PART, PAGES_PART]


def read(source: Source, options: Options) -> Iterator[Found]:
    """The instructions first, then every other such file as a page named by its path.

    Where pages alone are chosen, the first file becomes one too.
    """
    chosen = options.only or parts(source)
    listing = listed(source)
    yield from listing.problems
    alone = len(listing.entries) == 1
    entries = [each for each in listing.entries if _is_one(each, alone=alone)]
    if others := len(listing.entries) - len(entries):
        yield _others(source, others)
    top = _top_of(entries, alone=alone) if INSTRUCTIONS_PART in chosen else None
    texts: dict[str, str] = {}  # the files by their texts
    if top is not None:
        yield _instructions(top, texts)
    for entry in entries if PAGES_PART in chosen else []:
        if entry is not top:
            yield _page(entry, texts)


def _is_one(entry: Entry, *, alone: bool) -> bool:
    """Whether agents read the file; one that comes alone may have more before such a name."""
    name = entry.pure.name.casefold()
    if name in _NAMES or _FOLDERS.search(entry.path):
        return True
    return alone and _ENDING.search(name) is not None


def _top_of(entries: list[Entry], *, alone: bool) -> Entry | None:
    paths = {entry.path.casefold(): entry for entry in entries}
    first = next((paths[name] for name in _TOP if name in paths), None)
    return first or (entries[0] if alone and entries else None)


def _instructions(entry: Entry, texts: dict[str, str]) -> Record | Problem:
    read = text_read(entry)
    if isinstance(read, Problem):
        return read
    text, warnings = read
    if not text.strip():
        return Problem(entry.path, _("The file is empty."))
    texts[text.strip()] = entry.path
    return Draft(
        entry.path, entry.path, INSTRUCTIONS.name, entry.pure.name, text, other_kind=PAGE.name,
        warnings=warnings,
    ).finished()  # fmt: skip


def _page(entry: Entry, texts: dict[str, str]) -> Record | Problem:
    read, note = text_read(entry), note_of(entry)
    if isinstance(read, Problem) or isinstance(note, Problem):
        return Problem(entry.path, _("This file cannot be read: it is damaged or encrypted."))
    text = read[0].strip()
    if _ONLY_IMPORT.fullmatch(text):
        return Problem(entry.path, _("It holds nothing but a reference to another file."))
    if text and texts.setdefault(text, entry.path) != entry.path:
        return Problem(entry.path, _("Its text is that of %(other)s.") % {"other": texts[text]})
    heading = f"# {note.title}\n\n" if note.headed and not note.body.startswith("# ") else ""
    draft = Draft(entry.path, entry.path, PAGE.name, entry.path, heading + note.body)
    common_fields(draft, note)
    draft.take_rest(note.front)
    return draft.finished()


def _others(source: Source, count: int) -> Problem:
    reason = ngettext(
        "Another file is not for agents and is not read.",
        "%(count)d other files are not for agents and are not read.",
        count,
    )
    return Problem(storable(source.name), reason % {"count": count}, left_out=False)


AGENTS_MD: Final = Importer(
    name="agents-md",
    label=gettext_lazy("AGENTS.md, CLAUDE.md"),
    hint=gettext_lazy(
        "The file, or a folder or zip archive of the repository to take those in its folders too."
    ),
    looks_like=looks_like,
    read=read,
    parts=parts,
)
