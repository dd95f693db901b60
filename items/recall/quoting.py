"""A section of whole texts, quoted line by line so that their headings are none of ours."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from conderis.common.text import LINE_BREAKS, cut_at_word
from items.parts import outline
from items.recall.budget import WHOLE, Ask, allot
from items.recall.entries import CUT

MIN_WORDS = 20  # characters of a line below which it is left out instead of cut


@dataclass(frozen=True, slots=True)
class Line:
    """A quoted line; `end` is how long the text is up to and with it, `opens` a heading."""

    text: str
    end: int
    opens: bool


def quoted(text: str) -> list[Line]:
    """The lines of a text, each behind `> `; every kind of line break parts them."""
    headings = {each.offset for each in outline(text)}
    lines: list[Line] = []
    start = end = 0
    for stop in [*(found.start() for found in LINE_BREAKS.finditer(text)), len(text)]:
        line = f"> {text[start:stop]}".rstrip()
        end += len(line) + (1 if lines else 0)
        lines.append(Line(line, end, start in headings))
        start = stop + 1
    return lines


def cut_quote(lines: Sequence[Line], room: int) -> str:
    """The first lines in at most `room` characters, cut before a heading.

    Where that would leave half of the room empty they are cut between lines, else
    between words. More room never gives a shorter text.
    """
    fitting = sum(line.end <= room for line in lines)
    heading = max((at for at in range(1, fitting + 1) if _is_cut(lines, at)), default=0)
    for count in (heading, fitting):
        if count and lines[count - 1].end * 2 >= room:
            return _joined(lines[:count])
    text = _joined(lines[:fitting])
    left = room - len(text) - (1 if text else 0) - len("> ")
    if fitting == len(lines) or left < MIN_WORDS:
        return text
    cut = f"> {cut_at_word(lines[fitting].text[2:], left)}"
    return f"{text}\n{cut}" if text else cut


def _is_cut(lines: Sequence[Line], at: int) -> bool:
    """Whether the text may end before the line at this place."""
    return at == len(lines) or lines[at].opens


def _joined(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines)


@dataclass(frozen=True, slots=True)
class Quote:
    """A stored text under its label; `rest` says how the whole of it is read."""

    label: str
    content: str
    rest: str
    lines: list[Line] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", quoted(self.content.strip("\n")))

    @property
    def need(self) -> int:
        """Characters of the whole of it."""
        return max(len(self.label) + len(":\n") + self.lines[-1].end, self._cut_floor)

    @property
    def _cut_label(self) -> str:
        return f"{self.label}, cut ({len(self.content)} characters in all):"

    @property
    def _cut_floor(self) -> int:
        """Characters of its label when it is cut, and of the mark behind what is shown."""
        return len(self._cut_label) + len(f"\n> {CUT}")

    def render(self, room: int) -> tuple[str, bool]:
        """The text in at most `room` characters, and whether it is whole.

        Nothing where not even a few words fit.
        """
        if self.need <= room:
            return f"{self.label}:\n{_joined(self.lines)}", True
        shown = cut_quote(self.lines, room - self._cut_floor - 1)
        return f"{self._cut_label}\n{shown}\n> {CUT}" if shown else "", False


@dataclass(frozen=True, slots=True)
class Quoting:
    """A section of quoted texts, in the order in which they are shown."""

    title: str
    quotes: Sequence[Quote]

    @property
    def total(self) -> int:
        """How many texts there are."""
        return len(self.quotes)

    @property
    def least(self) -> int:
        """Characters of its shortest form: a heading that only counts."""
        return len(self._counts(0))

    @property
    def floor(self) -> int:
        """Characters of its heading when nothing is shown whole."""
        return min(len(self._heading([False] * self.total)), self.need)

    @property
    def need(self) -> int:
        """Characters of the whole section."""
        return len(self._counts(self.total)) + sum(each.need + 1 for each in self.quotes)

    def render(self, room: int) -> str:
        """The section in at most `room` characters, of which it has `least` at least."""
        widest = len(self._heading([False] * self.total))
        if self.need <= room:
            texts = [each.render(each.need) for each in self.quotes]
        elif widest <= room:
            texts = self._shared(room - widest)
        else:
            return self._counts(0)
        shown = (text for text, _ in texts if text)
        return "\n".join([self._heading([whole for _, whole in texts]), *shown])

    def _shared(self, room: int) -> list[tuple[str, bool]]:
        """The texts with equal shares of the room; what one leaves goes to the others."""
        share = WHOLE // self.total
        rooms = allot(room, room, [Ask(0, each.need + 1, share) for each in self.quotes])
        return [each.render(given - 1) for each, given in zip(self.quotes, rooms, strict=True)]

    def _heading(self, whole: Sequence[bool]) -> str:
        cut = (each.rest for each, is_whole in zip(self.quotes, whole, strict=True) if not is_whole)
        rest = "; ".join(cut)
        return self._counts(sum(whole)) + (f" (rest: {rest})" if rest else "")

    def _counts(self, shown: int) -> str:
        counted = f"all {shown}" if shown == self.total else f"{shown} of {self.total}"
        return f"## {self.title}: {counted}"
