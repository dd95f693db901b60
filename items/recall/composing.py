"""A recall put together: a header, then the sections, each in what it was allotted."""

from collections.abc import Sequence

from items.recall.budget import Ask, allot
from items.recall.slots import Section

MIN_CHARS = 1_000
BETWEEN = "\n\n"


def compose(header: str, sections: Sequence[Section], max_chars: int) -> str:
    """The text, never longer than `max_chars` (1,000 at least).

    A section that is given more room never shows less, and a higher `max_chars` never
    gives one less room.
    """
    turns = sorted(sections, key=lambda each: (each.slot.turn, each.slot.place))
    spare = max_chars - len(header) - len(BETWEEN) * len(turns)
    # Decided at the shortest length, so that it is the same at every length.
    narrow = spare - max_chars + MIN_CHARS < sum(each.part.floor for each in turns)
    asks = [
        Ask(
            floor=each.part.least if narrow else each.part.floor,
            need=each.part.need,
            share=each.slot.share,
            most=each.slot.most,
            first=each.slot.first,
        )
        for each in turns
    ]
    rooms = allot(max_chars, spare, asks)
    placed = sorted(zip(turns, rooms, strict=True), key=lambda each: each[0].slot.place)
    return BETWEEN.join([header, *(each.part.render(room) for each, room in placed)])
