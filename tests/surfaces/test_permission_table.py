import json
from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Scope
from items.models import Item
from mcp_surface.dispatch import call_tool
from mcp_surface.tools import listed_tools
from projects.models import Project
from proposals.models import Proposal
from tests.factories import agent_caller, make_project, person_caller
from tests.items.calls import create
from tests.surfaces.permission_table import CALLERS, OWN_ROWS, PROJECT, PROPOSAL, ROWS, Row


@pytest.fixture
def stocked(alice: Person, bob: Person, project: Project) -> Project:
    """The project with a task, a page, a shared and a private memory, and instructions.

    A page that a contributor has proposed waits there.
    """
    owner = person_caller(alice)
    create(owner, project, "task", title="Task", content="text")
    create(owner, project, "page", title="Page", content="text")
    create(owner, project, "memory", title="Shared", content="text", visibility="shared")
    create(owner, project, "memory", title="Private", content="text", visibility="private")
    create(owner, project, "page", title="Parent")
    create(owner, project, "instructions", content="Test first.")
    create(person_caller(bob), project, "page", title="Proposed", content="text")
    return project


@pytest.fixture
def callers(
    alice: Person, bob: Person, carol: Person, rita: Person, mallory: Person
) -> dict[str, Caller]:
    other = make_project(alice, "other")
    return {
        "stranger": agent_caller(mallory),
        "visitor": agent_caller(mallory),
        "reader": agent_caller(rita),
        "contributor": agent_caller(bob),
        "moderator": agent_caller(carol),
        "owner": agent_caller(alice),
        "reading key": agent_caller(alice, "reads", scopes=frozenset({Scope.READ})),
        "foreign key": agent_caller(alice, "elsewhere", projects=[other]),
        "careful key": agent_caller(alice, "careful", always_review=True),
    }


def filled(value: Any, path: str) -> Any:
    """The arguments with the project's name and the proposal's reference in place."""
    if isinstance(value, str):
        waiting = Proposal.objects.get(title="Proposed") if PROPOSAL in value else None
        return str(waiting) if waiting is not None else value.replace(PROJECT, path)
    if isinstance(value, dict):
        return {name: filled(each, path) for name, each in value.items()}
    return value


def answer_of(caller: Caller, row: Row, path: str) -> tuple[str, str]:
    """The answer in the table's words, and its text."""
    answer = call_tool(caller, row.tool, filled(row.arguments, path))
    if not answer.is_error:
        is_proposed = answer.text.startswith('{"outcome":"proposed"')
        return "proposed" if is_proposed else "ok", answer.text
    refusal = json.loads(answer.text)
    word = refusal["error"]
    return (f"denied {refusal['missing']}" if word == "denied" else word), answer.text


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.use)
@pytest.mark.parametrize("name", CALLERS)
def test_each_caller_gets_what_the_table_says(
    stocked: Project, callers: dict[str, Caller], name: str, row: Row
) -> None:
    Project.objects.filter(pk=stocked.pk).update(is_public=name == "visitor")
    before = list(Item.objects.order_by("pk").values_list("version", "locked_by", "archived_at"))

    answer, _ = answer_of(callers[name], row, stocked.path)

    assert answer == row.answers[CALLERS.index(name)]
    if answer != "ok":
        after = Item.objects.order_by("pk").values_list("version", "locked_by", "archived_at")
        assert list(after) == before


@pytest.mark.parametrize("row", OWN_ROWS, ids=lambda row: row.use)
@pytest.mark.parametrize("name", CALLERS)
def test_each_caller_has_its_own(
    stocked: Project, callers: dict[str, Caller], name: str, row: Row
) -> None:
    answer, _ = answer_of(callers[name], row, stocked.path)

    assert answer == row.answers[CALLERS.index(name)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.use)
def test_a_hidden_project_answers_in_the_words_of_one_that_never_was(
    stocked: Project, callers: dict[str, Caller], row: Row
) -> None:
    _, hidden = answer_of(callers["stranger"], row, stocked.path)
    _, missing = answer_of(callers["stranger"], row, "alice/ship")

    assert hidden.replace(stocked.path, "alice/ship") == missing


@pytest.mark.parametrize("row", [row for row in ROWS if row.arguments.get("number") == 4],
                         ids=lambda row: row.use)  # fmt: skip
def test_a_private_memory_answers_in_the_words_of_a_number_never_given(
    stocked: Project, callers: dict[str, Caller], row: Row
) -> None:
    _, hidden = answer_of(callers["contributor"], row, stocked.path)
    unknown = Row(row.use, row.tool, row.arguments | {"number": 999}, row.answers)
    _, missing = answer_of(callers["contributor"], unknown, stocked.path)

    assert hidden.replace("#4", "#999") == missing


def test_every_tool_has_its_rows() -> None:
    assert {row.tool for row in ROWS} == {tool["name"] for tool in listed_tools()}


@pytest.mark.parametrize("scopes", [frozenset(), frozenset({Scope.WRITE})])
def test_a_key_without_the_scope_read_reads_nothing(
    alice: Person, stocked: Project, scopes: frozenset[Scope]
) -> None:
    key = agent_caller(alice, "blind", scopes=scopes)
    reading = [row for row in (*ROWS, *OWN_ROWS)
               if row.tool in {"recall", "project_get", "item_get", "item_list"}
               and not row.arguments.get("guide")]  # fmt: skip

    answers = {row.use: answer_of(key, row, stocked.path)[0] for row in reading}

    assert set(answers.values()) == {"denied read"}
