"""How much a project takes, and what of it an agent has used up (`accounts.limits`)."""

from collections.abc import Sequence

from django.conf import settings

from conderis.accounts.limits import count_write
from conderis.common.caller import Caller
from conderis.common.errors import TooLarge
from items.models import Item
from projects.models import Project


def count_new(caller: Caller, items: Sequence[Item], *, history: int = 0) -> None:
    """Count items that have just been written; this transaction holds their place's row.

    `history` are the bytes of earlier versions that came with them.

    Raises:
        TooLarge: the project holds no more.
        RateLimited: as `count_write` refuses.
    """
    project = items[0].project
    if project is not None:
        _refuse_full(project)
    count_write(caller, items=len(items), size=history + sum(map(_size, items)))


def count_change(caller: Caller, item: Item) -> None:
    """Count a change that has just been written: the history keeps its text once more.

    Raises:
        RateLimited: as `count_write` refuses.
    """
    count_write(caller, size=_size(item))


def _refuse_full(project: Project) -> None:
    """Refuse where the project holds more than it may, what was just written included.

    Numbers are never given twice, so that few given ones need no counting.
    """
    most = settings.LIMITS.items_in_project
    if not most or project.last_number <= most:
        return
    if Item.objects.filter(project=project, erased_at__isnull=True).count() > most:
        raise TooLarge(
            f"A project holds at most {most:,} items, archived ones included. Nothing was stored. "
            "Waiting does not help: tell your person. They can store in another project, or have "
            "whoever runs this server raise the limit.",
            limit=most,
        )


def _size(item: Item) -> int:
    return sum(len(text.encode()) for text in (item.content, item.title, item.summary))
