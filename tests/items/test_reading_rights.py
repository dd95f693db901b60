"""Who reads what, with how many queries, and what is no request to read."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Scope
from conderis.common.errors import Denied, Invalid, NotFound
from conderis.common.json import JsonObject
from projects.models import Project
from tests.factories import agent_caller, make_project, person_caller
from tests.items.calls import act, create
from tests.items.test_reading import read

QUERIES = 6


@pytest.mark.parametrize("more", [{}, {"version": 1}, {"history": True}, {"section": "x"}])
def test_what_is_hidden_answers_as_what_never_was(
    alice: Person, bob: Person, mallory: Person, project: Project, more: dict[str, Any]
) -> None:
    create(agent_caller(bob), project, "memory", title="Mine", visibility="private")
    personal = create(agent_caller(bob), None, "memory", title="Mine too")["ref"]
    other = make_project(mallory, "other")
    create(person_caller(mallory), other, "task", title="Theirs")

    def refusal(caller: Caller, place: Project | None, where: int | str) -> JsonObject:
        with pytest.raises(NotFound) as refused:
            read(caller, place, where, **more)
        return refused.value.as_answer()

    owner, stranger = person_caller(alice), person_caller(mallory)
    hidden, missing = refusal(owner, project, 1), refusal(owner, project, 9)
    assert str(hidden).replace("#1", "#9") == str(missing)
    hidden, missing = refusal(owner, None, personal), refusal(owner, None, "memory:000000000000")
    assert str(hidden).replace(personal, "memory:000000000000") == str(missing)
    assert refusal(stranger, project, 1) == refusal(stranger, project, 9)
    assert refusal(owner, project, "proposal:000000000000")["error"] == "not_found"
    assert read(agent_caller(bob), project, 1)["version"] == 1


def test_everybody_in_the_project_reads_and_a_key_needs_the_scope(
    alice: Person, rita: Person, project: Project
) -> None:
    create(person_caller(alice), project, "page", title="Open")

    assert read(person_caller(rita), project, 1)["title"] == "Open"
    with pytest.raises(Denied) as refusal:
        read(agent_caller(alice, scopes=frozenset({Scope.WRITE})), project, 1)
    assert refusal.value.details["missing"] == "read"


def test_a_private_memory_shows_nowhere_to_others(
    alice: Person, bob: Person, project: Project
) -> None:
    create(agent_caller(bob), project, "memory", title="Private", visibility="private")
    create(agent_caller(bob), project, "task", title="Task")
    act(agent_caller(bob), project, 2, "relate", target=1, relation="relates")

    assert read(agent_caller(bob), project, 2)["relations"][0]["number"] == 1
    assert "relations" not in read(person_caller(alice), project, 2)


def crowd(caller: Caller, project: Project, kind: str, size: int) -> int:
    """An item with a parent, children, blockers and relations; its number."""
    more: dict[str, Any] = {"visibility": "shared"} if kind == "memory" else {}
    parent = create(caller, project, kind, title=f"Parent of {size}", **more)["number"]
    nested = {} if kind == "memory" else {"parent": parent}
    number: int = create(caller, project, kind, title="It", content="x", **more, **nested)["number"]
    for place in range(size):
        create(caller, project, kind, title=f"Child {place}", parent=number, **more)
        other = create(caller, project, "task", title="Other", assignee="me")["number"]
        relation = "blocks" if kind == "task" else "documents"
        act(caller, project, other, "relate", target=number, relation=relation)
    return number


@pytest.mark.parametrize("kind", ["memory", "page", "task"])
def test_an_item_is_read_with_at_most_six_queries_however_many_relatives_it_has(
    alice: Person, project: Project, kind: str
) -> None:
    caller = agent_caller(alice, projects=[project])
    numbers = [crowd(caller, project, kind, size) for size in (2, 12)]

    counts: list[int] = []
    for number in numbers:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer = read(caller, project, number)
        counts.append(len(queries))
        assert answer["childrenTotal"] in {2, 12}
        assert len(answer["relations"]) in {2, 12}

    assert counts[0] == counts[1] <= QUERIES


@pytest.mark.parametrize("value", [0, -1, True, "two", 1.5])
@pytest.mark.parametrize("field", ["version", "offset"])
def test_what_is_no_whole_number_is_refused_naming_the_field(
    alice: Person, project: Project, field: str, value: Any
) -> None:
    create(person_caller(alice), project, "page", title="Page", content="text")
    if field == "offset" and value == 0:
        value = 4

    with pytest.raises(Invalid) as refusal:
        read(person_caller(alice), project, 1, **({"version": 1} | {field: value}))

    assert refusal.value.details["field"] == field
    assert refusal.value.details["allowed"]
