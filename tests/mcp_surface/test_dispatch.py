"""A tool call from its arguments to its one text, with the real services."""

import json
from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.json import Json, JsonObject
from mcp_surface.dispatch import HANDLERS, UnknownTool, call_tool
from mcp_surface.tools import all_tools
from projects.models import Project
from tests.factories import agent_caller

SHOP = "alice/shop"


@pytest.fixture
def robo(alice: Person, project: Project) -> Caller:
    """An agent of the owner of alice/shop."""
    return agent_caller(alice)


def say(caller: Caller, tool: str, **arguments: Json) -> JsonObject:
    """The answer of a call that is not refused."""
    answer = call_tool(caller, tool, arguments)
    assert not answer.is_error, answer.text
    said: JsonObject = json.loads(answer.text)
    return said


def refusal(caller: Caller, tool: str, **arguments: Json) -> JsonObject:
    answer = call_tool(caller, tool, arguments)
    assert answer.is_error, answer.text
    said: JsonObject = json.loads(answer.text)
    return said


def store_task(caller: Caller, **fields: Any) -> JsonObject:
    fields = {"title": "Open the shop", **fields}
    return say(caller, "item_store", kind="task", projectId=SHOP, fields=fields)


def test_every_tool_of_the_list_is_answered_and_no_other() -> None:
    assert list(HANDLERS) == [tool.name for tool in all_tools()]


@pytest.mark.parametrize("name", ["", "item_update", "Recall", "recall "])
def test_an_unknown_tool_is_no_refusal_but_an_error(robo: Caller, name: str) -> None:
    with pytest.raises(UnknownTool):
        call_tool(robo, name, {})


def test_an_item_is_stored_read_listed_acted_on_and_requested_for_deletion(robo: Caller) -> None:
    stored = store_task(robo, priority="high")
    number = stored["number"]
    read = say(robo, "item_get", projectId=SHOP, number=number)
    listed = say(robo, "item_list", kind="task", projectId=SHOP)
    done = say(robo, "item_action", projectId=SHOP, number=number, action="complete", version=1)
    locked = say(robo, "item_delete", projectId=SHOP, number=number, reason="a name in it")

    assert (stored["outcome"], read["title"]) == ("published", "Open the shop")
    assert [entry["number"] for entry in listed["items"]] == [number]
    assert (done["status"], done["version"]) == ("done", 2)
    assert locked["outcome"] == "locked"


def test_a_project_is_made_read_and_listed(robo: Caller) -> None:
    made = say(robo, "project_store", fields={"name": "cellar"})
    read = say(robo, "project_get", projectId=made["projectId"])
    listed = say(robo, "item_list", kind="project")

    assert read["name"] == made["name"] == "alice/cellar"
    assert {entry["name"] for entry in listed["items"]} == {"alice/cellar", SHOP}


def test_recall_answers_in_markdown(robo: Caller) -> None:
    store_task(robo)

    answer = call_tool(robo, "recall", {"projectId": SHOP})

    assert not answer.is_error
    assert answer.text.startswith("#")
    assert "Open the shop" in answer.text


def test_the_guide_comes_from_recall(robo: Caller) -> None:
    assert "How to use Conderis well" in call_tool(robo, "recall", {"guide": "true"}).text


def test_an_answer_is_compact_and_shows_text_as_it_is(robo: Caller) -> None:
    number = store_task(robo, title="Größe prüfen 🎉")["number"]

    text = call_tool(robo, "item_get", {"projectId": SHOP, "number": number}).text

    assert '"title":"Größe prüfen 🎉"' in text
    assert "null" not in text


def test_a_refusal_is_an_answer_with_a_code_and_what_is_allowed(robo: Caller) -> None:
    refused = refusal(robo, "item_store", kind="tasks", projectId=SHOP, fields={"title": "x"})

    assert refused["error"] == "invalid"
    assert refused["field"] == "kind"
    assert refused["allowed"] == ["memory", "page", "task", "instructions"]


def test_fields_sent_as_text_store_the_same_as_an_object(robo: Caller) -> None:
    sent = {"title": "Sell", "tags": '["a", "b"]'}

    as_text = say(robo, "item_store", kind="task", projectId=SHOP, fields=json.dumps(sent))
    as_object = say(robo, "item_store", kind="task", projectId=SHOP, fields=sent)

    for stored in (as_text, as_object):
        read = say(robo, "item_get", projectId=SHOP, number=stored["number"])
        assert (read["title"], read["tags"]) == ("Sell", ["a", "b"])


@pytest.mark.parametrize("title", ['{"a": 1}', '["a"]', "null", "true", "12"])
def test_a_title_that_looks_like_json_is_that_title(robo: Caller, title: str) -> None:
    number = store_task(robo, title=title)["number"]

    assert say(robo, "item_get", projectId=SHOP, number=number)["title"] == title


@pytest.mark.parametrize("fields", [{"tags": "a,b"}, {"assignee": "null"}, {"due": ""}])
def test_a_value_that_could_be_meant_otherwise_is_refused_and_wipes_nothing(
    robo: Caller, fields: JsonObject
) -> None:
    number = store_task(robo, tags=["kept"], assignee="me", due="2026-12-31")["number"]
    before = say(robo, "item_get", projectId=SHOP, number=number)

    refused = refusal(robo, "item_store", projectId=SHOP, number=number, version=1, fields=fields)

    assert refused["field"] == next(iter(fields))
    assert refused["allowed"]
    assert say(robo, "item_get", projectId=SHOP, number=number) == before


def test_null_in_fields_clears_and_absent_fields_stay(robo: Caller) -> None:
    number = store_task(robo, tags=["gone"], due="2026-12-31")["number"]

    say(robo, "item_store", projectId=SHOP, number=number, version="1", fields={"tags": None})

    read = say(robo, "item_get", projectId=SHOP, number=number)
    assert "tags" not in read
    assert read["due"] == "2026-12-31"


@pytest.mark.parametrize("absent", [None, "", "null"])
def test_a_list_with_unset_options_is_the_whole_list(robo: Caller, absent: Json) -> None:
    store_task(robo)
    unset = dict.fromkeys(["query", "filter", "sort", "limit", "cursor"], absent)
    unset["query"] = None
    inside = dict.fromkeys(["due", "assignee", "parent", "ready"], absent)

    assert say(robo, "item_list", kind="task", projectId=SHOP, **unset)["total"] == 1
    assert say(robo, "item_list", kind="task", projectId=SHOP, filter=inside)["total"] == 1


def test_a_change_is_proposed_listed_read_and_withdrawn_through_the_tools(robo: Caller) -> None:
    fields: Json = {"title": "Setup", "content": "Run it.", "tags": []}
    made = say(robo, "item_store", kind="page", projectId=SHOP, fields=fields, propose=True)
    ref = made["proposal"]

    listed = say(robo, "item_list", kind="proposal", projectId=SHOP, filter={"author": "me"})
    read = say(robo, "item_get", ref=ref)
    gone = say(robo, "item_action", ref=ref, action="withdraw")
    after = say(robo, "item_get", projectId=SHOP, ref=ref)

    assert made == {"outcome": "proposed", "proposal": ref}
    assert [entry["proposal"] for entry in listed["items"]] == [ref]
    assert (read["state"], read["fields"]) == (
        "pending", {"title": "Setup", "content": "Run it."},
    )  # fmt: skip
    assert (gone["outcome"], gone["state"], after["state"]) == ("done", "withdrawn", "withdrawn")


def test_what_a_proposal_clears_is_named_since_answers_hold_no_nulls(robo: Caller) -> None:
    page: Json = {"title": "Setup", "content": "Run it.", "tags": ["one"]}
    number = say(robo, "item_store", kind="page", projectId=SHOP, fields=page)["number"]
    cleared: Json = {"tags": None, "content": ""}
    made = say(robo, "item_store", projectId=SHOP, number=number, version=1, fields=cleared,
               propose=True)  # fmt: skip

    read = say(robo, "item_get", ref=made["proposal"])

    assert (made["number"], made["baseVersion"], made["changed"]) == (
        number,
        1,
        ["content", "tags"],
    )
    assert (read["fields"], read["clears"]) == ({}, ["content", "tags"])


@pytest.mark.parametrize("kind", ["tasks", "Task", "instructions", "wiki", "\u202e" * 99])
def test_a_kind_that_has_no_list_is_refused_with_those_that_have(robo: Caller, kind: str) -> None:
    refused = refusal(robo, "item_list", kind=kind, projectId=SHOP)

    assert refused["field"] == "kind"
    assert refused["allowed"] == ["memory", "page", "task", "proposal", "project"]


@pytest.mark.parametrize("name", ["projectId", "filter"])
def test_a_list_of_projects_refuses_what_it_cannot_obey(robo: Caller, name: str) -> None:
    value: Json = {"tags": ["a"]} if name == "filter" else SHOP

    assert refusal(robo, "item_list", kind="project", **{name: value})["field"] == name


@pytest.mark.parametrize("name", ["number", "ref", "version", "fields", "reason", "propose"])
def test_a_batch_stands_alone(robo: Caller, name: str) -> None:
    beside: Json = {"fields": {"title": "x"}, "reason": "x", "propose": True}.get(name, 3)

    refused = refusal(robo, "item_store", projectId=SHOP, batch={"items": []}, **{name: beside})

    assert refused["field"] == name
    assert "batch" in refused["allowed"]


def test_what_a_caller_may_not_read_does_not_exist(project: Project, mallory: Person) -> None:
    stranger = agent_caller(mallory)

    hidden = refusal(stranger, "item_list", kind="task", projectId=SHOP)
    missing = refusal(stranger, "item_list", kind="task", projectId="alice/none")

    assert hidden["error"] == missing["error"] == "not_found"
    assert hidden["message"].replace(SHOP, "") == missing["message"].replace("alice/none", "")


def test_no_answer_ever_holds_half_a_character(
    robo: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(HANDLERS, "recall", lambda *_: "half \ud83d here")

    assert call_tool(robo, "recall", {}).text == "half \ufffd here"
