"""Finding the other item of a relation, by its number or by words of its title."""

from collections.abc import Sequence

from django.db.models import QuerySet

from conderis.common.caller import Caller
from conderis.common.errors import Invalid, NotFound
from conderis.common.json import JsonObject
from conderis.common.text import cut_at_word, expect_text, refuse_long
from items.access import Place, access_item, nothing_at, read_address, refuse_locked
from items.kinds.base import Kind
from items.kinds.registry import all_kinds, kind_of
from items.kinds.relations import ALLOWED, BLOCKS, read_relation
from items.models import Item
from items.places import without_texts
from items.relations import related_item
from items.requests import Address
from items.search import project_scopes, ranked
from items.search.words import query_terms, run_terms, runs
from projects.access import access_project
from projects.capabilities import Use

MOST = 20  # that are shown
MAX_TEXT = 200  # characters, as many as a title has


def relations_for(kind: Kind) -> tuple[str, ...]:
    """The relations that an item of this kind can have, as `relate` takes them."""
    if not kind.related:
        return ()
    return tuple(name for name in ALLOWED if kind in _joined_by(name))


def relatable_items(
    caller: Caller, project_id: str, number: int, *, relation: str, text: str
) -> list[JsonObject]:
    """Items that the item of a number could be related to so: `number`, `kind`, `title`.

    The `text` is the number of one (`12`, `#12`, `owner/name#12`), or words: then the best
    20 that have one of them in their titles. Archived ones are found by number alone.

    Raises:
        NotFound: there is no such item, or none with this number, that the caller may read.
        Denied: the caller may not relate items here.
        Invalid: it is no relation of this kind of item, the number is its own, or one of
            another project.
        TooLarge: the text is longer than 200 characters.
        Locked: it or the other one is locked.
    """
    place, item = access_item(caller, Address(project_id, number=number), use=Use.WORK)
    refuse_locked(item)
    kinds = _kinds_at(item, relation)
    wanted = expect_text(text, field="target").strip()
    refuse_long(wanted, field="target", limit=MAX_TEXT)
    named = _number_in(place, wanted)
    if named is None:
        return [_entry(row) for row in _by_words(place, item, kinds, wanted)]
    try:
        return [_entry(_other(place, item, named))]
    except NotFound:
        # A number alone may be a word of a title.
        found = [] if "#" in wanted else _by_words(place, item, kinds, wanted)
        if not found:
            raise
        return [_entry(row) for row in found]


def _joined_by(relation: str) -> list[Kind]:
    """The kinds whose items the relation joins."""
    name, _ = read_relation(relation)
    return [kind for kind in all_kinds() if kind.related and (name != BLOCKS or kind.statuses)]


def _kinds_at(item: Item, relation: str) -> list[Kind]:
    kinds, kind = _joined_by(relation), kind_of(item.kind)
    if kind not in kinds:
        allowed = relations_for(kind)
        raise Invalid(
            f"A {kind.name} has no relation {relation}. Its relations: {', '.join(allowed)}.",
            field="relation",
            allowed=allowed,
        )
    return kinds


def _number_in(place: Place, text: str) -> int | None:
    """The number that the text is, in the short or the long form; None where it is words."""
    try:
        reference = read_address(Address(ref=text))
    except Invalid:
        return None
    if reference.project_id is not None and place.project is not None:
        try:
            other = access_project(place.caller, reference.project_id)
        except NotFound:
            raise NotFound(nothing_at(text).message, field="target") from None
        if other.project.pk != place.project.pk:
            raise Invalid(
                f"{cut_at_word(text, 100)} is an item of another project. A relation joins two "
                "items of one project.",
                field="target",
            )
    return reference.number


def _other(place: Place, item: Item, number: int) -> Item:
    if number == item.number:
        raise Invalid("An item cannot be related to itself.", field="target")
    return related_item(place, number)


def _by_words(place: Place, item: Item, kinds: Sequence[Kind], text: str) -> list[Item]:
    """Those with a term of the text in their titles, best first; then those that hold it."""
    if place.project is None or not text:
        return []
    rows = without_texts(_open_items(place, item, kinds))
    terms = set(query_terms(text))
    # Closed ones, too.
    scopes = project_scopes(place.caller, [place.project.pk], kinds, everything=True)
    hits = ranked(rows, text, scopes)
    by_id = {row.pk: row for row in rows.filter(pk__in=[hit.item_id for hit in hits])}
    best = [by_id[hit.item_id] for hit in hits if hit.item_id in by_id]
    found = [row for row in best if terms & _terms_of(row.title)][:MOST]
    if len(found) < MOST:  # a piece of a word is no term
        rest = rows.filter(title__icontains=text).exclude(pk__in=[row.pk for row in found])
        found += rest.order_by("-changed", "-pk")[: MOST - len(found)]
    return found


def _open_items(place: Place, item: Item, kinds: Sequence[Kind]) -> QuerySet[Item]:
    return (
        place.items()
        .filter(
            kind__in=[kind.name for kind in kinds],
            number__isnull=False,
            archived_at__isnull=True,
            locked_at__isnull=True,
        )
        .exclude(pk=item.pk)
    )


def _terms_of(title: str) -> set[str]:
    return {term for _, run in runs(title) for term in run_terms(run)}


def _entry(row: Item) -> JsonObject:
    entry: JsonObject = {"number": row.number, "kind": row.kind, "title": row.title}
    if row.status:
        entry["status"] = row.status
    if row.archived_at is not None:
        entry["archived"] = True
    return entry
