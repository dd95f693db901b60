"""Numbers that stand for nothing: what was erased for good, and what an import left out."""

from typing import Final

from conderis.common.json import JsonObject, without_nulls
from conderis.common.times import iso
from items.models import Item

ERASED: Final = "erased"  # where it was exported from, before that
NOT_EXPORTED: Final = "not exported"


def absence_shown(item: Item) -> JsonObject:
    """Why nothing stands at the number, as answers say it; nothing where something does.

    Of what was erased here it says when and by whom that was decided. What an import left a
    number of was either erased before (`imported` is when the number came) or not exported.
    """
    if item.erased_at is None:
        return {}
    at = iso(item.erased_at)
    if item.absent == NOT_EXPORTED:
        return {"notExported": {"imported": at}}
    if item.absent:
        return {"erased": {"imported": at}}
    by = item.erased_by.display_name if item.erased_by else None
    return {"erased": without_nulls({"at": at, "by": by})}


def absence_said(item: Item, subject: str) -> str:
    """The same as a sentence of a refusal."""
    if item.absent == NOT_EXPORTED:
        return f"{subject} was not exported from where this project was imported from."
    if item.absent:
        return f"{subject} had been erased for good before this project was imported."
    return f"{subject} was erased for good; nothing of it is left."
