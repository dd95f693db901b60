import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from conderis.common.json import JsonObject, compact
from mcp_surface.measuring import (
    QUERIES,
    NoToolListError,
    found_tool,
    measure,
    measure_ours,
    saved_tools,
    score,
)
from mcp_surface.tools import listed_tools

pytestmark = pytest.mark.no_database

READER: JsonObject = {"name": "page_read", "description": "Opens pages. Also tasks."}


@pytest.mark.parametrize(("query", "meant"), QUERIES.items())
def test_each_of_the_six_queries_finds_the_tool_that_is_meant(query: str, meant: str) -> None:
    assert found_tool(query, listed_tools()) == meant


@pytest.mark.parametrize(
    ("query", "points"),
    [
        ("page", 5),
        ("pages", 5),
        ("opens", 3),
        ("open", 3),
        ("task", 1),
        ("tas", 0),
        ("page task", 6),
        ("nothing", 0),
    ],
)
def test_a_word_counts_where_it_stands_best(query: str, points: int) -> None:
    assert score(query, READER) == points


def test_the_first_sentence_ends_with_the_line() -> None:
    tool = {"name": "x", "description": "Acts on tasks\nblock, claim"}

    assert score("task", tool) == 3
    assert score("block", tool) == 1


def test_two_tools_on_top_are_no_find() -> None:
    assert found_tool("page", [READER, {**READER, "name": "page_list"}]) is None
    assert found_tool("nothing", [READER]) is None


def test_the_whole_is_measured_as_compact_json() -> None:
    measured = measure_ours()

    assert measured.whole.characters == len(compact(listed_tools()))
    assert list(measured.by_tool) == [tool["name"] for tool in listed_tools()]
    assert measured.hits == len(QUERIES)


@pytest.mark.parametrize("wrap", ["array", "tools", "answer"])
def test_a_saved_list_is_read_in_each_of_its_forms(wrap: str) -> None:
    forms = {
        "array": [READER],
        "tools": {"tools": [READER]},
        "answer": {"jsonrpc": "2.0", "id": 1, "result": {"tools": [READER]}},
    }

    assert saved_tools(json.dumps(forms[wrap])) == [READER]


@pytest.mark.parametrize(
    "text", ["", "{", "{}", "[1]", '{"tools": 3}', '[{"name": 3}]', "[" * 9999]
)
def test_a_text_that_is_no_list_of_tools_is_refused(text: str) -> None:
    with pytest.raises(NoToolListError):
        saved_tools(text)


def test_a_list_without_descriptions_is_measured() -> None:
    measured = measure([{"name": "bare"}])

    assert measured.whole.characters == len('[{"name":"bare"}]')
    assert measured.growth is None


def test_the_command_prints_every_figure_as_json() -> None:
    printed = json.loads(run("--json"))

    assert printed["characters"] == len(compact(listed_tools()))
    assert printed["growth"]["characters"] > 0
    assert printed["roundTrip"]["tokens"] > 0
    assert printed["found"] == 6
    assert printed["tools"]["recall"]["tokens"] > 0


def test_the_command_prints_a_table() -> None:
    printed = run()

    assert "one more kind" in printed
    assert "found as meant: 6 of 6" in printed


def test_the_command_measures_its_own_saved_list_as_itself(tmp_path: Path) -> None:
    saved = tmp_path / "list.json"
    saved.write_text(run("--list"), encoding="utf-8")

    measured = json.loads(run(str(saved), "--json"))

    assert measured["characters"] == len(compact(listed_tools()))
    assert "growth" not in measured


@pytest.mark.parametrize("content", [b"no list", b"\xff\xfe"])
def test_the_command_refuses_another_file_with_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other").write_bytes(content)

    with pytest.raises(CommandError, match="other: "):
        run(str(tmp_path / "other"))
    with pytest.raises(CommandError, match="No such file"):
        run(str(tmp_path / "missing"))


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("measure_surface", *arguments, stdout=out)
    return out.getvalue()
