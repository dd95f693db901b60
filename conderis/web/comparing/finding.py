"""What a reviewer should know of a text before reading it: counts, places, links."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from conderis.web.comparing.characters import NOTABLE, Mark
from conderis.web.comparing.marking import Marking
from conderis.web.comparing.naming import full_name, label_of, spelled_out

AROUND: Final = 24
"""Characters on each side of a mark that are looked at for the words around it."""
MOST_SHOWN: Final = 120
"""Characters of a comment or of a link's words that a finding repeats."""

_BLANKS = re.compile(r"\s+")
_TO_WORD_START = re.compile(r"\w*$")
_TO_WORD_END = re.compile(r"\w*")


@dataclass(frozen=True, slots=True)
class Finding:
    """One mark: what it is, where, and whether the earlier text lacked it.

    `label` is what the mark says, `name` the full name of a single character, `around`
    the words beside it, `line` counts from 1, `anchor` is the id to link to ("" past the
    first thousand). `characters` is how many the mark stands for.
    """

    mark: Mark
    label: str
    name: str
    around: str
    line: int
    anchor: str
    characters: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link: its words ("" for a bare address), where it leads in full, and where it is.

    Characters that nobody sees are spelled out in both, as `[U+200B ZWSP]`.
    `misleads` says that the words are the address of another host.
    """

    words: str
    target: str
    line: int
    anchor: str
    is_new: bool
    misleads: bool


@dataclass(frozen=True, slots=True)
class Findings:
    """What a text holds that reading it does not show.

    `unseen` are hidden, directing and tag characters; `spaces` are shown but rarely matter.
    """

    unseen: tuple[Finding, ...] = ()
    spaces: tuple[Finding, ...] = ()
    mixed: tuple[Finding, ...] = ()
    comments: tuple[Finding, ...] = ()
    links: tuple[FoundLink, ...] = ()

    @property
    def unseen_count(self) -> int:
        """How many characters of the text nobody sees."""
        return sum(each.characters for each in self.unseen)

    @property
    def new_unseen_count(self) -> int:
        """How many of them the earlier text lacked."""
        return sum(each.characters for each in self.unseen if each.is_new)

    @property
    def directing_count(self) -> int:
        """How many of them turn the direction of the text."""
        return sum(each.characters for each in self.unseen if each.mark is Mark.BIDI)

    @property
    def space_count(self) -> int:
        """How many unusual blanks the text has."""
        return sum(each.characters for each in self.spaces)

    @property
    def new_links(self) -> tuple[FoundLink, ...]:
        """Links that the earlier text lacked."""
        return tuple(each for each in self.links if each.is_new)

    @property
    def misleading_links(self) -> tuple[FoundLink, ...]:
        """Links whose words are the address of another host."""
        return tuple(each for each in self.links if each.misleads)

    @property
    def is_alarming(self) -> bool:
        """Whether a page should warn: something unseen, mixed, commented or misleading."""
        return bool(self.unseen or self.mixed or self.comments or self.misleading_links)


def findings_of(text: str, *, since: str = "", prefix: str = "mark") -> Findings:
    """What the text holds that reading it does not show; new is what `since` lacks.

    `prefix` is that of the pieces on the page, so that findings lead to them.
    """
    now, before = Marking(text, prefix=prefix), Marking(since)
    found = [each for each, _same in _marks(now, _keys(key for _finding, key in _marks(before)))]
    unseen = (Mark.HIDDEN, Mark.BIDI, Mark.TAGS, Mark.CROWDED)
    return Findings(
        unseen=tuple(each for each in found if each.mark in unseen),
        spaces=tuple(each for each in found if each.mark is Mark.SPACE),
        mixed=tuple(each for each in found if each.mark is Mark.MIXED),
        comments=tuple(each for each in found if each.mark is Mark.COMMENT),
        links=tuple(_links(now, Counter(link.target for link in before.links))),
    )


def _keys(keys: Iterable[Hashable]) -> Counter[Hashable]:
    return Counter(keys)


def _marks(
    marking: Marking, known: Counter[Hashable] | None = None
) -> Iterator[tuple[Finding, Hashable]]:
    """Each mark but links, with what makes it the same as one of another text."""
    text, breaks = marking.text, _breaks(marking.text)
    spots = [
        *((spot, spot.end, spot.mark, n) for n, spot in enumerate(marking.hidden, start=1)),
        *((w[0], w[-1].end, Mark.MIXED, n) for n, w in enumerate(marking.mixed, start=1)),
        *((spot, spot.end, Mark.COMMENT, n) for n, spot in enumerate(marking.comments, start=1)),
    ]
    for spot, end, mark, number in spots:
        stretch = text[spot.start : spot.end]
        around = (_word if mark is Mark.MIXED else _around)(text, spot.start, end)
        key = (mark, stretch, _beside(text, spot.start, end))
        is_new = known is None or known[key] <= 0
        if known is not None:
            known[key] -= 1
        if mark is Mark.COMMENT:
            label = spelled_out(_BLANKS.sub(" ", stretch[: MOST_SHOWN + 1]))
            label = label if len(label) <= MOST_SHOWN else label[:MOST_SHOWN] + "…"
        elif mark is Mark.CROWDED:
            label = _("very many, from here to the end")
        else:
            label = label_of(stretch, mark)
        numbered = mark if mark in {Mark.MIXED, Mark.COMMENT} else Mark.HIDDEN
        yield (
            Finding(
                mark=mark,
                label=label,
                name=full_name(stretch) if len(stretch) == 1 else "",
                around=around,
                line=bisect_right(breaks, spot.start) + 1,
                anchor=marking.anchor(numbered, number),
                characters=_count(stretch, mark),
                is_new=is_new,
            ),
            key,
        )


def _links(marking: Marking, known: Counter[str]) -> Iterator[FoundLink]:
    breaks = _breaks(marking.text)
    anchors = {
        spot.start: marking.anchor(Mark.LINK, number)
        for number, spot in enumerate(marking.targets, start=1)
    }
    for link in marking.links:
        known[link.target] -= 1
        yield FoundLink(
            words=spelled_out(link.words[:MOST_SHOWN]),
            target=spelled_out(link.target),
            line=bisect_right(breaks, link.start) + 1,
            anchor=anchors.get(link.start, ""),
            is_new=known[link.target] < 0,
            misleads=link.misleads,
        )


def _count(stretch: str, mark: Mark) -> int:
    """How many characters a mark stands for; in a crowd those that readers see do not count."""
    return len(NOTABLE.findall(stretch)) if mark is Mark.CROWDED else len(stretch)


def _around(text: str, start: int, end: int) -> str:
    """The words that a mark stands in or beside, without what cannot be seen."""
    before = text[max(start - AROUND, 0) : start].rpartition("\n")[2]
    after = text[end : end + AROUND].partition("\n")[0]
    within = text[start:end] if text[start:end].isalpha() else ""
    words = f"{_tail(before)}{within}{_head(after)}"
    return "".join(each for each in words if each.isprintable()).strip()


def _beside(text: str, start: int, end: int) -> tuple[str, str]:
    """What touches a stretch, up to the next blanks; it is the same in an edited text."""
    before = re.split(r"\s", text[max(start - AROUND, 0) : start])[-1]
    return before, re.split(r"\s", text[end : end + AROUND], maxsplit=1)[0]


def _word(text: str, start: int, end: int) -> str:
    """The word that a stretch is part of."""
    before = _TO_WORD_START.search(text[max(start - AROUND, 0) : start])
    after = _TO_WORD_END.match(text[end : end + AROUND])
    word = (before[0] if before else "") + text[start:end] + (after[0] if after else "")
    return "".join(each for each in word if each.isprintable())


def _tail(words: str) -> str:
    parts = words.split(" ")
    return " ".join(parts[-2:])


def _head(words: str) -> str:
    parts = words.split(" ")
    return " ".join(parts[:2])


def _breaks(text: str) -> list[int]:
    return [match.end() for match in re.finditer("\n", text)]
