"""The retrieval bench: what it computes, on a made-up file, and what it refuses."""

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from conderis.common.json import JsonObject
from conderis.operations.faults import Fault
from conderis.operations.retrieval import retrieving
from conderis.operations.retrieval.asking import ask_all
from conderis.operations.retrieval.dataset import Question, read_conversations
from conderis.operations.retrieval.retrieving import table
from conderis.operations.retrieval.scoring import Score, figures

CONVERSATIONS: list[dict[str, Any]] = [
    {
        "id": "zoo",
        "turns": [
            {"id": "Z1", "date": "today", "speaker": "Ann", "text": "The walrus sleeps."},
            {"id": "Z2", "date": "today", "speaker": "Ben", "text": "An otter swims."},
            {"id": "Z3", "date": "today", "speaker": "Ann", "text": "Otter, otter, what an otter."},
        ],
        "questions": [
            # Found first: 1, 1, 1.
            {"question": "Where is the walrus?", "evidence": ["Z1"], "category": 1},
            # Z3 comes before Z2, and Z1 is not found: 1/2, 1/2, 1/2.
            {"question": "Which otter?", "evidence": ["Z1", "Z2"], "category": 1},
            # Nothing of it is found: 0, 0, 0. What names no turn is left out.
            {"question": "Any badger?", "evidence": ["Z1", "nowhere"], "category": 2},
            # Left out: its evidence names no turn.
            {"question": "And a walrus?", "evidence": ["nowhere"], "category": 2},
        ],
    },
    {
        # Nothing of the other conversation is found here, though it says the same.
        "id": "farm",
        "turns": [{"id": "Z1", "speaker": "Cid", "text": "A walrus among cows."}],
        "questions": [{"question": "A walrus?", "evidence": ["Z1"], "category": 2}],
    },
]
EXPECTED = {
    "categories": {
        "1": {"questions": 2, "recallAt5": 0.75, "recallAt10": 0.75, "mrr": 0.75},
        "2": {"questions": 2, "recallAt5": 0.5, "recallAt10": 0.5, "mrr": 0.5},
    },
    "all": {"questions": 4, "recallAt5": 0.625, "recallAt10": 0.625, "mrr": 0.625},
    "reached": {"recallAt10": False, "mrr": True},
}
NAMES = {"queries": 20, "first": 0.95, "missed": ["timezone"], "reached": True}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(CONVERSATIONS))
    return path


def test_a_made_up_file_has_the_figures_that_were_computed_by_hand(db: None, file: Path) -> None:
    assert figures(ask_all(read_conversations(file))) == EXPECTED


@pytest.mark.no_database
@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (["t1"], (1, 1, 1)),
        (["t5", "t6"], (1 / 2, 1, 1 / 5)),
        (["t6", "t10", "t11", "none"], (0, 1 / 2, 1 / 6)),
        (["t12"], (0, 0, 1 / 12)),
        (["none"], (0, 0, 0)),
    ],
)
def test_a_question_is_scored_by_its_share_among_the_first_and_by_the_first_find(
    evidence: list[str], expected: tuple[float, float, float]
) -> None:
    question = Question("?", "1", frozenset(evidence))

    score = Score.of(question, [f"t{rank}" for rank in range(1, 13)])

    assert (score.at_5, score.at_10, score.reciprocal_rank) == expected


@pytest.mark.slow
def test_the_command_measures_on_each_database_and_leaves_both_as_they_were(file: Path) -> None:
    said = io.StringIO()
    databases = ["sqlite"]
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        databases.append("postgresql")

    call_command("bench_retrieval", str(file), json=True, stdout=said, stderr=io.StringIO())

    answer: JsonObject = json.loads(said.getvalue())
    for report in answer["databases"].values():
        names = report.pop("names")
        assert names["queries"] >= 60
        assert names["reached"]
    assert answer == {
        "file": "tiny.json",
        "conversations": 2,
        "turns": 4,
        "questions": 4,
        "databases": dict.fromkeys(databases, EXPECTED),
    }


@pytest.mark.no_database
def test_the_table_has_a_line_for_each_category_and_the_verdicts() -> None:
    answer = {
        "file": "tiny.json",
        "conversations": 2,
        "turns": 4,
        "questions": 4,
        "databases": {"sqlite": EXPECTED | {"names": NAMES}},
    }

    assert list(table(answer)) == [
        "tiny.json: 2 conversations, 4 turns, 4 questions",
        "",
        "sqlite        questions    r@5   r@10    MRR",
        "category 1            2  0.750  0.750  0.750",
        "category 2            2  0.500  0.500  0.500",
        "all                   4  0.625  0.625  0.625",
        "",
        "sqlite: r@10 0.625 MISSES 0.65",
        "sqlite: MRR 0.625 reaches 0.49",
        "sqlite: of 20 names 0.950 found first reaches 0.95, not timezone",
    ]


@pytest.mark.no_database
def test_a_usual_file_that_is_not_there_is_said_in_a_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "none.json"
    monkeypatch.setattr(retrieving, "USUAL_FILE", missing)

    with pytest.raises(CommandError, match=r"There is no .*none\.json\. Name a file"):
        call_command("bench_retrieval")
    with pytest.raises(CommandError, match=r"none\.json cannot be read"):
        call_command("bench_retrieval", str(missing))


@pytest.mark.no_database
@pytest.mark.parametrize(
    "text", ["", "{", "{}", "3", "[3]", '[{"id": "x"}]', "[]", '{"a": {"turns": 1}}']
)
def test_a_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(text)

    with pytest.raises(Fault, match=r"wrong\.json (is no list|has no question)"):
        read_conversations(path)
