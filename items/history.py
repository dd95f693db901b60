"""An item's history: its events page by page, and what the item was at a version.

Events without a version belong to the version before them. A page ends only where a
version does, so that `version` alone says where the next page goes on, and no event is
lost or shown twice, whatever is written meanwhile.
"""

from collections.abc import Sequence

from django.db.models import Max, Min, Q, QuerySet

from conderis.accounts.models import Agent, Person
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject, without_nulls
from conderis.common.times import iso
from items.absence import absence_shown
from items.access import Place, subject_of
from items.crediting import doer_of
from items.kinds.registry import kind_of
from items.models import Item, ItemEvent

PAGE = 20


def item_history(place: Place, item: Item, version: int | None) -> JsonObject:
    """The events newest first, 20 at a time; from `version` on downward where it is sent.

    A locked item's events, and those of a locked version, are shown without their
    reasons; an erased version's event says so.

    Raises:
        Invalid: there never was this version; the refusal gives the current one.
    """
    events = item.events.all()
    if version is not None:
        refuse_never_was(item, version)
        following = events.filter(version__gt=version).aggregate(first=Min("id"))["first"]
        if following is not None:
            events = events.filter(id__lt=following)
    found, more = _page_of(events)
    answer: JsonObject = {**place.named(item), "kind": item.kind, "version": item.version}
    answer |= locked_shown(item)
    answer["events"] = [_event_shown(item, event) for event in found]
    answer["hasMore"] = more
    oldest = found[-1].version if found else None
    if more and oldest is not None:
        answer["nextVersion"] = oldest - 1
    return answer


def version_event(item: Item, version: int) -> ItemEvent:
    """The event that made this version, with the state as it then stood.

    Raises:
        Invalid: there never was this version; the refusal gives the current one.
    """
    refuse_never_was(item, version)
    return item.events.select_related("author", "author_agent").get(version=version)


def refuse_never_was(item: Item, version: int) -> None:
    """Refuse a version that the item never had.

    Raises:
        Invalid: it never had; the refusal gives the current one.
    """
    if 1 <= version <= item.version:
        return
    raise Invalid(
        f"{subject_of(item)} has no version {version}; its versions are 1 to {item.version}.",
        field="version",
        allowed=[f"1 to {item.version}"],
        currentVersion=item.version,
    )


def version_shown(item: Item, event: ItemEvent) -> JsonObject:
    """The item's fields as they were at the event, and who made that version when.

    Parent, position, dependencies and relations are not part of versions.
    """
    state: JsonObject = event.state or {}
    names = [*kind_of(item.kind).by_name, "archived", "blockedReason"]
    fields = {name: state[name] for name in names if name in state}
    by = doer_of(event).shown()
    return {**fields, "changed": iso(event.at), "changedBy": by}


def gone_shown(event: ItemEvent) -> JsonObject:
    """What is said of a version whose content is locked or erased, and nothing more."""
    if event.locked_by:
        return {"locked": {"request": f"deletion:{event.locked_by}"}}
    return {"erased": True} if event.state is None else {}


def signature(person: Person, agent: Agent | None) -> JsonObject:
    """Who did it, as answers name an author: the person, and the agent if there was one."""
    name: JsonObject = {"name": person.display_name}
    return name | {"agent": agent.name} if agent is not None else name


def locked_shown(item: Item) -> JsonObject:
    """The flag of a locked or an erased item; else nothing.

    Of a locked one it names the deletion request and since when, of a tombstone when and by
    whom it was decided, or that an import brought nothing but its number.
    """
    if item.erased_at is not None:
        return absence_shown(item)
    if item.locked_at is None:
        return {}
    request = f"deletion:{item.locked_by}"
    return {"locked": {"request": request, "since": iso(item.locked_at)}}


def _page_of(events: QuerySet[ItemEvent]) -> tuple[Sequence[ItemEvent], bool]:
    """The first events, up to the end of a version, and whether there are more."""
    newest = (
        events.order_by("-id")
        .select_related("author", "author_agent", "approver", "approver_agent")
        .annotate(has_state=Q(state__isnull=False))
        .defer("state")
    )
    found = list(newest[: PAGE + 1])
    if len(found) <= PAGE:
        return found, False
    ends = [place for place, event in enumerate(found[:PAGE]) if event.version is not None]
    if ends:
        return found[: ends[-1] + 1], True
    # More than a page of events without a version: this page is as long as they are.
    end = events.filter(version__isnull=False).aggregate(newest=Max("id"))["newest"] or 0
    return list(newest.filter(id__gte=end)), events.filter(id__lt=end).exists()


def _event_shown(item: Item, event: ItemEvent) -> JsonObject:
    readable = item.locked_at is None and not event.locked_by
    lock = {"request": f"deletion:{event.locked_by}"} if event.locked_by else None
    names = doer_of(event, with_approver=True)
    return without_nulls(
        {
            "event": event.event,
            "version": event.version,
            "at": iso(event.at),
            "by": names.person,
            "agent": names.agent,
            "importedBy": names.imported_by,
            "approver": names.approver,
            "approverAgent": names.approver_agent,
            "reason": event.reason or None if readable else None,
            "fields": event.changed or None,
            "locked": lock,
            "erased": True if event.version and not vars(event)["has_state"] else None,
        }
    )
