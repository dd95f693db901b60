"""Showing the content of what is to be erased to whoever decides it: each time on record."""

from dataclasses import dataclass

from django.db import transaction

from conderis.accounts import audit
from conderis.common.caller import Caller
from conderis.common.json import Json, JsonObject, compact
from items.history import version_event
from items.kinds.registry import kind_of
from items.state import full_state
from privacy.access import RequestAccess, access_request, item_of


@dataclass(frozen=True, slots=True)
class RevealedField:
    """A field's name and its value as text."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """The content: of an item as it stands, of the one version, or of a proposal.

    `versions` are the item's whose text remains; each can be revealed too.
    """

    title: str
    fields: list[RevealedField]
    version: int | None
    versions: list[int]


def reveal(caller: Caller, ref: str, *, version: int | None = None) -> Revealed:
    """The content that the request is of, after that was put on record; for who decides it.

    `version` is another version of the item, where the request is of the whole item.

    Raises:
        NotFound: there is no such request that the caller may see.
        Denied: the caller does not decide it; agents never do.
        Conflict: it is not pending any more.
        Invalid: the item never had this version.
    """
    with transaction.atomic():
        access = access_request(caller, ref, lock=True)
        access.require_decision()
        request = access.request
        item = request.item
        audit.record(
            caller,
            action="deletion.revealed",
            subject=access.subject,
            project_id=request.project_id,
            organization_id=item.organization_id if item is not None else None,
            request=request.public_id,
            version=request.version if request.version is not None else version,
            private=access.is_private,
        )
        return _of_proposal(access) if request.proposal_id else _of_item(access, version)


def _of_item(access: RequestAccess, wanted: int | None) -> Revealed:
    request = access.request
    item = item_of(request)
    kept = item.events.filter(version__isnull=False, state__isnull=False).order_by("version")
    versions = [version for version in kept.values_list("version", flat=True) if version]
    version = request.version if request.version is not None else wanted
    if version is None:
        state, reason = full_state(item), ""
        version = item.version
    else:
        event = version_event(item, version)
        state, reason = event.state or {}, event.reason
    names = [*kind_of(item.kind).by_name, "blockedReason"]
    fields = [RevealedField(name, _text(state[name])) for name in names if state.get(name)]
    if reason:
        fields.append(RevealedField("reason", reason))
    return Revealed(
        title=str(state.get("title", "")),
        fields=[each for each in fields if each.name != "title"],
        version=version,
        versions=versions if request.version is None else [],
    )


def _of_proposal(access: RequestAccess) -> Revealed:
    proposal = access.request.proposal
    if proposal is None:
        raise TypeError("a request of a proposal has one")
    proposal.refresh_from_db(fields=["title", "fields", "reason", "decision_reason"])
    shown: JsonObject = {
        **proposal.fields,
        "reason": proposal.reason,
        "decisionReason": proposal.decision_reason,
    }
    items = proposal.entries.order_by("position").values_list("fields", flat=True)
    if items:
        shown["content"] = "\n\n".join(_item_text(each) for each in items)
    fields = [RevealedField(name, _text(value)) for name, value in shown.items() if value]
    return Revealed(title=proposal.title, fields=fields, version=None, versions=[])


def _item_text(fields: JsonObject) -> str:
    """An item of a proposed batch, whole: its title as a heading, then field by field."""
    others = {name: value for name, value in fields.items() if name != "title" and value}
    lines = [f"# {fields.get('title', '')}", *(f"{name}: {_text(others[name])}" for name in others)]
    return "\n\n".join(lines)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else compact(value)
