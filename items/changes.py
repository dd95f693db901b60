"""Changes of items, prepared: read, checked whole, worked out, nothing written.

The write door stands between `prepare` and `items.publishing.publish`: it decides
whether the change is published or proposed.
"""

from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.errors import Conflict, DomainError, Invalid
from conderis.common.json import JsonObject
from items.access import Place, access_item, place_of, refuse_locked, subject_of, whole
from items.change import MADE_NOW, Change, Together, can_be_proposed, publishing_use
from items.differences import work_out
from items.events import check_version
from items.kinds.base import Kind, Review
from items.kinds.registry import all_kinds, kind_named, kind_of
from items.kinds.task import MAX_REASON
from items.kinds.values import ItemReference, SourceState
from items.models import Item
from items.patches import Patch, read_patch, read_reason
from items.requests import StoreRequest
from items.state import state_of
from projects.capabilities import Use


def prepare(caller: Caller, request: StoreRequest) -> Change:
    """Check a creation or a change whole; in a transaction that goes on to publish it.

    Raises:
        Invalid, TooLarge: what was sent cannot be; the refusal names field and allowed.
        NotFound: there is nothing at the address that the caller may read.
        Denied: the caller may read it, but not write there at all.
        Conflict: it is based on an older version, or collides with what stands.
        Locked: a deletion request has locked it.
    """
    address = request.address
    new = address.number is None and address.ref is None
    if new and request.kind is None:
        names = [kind.name for kind in all_kinds()]
        raise Invalid(
            "Send kind to create an item, or number or ref to change one.",
            field="kind",
            allowed=names,
        )
    named = kind_named(request.kind) if request.kind is not None else None
    if named is None and address.ref == "instructions":
        named = kind_named(address.ref)
    if named is not None and not named.numbered:
        _refuse_other_ref(request, named)
        place = _place(caller, address.project_id, named)
        only = whole(place.items().filter(kind=named.name)).first()
        return _changed(place, named, only, request) if only else _new(place, named, request)
    if named is not None and new:
        return _new(_place(caller, address.project_id, named), named, request)
    place, item = access_item(caller, request.address, use=Use.PROPOSE, lock=True)
    kind = kind_of(item.kind)
    _require_work(place, kind, item.visibility)
    if named is not None and named is not kind:
        raise Invalid(
            f"{subject_of(item)} is a {kind.name}, not a {named.name}. Leave kind out.",
            field="kind",
            allowed=[kind.name],
        )
    return _changed(place, kind, item, request)


def _refuse_other_ref(request: StoreRequest, kind: Kind) -> None:
    sent = request.address.number if request.address.number is not None else request.address.ref
    if sent not in (None, kind.name):
        raise Invalid(
            f"The {kind.name} are addressed by ref {kind.name} alone.",
            field="kind",
            allowed=[each.name for each in all_kinds() if each.numbered],
        )


def _place(caller: Caller, project_id: str | None, kind: Kind) -> Place:
    if project_id is None and not kind.personal:
        raise Invalid(
            f"Send projectId: a {kind.name} belongs to a project.",
            field="projectId",
            allowed=["owner/name", "git remote"],
        )
    use = Use.PROPOSE if kind.review is Review.MODERATORS else Use.WORK
    return place_of(caller, project_id, use=use, lock=True)


def _require_work(place: Place, kind: Kind, visibility: str) -> None:
    """Refuse to those who may only propose what everyone may not propose.

    Raises:
        Denied: the role lacks `write`.
    """
    use = publishing_use(kind, place, visibility)
    if kind.review is not Review.MODERATORS or not can_be_proposed(kind, use):
        place.require(Use.WORK)


def _new(place: Place, kind: Kind, request: StoreRequest) -> Change:
    if request.version not in (None, 0):
        raise Invalid(
            "A version is for changing an item: send number or ref too, or leave version out "
            "to create one.",
            field="version",
        )
    return prepare_new(place, kind, request.fields, reason=request.reason)


def prepare_new(
    place: Place,
    kind: Kind,
    fields: JsonObject,
    *,
    reason: str | None = None,
    together: Together | None = None,
) -> Change:
    """Check a creation whole, at a place whose row this transaction holds.

    `together` says which others it is made with, if any.

    Raises:
        Invalid, TooLarge, NotFound, Denied, Conflict, Locked: as `prepare` refuses.
    """
    patch = read_patch(kind, fields)
    if patch.edits:
        raise Invalid("edits change a text that stands; send content.", field="edits")
    item = Item(
        project=place.project,
        kind=kind.name,
        author_id=place.caller.person_id,
        author_agent_id=place.caller.agent_id,
    )
    after = {
        each.name: each.type.empty if each.default is None else each.default for each in kind.fields
    }
    after |= patch.values
    for each in kind.fields:
        if each.required and not after[each.name]:
            raise Invalid(f"{each.name} is required for a {kind.name}.", field=each.name)
    if "visibility" in kind.by_name:
        after["visibility"] = _first_visibility(place, kind, after["visibility"])
        item.visibility = after["visibility"]
    _require_work(place, kind, item.visibility)
    change = Change(
        place=place,
        kind=kind,
        item=item,
        before=None,
        after=after,
        use=publishing_use(kind, place, item.visibility),
        now=timezone.now(),
        patch=patch,
        reason=read_reason(reason, limit=MAX_REASON),
    )
    if together is not None:
        join(change, together)
    work_out(change, standing="")
    change.item.parent = change.parent
    return change


def join(change: Change, together: Together) -> None:
    """Have a creation be one of those that are made together, before it is worked out."""
    change.mates = together.mates
    change.screened = together.screened
    change.blockers = list(together.blockers)
    if together.parent is not None:
        change.parent = together.parent
        for each in change.kind.fields:
            if isinstance(each.type, ItemReference):
                change.after[each.name] = MADE_NOW


def _first_visibility(place: Place, kind: Kind, sent: str) -> str:
    if place.project is None:
        if sent not in ("", "private"):
            raise Invalid(
                f"A {kind.name} without a project is private. Send projectId to share it.",
                field="visibility",
                allowed=["private"],
            )
        return "private"
    if not sent:
        raise Invalid(
            "Send visibility: private (you and your agents alone) or shared (everyone with "
            "access to the project"
            + ("; it is public, so everyone in the world)." if place.project.is_public else ")."),
            field="visibility",
            allowed=["private", "shared"],
        )
    return sent


def _changed(place: Place, kind: Kind, item: Item, request: StoreRequest) -> Change:
    refuse_locked(item)
    patch = read_patch(kind, request.fields)
    before = state_of(item)
    change = Change(
        place=place,
        kind=kind,
        item=item,
        before=before,
        after={**before, **patch.values},
        use=publishing_use(kind, place, item.visibility),
        now=timezone.now(),
        patch=patch,
        version=request.version,
        reason=read_reason(request.reason, limit=MAX_REASON),
    )
    stale = request.version is not None and request.version < item.version
    try:
        work_out(change, standing=item.content)
    except DomainError:
        if stale and _overwrites(kind, patch):
            check_version(item, request.version)  # what else is wrong may follow from that
        raise
    return change


def check_base(change: Change) -> None:
    """Go on only if the change is based on the item as it now stands, and it is active.

    Asked after who may publish it: who may not need not read it again.

    Raises:
        Invalid: it overwrites something, and no version was sent.
        Conflict: the item has changed since, or is archived.
    """
    if change.creates or change.changes_nothing:
        return
    item = change.item
    if item.archived_at is not None:
        raise Conflict(
            f"{subject_of(item)} is archived. Restore it first (item_action restore).",
            current_version=item.version,
        )
    if _needs_version(change):
        check_version(item, change.version)


def _overwrites(kind: Kind, patch: Patch) -> bool:
    """Whether what was sent is more than a move or appending."""
    return bool(patch.edits) or any(not kind.by_name[name].structure for name in patch.values)


def _needs_version(change: Change) -> bool:
    """Whether the change overwrites something: all but moves and appending do.

    A source state sent with appended text says something of the whole text, so it must
    be the text that was read.
    """
    if change.patch.append is None:
        return bool(change.content)
    sent = set(change.patch.values)
    return bool(sent & set(change.content)) or (
        bool(change.content) and _speaks_of_all(change.kind, sent)
    )


def _speaks_of_all(kind: Kind, sent: set[str]) -> bool:
    return any(isinstance(kind.by_name[name].type, SourceState) for name in sent)
