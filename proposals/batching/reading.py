"""A proposed batch as `item_get` answers it: short fields by item, long texts as one text."""

from collections.abc import Sequence

from conderis.common.json import JsonObject, without_nulls
from items import parts
from proposals.access import ProposalAccess
from proposals.preview import EntryShown, entries_shown

TEXT = "content"


def text_of(entries: Sequence[EntryShown]) -> str:
    """The contents of all items, each under a heading with its index and title."""
    pieces = [
        f"# {each.position}. {each.fields.get('title', '')}\n\n{each.fields[TEXT]}"
        for each in entries
        if each.fields.get(TEXT)
    ]
    return "\n\n".join(pieces)


def passage_of(
    access: ProposalAccess, section: str | None, offset: int | None, take: int
) -> JsonObject:
    """A later part of the batch's text, or one section of it."""
    return parts.passage(text_of(entries_shown(access)), section, offset, take)


def batch_shown(access: ProposalAccess, take: int) -> JsonObject:
    """`items` with their fields but the contents, which stand together in `content`."""
    entries = entries_shown(access)
    answer: JsonObject = {"items": [_shown(each) for each in entries]}
    text = text_of(entries)
    if not text:
        return answer
    return answer | (parts.first_part(text, take) or {TEXT: text})


def _shown(entry: EntryShown) -> JsonObject:
    return without_nulls(
        {
            "index": entry.position,
            **(entry.item or {}),
            "leftOut": entry.left_out or None,
            "erased": entry.erased or None,
            "parent": {"index": entry.under} if entry.under is not None else None,
            **{name: value for name, value in entry.fields.items() if name != TEXT},
            "blocked": entry.blocked,
        }
    )
