"""The queue of a project's proposals, as far as the caller may see them.

All rows come through the door `visible_proposals`; a page costs the same few queries
however many wait.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Q, QuerySet

from conderis.common.errors import NotFound
from conderis.common.paging import Binding, Keyset, SortKey, page_of
from conderis.web.moderation.rows import QueueRow, row_of
from conderis.web.moderation.wanting import OLDEST, Wanted
from conderis.web.moderation.words import PENDING, kinds_word
from conderis.web.projects.frame import ProjectFrame
from items.kinds.base import Review
from items.kinds.registry import all_kinds
from proposals.access import visible_proposals, whole, with_locks
from proposals.batching.titles import with_titles

PAGE: Final = 25
MOST_AUTHORS: Final = 100
_ID = SortKey("public_id", unique=True)
_ORDERS = {
    True: Keyset(SortKey("created"), _ID),
    False: Keyset(SortKey("created", descending=True), _ID),
}


@dataclass(frozen=True, slots=True)
class Queue:
    """A page of the queue. `total` counts all that the filters let through."""

    rows: list[QueueRow]
    total: int
    more: bool
    next_cursor: str | None

    @property
    def may_decide(self) -> bool:
        """Whether the caller may decide one of these here."""
        return any(row.value for row in self.rows)


@dataclass(frozen=True, slots=True)
class Author:
    """Somebody to filter by: a person, or (with `agent`) an agent of theirs."""

    ref: str
    name: str
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a proposal stands in the queue, from 1, and the ids of its neighbours."""

    at: int
    total: int
    previous: str
    next: str


def read_queue(frame: ProjectFrame, wanted: Wanted, cursor: str | None = None) -> Queue:
    """The proposals that the filters let through, page by page.

    Raises:
        Invalid: the cursor is none of this list.
    """
    page = page_of(
        with_titles(whole(_rows(frame, wanted))),
        keyset=_ORDERS[wanted.sort == OLDEST],
        binding=Binding(
            frame.caller, "moderation", {"projectId": frame.project_id, "wanted": wanted.query}
        ),
        limit=PAGE,
        cursor=cursor,
    )
    rows = [row_of(frame, each) for each in page.items]
    return Queue(rows, page.total, page.more, page.next_cursor)


def proposal_here(frame: ProjectFrame, public_id: str) -> Any:
    """The row of a proposal of this very project, with all that showing it takes.

    Raises:
        NotFound: there is none here that the caller may see.
    """
    rows = whole(visible_proposals(frame.caller, frame.access))
    found = rows.filter(public_id=public_id).first()
    if found is None:
        raise NotFound("There is no such proposal.")
    found.project = frame.access.project
    return found


def authors_of(frame: ProjectFrame) -> list[Author]:
    """Who has proposed something here that the caller may see: people, then agents."""
    found = (
        visible_proposals(frame.caller, frame.access)
        .order_by()
        .values_list(
            "proposer__public_id",
            "proposer__display_name",
            "proposer_agent__public_id",
            "proposer_agent__name",
        )
        .distinct()[: 2 * MOST_AUTHORS]
    )
    people, agents = {}, {}
    for person, name, agent, agent_name in found:
        people[person] = Author(f"person:{person}", name)
        if agent is not None:
            agents[agent] = Author(f"agent:{agent}", name, agent_name)
    listed = [*sorted(people.values(), key=_name), *sorted(agents.values(), key=_name)]
    return listed[:MOST_AUTHORS]


def kinds_here() -> list[tuple[str, str]]:
    """The kinds that can be proposed, to filter by."""
    return [(each.name, kinds_word(each.name)) for each in all_kinds()
            if each.review is not Review.NEVER]  # fmt: skip


def place_of(frame: ProjectFrame, wanted: Wanted, row: Any) -> Place | None:
    """Where it stands among what the filters let through; None where it is not among it."""
    rows = _rows(frame, wanted)
    if not rows.filter(pk=row.pk).exists():
        return None
    before, after = _sides(row.created, row.public_id, oldest=wanted.sort == OLDEST)
    ordered = _ORDERS[wanted.sort == OLDEST].ordered(rows)
    count = rows.filter(before).count()
    return Place(
        at=count + 1,
        total=rows.count(),
        previous=_first(ordered.filter(before).reverse()),
        next=_first(ordered.filter(after)),
    )


def next_to_decide(frame: ProjectFrame, wanted: Wanted, row: Any) -> str:
    """The id of the pending one to go on with after this one; "" where none is left."""
    pending = wanted if wanted.state == PENDING else Wanted()
    oldest = pending.sort == OLDEST
    ordered = _ORDERS[oldest].ordered(_rows(frame, pending).exclude(pk=row.pk))
    _before, after = _sides(row.created, row.public_id, oldest=oldest)
    others = ordered.exclude(proposer=frame.caller.person_id)
    return _first(others.filter(after)) or _first(others)


def _rows(frame: ProjectFrame, wanted: Wanted) -> QuerySet[Any]:
    rows = visible_proposals(frame.caller, frame.access).filter(state=wanted.state)
    if wanted.kind:
        rows = rows.filter(kind=wanted.kind)
    if wanted.by:
        word, _colon, public_id = wanted.by.partition(":")
        side = "proposer_agent" if word == "agent" else "proposer"
        rows = rows.filter(**{f"{side}__public_id": public_id})
    if not wanted.q:
        return rows
    rows = with_locks(rows).filter(Q(("content_locked", False)))
    for word in wanted.q.split():
        rows = rows.filter(
            Q(title__icontains=word)
            | Q(reason__icontains=word)
            | Q(fields__content__icontains=word)
            | Q(fields__summary__icontains=word)
        )
    return rows


def _sides(created: datetime, public_id: str, *, oldest: bool) -> tuple[Q, Q]:
    """What comes before and what after a row of this time and id."""
    near = Q(created=created, public_id__lt=public_id)
    far = Q(created=created, public_id__gt=public_id)
    earlier, later = Q(created__lt=created), Q(created__gt=created)
    return (earlier | near, later | far) if oldest else (later | near, earlier | far)


def _first(rows: QuerySet[Any]) -> str:
    return str(rows.values_list("public_id", flat=True).first() or "")


def _name(author: Author) -> tuple[str, str]:
    return author.name.casefold(), author.agent.casefold()
