"""A section of entries: what of it is shown in a given room, and its heading."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from items.recall.entries import Entry
from items.recall.lines import Lines, length_of


@dataclass(frozen=True, slots=True)
class Listing:
    """Entries in the order of their rank, the first of `total`.

    `rest` is the call that reads them all. `note` is told in any case, `missing` where
    some had to be left out. Where `entries` are fewer than `total`, they are at least as
    long as the whole recall may be. `need` are the characters of the whole section, or of
    `Lines` that are longer than the whole recall so many that it is longer in any case.
    """

    title: str
    entries: Sequence[Entry]
    total: int
    rest: str
    note: str = ""
    missing: str = ""
    need: int = field(init=False)

    def __post_init__(self) -> None:
        whole = len(self._heading(self.total)) + max(0, self.total - len(self.entries))
        entries = self.entries
        whole += entries.length if isinstance(entries, Lines) else length_of(entries)
        object.__setattr__(self, "need", whole)

    @property
    def least(self) -> int:
        """Characters of its shortest form: a heading that only counts."""
        return len(self._counts(0))

    @property
    def floor(self) -> int:
        """Characters of its heading, with where the rest is read."""
        return min(len(self._heading(0)), self.need)

    def render(self, room: int) -> str:
        """The section in at most `room` characters, of which it has `least` at least."""
        if self.need <= room and len(self.entries) == self.total:
            return self._text([entry.full for entry in self.entries], self.entries)
        # With as many digits as there can be, so that a higher count never costs an entry.
        widest = len(self._heading(0)) + len(str(self.total)) - 1
        if widest > room:
            return self._heading(0) if len(self._heading(0)) <= room else self._counts(0)
        texts = self._filled(room - widest)
        return self._text(list(texts.values()), [self.entries[place] for place in texts])

    def _filled(self, room: int) -> dict[int, str]:
        """The entries that fit, by their place: greedily, the last one cut.

        An entry that has no room is skipped. Nothing follows a cut one: what is left is
        less than a word, and an entry in it could vanish again in a larger room.
        """
        texts: dict[int, str] = {}
        entries = self.entries
        least = entries.least if isinstance(entries, Lines) else [0] * len(entries)
        for place, needed in enumerate(least):
            text = entries[place].fit(room - 1) if needed < room else None
            if text is None:
                continue
            texts[place] = text
            room -= len(text) + 1
            if text != entries[place].brief:
                return texts
        if len(texts) == self.total:
            self._grow(texts, room)
        return texts

    def _grow(self, texts: dict[int, str], room: int) -> None:
        """Give what is left to the titles of bags' children, in the order of the entries."""
        for place, text in texts.items():
            grown = self.entries[place].grown(len(text) + room)
            room -= len(grown) - len(text)
            texts[place] = grown

    def _text(self, texts: Sequence[str], entries: Sequence[Entry]) -> str:
        shown = sorted(zip(entries, texts, strict=True), key=lambda each: each[0].group)
        return "\n".join([self._heading(len(texts)), *(text for _, text in shown)])

    def _heading(self, shown: int) -> str:
        told = [self.note] if self.note else []
        if shown < self.total:
            told = [f"rest: {self.rest}", *([self.missing] if self.missing else []), *told]
        return self._counts(shown) + (f" ({'; '.join(told)})" if told else "")

    def _counts(self, shown: int) -> str:
        counted = f"all {self.total}" if shown == self.total else f"{shown} of {self.total}"
        return f"## {self.title}: {counted}"
