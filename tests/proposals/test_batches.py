"""Batches through the write door: what is stored, and what the answer says of it."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import AuditEvent, Person
from conderis.common.errors import Invalid
from items.models import Item, ItemEvent, ItemTag, Relation
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, create, item_at
from tests.items.listed import titles
from tests.proposals.batches import (
    memory,
    numbers,
    outcomes,
    page,
    personal,
    send,
    send_whole,
    task,
)

pytestmark = pytest.mark.django_db


def test_mixed_kinds_are_stored_with_numbers_parents_and_dependencies(
    alice: Person, project: Project
) -> None:
    answer = send(
        agent_caller(alice),
        project,
        memory("bag"),
        task("a", tags=["one", "two"]),
        memory("in", parent="bag"),
        page("top"),
        task("b", parent="a", dependsOn=["a"]),
        page("below", parent="top", content="text"),
    )

    by_key = {each["key"]: each for each in answer["items"]}
    assert answer["outcome"] == "stored"
    assert outcomes(answer) == {"memory": "stored", "task": "stored", "page": "stored"}
    assert answer["kinds"]["task"]["count"] == 2
    assert sorted(numbers(answer), key=lambda each: each or 0) == [1, 2, 3, 4, 5, 6]
    assert [each["index"] for each in answer["items"]] == [0, 1, 2, 3, 4, 5]
    for child, parent in (("in", "bag"), ("b", "a"), ("below", "top")):
        assert by_key[child]["parent"]["number"] == by_key[parent]["number"]
        assert item_at(project, by_key[child]["number"]).parent == item_at(
            project, by_key[parent]["number"]
        )
    assert by_key["b"]["dependsOn"] == [by_key["a"]["number"]]
    assert Relation.objects.get().source == item_at(project, by_key["a"]["number"])
    assert "replayed" not in answer


def test_each_item_has_its_history_audit_tags_and_is_found(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)

    send(caller, project, *(task(str(n) + "x", tags=["t"], content="zebrafish") for n in range(5)))

    events = ItemEvent.objects.order_by("pk")
    assert [(each.event, each.version) for each in events] == [("created", 1)] * 5
    assert all(each.author_agent_id == caller.agent_id for each in events)
    assert AuditEvent.objects.filter(action="item.created").count() == 5
    assert ItemTag.objects.filter(tag="t").count() == 5
    assert len(titles(caller, project, "task", query="zebrafish")) == 5
    assert titles(caller, project, "task", tags=["t"])


def test_an_item_of_a_batch_is_the_one_that_storing_it_alone_makes(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    fields: dict[str, Any] = {
        "title": " T ", "content": "a\r\nb", "tags": ["x", "x"], "priority": "high",
        "status": "in_progress", "due": "2026-12-31", "commits": ["A" * 40],
    }  # fmt: skip
    create(caller, project, "task", **fields)

    send(caller, project, {"kind": "task", "fields": fields})

    alone, in_batch = (item_at(project, number) for number in (1, 2))
    kept = [
        {
            name: value
            for name, value in vars(each).items()
            if name not in ("_state", "id", "public_id", "number", "created", "changed",
                            "held_since", "_prefetched_objects_cache")
        }
        for each in (alone, in_batch)
    ]  # fmt: skip
    assert kept[0] == kept[1]
    events = [each.events.get() for each in (alone, in_batch)]
    assert events[0].state == events[1].state
    assert events[0].changed == events[1].changed


def test_a_bad_item_keeps_its_kind_from_being_stored_and_no_other(
    alice: Person, project: Project
) -> None:
    answer = send(
        agent_caller(alice),
        project,
        task("a"),
        memory("m"),
        task("b", priority="never"),
        task("c", content="a\x00b"),
    )

    assert answer["outcome"] == "partly"
    assert outcomes(answer) == {"task": "failed", "memory": "stored"}
    assert "2 of 3" in answer["kinds"]["task"]["message"]
    good, stored, bad, broken = answer["items"]
    assert good == {"index": 0, "key": "a"}
    assert stored["number"] == 1
    assert (bad["index"], bad["key"], bad["error"]) == (2, "b", "invalid")
    assert (bad["field"], bad["allowed"][0]) == ("priority", "urgent")
    assert (broken["field"], broken["error"]) == ("content", "invalid")
    assert list(Item.objects.values_list("kind", flat=True)) == ["memory"]
    assert create(agent_caller(alice), project, "task", title="Next")["number"] == 2


def test_with_atomic_nothing_is_stored_where_one_item_is_bad(
    alice: Person, bob: Person, project: Project
) -> None:
    answer = send(
        agent_caller(bob), project, memory("m"), task("t"), task("u", due="soon"), atomic=True
    )

    assert answer["outcome"] == "failed"
    assert outcomes(answer) == {"memory": "failed", "task": "failed"}
    assert "atomic" in answer["kinds"]["memory"]["message"]
    assert not Item.objects.exists()
    assert not project.proposals.exists()
    assert create(agent_caller(alice), project, "task", title="Next")["number"] == 1


def test_items_that_stand_are_named_by_number(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    create(caller, project, "task", title="Stands")
    create(caller, project, "page", title="Top")

    answer = send(
        caller,
        project,
        task("a", parent="#1", dependsOn=["1"]),
        task("b", parent=1, dependsOn=[1, "a"]),
        page("p", parent="2"),
    )

    first, second, third = answer["items"]
    assert [each["parent"]["number"] for each in (first, second, third)] == [1, 1, 2]
    assert first["dependsOn"] == [1]
    assert second["dependsOn"] == [1, first["number"]]


def test_pages_of_one_title_are_taken_in_different_places_and_refused_in_one(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    create(caller, project, "page", title="Top")
    create(caller, project, "page", title="Setup", parent=1)

    taken = send(caller, project, page("a", title="Setup", parent=1))
    stored = send(
        caller, project, page("top", title="Other"), page("a", title="Setup", parent="top"),
        page("b", title="Setup"),
    )  # fmt: skip

    assert taken["items"][0]["error"] == "conflict"
    assert taken["items"][0]["number"] == 2
    assert stored["outcome"] == "stored"


def test_pages_take_the_places_that_they_name(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    for title in ("One", "Two"):
        create(caller, project, "page", title=title)

    send(
        caller,
        project,
        page("a", title="First", position=1),
        page("b", title="Last"),
        page("c", title="Third", position=3),
        page("d", title="Below", parent="a"),
        page("e", title="Above", parent="a", position=1),
    )

    assert titles(caller, project, "page", parent="none") == [
        "First",
        "One",
        "Third",
        "Two",
        "Last",
    ]
    first = Item.objects.get(title="First")
    assert titles(caller, project, "page", parent=first.number) == ["Above", "Below"]


def test_closed_and_blocked_tasks_come_with_what_stands_under_them(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    create(caller, project, "task", title="Closed")
    act(caller, project, 1, "complete", 1)

    together = send(
        caller,
        project,
        task("a", status="done"),
        task("b", parent="a"),
        task("c", status="blocked", reason="Waits for the key."),
    )
    alone = send(caller, project, task("d", parent=1))

    assert together["outcome"] == "stored"
    assert item_at(project, 4).blocked_reason == "Waits for the key."
    assert alone["items"][0]["error"] == "conflict"


def test_without_a_project_a_batch_makes_personal_memories_alone(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)

    answer = send(caller, None, personal("a"), personal("b", parent="a"))
    with pytest.raises(Invalid) as refusal:
        send(caller, None, personal("a"), task("t"))

    first, second = answer["items"]
    assert answer["outcome"] == "stored"
    assert first["ref"].startswith("memory:")
    assert second["parent"]["ref"] == first["ref"]
    assert refusal.value.details["field"] == "projectId"
    assert Item.objects.filter(project=None, visibility="private").count() == 2
    under = send(caller, None, personal("c", parent=first["ref"]))
    assert under["items"][0]["parent"]["ref"] == first["ref"]


def test_the_older_file_of_memories_is_taken(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    file = {
        "format": "conderis-memory-batch",
        "version": 1,
        "idempotencyKey": "old",
        "memories": [
            {"title": "One", "summary": "s", "content": "c", "tags": ["t"], "type": "decision",
             "visibility": "public", "expiresAt": None},
            {"title": "Two", "visibility": "private"},
        ],
    }  # fmt: skip

    stored = send_whole(caller, project, file, kind="memory")
    again = send_whole(caller, project, file, kind="memory")
    personal_ones = send_whole(caller, None, file, kind="memory")

    assert stored["outcome"] == "stored"
    assert [item_at(project, n).visibility for n in (1, 2)] == ["shared", "private"]
    assert item_at(project, 1).category == "decision"
    assert (numbers(again), again["replayed"]) == ([1, 2], ["memory"])
    assert len({each["ref"] for each in personal_ones["items"]}) == 2


def test_a_kind_beside_the_batch_is_that_of_items_without_one(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)

    answer = send(caller, project, {"fields": {"title": "x"}}, kind="task")
    with pytest.raises(Invalid) as refusal:
        send(caller, project, page("p"), kind="task")

    assert outcomes(answer) == {"task": "stored"}
    assert refusal.value.details["field"] == "kind"


def test_a_hundred_items_cost_hardly_more_statements_than_two(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    create(caller, project, "task", title="Stands")
    create(caller, project, "page", title="Stands")

    def statements(count: int, mark: str) -> int:
        items = [
            each
            for n in range(count)
            for each in (
                task(f"t{n}", title=f"{mark} {n}", parent=1, dependsOn=[1], assignee="me"),
                memory(f"m{n}", title=f"{mark} {n}", tags=["x"]),
                page(f"p{n}", title=f"{mark} {n}", parent=2),
            )
        ]
        with CaptureQueriesContext(connection) as seen:
            assert send(caller, project, *items, idempotencyKey=mark)["outcome"] == "stored"
        return len(seen)

    few, many = statements(2, "few"), statements(33, "many")

    assert many <= few + 12  # SQLite takes the rows in several statements


def test_a_person_sends_batches_too(alice: Person, project: Project) -> None:
    answer = send(person_caller(alice), project, memory("a"), page("b"))

    assert answer["outcome"] == "stored"
    assert item_at(project, 1).author_agent is None
