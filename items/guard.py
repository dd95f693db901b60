"""The guard against writing back a text of which only the first part was read.

Decided from the two texts alone, so that reading has nothing to remember.
"""

from conderis.common.errors import Invalid
from items.parts import DEFAULT_TAKE, part

LAST_LINES = 20


def cut_off(old: str, new: str, part_size: int = DEFAULT_TAKE) -> bool:
    """Whether the new text looks like the old one's beginning with the rest missing.

    So it is where the old text is longer than one part, and the new one keeps at least
    half of the lines of its first part but none of its last 20 lines. Blank lines do
    not count, nor do blanks around a line.
    """
    if len(old) <= part_size:
        return False
    kept = set(_lines(new))
    if not kept.isdisjoint(_lines(old)[-LAST_LINES:]):
        return False
    first = _lines(part(old, 0, part_size).text)
    return bool(first) and 2 * sum(line in kept for line in first) >= len(first)


def refuse_cut_off(old: str, new: str, *, complete: bool, version: int | None = None) -> None:
    """Refuse a new content that would cut a long text off after its first part.

    `complete` says that the new text is meant as it is; `version` is the one of the old
    text, named in the refusal so that the rest can be read.

    Raises:
        Invalid: it would; the refusal says how to read the rest and how to go on.
    """
    if complete or not cut_off(old, new):
        return
    rest = f'"offset": {part(old).next_offset}'
    if version is not None:
        rest += f', "version": {version}'
    raise Invalid(
        f"The stored content has {len(old)} characters; this one keeps its first part but "
        f"nothing of its last lines. Read the rest with item_get ({rest}) and send the whole "
        "text, or change it with append or edits instead of content. To shorten it on "
        'purpose, send "complete": true beside content.',
        field="content",
        allowed=["append", "edits", "complete"],
        length=len(old),
    )


def _lines(text: str) -> list[str]:
    stripped = (line.strip() for line in text.split("\n"))
    return [line for line in stripped if line]
