"""Files of a folder or an archive, under names that are safe, readable and the same each time."""

import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exchange.importers.texts import decoded
from exchange.importers.values import storable
from exchange.records import Problem
from exchange.sources import Source, SourceFile

MARKDOWN: Final = (".md", ".markdown")
UNREADABLE: Final = (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError)
MAX_TEXT: Final = 4 * 1024**2  # bytes; more than the longest page takes in any encoding
_LOOKED_AT: Final = 100  # files, to tell a format


@dataclass(frozen=True, slots=True)
class Entry:
    """A file by its path: with slashes, nothing that leads elsewhere, no undecodable letters."""

    path: str
    file: SourceFile

    @property
    def pure(self) -> PurePosixPath:
        """The path, to take apart."""
        return PurePosixPath(self.path)

    @property
    def is_markdown(self) -> bool:
        """Whether its name ends as Markdown's do."""
        return self.pure.suffix.lower() in MARKDOWN

    @property
    def hidden_in(self) -> str:
        """The hidden folder that it lies in (or is), as `.obsidian`; "" for none."""
        parts = self.pure.parts
        for count, part in enumerate(parts, start=1):
            if part.startswith("."):
                return "/".join(parts[:count])
        return ""

    def beginning(self) -> str:
        """Its first characters, to tell what it is; "" where it cannot be read."""
        try:
            return decoded(self.file.beginning())[0]
        except UNREADABLE:
            return ""


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a source by path, and what is wrong with some of their names."""

    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]


def listed(source: Source) -> Listing:
    """The files of a source. The folder that an archive wraps everything in does not count."""
    found: dict[str, Entry] = {}
    problems: list[Problem] = []
    for path, file in _without_wrapper(source.name, [(_clean(f.name), f) for f in source.files]):
        if path in found:
            problems.append(Problem(path, _("There is a second file of this name.")))
        elif path:
            found[path] = Entry(path, file)
    return Listing(tuple(found[path] for path in sorted(found)), tuple(problems))


def sampled(source: Source) -> list[Entry]:
    """Some Markdown files of a source that are not hidden, to tell its format by."""
    markdown = (each for each in listed(source).entries if each.is_markdown and not each.hidden_in)
    return [entry for entry, _count in zip(markdown, range(_LOOKED_AT), strict=False)]


def text_read(entry: Entry) -> tuple[str, list[str]] | Problem:
    """The text of a file and warnings about it, or why it cannot be read."""
    try:
        content = entry.file.read() if entry.file.size <= MAX_TEXT else None
    except UNREADABLE:
        return Problem(entry.path, _("This file cannot be read: it is damaged or encrypted."))
    if content is None or len(content) > MAX_TEXT:
        return Problem(
            entry.path,
            _("This file is too large: a text may have up to %(limit)d MB.")
            % {"limit": MAX_TEXT // 1024**2},
        )
    text, encoding = decoded(content)
    if encoding is None:
        return text, []
    return text, [_("The file is no UTF-8; it was read as %(encoding)s.") % {"encoding": encoding}]


def hidden(entries: Iterable[Entry]) -> Iterator[Problem]:
    """A word about each hidden folder whose files are left alone."""
    counts: dict[str, int] = {}
    for entry in entries:
        if place := entry.hidden_in:
            counts[place] = counts.get(place, 0) + 1
    for place, count in counts.items():
        reason = ngettext(
            "Hidden: its file is not imported.",
            "Hidden: its %(count)d files are not imported.",
            count,
        )
        yield Problem(place, reason % {"count": count}, left_out=False)


def _clean(name: str) -> str:
    """The name as a path: NFC, slashes, without `..`, a drive or a leading slash."""
    parts = unicodedata.normalize("NFC", storable(name)).replace("\\", "/").split("/")
    return "/".join(part for part in parts if part.strip() not in {"", ".", ".."})


def _without_wrapper(
    source_name: str, files: list[tuple[str, SourceFile]]
) -> list[tuple[str, SourceFile]]:
    tops = {path.partition("/")[0] for path, _file in files}
    wrapped = len(tops) == 1 and all("/" in path for path, _file in files)
    if not (wrapped and source_name.lower().endswith(".zip")):
        return files
    top = next(iter(tops))
    if top.startswith("."):  # .beads, .taskmaster: the folder says what it is
        return files
    return [(path.partition("/")[2], file) for path, file in files]
