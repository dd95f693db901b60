"""A text in units that are compared whole first: paragraphs, list items, lines, blanks."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

LEAST_BLANK_RUN: Final = 3
"""Blank lines in code from which on they are one unit."""

_OWN_LINE = re.compile(r"[ \t]{0,12}(?:[-*+] |\d{1,9}[.)] |\||#{1,6}(?: |$)|>|\[[^\]\n]{1,99}\]: )")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")


class Unit(NamedTuple):
    """A stretch of a text: `body` from `start`, then `end` (its line end, one blank line).

    `number` counts paragraphs, or lines of code, from 1. `blank` is the number of blank
    lines where the body has nothing else; `size` how many paragraphs or lines it holds.
    """

    start: int
    body: str
    end: str
    number: int
    blank: int = 0
    size: int = 1

    @property
    def stop(self) -> int:
        """Where the body ends in the text."""
        return self.start + len(self.body)


def lines_of(text: str) -> tuple[Unit, ...]:
    """The lines of a text; three blank ones and more are one unit."""
    return tuple(_lines(text))


def paragraphs_of(text: str) -> tuple[Unit, ...]:
    """The paragraphs of Markdown; items, rows, headings and lines of code are their own.

    One blank line after a unit belongs to its end; more are a unit.
    """
    return tuple(_paragraphs(text))


def thirds_of(old: str, new: str) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """Two texts in at most three units each: the lines that both begin and end with, the rest.

    For texts of so many lines that to look at each would take too long.
    """
    head = _common(old, new)
    head = head[: head.rfind("\n") + 1]
    old_rest, new_rest = old[len(head) :], new[len(head) :]
    tail = _common(old_rest[::-1], new_rest[::-1])[::-1]
    tail = tail[tail.find("\n") + 1 :] if "\n" in tail else ""
    return tuple(_third(old, head, tail)), tuple(_third(new, head, tail))


def _common(one: str, other: str) -> str:
    """What both texts begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[:middle]):
            low = middle
        else:
            high = middle - 1
    return one[:low]


def _third(text: str, head: str, tail: str) -> Iterator[Unit]:
    at, number = 0, 1
    for part in (head, text[len(head) : len(text) - len(tail)], tail):
        if part:
            body = part.removesuffix("\n")
            count = body.count("\n") + 1
            yield Unit(at, body, part[len(body) :], number, size=count)
            number += count
            at += len(part)


def _split(text: str) -> Iterator[tuple[str, str]]:
    """Each line with its line end."""
    for line in text.split("\n")[:-1]:
        body = line.removesuffix("\r")
        yield body, line[len(body) :] + "\n"
    last = text[text.rfind("\n") + 1 :]
    if last:
        yield last, ""


def _lines(text: str) -> Iterator[Unit]:
    at, blanks, number = 0, 0, 0
    since = 0
    for body, end in _split(text):
        number += 1
        if body.strip(" \t") or not end:
            yield from _blank_lines(text, since, at, number - blanks, blanks)
            yield Unit(at, body, end, number)
            blanks, since = 0, at + len(body) + len(end)
        else:
            blanks += 1
        at += len(body) + len(end)
    yield from _blank_lines(text, since, at, number - blanks + 1, blanks)


def _blank_lines(text: str, start: int, stop: int, number: int, count: int) -> Iterator[Unit]:
    if count >= LEAST_BLANK_RUN:
        yield Unit(start, text[start:stop], "", number, blank=count)
        return
    at = start
    for each, (body, end) in enumerate(_split(text[start:stop])):
        yield Unit(at, body, end, number + each)
        at += len(body) + len(end)


def _paragraphs(text: str) -> Iterator[Unit]:
    number = 0
    for start, stop, after in _blocks(text):
        if stop > start:
            number += 1
            ends = text[stop:after]
            blank = ends.count("\n") - 1
            kept = len(ends) if blank <= 1 else ends.index("\n") + 1
            yield Unit(start, text[start:stop], ends[:kept], number)
            if kept < len(ends):
                yield Unit(stop + kept, ends[kept:], "", number, blank=blank)
        elif after > start:
            blanks = text[start:after]
            yield Unit(start, blanks, "", number, blank=max(blanks.count("\n"), 1))


def _blocks(text: str) -> Iterator[tuple[int, int, int]]:
    """Where each block begins, where its words end, and where the blank lines after end."""
    at = start = stop = 0
    fence = ""
    for body, end in _split(text):
        is_blank = not body.strip(" \t")
        mark = _FENCE.match(body)
        begins = fence or mark or stop == start or _OWN_LINE.match(body)
        if not is_blank and at > start and (begins or text.count("\n", stop, at) > 1):
            yield start, stop, at
            start = stop = at
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        if not is_blank:
            stop = at + len(body)
        at += len(body) + len(end)
    if at > start:
        yield start, stop, at
