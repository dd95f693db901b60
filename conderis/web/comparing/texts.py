"""Two versions of a text side by side: paragraphs first, then the words inside a pair."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final

from conderis.web.comparing.marking import Marking
from conderis.web.comparing.matching import Budget, Run, TooDearError, runs_of
from conderis.web.comparing.pairing import least_cost, pairs_of
from conderis.web.comparing.units import Unit, lines_of, paragraphs_of, thirds_of
from conderis.web.comparing.wording import (
    Change,
    Segment,
    coarse_tokens_of,
    segments_of,
    tokens_of,
    whole,
    words_in,
)

MOST_UNITS: Final = 2_000_000
"""What aligning paragraphs may cost, in looks at a pair (about a tenth of a microsecond)."""
MOST_WORDS: Final = 1_000_000
"""The same for all words of a text (less than half a second with the splitting into words)."""
MOST_LINES: Final = 30_000
"""Lines of a text that are aligned one by one."""
MOST_ROWS: Final = 1_500
"""Rows with a change; what follows is shown whole."""
MOST_FINE: Final = 100_000
"""Characters of a paragraph that is split at signs too, and not at blanks alone."""
MOST_APART: Final = 60
"""Paragraphs in a row, all removed or all added, that get a row each."""
LEAST_FOLDED: Final = 2


class RowKind(StrEnum):
    """What a row shows."""

    SAME = "same"
    CHANGED = "changed"
    REMOVED = "removed"
    ADDED = "added"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Row:
    """A paragraph or line of both sides, or a fold of unchanged ones.

    `segments` are in the order of reading in one column. Numbers are those of the first
    paragraph or line, None where a side has none. `count` is how many the row holds,
    `blank` how many blank lines, if it has nothing else. `old_text` and `new_text` are
    the source with its line ends: those of all rows joined are the two texts.
    """

    kind: RowKind
    segments: tuple[Segment, ...]
    old_number: int | None
    new_number: int | None
    old_text: str
    new_text: str
    count: int = 1
    blank: int = 0

    @property
    def old_segments(self) -> tuple[Segment, ...]:
        """What stood before."""
        return tuple(each for each in self.segments if each.change is not Change.ADDED)

    @property
    def new_segments(self) -> tuple[Segment, ...]:
        """What stands now."""
        return tuple(each for each in self.segments if each.change is not Change.REMOVED)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from one text to another.

    `added` and `removed` count words. `shortened` says that some of it was too dear to
    compare word by word and is shown as removed and added. `only_blanks` says that the
    texts differ, but in blank lines and line ends alone.
    """

    rows: tuple[Row, ...]
    added: int
    removed: int
    code: bool
    shortened: bool
    only_blanks: bool

    @property
    def has_changes(self) -> bool:
        """Whether any row shows a change."""
        return any(row.kind not in {RowKind.SAME, RowKind.FOLD} for row in self.rows)


def compare(
    old: str, new: str, *, code: bool = False, context: int = 1, prefix: str = "mark"
) -> Comparison:
    """What changed: rows of paragraphs (of lines, for code) with the words that differ.

    Unchanged ones further than `context` from a change are folded. `prefix` begins the ids
    of marks in the new text, as in `findings_of`. The cost is bounded for texts of any
    kind up to some 500,000 characters each.
    """
    return _Comparing(old, new, code=code, prefix=prefix).result(context=context)


class _Comparing:
    """The two texts of one comparison, and what it may still cost."""

    def __init__(self, old: str, new: str, *, code: bool, prefix: str) -> None:
        split = lines_of if code else paragraphs_of
        self.code, self.coarse = code, False
        self.old, self.new = Marking(old), Marking(new, prefix=prefix)
        if max(old.count("\n"), new.count("\n")) > MOST_LINES:
            self.olds, self.news = thirds_of(old, new)
            self.coarse = old != new
        else:
            self.olds, self.news = split(old), split(new)
        self.aligning, self.wording = Budget(MOST_UNITS), Budget(MOST_WORDS)

    def result(self, *, context: int) -> Comparison:
        """The comparison."""
        runs = runs_of(
            [each.body for each in self.olds], [each.body for each in self.news], self.aligning
        )
        rows = tuple(self._rows(runs, context))
        changed = [segment for row in rows for segment in row.segments]
        counts = {
            change: sum(words_in(each.text) for each in changed if each.change is change)
            for change in (Change.ADDED, Change.REMOVED)
        }
        differs = any(row.kind not in {RowKind.SAME, RowKind.FOLD} for row in rows)
        return Comparison(
            rows=rows,
            added=counts[Change.ADDED],
            removed=counts[Change.REMOVED],
            code=self.code,
            shortened=self.coarse or self.aligning.exceeded or self.wording.exceeded,
            only_blanks=self.old.text != self.new.text
            and (not differs or _solid(self.old.text) == _solid(self.new.text)),
        )

    def _rows(self, runs: Sequence[Run], context: int) -> Iterator[Row]:
        i = j = shown = 0
        ends = Run(len(self.olds), len(self.news), 0)
        last = runs[-1] if runs else ends
        if (last.old + last.size, last.new + last.size) != (ends.old, ends.new):
            last = ends
        for run in _merged([*runs, ends]):
            if shown > MOST_ROWS and run.old < last.old:
                continue
            if shown > MOST_ROWS:
                self.wording.exceeded = True
            changed = list(self._changed(range(i, run.old), range(j, run.new)))
            shown += len(changed)
            yield from changed
            yield from self._unchanged(run, context, starts=i == 0 and not changed, ends=ends)
            i, j = run.old + run.size, run.new + run.size

    def _unchanged(self, run: Run, context: int, *, starts: bool, ends: Run) -> Iterator[Row]:
        """Rows of a run: those near a change, and one fold for the others."""
        size = run.size
        head = 0 if starts else min(context, size)
        is_last = run.old + size == ends.old and run.new + size == ends.new
        tail = 0 if is_last else min(context, size - head)
        if size - head - tail < LEAST_FOLDED:
            head, tail = size, 0
        for at in (*range(head), *range(size - tail, size)):
            if at == size - tail and size - head - tail:
                yield self._fold(run.old + head, run.new + head, size - head - tail)
            yield self._same(run.old + at, run.new + at)
        if not tail and size > head:
            yield self._fold(run.old + head, run.new + head, size - head)

    def _same(self, i: int, j: int) -> Row:
        old, new = self.olds[i], self.news[j]
        if new.size > 1:
            return self._fold(i, j, 1)
        return Row(
            RowKind.SAME,
            whole(Change.SAME, self.new, new.start, new.stop),
            old.number,
            new.number,
            old.body + old.end,
            new.body + new.end,
            blank=new.blank,
        )

    def _fold(self, i: int, j: int, size: int) -> Row:
        old, new = self.olds[i : i + size], self.news[j : j + size]
        return Row(
            RowKind.FOLD,
            whole(Change.SAME, self.new, new[0].start, new[-1].stop),
            old[0].number,
            new[0].number,
            _source(self.old, old),
            _source(self.new, new),
            count=sum(each.size for each in new if not each.blank) or size,
        )

    def _changed(self, olds: range, news: range) -> Iterator[Row]:
        """Rows of a stretch that differs."""
        if not olds or not news:
            yield from self._whole(olds, news)
            return
        before = [self.olds[i].body for i in olds]
        after = [self.news[j].body for j in news]
        split = tokens_of
        if max(map(len, (*before, *after))) > MOST_FINE:
            split, self.coarse = coarse_tokens_of, True
        try:
            self.wording.afford(least_cost(len(before), len(after)))
            tokens = [split(each) for each in before], [split(each) for each in after]
            pairs = pairs_of(*tokens, self.wording)[:MOST_ROWS]
        except TooDearError:
            yield from self._whole(olds, news)
            return
        i = j = 0
        for a, b in pairs:
            yield from self._whole(olds[i:a], news[j:b])
            old, new = self.olds[olds[a]], self.news[news[b]]
            yield Row(
                RowKind.CHANGED,
                segments_of(
                    (self.old, old.start, tokens[0][a]),
                    (self.new, new.start, tokens[1][b]),
                    self.wording,
                ),
                old.number,
                new.number,
                old.body + old.end,
                new.body + new.end,
            )
            i, j = a + 1, b + 1
        yield from self._whole(olds[i:], news[j:])

    def _whole(self, olds: range, news: range) -> Iterator[Row]:
        """Rows of what went, then of what came; long stretches in one row each."""
        for units in _grouped(self.olds[olds.start : olds.stop]):
            yield Row(
                RowKind.REMOVED,
                whole(Change.REMOVED, self.old, units[0].start, units[-1].stop),
                units[0].number,
                None,
                _source(self.old, units),
                "",
                count=sum(each.size for each in units),
                blank=units[0].blank if len(units) == 1 else 0,
            )
        for units in _grouped(self.news[news.start : news.stop]):
            yield Row(
                RowKind.ADDED,
                whole(Change.ADDED, self.new, units[0].start, units[-1].stop),
                None,
                units[0].number,
                "",
                _source(self.new, units),
                count=sum(each.size for each in units),
                blank=units[0].blank if len(units) == 1 else 0,
            )


def _solid(text: str) -> list[str]:
    """The lines that are not blank, without their ends."""
    return [line.removesuffix("\r") for line in text.split("\n") if line.strip()]


def _grouped(units: Sequence[Unit]) -> Iterator[Sequence[Unit]]:
    if len(units) > MOST_APART:
        yield units
    else:
        yield from ((each,) for each in units)


def _source(marking: Marking, units: Sequence[Unit]) -> str:
    last = units[-1]
    return marking.text[units[0].start : last.stop + len(last.end)]


def _merged(runs: Sequence[Run]) -> Iterator[Run]:
    """The runs with those joined that touch on both sides."""
    starts = [0]
    for at in range(1, len(runs)):
        before, run = runs[at - 1], runs[at]
        touches = (before.old + before.size, before.new + before.size) == (run.old, run.new)
        starts.append(starts[-1] if touches and run.size else at)
    for _, group in groupby(range(len(runs)), key=lambda at: starts[at]):
        first, *rest = (runs[at] for at in group)
        yield Run(first.old, first.new, first.size + sum(each.size for each in rest))
