"""The lines of a recall: what each says in full, and how it is shortened to fit.

A line begins with its item's reference and version, and whatever was stored stands
behind them on the same line, so that it reads as data and never as a heading.
"""

from dataclasses import dataclass

from conderis.common.text import cut_at_word

MIN_TITLE = 24  # characters of a title below which a line is left out
MIN_DETAIL = 12  # characters of a detail below which it is left out of its line
FEW_TITLES = 8  # of a bag's children, before all other entries have their line
CUT = "…"


def one_line(text: str) -> str:
    """The text on one line; every kind of line break and run of blanks is one blank."""
    # Nearly all are so already. No blank but the plain one is printable.
    if text.isprintable() and "  " not in text and text.strip(" ") == text:
        return text
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Entry:
    """One item: `head` is its reference and version, `marks` what is told about it.

    `children` are the titles of a bag's children, each under its own reference. `group`
    orders the shown entries; where it is the same, they keep the order of their rank.
    """

    head: str
    title: str
    marks: tuple[str, ...] = ()
    detail: str = ""
    children: tuple[str, ...] = ()
    group: tuple[int, str] = (0, "")

    @property
    def line(self) -> str:
        """The entry without the titles of its children."""
        return f"{self.head} {self.title}{self._marks}{': ' if self.detail else ''}{self.detail}"

    @property
    def full(self) -> str:
        """The entry as it is shown where there is room."""
        return self._with_titles(len(self.children))

    @property
    def brief(self) -> str:
        """The entry with a few titles of its children."""
        return self._with_titles(min(FEW_TITLES, len(self.children)))

    def fit(self, room: int) -> str | None:
        """`brief`, shortened to at most `room` characters; None where that is too few.

        More room never gives a shorter text.
        """
        brief = self.brief
        if len(brief) <= room:
            return brief
        return self._with_titles_in(room) if len(self.line) <= room else self._cut(room)

    def grown(self, room: int) -> str:
        """The entry with as many titles of its children as `room` holds, `brief` at least."""
        full = self.full
        if len(full) <= room:
            return full
        grown = self._with_titles_in(room)
        return max(grown, self.brief, key=len)

    @property
    def _marks(self) -> str:
        return f" ({', '.join(self.marks)})" if self.marks else ""

    def _with_titles(self, count: int) -> str:
        if not self.children:
            return self.line
        shown = list(self.children[:count])
        if count < len(self.children):
            shown.append(f"+{len(self.children) - count} more")
        return f"{self.line}\n  {'; '.join(shown)}"

    def _with_titles_in(self, room: int) -> str:
        """The line with the first titles that fit; without any where not one does."""
        left = room - len(self.line) - len(f"\n  ; +{len(self.children)} more")
        count = 0
        for title in self.children[:-1]:
            left -= len(title) + (2 if count else 0)
            if left < 0:
                break
            count += 1
        return self._with_titles(count) if count else self.line

    def _cut(self, room: int) -> str | None:
        """The line with its detail or title cut at a word."""
        whole = f"{self.head} {self.title}{self._marks}"
        if self.detail and len(whole) + 2 + len(CUT) <= room:
            left = room - len(whole) - 2
            return f"{whole}: {cut_at_word(self.detail, left) if left >= MIN_DETAIL else CUT}"
        tail = f"{self._marks}: {CUT}" if self.detail else self._marks
        left = room - len(self.head) - 1 - len(tail)
        if left < min(MIN_TITLE, len(self.title)):
            return None
        return f"{self.head} {cut_at_word(self.title, left)}{tail}"
