"""What stands behind the `?` of an address: unknown names and doubled ones are refused."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, get_origin

from django.http import HttpRequest, HttpResponse
from pydantic import BaseModel, Field, model_validator

from conderis.api.reading import refuse_broken_texts, refuse_unknown
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from conderis.common.paging import MAX_LIMIT
from exchange.exporting.files import FORMS
from exchange.exporting.writing import LINES
from exchange.importers.registry import IMPORTERS
from items.kinds.base import Filter
from items.kinds.registry import all_kinds
from items.kinds.values import Tags
from items.parts import MAX_TAKE
from items.recall.composing import MIN_CHARS
from items.recall.recalling import MAX_CHARS
from proposals.queue import FILTERS

Operation = Callable[..., HttpResponse]


class Sent(BaseModel):
    """Parameters of an address; an empty one is none."""

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, sent: Any) -> Any:
        members = getattr(sent, "_obj", sent)
        if not isinstance(members, dict):
            return sent
        return {name: value for name, value in members.items() if value not in ("", [""])}


def _bounds(least: int, most: int) -> JsonObject:
    """What the document says of a number, which the services hold to."""
    return {"minimum": least, "maximum": most}


class Paging(Sent):
    """Pages of a list."""

    limit: int | None = Field(
        None,
        description=f"Entries of a page: 1 to {MAX_LIMIT}, else 20.",
        json_schema_extra=_bounds(1, MAX_LIMIT),
    )
    cursor: str | None = Field(None, description="`nextCursor` of the page before.")


class ProjectList(Paging):
    """Which projects, in which order."""

    query: str | None = Field(None, description="Words of the name, description or remote.")
    sort: str | None = Field(None, description="relevance (with query), updated, created, title.")


class ProposalList(Paging):
    """Which proposals, in which order; their filters stand beside."""

    query: str | None = Field(None, description="Words of title, summary, content or reason.")
    sort: str | None = Field(None, description="relevance (with query), created, updated.")


class ItemList(Paging):
    """Which items of one kind, in which order; the filters of the kind stand beside."""

    kind: str = Field(description="The kind of the items.", examples=["task"])
    query: str | None = Field(None, description="Words to search for.")
    sort: str | None = Field(None, description="The order; relevance goes with query.")


class Parts(Sent):
    """Which part of a text."""

    section: str | None = Field(None, description="A heading, or a word of it.")
    offset: int | None = Field(
        None,
        description="`nextOffset` of the part before.",
        json_schema_extra={"minimum": 0},
    )
    take: int | None = Field(
        None,
        description=f"Characters of a part: at most {MAX_TAKE:,}, else 8,000.",
        json_schema_extra=_bounds(1, MAX_TAKE),
    )


class VersionedParts(Parts):
    """Which version, and which part of its text."""

    version: int | None = Field(
        None,
        description="As it was then; with `offset` that of the first part.",
        json_schema_extra={"minimum": 1},
    )


class HistoryPage(Sent):
    """Where the history goes on."""

    version: int | None = Field(
        None,
        description="`nextVersion` of the page before.",
        json_schema_extra={"minimum": 1},
    )


class Recalling(Sent):
    """What recall is to show."""

    focus: str | None = Field(None, description="Topic to rank by; it hides nothing.")
    maxChars: int | None = Field(  # noqa: N815 - the contract's name
        None,
        description=f"Length at most: {MIN_CHARS:,} to {MAX_CHARS:,} characters, else 8,000.",
        json_schema_extra=_bounds(MIN_CHARS, MAX_CHARS),
    )
    guide: bool = Field(default=False, description="The system guide instead.")


class ProjectNamed(Sent):
    """A project by any of its names."""

    projectId: str = Field(  # noqa: N815 - the contract's name
        description="Its id, owner/name, or a spelling of its git remote.",
        examples=["git@github.com:alice/shop.git"],
    )


class OfKind(Sent):
    """The kind of items that name none."""

    kind: str | None = Field(None, description="The kind of items of the batch that name none.")


class Importing(Sent):
    """What a file is, and what of it is imported."""

    name: str | None = Field(
        None, description="Of the file, with its ending; needed where the body is the file itself."
    )
    importer: str | None = Field(
        None,
        description="The format; recognized where none is named.",
        json_schema_extra={"enum": [each.name for each in IMPORTERS]},
    )
    only: list[str] = Field(
        default_factory=list,
        description="A part to import, as `parts` of a report names them; may come several times.",
    )
    storeAnyway: bool | None = Field(  # noqa: N815 - the contract's name
        None, description="Store texts that look like secrets. For people alone."
    )


class Exporting(Sent):
    """How a project is written down."""

    format: str = Field(
        LINES,
        description="One file of lines for a server, or a zip archive to read.",
        json_schema_extra={"enum": list(FORMS)},
    )
    private: bool = Field(default=True, description="With your own private memories.")


def item_filters() -> dict[str, list[tuple[str, Filter]]]:
    """The filters of lists of items by name, each with the kinds that have it."""
    found: dict[str, list[tuple[str, Filter]]] = {}
    for kind in all_kinds():
        for each in kind.filters if kind.listed else ():
            found.setdefault(each.name, []).append((kind.name, each))
    return found


def proposal_filters() -> dict[str, list[tuple[str, Filter]]]:
    """The filters of lists of proposals by name."""
    return {each.name: [("proposal", each)] for each in FILTERS}


def is_many(rows: list[tuple[str, Filter]]) -> bool:
    """Whether a filter may be sent several times."""
    return any(isinstance(each.type, Tags) for _, each in rows)


def filters_sent(request: HttpRequest, known: dict[str, list[tuple[str, Filter]]]) -> JsonObject:
    """The filters of an address by name, as services read them; empty ones are none."""
    return {
        name: request.GET.getlist(name) if is_many(rows) else request.GET[name]
        for name, rows in known.items()
        if any(request.GET.getlist(name))
    }


def filtered_by(
    known: Callable[[], dict[str, list[tuple[str, Filter]]]],
) -> Callable[[Operation], Operation]:
    """The operation takes these filters beside its other parameters."""

    def marked(operation: Operation) -> Operation:
        vars(operation)["filters"] = known
        return operation

    return marked


def only_known(operation: Operation) -> Operation:
    """The operation, refusing parameters of the address that it does not take."""
    names = _names(operation)
    filters = vars(operation).get("filters", dict)
    several = _several(operation)

    @wraps(operation)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        _refuse_odd(request, names, filters(), several)
        return operation(request, *args, **kwargs)

    return checked


def _names(operation: Operation) -> list[str]:
    """The parameters of the address that an operation declares."""
    return [name for query in _queries(operation) for name in query.model_fields]


def _several(operation: Operation) -> set[str]:
    """Those of them that may come several times."""
    return {
        name
        for query in _queries(operation)
        for name, each in query.model_fields.items()
        if get_origin(each.annotation) is list
    }


def _queries(operation: Operation) -> list[type[BaseModel]]:
    models = (each.annotation for each in inspect.signature(operation).parameters.values())
    found = (each for model in models for each in (model, *getattr(model, "__args__", ())))
    return [
        each for each in found if isinstance(each, type) and issubclass(each, BaseModel)
        and each.__module__ == __name__
    ]  # fmt: skip


def _refuse_odd(
    request: HttpRequest,
    names: list[str],
    filters: dict[str, list[tuple[str, Filter]]],
    several: set[str],
) -> None:
    sent = {name: values[-1] for name, values in request.GET.lists()}
    refuse_unknown(sent, [*names, *filters])
    refuse_broken_texts(sent)
    for name, values in request.GET.lists():
        many = name in several or (name in filters and is_many(filters[name]))
        if len(values) > 1 and not many:
            raise Invalid(f"{name} stands in the address more than once.", field=name)
