"""Items, their histories, tags and relations."""

from items.erasing import empty_item, empty_version
from items.kinds.registry import kind_of
from items.models import Item, ItemTag
from items.state import full_state
from privacy.erasers.base import Eraser, Scope


def _erase(scope: Scope) -> dict[str, int]:
    if scope.item is None:
        return {}
    if scope.version is None:
        return empty_item(scope.item, by=scope.by, now=scope.now)
    empty_version(scope.item, scope.version, by=scope.by, now=scope.now)
    return {"versions": 1}


def _left(scope: Scope) -> int:
    if scope.item is None:
        return 0
    events = scope.item.events.all()
    if scope.version is not None:
        return events.filter(version=scope.version, state__isnull=False).count()
    standing = Item.objects.get(pk=scope.item.pk)
    if standing.erased_at is None:
        # Instructions go on as a new version. What is older than that one must be empty.
        begun = events.get(event="erased", version__isnull=False, at=scope.now)
        older = events.filter(pk__lt=begun.pk)
        return older.exclude(state__isnull=True, reason="").count()
    kept = full_state(standing)
    kind = kind_of(standing.kind)
    texts = [name for name in kept if name in kind.by_name and name != "visibility"]
    return (
        len(texts)
        + events.exclude(state__isnull=True, reason="", credit__isnull=True).count()
        + ItemTag.objects.filter(item=standing).count()
    )


ERASER = Eraser(
    fields=(
        "items.Item.title",
        "items.Item.summary",
        "items.Item.content",
        "items.Item.tags",
        "items.Item.data",
        "items.Item.verified_against",
        "items.Item.blocked_reason",
        "items.Item.commits",
        "items.Item.credit",
        "items.ItemEvent.reason",
        "items.ItemEvent.state",
        "items.ItemEvent.credit",
        "items.ItemTag.tag",
    ),
    erase=_erase,
    left=_left,
)
