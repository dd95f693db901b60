"""The replayed session, over the real endpoint of its own temporary server."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from conderis.operations.replay.mending import Call, Knowledge, mend
from conderis.operations.replay.playing import words
from conderis.operations.replay.recalled import Line, find_line, find_proposal
from conderis.operations.replay.things import AGENTS, THINGS

MOST_CALLS = 9

KNOWN = Knowledge({"item_get": ["number", "section"]}, {})


@pytest.fixture(scope="module")
def replayed() -> dict[str, Any]:
    said = StringIO()
    call_command("replay_session", json=True, stdout=said)
    answer: dict[str, Any] = json.loads(said.getvalue())
    return answer


@pytest.mark.slow
def test_no_session_takes_more_than_nine_calls(replayed: dict[str, Any]) -> None:
    assert [session["agent"] for session in replayed["sessions"]] == list(AGENTS)
    assert replayed["calls"] <= MOST_CALLS
    assert replayed["calls"] == max(session["calls"] for session in replayed["sessions"])


@pytest.mark.slow
def test_every_thing_of_every_session_is_done(replayed: dict[str, Any]) -> None:
    for session in replayed["sessions"]:
        assert session["done"], session
        assert [thing["thing"] for thing in session["things"][1:]] == [each.name for each in THINGS]


@pytest.mark.slow
def test_every_refusal_is_mended_by_the_very_next_call(replayed: dict[str, Any]) -> None:
    assert replayed["unmended"] == 0
    for session in replayed["sessions"]:
        for thing in session["things"]:
            refusals = [call.get("refusal") for call in thing["calls"]]
            assert refusals[-1] is None
            assert len(refusals) <= 2


@pytest.mark.slow
def test_every_slip_is_refused_and_nothing_else(replayed: dict[str, Any]) -> None:
    refused = {session["agent"]: session["refused"] for session in replayed["sessions"]}

    assert refused == {agent: len(slips) for agent, slips in AGENTS.items()}


@pytest.mark.slow
def test_the_replay_is_told_in_words(replayed: dict[str, Any]) -> None:
    told = list(words(replayed))

    assert "  approve a proposal" in told
    assert told[-1].startswith(f"At most {replayed['calls']} calls")


@pytest.mark.no_database
def test_an_item_is_found_in_a_recall_by_words_of_its_title() -> None:
    recalled = "## Tasks: all 2\n- #3 v1 Write docs (open)\n  - #12 v4 Nightly backup (ready)"

    assert find_line(recalled, "nightly BACKUP") == Line(12, 4, "Nightly backup (ready)")
    with pytest.raises(LookupError):
        find_line(recalled, "importer")


@pytest.mark.no_database
def test_a_proposal_is_found_in_a_recall_by_words_of_its_title() -> None:
    recalled = "## Pending proposals: all 1\n- proposal:abc12 Deploying (change page #6 v1)"

    assert find_proposal(recalled, "deploying") == "proposal:abc12"
    with pytest.raises(LookupError):
        find_proposal(recalled, "backup")


@pytest.mark.no_database
def test_a_refusal_that_says_nothing_of_use_is_not_mended() -> None:
    call = Call("item_get", {"number": 3, "section": "one"})

    assert mend(call, {"error": "not_found", "message": "Nothing there."}, KNOWN) is None
    refusal = {"error": "invalid", "message": "section is wrong.", "field": "section"}
    assert mend(call, refusal, KNOWN) is None
    missing = {"error": "invalid", "message": "Send take.", "field": "take"}
    assert mend(call, missing, KNOWN) is None


@pytest.mark.no_database
def test_mending_leaves_the_refused_call_as_it_was() -> None:
    call = Call("item_get", {"number": 3, "section": "one"})
    refusal = {"message": "No heading fits.", "field": "section", "candidates": ["Only"]}

    mended = mend(call, refusal, KNOWN)

    assert mended == Call("item_get", {"number": 3, "section": "Only"})
    assert call.arguments == {"number": 3, "section": "one"}
