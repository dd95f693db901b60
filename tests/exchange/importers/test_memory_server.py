"""Files of the reference memory server (IMP-6): every variant, and no line stops the others."""

import json
from typing import Any

from exchange.importers.memory_server import MEMORY_SERVER
from exchange.records import Link
from exchange.sources import source_of_path
from tests.exchange.importers.finding import (
    SAMPLES,
    SHARED,
    Finds,
    found_in,
    json_file,
    shared_file,
    text_file,
    with_shared,
)


def entity(name: Any, *observations: Any, **members: Any) -> dict[str, Any]:
    return {"type": "entity", "name": name, "entityType": "thing",
            "observations": list(observations), **members}  # fmt: skip


def relation(of: str, word: str, to: str) -> dict[str, Any]:
    return {"type": "relation", "from": of, "to": to, "relationType": word}


def lines(*found: Any) -> Finds:
    text = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in found)
    return found_in(MEMORY_SERVER, text_file(text, "memory.jsonl"))


@with_shared
def test_the_official_form_comes_with_doubles_together_and_relations_to_strangers_told() -> None:
    found = found_in(MEMORY_SERVER, shared_file("server-memory-official-format.jsonl"))

    assert len(found.records) == 7
    assert "4 times in the file" in found.records["D3.js"].warnings[0]
    assert "GitHub issue \\#7" in found.content("зонтичный-issue-7")
    assert len(found.warned) == 5
    assert not found.left_out
    assert "- → maintained by: Observable" in found.content("D3.js")


@with_shared
def test_the_form_without_types_and_the_one_with_objects_are_known() -> None:
    plain = found_in(MEMORY_SERVER, shared_file("server-memory-variant-no-type.jsonl"))
    objects = found_in(
        MEMORY_SERVER, shared_file("server-memory-variant-observation-objects.jsonl")
    )

    assert (len(plain.records), len(objects.records)) == (25, 6)
    assert len(plain.problems) == 26
    assert plain.records["Decision: Use JSONL Format"].fields["type"] == "decision"
    assert "(2025-05-11 15:54 UTC)" in objects.content("Think Tool")
    assert str(objects.records["Think Tool"].created).startswith("2025-05-11 15:54:09")


@with_shared
def test_the_same_as_a_list_says_the_same() -> None:
    name = "server-memory-official-format.jsonl"
    rows = [json.loads(line) for line in (SHARED / name).read_text().splitlines()]
    as_list = found_in(MEMORY_SERVER, json_file(rows))

    assert {key: each.fields for key, each in as_list.records.items()} == {
        key: each.fields for key, each in found_in(MEMORY_SERVER, shared_file(name)).records.items()
    }


def test_the_sample_comes_but_for_the_half_line() -> None:
    found = found_in(MEMORY_SERVER, source_of_path(SAMPLES / "memory.jsonl"))

    assert found.content("Shop") == (
        "- Sells books\n- Since \\#1\n- Open at night\n\n## Relations\n\n"
        "- ← decided for: Use SQLite\n- → pays through: Bank"
    )
    assert found.content("Use SQLite").startswith("- Small\n  and quick (2025-05-11 15:54 UTC)\n")
    assert found.records["Shop"].fields["visibility"] == "shared"
    assert found.records["Shop"].fields["tags"] == ["project"]
    assert found.records["Use SQLite"].links == (Link("relates", "Shop"),)
    assert found.left_out == {"line 6": "The line is no JSON; it may be cut off."}
    assert list(found.warned) == ["line 4 (Shop pays through Bank)"]


def test_the_answer_of_read_graph_is_read_too() -> None:
    graph = {"entities": [entity("A", "x"), entity("B")], "relations": [relation("A", "is", "B")]}
    on_one_line = found_in(MEMORY_SERVER, json_file(graph))
    on_many = found_in(MEMORY_SERVER, text_file(json.dumps(graph, indent=1), "graph.json"))

    assert on_one_line.order == on_many.order == ["A", "B"]
    assert on_many.records["A"].links == (Link("relates", "B"),)


def test_each_pair_is_linked_once_and_every_word_is_kept() -> None:
    found = lines(
        entity("A"), entity("B"), relation("A", "is", "B"), relation("B", "was", "A"),
        relation("A", "has", "B"), relation("A", "likes", "A"),
    )  # fmt: skip

    assert [each.links for each in found.records.values()] == [(Link("relates", "B"),), ()]
    assert found.content("B") == "## Relations\n\n- ← is: A\n- → was: A\n- ← has: A"
    assert "- → likes: A" in found.content("A")


def test_bad_lines_are_named_and_stop_no_others() -> None:
    found = lines(
        entity("A", "x", ["list"], None, 7), "nonsense", "[1]", "7", {"type": "entity"}, "",
        {"type": "relation", "from": "A"}, {"hello": 1}, relation("X", "is", "Y"),
        entity({"a": 1}), entity("B\nC", "x\x00y"), "[" * 100_000,
    )  # fmt: skip

    assert found.titles() == ["A", "B C"]
    assert found.content("A") == "- x\n- 7"
    assert found.records["A"].warnings
    assert "- xy" in found.content("B C")
    assert list(found.left_out) == [
        "line 2", "line 3", "line 4", "line 5", "line 7", "line 8", "line 10", "line 12",
        "line 9 (X is Y)",
    ]  # fmt: skip


def test_an_entity_that_is_too_long_becomes_several_memories_and_nothing_is_lost() -> None:
    words = [f"word{number}" for number in range(9000)]
    found = lines(entity("Long " * 30, " ".join(words[:6000]), *words[6000:], "#1 " * 7000))

    first, *others = found.order
    contents = [found.content(key) for key in found.order]
    assert others
    assert all(len(content) <= 20_000 for content in contents)
    assert all(found.records[key].parent == first for key in others)
    assert all(f"word{number}" in "\n".join(contents) for number in (0, 5999, 6000, 8999))
    assert "\n".join(contents).count("\\#1") == 7000
    assert all(len(str(title)) <= 80 for title in found.titles())
    assert str(found.titles()[1]).endswith(f"(2 of {len(found.order)})")
    assert any("too long for one memory" in each for each in found.records[first].warnings)


def test_times_and_writers_are_taken_where_they_are() -> None:
    found = lines(entity("A", "x", createdAt=1768062654, updatedAt="2026-01-12T00:00:00Z",
                         createdBy="ann@example.com"))  # fmt: skip

    assert str(found.records["A"].created) == "2026-01-10 16:30:54+00:00"
    assert str(found.records["A"].changed) == "2026-01-12 00:00:00+00:00"
    assert found.records["A"].credit.name == "ann"
