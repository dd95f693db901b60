"""The bench: every row measured over the real endpoint, and statements counted exactly."""

import json
import os
import time

import pytest
from django.core.management import CommandError, call_command

from conderis.accounts.authentication import caller_of_key
from conderis.common.caller import Surface
from conderis.operations.bench.counting import count_queries
from conderis.operations.bench.rows import ROWS
from conderis.operations.bench.seeding import PAGE_LENGTH, Seeded, seed
from conderis.operations.bench.texts import Writer
from conderis.operations.faults import Fault
from conderis.operations.trial.processor import Processor
from conderis.operations.trial.wire import answer_of, result_of
from items.models import Item, ItemEvent, ItemTag, Relation
from items.places import ancestors
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
    "wrong", [{"calls": "0"}, {"items": "19"}, {"items": "many"}, {"calls": "-1"}]
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


@pytest.mark.no_database
def test_an_error_of_the_protocol_is_a_fault_and_a_refusal_is_an_answer() -> None:
    refused = {"content": [{"type": "text", "text": "{}"}], "isError": True}

    with pytest.raises(Fault, match="no such method"):
        result_of(b'{"jsonrpc": "2.0", "id": 1, "error": {"message": "no such method"}}')
    assert answer_of(json.dumps({"result": refused}).encode()).is_error
