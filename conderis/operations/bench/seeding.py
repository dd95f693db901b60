"""A project to measure on: as many items as asked for, the same ones every time.

They are written in bulk, with all the rows that the services would have written but the
audit log's (a test compares the two), so that large projects take minutes, not hours.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish, MadeKey
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.models import Agent, Person
from conderis.accounts.people import create_owner
from conderis.common.caller import Surface
from conderis.operations.bench.drafts import AGENT, PERSON, Draft, Drafts, drafts_of
from items import search
from items.models import Item, ItemEvent, ItemTag, Relation
from items.places import GAP
from items.search.backends import backend
from items.search.documents import document_of
from items.search.scopes import scope_of
from items.state import full_state
from projects.keys import create_agent_key
from projects.models import Project
from projects.services import create_project

HANDLE = "bench"
DAYS = 120  # over which the items were written
CHUNK = 500


@dataclass(frozen=True, slots=True)
class Seeded:
    """What there is to call: the key (a secret), the project, and numbers in it.

    `task` has a parent, relations and an assignee; `page` is 2,000 characters long;
    `changed` is the task that calls change.
    """

    key: str
    project: str
    task: int
    page: int
    changed: int


def seed(items: int, *, name: str = "shop") -> Seeded:
    """A project of this many items (LEAST_ITEMS or more), its owner and an agent's key."""
    with transaction.atomic():
        person = Person.objects.filter(handle=HANDLE).first() or create_owner(
            Operator(), handle=HANDLE, display_name="Bea Bench"
        )
        caller = caller_of_person(person, Surface.COMMAND)
        project = create_project(caller, fields={"name": name})
        made: MadeKey = create_agent_key(
            Operator(), person=person, wish=KeyWish(name=f"Agent of {name}")
        )
        drafts = drafts_of(items)
        rows = _Maker(project, person, made.key.agent, timezone.now()).items(drafts)
        _write(project, drafts, rows)
        _index(drafts, rows)
    task, page, changed = (rows[-place].number or 0 for place in (3, 2, 1))
    return Seeded(made.text, project.full_name, task, page, changed)


@contextmanager
def in_bulk() -> Iterator[None]:
    """Around many projects: what PostgreSQL does for each row otherwise, once for thousands.

    Words are gathered before they go into the index, which is as ever afterwards, and rows
    are counted at the end, as the server's own daemon does a minute after so many. On SQLite
    the index is merged, as it is after an import.
    """
    if connection.vendor != "postgresql":
        yield
        search.merge()
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "ALTER INDEX search_by_words SET (fastupdate = on, gin_pending_list_limit = 65536)"
        )
        yield
        cursor.execute("SELECT gin_clean_pending_list('search_by_words')")
        cursor.execute("ALTER INDEX search_by_words SET (fastupdate = off)")
        cursor.execute("ALTER INDEX search_by_words RESET (gin_pending_list_limit)")
        cursor.execute("ANALYZE")


def more_keys(count: int) -> list[str]:
    """Keys (secrets) of so many more agents of the owner."""
    person = Person.objects.get(handle=HANDLE)
    return [
        create_agent_key(Operator(), person=person, wish=KeyWish(name=f"Client {place}")).text
        for place in range(1, count + 1)
    ]


@dataclass(frozen=True, slots=True)
class _Maker:
    """Whose the items are, and when they were written: makes rows of drafts."""

    project: Project
    person: Person
    agent: Agent
    now: datetime

    def items(self, drafts: Drafts) -> list[Item]:
        """The rows that are to be stored: the instructions, then the items by number."""
        made: list[Item] = []
        for place, draft in enumerate(drafts.items):
            above = {} if draft.parent is None else {"parent": made[draft.parent]}
            made.append(self._row(draft, number=place + 1, rank=GAP * draft.order, **above))
        return [self._row(drafts.instructions), *made] if drafts.instructions else made

    def _row(self, draft: Draft, **columns: Any) -> Item:
        age = timedelta(DAYS) * draft.age
        created = self.now - age
        if draft.holder == AGENT:
            columns["assignee_agent"] = self.agent
        if draft.holder == PERSON:
            columns["assignee_person"] = self.person
        if draft.due_in is not None:
            columns["due"] = self.now.date() + timedelta(draft.due_in)
        return Item(
            project=self.project,
            kind=draft.kind,
            author=self.person,
            author_agent=self.agent,
            version=draft.version,
            created=created,
            changed=created + age * draft.idle,
            held_since=self.now if draft.held else None,
            **draft.columns,
            **columns,
        )


def _write(project: Project, drafts: Drafts, rows: Sequence[Item]) -> None:
    numbered = rows[-len(drafts.items) :]
    by_depth: dict[int, list[Item]] = {1: [row for row in rows if row.number is None]}
    for draft, row in zip(drafts.items, numbered, strict=True):
        by_depth.setdefault(draft.depth, []).append(row)
    for _, level in sorted(by_depth.items()):
        # The parents have their keys by now.
        Item.objects.bulk_create(level, CHUNK)
    Relation.objects.bulk_create(
        (
            Relation(source=numbered[source], relation=relation, target=numbered[target])
            for source, relation, target in drafts.relations
        ),
        CHUNK,
    )
    ItemTag.objects.bulk_create(
        (ItemTag(item=item, tag=tag) for item in rows for tag in item.tags), CHUNK
    )
    ItemEvent.objects.bulk_create(_events(rows), CHUNK)
    project.last_number = len(numbered)
    project.save(update_fields=["last_number"])


def _index(drafts: Drafts, rows: Sequence[Item]) -> None:
    """Have the items be found. What the index holds of a kept draft is worked out once."""
    for start in range(0, len(rows), CHUNK):
        items = rows[start : start + CHUNK]
        documents = drafts.documents[start : start + CHUNK]
        if not documents:
            documents = [document_of(item) for item in items]
            if drafts.is_kept:
                drafts.documents += documents
        backend().store(
            replace(document, item_id=item.pk, scope=scope_of(item))
            for document, item in zip(documents, items, strict=True)
        )


def _events(items: Iterable[Item]) -> Iterator[ItemEvent]:
    """One for each version, all with the state as it now is."""
    for item in items:
        step, state = (item.changed - item.created) / item.version, full_state(item)
        for version in range(1, item.version + 1):
            yield ItemEvent(
                item=item,
                event="created" if version == 1 else "changed",
                version=version,
                at=item.created + step * (version - 1),
                author_id=item.author_id,
                author_agent_id=item.author_agent_id,
                changed=["content"] if version > 1 else [],
                state=state,
            )
