"""A folder of Markdown files (an Obsidian vault, a docs folder) as a tree of pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exchange.importers.base import Importer, Options
from exchange.importers.drafts import Draft, tags_of
from exchange.importers.folders import Entry, hidden, listed
from exchange.importers.notes import Index, Linking, Note, common_fields, inline_tags, note_of
from exchange.importers.values import lines_of
from exchange.records import Found, Problem, Record
from exchange.sources import Source
from items.kinds.page import PAGE

_INDEXES: Final = ("index.md", "_index.md", "readme.md", "index.markdown", "readme.markdown")

Parts = tuple[str, ...]


def looks_like(source: Source) -> bool:
    """Whether there is any Markdown file in it that is not hidden."""
    return any(each.is_markdown and not each.hidden_in for each in listed(source).entries)


def read(source: Source, _options: Options) -> Iterator[Found]:
    """Every Markdown file as a page under its folder's page; a word about every other file."""
    listing = listed(source)
    yield from listing.problems
    yield from hidden(listing.entries)
    shown = [each for each in listing.entries if not each.hidden_in]
    for entry in shown:
        if not entry.is_markdown:
            yield Problem(entry.path, _("Only Markdown files become pages; this file is left out."))
    tree = tree_of([each for each in shown if each.is_markdown])
    linking = Linking(_index(tree))
    for place in tree:
        yield _page(place, linking)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the tree of pages: a file's, or a folder's that may have a file for its page."""

    parts: Parts
    entry: Entry | None
    parent: str | None  # the key of its parent
    indexes: bool = False  # the file is a folder's index, named by its folder

    @property
    def key(self) -> str:
        """The file's path; for a folder without a page of its own its path with a slash."""
        return self.entry.path if self.entry else "/".join(self.parts) + "/"


def tree_of(entries: Sequence[Entry]) -> list[Place]:
    """The pages that these files make, parents first, in the order of their names.

    A folder's page is the file beside it or in it that has its name, else its index or README;
    else it is empty. Those in the top folder are pages like others.
    """
    files = {each.path.casefold(): each for each in entries}
    paths = [each.pure.parts for each in entries]
    every = {parts[:end] for parts in paths for end in range(1, len(parts))}
    folders = sorted(every, key=lambda parts: (len(parts), parts))
    pages: dict[Parts, Entry] = {}
    taken: dict[str, Parts] = {}
    for folder in folders:
        for path in _candidates(folder):
            entry = files.get(path.casefold())
            if entry is not None and entry.path not in taken:
                pages[folder], taken[entry.path] = entry, folder
                break
    keys = {folder: pages[folder].path if folder in pages else "/".join(folder) + "/"
            for folder in folders}  # fmt: skip
    places = [Place(parts, pages.get(parts), keys.get(parts[:-1]), _is_index(pages.get(parts)))
              for parts in folders]  # fmt: skip
    places.extend(
        Place(each.pure.parts, each, keys.get(each.pure.parts[:-1]))
        for each in entries
        if each.path not in taken
    )
    return sorted(places, key=lambda place: (tuple(map(str.casefold, place.parts)), place.parts))


def _candidates(folder: Parts) -> Iterator[str]:
    path = "/".join(folder)
    for suffix in (".md", ".markdown"):
        yield path + suffix
        yield f"{path}/{folder[-1]}{suffix}"
    yield from (f"{path}/{name}" for name in _INDEXES)


def _is_index(entry: Entry | None) -> bool:
    return entry is not None and entry.pure.name.casefold() in _INDEXES


def _index(tree: Sequence[Place]) -> Index:
    index = Index()
    for place in tree:
        if place.entry is not None:
            note = note_of(place.entry)
            if isinstance(note, Note):
                index.add(note, place.key, [*_aliases(note), *place.parts[-1:]])
    return index


def _aliases(note: Note) -> list[str]:
    return lines_of(note.front.get("aliases")) + lines_of(note.front.get("alias"))


def _page(place: Place, linking: Linking) -> Record | Problem:
    if place.entry is None:
        draft = Draft(place.key, place.key, PAGE.name, title=place.parts[-1], parent=place.parent)
        return draft.finished()
    note = note_of(place.entry)
    if isinstance(note, Problem):
        return note
    named = place.parts[-1] if place.indexes and not note.headed else note.title
    draft = Draft(place.key, place.key, PAGE.name, named, note.body, parent=place.parent)
    common_fields(draft, note)
    draft.tags = tags_of(draft.tags, inline_tags(note.body))
    aliases = _aliases(note)
    note.front.take("aliases")
    note.front.take("alias")
    draft.details = [("Aliases", ", ".join(aliases))]
    draft.take_rest(note.front)
    linking.link(draft, note)
    return draft.finished()


VAULT: Final = Importer(
    name="vault",
    label=gettext_lazy("Markdown files (Obsidian or any folder)"),
    hint=gettext_lazy("The folder of the vault, or a zip archive of it."),
    looks_like=looks_like,
    read=read,
)
