"""The bench: every row measured over the real endpoint, and statements counted exactly."""

import json
import os
import subprocess
import sys
import time
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from conderis.accounts.authentication import caller_of_key
from conderis.accounts.models import Agent
from conderis.common.caller import Surface
from conderis.operations.bench.counting import count_queries
from conderis.operations.bench.drafts import PAGE_LENGTH
from conderis.operations.bench.rows import ROWS
from conderis.operations.bench.seeding import Seeded, in_bulk, seed
from conderis.operations.bench.texts import Writer
from conderis.operations.faults import Fault
from conderis.operations.trial.processor import Processor
from conderis.operations.trial.wire import answer_of, result_of
from items.models import Item, ItemEvent, ItemTag, Relation
from items.places import ancestors
from items.search import rebuild
from items.state import full_state
from mcp_surface.dispatch import call_tool
from mcp_surface.tools import all_tools
from projects.models import Project
from tests.items.calls import create

ITEMS = 80
POSITIVE = ("p50Ms", "p95Ms", "callsPerSecond", "cpuMs", "queries", "characters", "tokens",
            "p50Ratio", "p95Ratio", "cpuRatio")  # fmt: skip


@pytest.fixture
def seeded(db: None) -> Seeded:
    return seed(ITEMS)


def test_no_call_takes_more_statements_than_its_row_allows(seeded: Seeded) -> None:
    statements = count_queries(seeded)

    assert {row.name for row in ROWS} == statements.keys()
    for row in ROWS:
        assert row.queries is not None
        assert 0 < len(statements[row.name]) <= row.queries, statements[row.name]


def test_the_limits_of_statements_are_those_that_were_promised() -> None:
    promised = {"item_get": 6, "item_list": 6, "item_store": 12, "recall": 14}

    assert {row.tool for row in ROWS} == {tool.name for tool in all_tools()}
    assert {row.tool: row.queries for row in ROWS if row.ratio is not None} == promised
    for row in ROWS:
        assert row.queries is not None
        assert row.queries <= promised.get(row.tool, row.queries)


def test_a_call_that_is_refused_is_not_counted_but_told(seeded: Seeded) -> None:
    Item.objects.filter(number=seeded.changed).update(locked_at="2026-01-01T00:00:00Z")

    with pytest.raises(Fault, match=r"item_store change was refused: .*locked"):
        count_queries(seeded)


@pytest.mark.no_database
@pytest.mark.parametrize(
    "wrong",
    [{"calls": "0"}, {"items": "19"}, {"items": "many"}, {"calls": "-1"}, {"workers": "65"}],
)
def test_a_bench_of_nothing_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(CommandError, match="must be a whole number from"):
        call_command("bench", **wrong)


def test_two_projects_are_seeded_alike(db: None) -> None:
    columns = ("number", "kind", "title", "content", "status", "version", "parent__number")

    for name in ("one", "two"):
        seed(ITEMS, name=name)

    one, two = (
        list(Item.objects.filter(project__name=name).order_by("number").values_list(*columns))
        for name in ("one", "two")
    )
    assert one == two
    assert len(one) == ITEMS + 1


def index_rows() -> list[tuple[object, ...]]:
    """All that the search index holds, whatever its columns are."""
    table, key = ("items_search", "rowid")
    if connection.vendor == "postgresql":
        table, key = ("items_searchdocument", "item_id")
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT doc.{key}, doc.* FROM {table} AS doc ORDER BY doc.{key}"  # noqa: S608
        )
        return list(cursor.fetchall())


def test_every_project_has_the_index_rows_that_a_rebuild_makes_of_its_items(db: None) -> None:
    # What the second of one size has was worked out for the first.
    for name, items in (("one", ITEMS), ("large", ITEMS + 20), ("two", ITEMS), ("three", ITEMS)):
        seed(items, name=name)
    seeded = index_rows()

    assert rebuild() == len(seeded) == 4 * (ITEMS + 1) + 20

    assert seeded == index_rows()


def test_times_days_and_holders_are_those_of_the_project_that_is_made(db: None) -> None:
    one, two = seed(ITEMS, name="one"), seed(ITEMS, name="two")

    for name, each in (("one", one), ("two", two)):
        items = Item.objects.filter(project__path=each.project)
        agent = Agent.objects.get(name=f"Agent of {name}")
        assert caller_of_key(each.key, surface=Surface.MCP).agent_id == agent.pk
        assert {item.author_agent_id for item in items} == {agent.pk}
        held = items.get(number=each.task)
        assert held.assignee_agent_id == agent.pk
        assert held.due == (held.held_since or timezone.now()).date() + timedelta(9)
        state = ItemEvent.objects.get(item=held, version=1).state
        assert state is not None
        assert state["assignee"]["ref"] == agent.ref
        instructions = items.get(kind="instructions")
        assert held.held_since == instructions.created


@pytest.mark.django_db(transaction=True)
def test_in_bulk_the_same_is_found_and_the_index_is_as_ever_afterwards() -> None:
    with in_bulk():
        seeded = seed(ITEMS)

    caller = caller_of_key(seeded.key, surface=Surface.MCP)
    arguments = {"projectId": seeded.project, "kind": "page", "query": "release is made"}
    found = call_tool(caller, "item_list", arguments)
    assert json.loads(found.text)["items"][0]["number"] == seeded.page
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT reloptions FROM pg_class WHERE relname = 'search_by_words'")
            assert cursor.fetchone()[0] == ["fastupdate=off"]
            # Nothing waits to be put into the index.
            cursor.execute("SELECT gin_clean_pending_list('search_by_words')")
            assert cursor.fetchone()[0] == 0


def test_seeded_items_have_the_rows_that_stored_ones_have(seeded: Seeded) -> None:
    project = Project.objects.get(path=seeded.project)

    items = list(Item.objects.filter(project=project).select_related("parent", "author_agent"))

    numbers = sorted(item.number for item in items if item.number is not None)
    assert numbers == list(range(1, ITEMS + 1))
    assert project.last_number == ITEMS
    for item in items:
        events = list(ItemEvent.objects.filter(item=item).order_by("id"))
        assert [event.version for event in events] == list(range(1, item.version + 1))
        assert events[-1].state == full_state(item)
        assert set(ItemTag.objects.filter(item=item).values_list("tag", flat=True)) == set(
            item.tags
        )


def test_seeded_items_stand_where_the_services_would_let_them(seeded: Seeded) -> None:
    items = Item.objects.filter(project__path=seeded.project)
    deepest = {"task": 5, "memory": 2, "page": 10}

    for item in items.filter(parent__isnull=False).select_related("parent"):
        assert item.parent is not None
        assert item.parent.kind == item.kind
        assert item.parent.visibility == item.visibility
        assert item.weight != "critical"
        assert len(ancestors(item)) < deepest[item.kind]
    for relation in Relation.objects.filter(relation="blocks").select_related("source", "target"):
        assert relation.source.kind == relation.target.kind == "task"
        assert (relation.source.number or 0) < (relation.target.number or 0)
    titles = items.filter(kind="page").values_list("parent", "title")
    assert len(set(titles)) == len(titles)


def test_seeded_items_are_read_found_and_followed_by_the_next_number(seeded: Seeded) -> None:
    caller = caller_of_key(seeded.key, surface=Surface.MCP)
    project = Project.objects.get(path=seeded.project)

    for number in range(1, ITEMS + 1):
        assert not call_tool(
            caller, "item_get", {"projectId": seeded.project, "number": number}
        ).is_error
    found = call_tool(
        caller,
        "item_list",
        {"projectId": seeded.project, "kind": "page", "query": "release is made"},
    )
    made = create(caller, project, "task", title="One more")

    assert json.loads(found.text)["items"][0]["number"] == seeded.page
    assert made["number"] == ITEMS + 1


def test_the_items_that_calls_name_are_what_the_rows_say(seeded: Seeded) -> None:
    caller = caller_of_key(seeded.key, surface=Surface.MCP)

    task, page, changed = (
        json.loads(
            call_tool(caller, "item_get", {"projectId": seeded.project, "number": number}).text
        )
        for number in (seeded.task, seeded.page, seeded.changed)
    )

    assert task["parent"]["title"] == "Release 4.2"
    assert [each["relation"] for each in task["relations"]] == ["blockedBy", "blockedBy",
                                                                "documentedBy"]  # fmt: skip
    assert len(page["content"]) == PAGE_LENGTH
    assert changed["kind"] == "task"


@pytest.mark.no_database
@pytest.mark.parametrize("length", [100, 1_999, 2_000, 9_001])
def test_a_page_is_written_to_the_character_with_a_heading_first(length: int) -> None:
    page = Writer(3).page(length)

    assert len(page) == length
    assert page.startswith("## ")
    assert page == Writer(3).page(length)


@pytest.mark.no_database
def test_processor_time_is_that_of_the_process() -> None:
    processor = Processor.of(os.getpid())
    before, known = processor.seconds(), time.process_time()

    while time.process_time() - known < 0.3:
        pass

    # Linux counts in hundredths of a second, apart for the process and the system.
    assert processor.seconds() - before == pytest.approx(time.process_time() - known, abs=0.1)
    assert os.getpid() in processor.pids
    assert processor.memory() > 1_000_000


BUSY = "import sys, time\nwhile time.process_time() < 0.4: pass\nprint(); sys.stdout.flush()\n"


@pytest.mark.no_database
def test_processes_that_come_and_go_below_it_are_counted_too() -> None:
    processor = Processor.of(os.getpid())
    before, own = processor.seconds(), time.process_time()

    with subprocess.Popen(
        [sys.executable, "-c", f"{BUSY}sys.stdin.read()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        while_there = processor.seconds() - before - (time.process_time() - own)
        assert child.pid in processor.pids
    afterwards = processor.seconds() - before - (time.process_time() - own)

    assert child.pid not in processor.pids
    assert while_there == pytest.approx(0.4, abs=0.15)
    # What has ended is counted once, with its parent.
    assert afterwards == pytest.approx(while_there, abs=0.05)


@pytest.mark.no_database
def test_a_server_that_has_ended_is_a_fault() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        processor = Processor.of(child.pid)

    with pytest.raises(Fault, match="The server has ended"):
        processor.seconds()


@pytest.mark.no_database
def test_an_error_of_the_protocol_is_a_fault_and_a_refusal_is_an_answer() -> None:
    refused = {"content": [{"type": "text", "text": "{}"}], "isError": True}

    with pytest.raises(Fault, match="no such method"):
        result_of(b'{"jsonrpc": "2.0", "id": 1, "error": {"message": "no such method"}}')
    assert answer_of(json.dumps({"result": refused}).encode()).is_error
