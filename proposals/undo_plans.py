"""What undoing an agent's doings would do to each item, worked out; nothing is written."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from conderis.common.errors import DomainError, Invalid
from conderis.common.json import JsonObject
from items.access import Place, visible_items
from items.access import whole as whole_items
from items.archiving import refuse_to_restore
from items.change import Change, publishing_use
from items.crediting import doer_of
from items.kinds.base import Kind
from items.kinds.values import Assignee, Choice
from items.models import Item, ItemEvent
from items.places import levels
from items.state import state_of
from projects.access import ProjectAccess
from proposals.applying import change_to, state_shown
from proposals.runs import Span, Step, Undo

MAX_ITEMS = 200
CANCELED = "canceled"  # how items end whose kind has statuses and no archive


def plan(access: ProjectAccess, span: Span) -> list[Step]:
    """What undoing would do to each item that the agent changed in the span; reads only.

    Raises:
        Invalid: they are more than 200; a shorter span has fewer.
    """
    place = Place(access.caller, access)
    events = _events(place, span)
    if len(events) > MAX_ITEMS:
        raise Invalid(
            f"The agent changed {len(events)} items in this time; at most {MAX_ITEMS} are undone "
            "at once. Choose a shorter one.",
            field="since",
        )
    rows = whole_items(Item.objects.filter(pk__in=events)).order_by("number", "pk")
    steps = [Step(item, events[item.pk]) for item in rows]
    later = _others_since(steps)
    for step in steps:
        step.item.project = access.project
        _plan_item(place, step, later.get(step.item.pk))
    _leave_parents_of_others(steps)
    _leave_titles_that_stay_taken(steps)
    _leave_what_went_along_with_others(steps)
    return steps


def change_back(place: Place, step: Step, *, reason: str) -> Change:
    """The change that gives the item the texts and fields that it had.

    Who a task is assigned to stays; its status goes back only to the first one.

    Raises:
        DomainError: it may not be so any more.
    """
    before = step.before or {}
    now = state_shown(step.kind, state_of(step.item))
    fields: JsonObject = {}
    for field in step.kind.fields:
        was = before.get(field.name)
        if not field.historic or isinstance(field.type, Assignee) or field.name == "visibility":
            continue
        if _is_status(step.kind, field.name):
            if was == field.default and now.get(field.name) != was:
                fields[field.name] = was
        elif was is not None or field.clearable:
            fields[field.name] = was
    return change_to(place, step.item, fields, reason=reason)


def _is_status(kind: Kind, name: str) -> bool:
    field = kind.by_name[name]
    words = tuple(status.name for status in kind.statuses)
    return bool(words) and isinstance(field.type, Choice) and field.type.words == words


def _events(place: Place, span: Span) -> dict[int, list[ItemEvent]]:
    """The agent's events of the span that made versions, by item, oldest first."""
    rows = ItemEvent.objects.filter(
        item__in=visible_items(place.caller, place.project),
        author_agent=span.agent,
        at__gte=span.since,
        at__lte=span.until,
        version__isnull=False,
    )
    found: dict[int, list[ItemEvent]] = defaultdict(list)
    for event in rows.select_related("approver").defer("state").order_by("version"):
        found[event.item_id].append(event)
    return found


def _others_since(steps: Sequence[Step]) -> dict[int, ItemEvent]:
    """By item: the first version after the agent's first that is not the run's own."""
    first = {step.item.pk: step.events[0].version or 0 for step in steps}
    own = {event.pk for step in steps for event in step.events}
    rows = ItemEvent.objects.filter(item__in=first, version__isnull=False).exclude(pk__in=own)
    found: dict[int, ItemEvent] = {}
    for event in rows.select_related("author", "author_agent").defer("state").order_by("version"):
        if (event.version or 0) > first[event.item_id]:
            found.setdefault(event.item_id, event)
    return found


def _plan_item(place: Place, step: Step, later: ItemEvent | None) -> None:
    item, first = step.item, step.events[0].version or 1
    approver = next((event.approver for event in step.events if event.approver), None)
    missing = place.missing(publishing_use(step.kind, place, item.visibility))
    if item.locked_at is not None:
        step.leave(_("locked by a deletion request"))
    elif missing is not None:
        step.leave(_("changing it takes %(capability)s") % {"capability": missing})
    elif approver is not None:
        step.leave(_("approved by %(name)s") % {"name": approver.display_name})
    elif later is not None:
        by = doer_of(later).actor
        values = {"name": by, "version": later.version}
        step.leave(_("changed since by %(name)s (version %(version)s)") % values)
    elif first == 1:
        _plan_created(place, step)
    else:
        _plan_back(place, step, first - 1)


def _plan_created(place: Place, step: Step) -> None:
    kind, item = step.kind, step.item
    if "archive" in kind.action_names:
        if item.archived_at is None:
            step.undo = Undo.ARCHIVE
        else:
            step.leave(_("archived already"))
    elif CANCELED in (status.name for status in kind.statuses):
        if item.status in kind.active_statuses:
            step.undo = Undo.CANCEL
        else:
            step.leave(_("closed already"))
    elif not any(field.required for field in kind.fields):
        step.undo, step.before, step.to_version = Undo.BACK, {}, 0
        _try(place, step)


def _plan_back(place: Place, step: Step, version: int) -> None:
    event = step.item.events.filter(version=version).first()
    if event is None or event.state is None or event.locked_by:
        step.leave(_("the version before has been erased or is locked"))
        return
    step.undo, step.before, step.to_version = Undo.BACK, event.state, version
    _try(place, step)


def _try(place: Place, step: Step) -> None:
    """Leave the item where going back would be refused or change nothing."""
    item, before = step.item, step.before or {}
    try:
        change = change_back(place, step, reason="")
        if _is_to_be_active(step) and item.archived_with_id is None:
            refuse_to_restore(item)
    except DomainError as refusal:
        if refusal.details.get("field") == "title":
            step.taken_by, step.because = refusal.details.get("number"), refusal.message
        if step.taken_by is None:
            step.leave(refusal.message)
        return
    toggles = bool(before.get("archived")) != (item.archived_at is not None)
    status_stays = bool(item.status) and change.after["status"] != before.get("status")
    if change.changes_nothing and not toggles:
        step.leave(_("its status and who it is assigned to stay"))
    elif status_stays:
        step.because = _("its status stays")


def _is_to_be_active(step: Step) -> bool:
    return step.item.archived_at is not None and not (step.before or {}).get("archived")


def _is_to_be_archived(step: Step) -> bool:
    if step.undo is Undo.ARCHIVE:
        return True
    back = step.undo is Undo.BACK and bool((step.before or {}).get("archived"))
    return back and step.item.archived_at is None


def _leave_parents_of_others(steps: Sequence[Step]) -> None:
    """Archive nothing under which active items stand that are not archived with it."""
    going = {step.item.pk for step in steps if _is_to_be_archived(step)}
    below = {
        pk: set(_active(child for level in levels(step.item) for child in level))
        for step in steps
        if (pk := step.item.pk) in going
    }
    kept: set[int] = set()
    while more := {pk for pk in going - kept if below[pk] - (going - kept)}:
        kept |= more
    for step in steps:
        if step.item.pk in kept:
            step.leave(_("active items of others stand below it"))


def _leave_titles_that_stay_taken(steps: Sequence[Step]) -> None:
    """Leave what goes back to a title that another has, unless undoing that one frees it.

    Two that have swapped titles wait for each other, and are left.
    """
    going = {step.item.number: step for step in steps if step.undo is not Undo.LEAVE}
    waiting = [step for step in going.values() if step.taken_by is not None]
    free = {number for number, step in going.items() if _frees_title(step)}
    while freed := [step for step in waiting if step.taken_by in free]:
        waiting = [step for step in waiting if step.taken_by not in free]
        free |= {step.item.number for step in freed}
        for step in freed:
            step.because = None
    swapped = {step.item.number for step in waiting}
    for step in waiting:
        if step.taken_by in swapped:
            number = {"number": step.taken_by}
            step.leave(_("its title was given to #%(number)s, which cannot go back first") % number)
        else:
            step.leave(step.because or "")


def _frees_title(step: Step) -> bool:
    """Whether undoing the item, which waits for none, gives its title up."""
    if step.taken_by is not None:
        return False
    if _is_to_be_archived(step):
        return True
    was = (step.before or {}).get("title")
    return step.undo is Undo.BACK and was is not None and was != step.item.title


def _active(ids: Iterable[int]) -> Iterable[int]:
    rows = Item.objects.filter(pk__in=list(ids), archived_at__isnull=True)
    return list(rows.values_list("pk", flat=True))


def _leave_what_went_along_with_others(steps: Sequence[Step]) -> None:
    """What was archived along with another item comes back with that one or not at all."""
    back = {step.item.pk for step in steps if step.undo is Undo.BACK and _is_to_be_active(step)}
    for step in steps:
        along = step.item.archived_with_id
        if step.undo is Undo.BACK and _is_to_be_active(step) and along not in (None, *back):
            step.leave(_("archived with an item that stays archived"))
