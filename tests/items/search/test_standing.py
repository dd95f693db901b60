"""What is archived or closed is elsewhere in the index, from the moment it is so."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from exchange.writing.running import run_import
from items.models import Item
from items.search import is_complete, rebuild
from items.search.backends import backend
from items.unassigning import unassign_work
from privacy import deciding
from projects.models import Project
from tests.exchange.sources import order_of, record
from tests.exchange.test_writing_exports import exported
from tests.factories import person_caller
from tests.items.calls import act, change, create
from tests.items.listed import listed
from tests.items.rows import make_item
from tests.privacy.deletions import ask, erase, refuse, request_at
from tests.proposals.batches import send, task

INCLUDING = {"task": "includeClosed", "memory": "includeArchived", "page": "includeArchived"}
HITS = {
    "sqlite": "SELECT term, doc, col FROM items_search_hits ORDER BY term, doc, col",
    "postgresql": "SELECT item_id, scope, heading, gist, body, words::text "
    "FROM items_searchdocument ORDER BY item_id",
}


@dataclass
class World:
    """A project with the caller who works in it."""

    project: Project
    owner: Person

    @property
    def caller(self) -> Caller:
        return person_caller(self.owner)

    def make(self, kind: str, title: str, **fields: Any) -> int:
        if kind == "memory":
            fields |= {"visibility": "shared", "type": "fact", "summary": title}
        made = create(self.caller, self.project, kind, title=f"walrus {title}", **fields)
        return int(made["number"])

    def act(self, number: int, action: str) -> None:
        act(self.caller, self.project, number, action, self.version(number), reason="So it is.")

    def change(self, number: int, **fields: Any) -> None:
        change(self.caller, self.project, number, self.version(number), **fields)

    def version(self, number: int) -> int:
        return Item.objects.get(project=self.project, number=number).version

    def found(self, kind: str, **asked: Any) -> set[str]:
        """The words behind "walrus" in the titles that are found; the total is theirs."""
        page = listed(self.caller, self.project, kind, query="walrus", **asked)
        assert page["total"] == len(page["items"])
        return {entry["title"].removeprefix("walrus ") for entry in page["items"]}

    def marked(self) -> set[str]:
        """What the index holds as gone."""
        with connection.cursor() as cursor:
            cursor.execute(backend().GONE_IDS.replace("%%", "%"))
            ids = [pk for (pk,) in cursor.fetchall()]
        titles = Item.objects.filter(pk__in=ids).values_list("title", flat=True)
        return {title.removeprefix("walrus ") for title in titles}


def index_rows() -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(HITS[connection.vendor])
        return list(cursor.fetchall())


def assert_index_is_as_rebuilt() -> None:
    kept = index_rows()
    assert is_complete()
    rebuild()
    assert index_rows() == kept


@pytest.fixture
def world(project: Project, alice: Person) -> World:
    return World(project, alice)


def completed(world: World) -> None:
    world.act(world.make("task", "gone"), "complete")


def completed_by_its_status(world: World) -> None:
    world.change(world.make("task", "gone"), status="done")


def canceled(world: World) -> None:
    world.change(world.make("task", "gone"), status="canceled")


def closed_with_another_title(world: World) -> None:
    world.change(world.make("task", "old"), status="done", title="walrus gone")


def created_closed(world: World) -> None:
    world.make("task", "gone", status="done")


def renamed_when_closed(world: World) -> None:
    number = world.make("task", "old", status="done")
    world.change(number, title="walrus gone")


def sent_closed_in_a_batch(world: World) -> None:
    send(world.caller, world.project, task(title="walrus gone", status="done"))


def imported_closed(world: World) -> None:
    found = record("a", title="walrus gone", status="done")
    run_import(world.caller, order_of(world.project, [found]))


def refused_to_be_deleted(world: World) -> None:
    number = world.make("task", "gone", status="done")
    ref = ask(world.caller, world.project, number)
    assert world.found("task", includeClosed=True) == {"here"}
    assert world.marked() == set()
    refuse(world.owner, ref)


def closed_and_reopened(world: World) -> None:
    world.act(world.make("task", "gone"), "complete")
    number = world.make("task", "back", status="canceled")
    assert world.found("task") == {"here"}
    world.change(number, status="open")


def claimed_blocked_and_free(world: World) -> None:
    number = world.make("task", "back")
    for action in ("claim", "block", "unblock"):
        world.act(number, action)
    unassign_work(world.caller, Item.objects.get(project=world.project, number=number).changed)
    world.make("task", "gone", status="done")


def archived(world: World, kind: str = "memory") -> None:
    world.act(world.make(kind, "gone"), "archive")


def archived_page(world: World) -> None:
    archived(world, "page")


def archived_and_back(world: World) -> None:
    archived(world)
    number = world.make("memory", "back")
    world.act(number, "archive")
    assert world.found("memory") == {"here"}
    world.act(number, "restore")


def archived_along(world: World) -> None:
    parent = world.make("page", "gone")
    below = world.make("page", "gone below", parent=parent)
    world.make("page", "gone last", parent=below)
    world.act(parent, "archive")


def archived_along_and_back(world: World) -> None:
    parent = world.make("page", "back")
    below = world.make("page", "back below", parent=parent)
    world.make("page", "back last", parent=below)
    world.act(parent, "archive")
    assert world.found("page") == {"here"}
    world.act(parent, "restore")
    archived(world, "page")


def archived_along_while_locked(world: World) -> None:
    parent = world.make("page", "gone")
    below = world.make("page", "gone below", parent=parent)
    ref = ask(world.caller, world.project, below)
    world.act(parent, "archive")
    assert world.marked() == {"gone"}
    refuse(world.owner, ref)


def imported_archived(world: World) -> None:
    moment = Item.objects.latest("changed").changed
    found = exported(1, kind="page", title="walrus gone", archived=moment)
    run_import(world.caller, order_of(world.project, [found]))


CHANGES: list[tuple[str, Callable[[World], None]]] = [
    *(
        ("task", each)
        for each in (
            completed,
            completed_by_its_status,
            canceled,
            closed_with_another_title,
            created_closed,
            renamed_when_closed,
            sent_closed_in_a_batch,
            imported_closed,
            refused_to_be_deleted,
            closed_and_reopened,
            claimed_blocked_and_free,
        )
    ),
    *(("memory", each) for each in (archived, archived_and_back)),
    *(
        ("page", each)
        for each in (
            archived_page,
            archived_along,
            archived_along_and_back,
            archived_along_while_locked,
            imported_archived,
        )
    ),
]


@pytest.mark.parametrize(("kind", "happens"), CHANGES)
def test_whatever_is_closed_or_archived_is_gone_at_once_and_found_where_it_is_asked_for(
    world: World, kind: str, happens: Callable[[World], None]
) -> None:
    world.make(kind, "here")

    happens(world)

    standing, everything = world.found(kind), world.found(kind, **{INCLUDING[kind]: True})
    gone = everything - standing
    assert "here" in standing
    assert gone
    assert all(title.startswith("gone") for title in gone)
    assert all(title.startswith(("here", "back")) for title in standing)
    assert world.marked() == gone
    assert set(listed_titles(world, kind)) == standing
    assert_index_is_as_rebuilt()
    assert world.found(kind) == standing


def listed_titles(world: World, kind: str) -> list[str]:
    """What a list without a search shows."""
    page = listed(world.caller, world.project, kind)
    return [entry["title"].removeprefix("walrus ") for entry in page["items"]]


def test_what_is_erased_leaves_no_mark(world: World) -> None:
    number = world.make("task", "gone", status="done")
    assert world.marked() == {"gone"}

    erase(world.owner, ask(world.caller, world.project, number))

    assert world.marked() == set()
    assert_index_is_as_rebuilt()


def test_a_request_that_is_withdrawn_brings_back_what_was_gone_as_gone(world: World) -> None:
    number = world.make("memory", "gone")
    world.act(number, "archive")
    ref = ask(world.caller, world.project, number)

    deciding.withdraw(world.caller, ref)

    assert request_at(ref).state == "withdrawn"
    assert world.marked() == {"gone"}
    assert_index_is_as_rebuilt()


def test_personal_memories_that_are_archived_are_gone_too(world: World) -> None:
    made = create(world.caller, None, "memory", title="walrus gone", type="fact", summary="x")
    act(world.caller, None, made["ref"], "archive", 1)

    assert listed(world.caller, None, "memory", query="walrus")["total"] == 0
    assert listed(world.caller, None, "memory", query="walrus", includeArchived=True)["total"] == 1
    assert world.marked() == {"gone"}


@pytest.mark.parametrize("standing", ["done", "open"])
def test_a_task_whose_scope_is_wrong_is_noticed_and_never_shown(
    world: World, standing: str
) -> None:
    world.make("task", "here")
    number = world.make("task", "wrong", status="open" if standing == "done" else "done")
    Item.objects.filter(project=world.project, number=number).update(status=standing)

    assert not is_complete()
    assert world.found("task") == {"here"}

    rebuild()
    assert is_complete()
    assert world.found("task") == ({"here"} if standing == "done" else {"here", "wrong"})


def test_what_is_locked_past_the_services_is_neither_found_nor_counted(world: World) -> None:
    world.make("task", "here")
    number = world.make("task", "locked")
    moment = Item.objects.latest("changed").changed
    Item.objects.filter(project=world.project, number=number).update(locked_at=moment)

    assert world.found("task") == {"here"}


def test_a_search_of_what_stands_reads_no_rows_but_those_that_fit_best(
    project: Project, alice: Person
) -> None:
    for place in range(30):
        make_item(project, "task", title=f"walrus {place}" if place % 3 else f"otter {place}")
    caller = person_caller(alice)
    listed(caller, project, "task", query="walrus")

    with CaptureQueriesContext(connection) as statements:
        page = listed(caller, project, "task", query="walrus", limit=5)

    assert page["total"] == 20
    assert not any("items_item" in each["sql"] for each in statements if "hits (" in each["sql"])
