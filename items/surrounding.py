"""What is around an item: what it stands under, what it is related to, what mentions it."""

from django.db.models import Q

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.access import Place, access_item
from items.kinds.registry import kind_of
from items.mentioning import mentions_of
from items.models import Item, Relation
from items.overdue import is_overdue
from items.requests import Address

_ABOVE = ("number", "title", "locked_at")


def item_surroundings(caller: Caller, project_id: str, number: int) -> JsonObject:
    """What is around the item of a number; nothing around what is locked or erased.

    `path`: what it stands under, from the top, as `{number, title}` or `{number, locked}`.
    `statuses`: by number, of the work that it is related to. `overdue`: its day has ended
    in the caller's time zone, and it is not closed. `mentions`: short entries of at most 20
    items that mention it, the newest first, with `moreMentions` where that is not all.

    Raises:
        NotFound: there is none that the caller may read.
    """
    place, item = access_item(caller, Address(project_id, number=number))
    if item.locked_at is not None:
        return {}
    mentions = mentions_of(place, item)
    return {
        "path": _path(item),
        "statuses": _statuses(place, item),
        "overdue": is_overdue(caller, due=item.due, status=item.status),
        "mentions": mentions.entries,
        "moreMentions": mentions.more,
    }


def related_statuses(caller: Caller, project_id: str, number: int) -> dict[int, str]:
    """By number, the statuses of the work that the item is related to.

    Raises:
        NotFound: there is none that the caller may read.
    """
    place, item = access_item(caller, Address(project_id, number=number))
    return _statuses(place, item) if item.locked_at is None else {}


def _path(item: Item) -> list[JsonObject]:
    """All that it stands under, in one query however deep that is."""
    if item.parent_id is None:
        return []
    levels = range(1, kind_of(item.kind).max_depth)
    columns = [f"{'__'.join(['parent'] * level)}__{name}" for level in levels for name in _ABOVE]
    values = Item.objects.filter(pk=item.pk).values_list(*columns).get()
    found: list[JsonObject] = []
    for level in range(0, len(values), len(_ABOVE)):
        number, title, locked_at = values[level : level + len(_ABOVE)]
        if number is None:
            break
        found.append({"number": number} | ({"locked": True} if locked_at else {"title": title}))
    return found[::-1]


def _statuses(place: Place, item: Item) -> dict[int, str]:
    if not kind_of(item.kind).related:
        return {}
    ends = Q(pk__in=Relation.objects.filter(source=item).values("target"))
    ends |= Q(pk__in=Relation.objects.filter(target=item).values("source"))
    rows = place.items().filter(ends, locked_at__isnull=True, number__isnull=False)
    return {
        number: status
        for number, status in rows.exclude(status="").values_list("number", "status")
        if number is not None
    }
