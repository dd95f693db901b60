"""When an item counts as expired: at its `expiresAt`, or some days after its last version.

Kinds say which of their types age so (`Kind.aging`); an `expiresAt` of its own goes
before that. Reading renews nothing. One rule, asked of rows in the database and in Python.
"""

from datetime import datetime, timedelta

from django.db.models import Q

from items.kinds.base import Kind
from items.kinds.registry import all_kinds, kind_of
from items.models import Item

Aging = tuple[tuple[str, tuple[str, ...]], ...]

SESSION_DAYS = 30  # where no project says otherwise: personal memories


def can_expire(kind: Kind) -> bool:
    """Whether items of this kind ever expire."""
    return bool(kind.aging) or any(field.column == "expires_at" for field in kind.fields)


def expired_q(now: datetime, session_days: int = SESSION_DAYS) -> Q:
    """The rows that have expired, where aging types last `session_days`."""
    return expired_since(now, oldest_of(now, session_days), aging_types())


def oldest_of(now: datetime, session_days: int) -> datetime:
    """The last change up to which aging types have expired."""
    return now - timedelta(days=session_days)


def aging_types() -> Aging:
    """The types that age, by the names of their kinds."""
    return tuple((kind.name, kind.aging) for kind in all_kinds() if kind.aging)


def expired_since(now: datetime, oldest: datetime, aging: Aging) -> Q:
    """The rows that have expired, those of the aging types with their change at `oldest`."""
    return Q(expires_at__lte=now) | Q(ages(aging), changed__lte=oldest)


def ages(aging: Aging) -> Q:
    """The rows that expire by their last change."""
    aged = Q(pk__in=())  # none
    for kind, types in aging:
        aged |= Q(kind=kind, category__in=types, expires_at__isnull=True)
    return aged


def is_expired(item: Item, now: datetime) -> bool:
    """Whether the item has expired; its project, if any, must be loaded with it."""
    if item.expires_at is not None:
        return item.expires_at <= now
    if item.category not in kind_of(item.kind).aging:
        return False
    days = item.project.session_days if item.project is not None else SESSION_DAYS
    return item.changed <= now - timedelta(days=days)
