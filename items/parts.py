r"""Long texts in parts: where a text is cut, its outline, one of its sections.

Offsets and lengths are Unicode code points of the whole text, in which lines end with LF.
Graphemes are those of UAX #29 (`\X` of the regex package), headings those of CommonMark.
"""

import re
import unicodedata
from dataclasses import dataclass

import regex

from conderis.common.errors import Invalid
from conderis.common.json import Json, JsonObject

DEFAULT_TAKE = 8_000
MAX_TAKE = 20_000
MAX_TITLE = 120  # of a heading; longer ones are shown, and matched, cut
MAX_OUTLINE = 200
MAX_CANDIDATES = 100

_CLUSTER = regex.compile(r"\X")
_CHUNK = 256  # clusters are looked for in chunks: `\X` is quadratic in a row of flags
_BLANK = re.compile(r"\s")

_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\n(?:[^\S\n]*+[^\n]++\n)*?---[ \t]*(?:\n|\Z)")
_MARKED = re.compile(
    r"""^(?:
        \ufeff?[ ]{0,3}(?P<hashes>\#{1,6})(?:[ \t](?P<title>[^\n]*))?
        | [ ]{0,3}(?P<under>=+|-+)[ \t]*
        | [ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)
    )$""",
    re.MULTILINE | re.VERBOSE,
)
# What stands over an underline and yet makes it none of a heading.
_NO_PARAGRAPH = re.compile(r"\s*\Z|[ ]{4}|[ ]{0,3}(?:\t|>|\||[-*+][ \t]|\d{1,9}[.)][ \t])")
# Scripts that put no blanks between words: there a word may stand anywhere.
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_LETTER = rf"[\w--{_UNSPACED}]"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text; `next_offset` is where the next one begins, None at the end."""

    text: str
    offset: int
    next_offset: int | None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level (1 to 6), its title as one line, where its line begins."""

    level: int
    title: str
    offset: int

    def shown(self) -> JsonObject:
        """The heading as an outline carries it."""
        return {"level": self.level, "title": self.title, "offset": self.offset}


@dataclass(frozen=True, slots=True)
class Section:
    """From a heading up to the next one of the same or a higher level."""

    title: str
    start: int
    end: int


def read_take(take: Json) -> int:
    """How many code points a part may have at most (None: the default).

    Raises:
        Invalid: it is no whole number within the range.
    """
    if take is None:
        return DEFAULT_TAKE
    if isinstance(take, bool) or not isinstance(take, int) or not 1 <= take <= MAX_TAKE:
        raise Invalid(
            f"take must be a whole number from 1 to {MAX_TAKE}: how many characters a part "
            f"has at most (left out: {DEFAULT_TAKE}).",
            field="take",
            allowed=[f"1 to {MAX_TAKE}"],
        )
    return take


def part(text: str, offset: int = 0, take: int = DEFAULT_TAKE, *, end: int | None = None) -> Part:
    """The part from `offset`, at most `take` code points, not beyond `end`.

    It ends with a line. A line longer than a part is cut between words, a word longer
    than a part between graphemes, a grapheme longer than a part wherever it has to be.
    """
    stop = len(text) if end is None else end
    limit = offset + take
    if limit >= stop:
        return Part(text[offset:stop], offset, None)
    cut = _cut(text, offset, limit)
    return Part(text[offset:cut], offset, cut)


def _cut(text: str, start: int, limit: int) -> int:
    """Where a part from `start` ends: behind it, at most at `limit`, before the end."""
    line = max(text.rfind("\n", start, limit) + 1, start)
    line_end = text.find("\n", limit)
    length = (len(text) if line_end < 0 else line_end) - line
    if length <= limit - start:
        return limit if line == start else line
    bounds = _boundaries(text, line, limit)
    words = [at for at in bounds if text[at - 1].isspace()]
    if bounds and bounds[-1] == limit and text[limit].isspace():
        words.append(limit)
    if words:
        blank = _BLANK.search(text, limit)
        if (blank.start() if blank else len(text)) - words[-1] <= limit - start:
            return words[-1]
    if bounds:
        return bounds[-1]
    return line if line > start else limit


def _boundaries(text: str, start: int, limit: int) -> list[int]:
    """Where graphemes end, behind `start` and up to `limit`, which lies inside the text."""
    found: list[int] = []
    at, size = start, _CHUNK
    while at < limit:
        stop = min(at + size, limit + 1)
        ends = [at + each.end() for each in _CLUSTER.finditer(text[at:stop])]
        ends.pop()  # the last one may go on behind the chunk
        if stop > limit:
            return found + ends
        if ends:
            found += ends
            at, size = ends[-1], _CHUNK
        else:
            size *= 2
    return found


def outline(text: str) -> list[Heading]:
    """The headings in their order; those in fenced code and front matter are none.

    Both forms are read: `## Title`, and a line underlined with `===` or `---`.
    """
    found: list[Heading] = []
    fence = ""
    front = _FRONT_MATTER.match(text)
    for line in _MARKED.finditer(text, front.end() if front else 0):
        if line["fence"] is not None:
            fence = _fence_after(fence, line)
        elif fence:
            continue
        elif line["hashes"] is not None:
            title = _atx_title(line["title"] or "")
            if title:
                found.append(Heading(len(line["hashes"]), title, line.start()))
        else:
            heading = _underlined(text, line)
            if heading is not None:
                found.append(heading)
    return found


def _fence_after(fence: str, line: re.Match[str]) -> str:
    """The fence that is open behind a line with one: its marks, or nothing."""
    marks, info = line["fence"], line["info"]
    if not fence:
        return "" if marks[0] == "`" and "`" in info else marks
    closes = line.group().strip() == marks and marks.startswith(fence)
    return "" if closes else fence


def _atx_title(text: str) -> str:
    title = text.strip()
    bare = title.rstrip("#")
    return _one_line(bare if not bare or bare[-1].isspace() else title)


def _underlined(text: str, line: re.Match[str]) -> Heading | None:
    end = line.start() - 1
    if end < 0:
        return None
    start = text.rfind("\n", 0, end) + 1
    above = text[start:end]
    if _NO_PARAGRAPH.match(above) or _MARKED.match(above):
        return None
    return Heading(1 if line["under"][0] == "=" else 2, _one_line(above), start)


def _one_line(title: str) -> str:
    line = " ".join(title.split())
    return line if len(line) <= MAX_TITLE else line[: MAX_TITLE - 1] + "…"


def outline_shown(text: str) -> JsonObject:
    """`outline` as answers carry it, at most 200 headings, the higher levels first.

    Where there are more, `outlineTotal` says how many.
    """
    headings = outline(text)
    if not headings:
        return {}
    for level in range(6, 0, -1):
        shown = [each for each in headings if each.level <= level]
        if len(shown) <= MAX_OUTLINE and shown:
            break
    else:
        shown = headings[:MAX_OUTLINE]
    answer: JsonObject = {"outline": [each.shown() for each in shown]}
    return answer if len(shown) == len(headings) else answer | {"outlineTotal": len(headings)}


def section(text: str, heading: str) -> Section:
    """The section under a heading, named whole or by a word of it, whatever its case.

    Composed and decomposed spellings are the same; a whole heading wins over a word.

    Raises:
        Invalid: no heading or several fit; `candidates` are the headings.
    """
    headings = outline(text)
    fitting = _fitting(headings, heading)
    if len(fitting) == 1:
        found = fitting[0]
        behind = (
            each.offset
            for each in headings
            if each.offset > found.offset and each.level <= found.level
        )
        return Section(found.title, found.offset, next(behind, len(text)))
    raise _no_section(headings, fitting)


def _fitting(headings: list[Heading], wanted: str) -> list[Heading]:
    """The headings that are this one; else those that have it as whole words."""
    keys = [(_key(each.title), each) for each in headings]
    sought = _key(wanted)
    bare = sought.lstrip("# ")
    for name in (sought, bare):
        whole = [each for key, each in keys if key == name]
        if whole:
            return whole
    if not bare:
        return []
    words = _words(bare)
    return [each for key, each in keys if words.search(key)]


def _words(text: str) -> regex.Pattern[str]:
    """Finds the text where no letters go on before or behind it."""
    before = "" if regex.match(_UNSPACED, text[0]) else f"(?<!{_LETTER})"
    behind = "" if regex.match(_UNSPACED, text[-1]) else f"(?!{_LETTER})"
    return regex.compile(before + regex.escape(text) + behind, regex.VERSION1)


def _key(title: str) -> str:
    """What titles are compared by: case, composition, marks of code and emphasis gone."""
    folded = unicodedata.normalize("NFD", title).casefold()
    composed = unicodedata.normalize("NFC", folded)
    return " ".join(composed.replace("`", "").replace("*", "").split())


def _no_section(headings: list[Heading], fitting: list[Heading]) -> Invalid:
    candidates = list(dict.fromkeys(each.title for each in fitting or headings))
    if not headings:
        message = "This text has no headings, so it has no sections. Leave section out."
    elif not fitting:
        message = "No heading fits. Send one of candidates as section."
    elif len(candidates) == 1:
        places = ", ".join(str(each.offset) for each in fitting[:MAX_CANDIDATES])
        message = (
            f"{len(fitting)} sections have this heading. Read one by offset, with version: "
            f"they begin at {places}."
        )
    else:
        message = "Several headings fit. Send one of candidates as section."
    return Invalid(message, field="section", candidates=candidates[:MAX_CANDIDATES])


def first_part(text: str, take: int) -> JsonObject:
    """Where the text is longer than a part: its first part, and how to read on."""
    first = part(text, 0, take)
    if first.next_offset is None:
        return {}
    return {
        "content": first.text,
        "offset": 0,
        "nextOffset": first.next_offset,
        "length": len(text),
        **outline_shown(text),
    }


def passage(text: str, heading: str | None, offset: int | None, take: int) -> JsonObject:
    """A part from `offset` on, or from the beginning of a section and not beyond it.

    Raises:
        Invalid: it does not begin within the text or section.
    """
    answer: JsonObject = {}
    start, end = 0, len(text)
    if heading is not None:
        found = section(text, heading)
        start, end = found.start, found.end
        answer["section"] = found.title
    at = offset or start
    if not start <= at < end:
        raise Invalid(
            f"offset must be a nextOffset of {'this section' if heading else 'this text'}: from "
            f"{start} to {max(end - 1, 0)}.",
            field="offset",
            allowed=[f"{start} to {max(end - 1, 0)}"],
        )
    found_part = part(text, at, take, end=end)
    answer |= {"content": found_part.text, "offset": at}
    if found_part.next_offset is not None:
        answer["nextOffset"] = found_part.next_offset
    return answer | {"length": len(text)}
