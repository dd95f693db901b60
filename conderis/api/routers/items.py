"""Items of a project, and those without one: personal memories."""

from django.http import HttpRequest, HttpResponse
from ninja import Body, Query, Router

from conderis.api.answering import CREATED, answered, stored
from conderis.api.authenticating import caller_of
from conderis.api.bodies import Action, DeletionWish, ItemChange, NewItem
from conderis.api.describing import described
from conderis.api.places import own_address, project_address
from conderis.api.queries import (
    HistoryPage,
    ItemList,
    VersionedParts,
    filtered_by,
    filters_sent,
    item_filters,
)
from conderis.common.echoes import echo
from conderis.common.errors import Invalid
from items.kinds.registry import all_kinds
from items.listing import list_items
from items.requests import (
    ActRequest,
    Address,
    DeletionCall,
    ListRequest,
    ReadRequest,
    StoreRequest,
)
from privacy.reading import read_at
from privacy.requesting import request_deletion
from proposals.writing import act, store

router = Router(tags=["Items"])

PLACE = "/projects/{place:project}/items"
ITEM = f"{PLACE}/{{item}}"
OWN = "/items"
OWN_ITEM = f"{OWN}/{{item}}"


@router.get(PLACE, **described("ItemPage", reading=True, filters=True))
@filtered_by(item_filters)
def items_list(request: HttpRequest, project: str, query: Query[ItemList]) -> HttpResponse:
    """List or search the items of one kind in a project."""
    return _list(request, project, query)


@router.post(PLACE, **described("Stored", statuses=(200, 201, 202), fields="Fields"))
def item_create(request: HttpRequest, project: str, sent: Body[NewItem]) -> HttpResponse:
    """Create an item, or propose it where you may not publish it (202)."""
    return _create(request, Address(project_id=project), sent)


@router.get(ITEM, **described("Item", reading=True))
def item_read(
    request: HttpRequest, project: str, item: str, query: Query[VersionedParts]
) -> HttpResponse:
    """Read an item by its number, or the `instructions`. Long texts come in parts.

    Personal memories and proposals have addresses of their own.
    """
    return _read(request, project_address(project, item), query)


@router.patch(ITEM, **described("Stored", statuses=(200, 202), fields="Fields"))
def item_change(
    request: HttpRequest, project: str, item: str, sent: Body[ItemChange]
) -> HttpResponse:
    """Change an item, or propose the change where you may not publish it (202).

    The first `instructions` of a project are stored so, too.
    """
    return _change(request, project_address(project, item), sent)


@router.get(f"{ITEM}/history", **described("History", reading=True))
def item_history(
    request: HttpRequest, project: str, item: str, query: Query[HistoryPage]
) -> HttpResponse:
    """Read what happened to an item, newest first, 20 events at a time."""
    return _history(request, project_address(project, item), query)


@router.post(f"{ITEM}/actions", **described("Acted", statuses=(200, 202), fields="ActionFields"))
def item_act(request: HttpRequest, project: str, item: str, sent: Body[Action]) -> HttpResponse:
    """Act on an item: claim, complete, archive, relate and what else its kind allows."""
    return _act(request, project_address(project, item), sent)


@router.post(f"{ITEM}/deletion-requests", **described("DeletionRequested", statuses=(200, 201)))
def item_delete(
    request: HttpRequest, project: str, item: str, sent: Body[DeletionWish]
) -> HttpResponse:
    """Ask a person to erase an item for good, or one version of it. It is locked at once."""
    return _delete(request, project_address(project, item), sent)


@router.get(OWN, **described("ItemPage", reading=True, filters=True))
@filtered_by(item_filters)
def own_list(request: HttpRequest, query: Query[ItemList]) -> HttpResponse:
    """List or search your personal memories, or the tasks of all your projects."""
    return _list(request, None, query)


@router.post(OWN, **described("Stored", statuses=(200, 201), fields="Fields"))
def own_create(request: HttpRequest, sent: Body[NewItem]) -> HttpResponse:
    """Store a personal memory."""
    return _create(request, Address(), sent)


@router.get(OWN_ITEM, **described("Item", reading=True))
def own_read(request: HttpRequest, item: str, query: Query[VersionedParts]) -> HttpResponse:
    """Read a personal memory, as `memory:<id>`."""
    return _read(request, own_address(item), query)


@router.patch(OWN_ITEM, **described("Stored", fields="Fields"))
def own_change(request: HttpRequest, item: str, sent: Body[ItemChange]) -> HttpResponse:
    """Change a personal memory."""
    return _change(request, own_address(item), sent)


@router.get(f"{OWN_ITEM}/history", **described("History", reading=True))
def own_history(request: HttpRequest, item: str, query: Query[HistoryPage]) -> HttpResponse:
    """Read what happened to a personal memory."""
    return _history(request, own_address(item), query)


@router.post(f"{OWN_ITEM}/actions", **described("Acted", fields="ActionFields"))
def own_act(request: HttpRequest, item: str, sent: Body[Action]) -> HttpResponse:
    """Archive a personal memory, or restore it."""
    return _act(request, own_address(item), sent)


@router.post(f"{OWN_ITEM}/deletion-requests", **described("DeletionRequested", statuses=(200, 201)))
def own_delete(request: HttpRequest, item: str, sent: Body[DeletionWish]) -> HttpResponse:
    """Ask for a personal memory to be erased for good. You decide it in the browser."""
    return _delete(request, own_address(item), sent)


def _list(request: HttpRequest, project: str | None, query: ItemList) -> HttpResponse:
    kinds = [kind.name for kind in all_kinds() if kind.listed]
    if query.kind not in kinds:
        raise Invalid(
            f"There is no list of kind {echo(query.kind)} here. Kinds: {', '.join(kinds)}.",
            field="kind",
            allowed=kinds,
        )
    wanted = ListRequest(
        kind=query.kind,
        project_id=project,
        query=query.query,
        filters=filters_sent(request, item_filters()),
        sort=query.sort,
        limit=query.limit,
        cursor=query.cursor,
    )
    return answered(list_items(caller_of(request), wanted))


def _create(request: HttpRequest, address: Address, sent: NewItem) -> HttpResponse:
    wanted = StoreRequest(
        address=address,
        kind=sent.kind,
        fields=sent.fields,
        reason=sent.reason,
        propose=sent.propose,
    )
    answer = store(caller_of(request), wanted)
    return stored(answer, place=request.path, name="number", new=True)


def _read(request: HttpRequest, address: Address, query: VersionedParts) -> HttpResponse:
    wanted = ReadRequest(
        address=address,
        section=query.section,
        version=query.version,
        offset=query.offset,
        take=query.take,
    )
    return answered(read_at(caller_of(request), wanted))


def _change(request: HttpRequest, address: Address, sent: ItemChange) -> HttpResponse:
    wanted = StoreRequest(
        address=address,
        kind=sent.kind,
        version=sent.version,
        fields=sent.fields,
        reason=sent.reason,
        propose=sent.propose,
    )
    answer = store(caller_of(request), wanted)
    return stored(answer, place=request.path, name="number", new=False)


def _history(request: HttpRequest, address: Address, query: HistoryPage) -> HttpResponse:
    wanted = ReadRequest(address=address, history=True, version=query.version)
    return answered(read_at(caller_of(request), wanted))


def _act(request: HttpRequest, address: Address, sent: Action) -> HttpResponse:
    wanted = ActRequest(
        address=address,
        action=sent.action,
        version=sent.version,
        reason=sent.reason,
        target=sent.target,
        relation=sent.relation,
        fields=sent.fields,
    )
    answer = act(caller_of(request), wanted)
    return stored(answer, place=request.path, name="number", new=False)


def _delete(request: HttpRequest, address: Address, sent: DeletionWish) -> HttpResponse:
    wanted = DeletionCall(address=address, version=sent.version, reason=sent.reason)
    answer = request_deletion(caller_of(request), wanted)
    return answered(answer, status=CREATED if answer["outcome"] == "locked" else 200)
