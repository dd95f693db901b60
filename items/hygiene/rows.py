"""What hygiene looks at: the shared items of a project that stand, whoever asks."""

from django.db.models import Q, QuerySet

from items.models import Item


def standing(path: str = "") -> Q:
    """That an item is shared, and neither archived nor locked; of one at a path, of that."""
    before = f"{path}__" if path else ""
    private = Q(**{f"{before}visibility": "private"})
    free = {f"{before}archived_at__isnull": True, f"{before}locked_at__isnull": True}
    return ~private & Q(**free)


def shared_rows(project: int) -> QuerySet[Item]:
    """The shared items of a project that are neither archived nor locked."""
    return Item.objects.filter(standing(), project=project)
