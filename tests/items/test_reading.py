"""Reading an item whole: its fields, its relatives, and nothing that is not the reader's."""

from typing import Any

from django.utils import timezone

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.common.times import iso
from items.models import Item
from items.reading import MAX_CHILDREN, read_item
from items.requests import Address, ReadRequest
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at

SHA = "a" * 40


def read(caller: Caller, project: Project | None, where: int | str, **more: Any) -> JsonObject:
    place = project.path if project is not None else None
    number, ref = (where, None) if isinstance(where, int) else (None, where)
    return read_item(caller, ReadRequest(Address(place, number=number, ref=ref), **more))


def lock(project: Project, number: int) -> Item:
    item = item_at(project, number)
    item.locked_at, item.locked_by = timezone.now(), "request00001"
    item.save()
    return item


def test_a_memory_is_read_with_its_fields_flat_in_the_order_of_the_kind(
    alice: Person, project: Project
) -> None:
    create(
        agent_caller(alice),
        project,
        "memory",
        title="Deploys",
        summary="On Tuesdays",
        content="Always.\nNearly.",
        tags=["ops", "rules"],
        visibility="shared",
        verifiedAgainst={"commit": SHA, "repository": "host/o/n"},
    )

    answer = read(person_caller(alice), project, 1)

    row = item_at(project, 1)
    assert list(answer.items()) == [
        ("number", 1),
        ("kind", "memory"),
        ("version", 1),
        ("title", "Deploys"),
        ("summary", "On Tuesdays"),
        ("content", "Always.\nNearly."),
        ("tags", ["ops", "rules"]),
        ("type", "fact"),
        ("visibility", "shared"),
        ("weight", "normal"),
        ("verifiedAgainst", {"commit": SHA, "repository": "host/o/n"}),
        ("author", {"name": "Alice", "agent": "robo"}),
        ("created", iso(row.created)),
        ("changed", iso(row.changed)),
    ]


def test_a_task_is_read_with_its_work_and_its_relatives(alice: Person, project: Project) -> None:
    robo = agent_caller(alice)
    create(robo, project, "task", title="Whole")
    create(robo, project, "task", title="Before")
    create(robo, project, "task", title="Long done", status="done")
    more: dict[str, Any] = {"dependsOn": [3, 2], "commits": [SHA], "due": "2026-12-31"}
    create(robo, project, "task", title="Part", parent=1, **more)
    create(robo, project, "task", title="Piece", parent=4)
    create(robo, project, "page", title="How")
    act(robo, project, 6, "relate", target=4, relation="documents")
    act(robo, project, 4, "claim", 1)
    act(robo, project, 4, "block", 2, reason="No key yet")

    answer = read(person_caller(alice), project, 4)

    held = item_at(project, 4).held_since
    assert held is not None
    assert answer["status"] == "blocked"
    assert answer["blockedReason"] == "No key yet"
    assert answer["assignee"] == {"ref": robo.agent_ref, "name": "robo"}
    assert answer["heldSince"] == iso(held)
    assert answer["due"] == "2026-12-31"
    assert answer["parent"] == {"number": 1, "title": "Whole"}
    assert answer["dependsOn"] == [2, 3]
    assert answer["waitsFor"] == [2]
    assert [each["sha"] for each in answer["commits"]] == [SHA]
    assert answer["children"] == [{"number": 5, "version": 1, "title": "Piece", "status": "open"}]
    assert answer["childrenTotal"] == 1
    assert sorted((each["relation"], each["number"]) for each in answer["relations"]) == [
        ("blockedBy", 2),
        ("blockedBy", 3),
        ("documentedBy", 6),
    ]
    assert {"archived", "expired", "locked", "currentVersion", "outline"}.isdisjoint(answer)
    assert None not in answer.values()


def test_a_page_says_its_place_among_its_active_siblings(alice: Person, project: Project) -> None:
    caller = person_caller(alice)
    for title in ("One", "Two", "Three"):
        create(caller, project, "page", title=title)
    act(caller, project, 1, "archive", 1)

    assert read(caller, project, 3)["position"] == 2
    assert "position" not in read(caller, project, 1)
    assert read(caller, project, 1)["archived"] is True


def test_the_instructions_are_read_by_their_word(alice: Person, project: Project) -> None:
    create(person_caller(alice), project, "instructions", content="Be kind.")

    answer = read(person_caller(alice), project, "instructions")

    assert (answer["ref"], answer["kind"]) == ("instructions", "instructions")
    assert answer["content"] == "Be kind."
    assert "number" not in answer


def test_personal_memories_are_read_by_reference_bag_and_child(alice: Person) -> None:
    caller = agent_caller(alice)
    bag = create(caller, None, "memory", title="Bag")["ref"]
    child = create(caller, None, "memory", title="Child", parent=bag)["ref"]

    whole, part = read(caller, None, bag), read(caller, None, child)

    assert whole["ref"] == bag
    assert whole["children"] == [{"ref": child, "version": 1, "title": "Child"}]
    assert part["parent"] == {"ref": bag, "title": "Bag"}


def test_children_are_the_first_twenty_active_ones_first_with_how_many(
    alice: Person, project: Project
) -> None:
    caller = person_caller(alice)
    create(caller, project, "task", title="Whole")
    for number in range(25):
        status = "done" if number < 3 else "open"
        create(caller, project, "task", title=f"Piece {number}", parent=1, status=status)

    answer = read(caller, project, 1)

    assert [each["number"] for each in answer["children"]] == list(range(5, 25))
    assert len(answer["children"]) == MAX_CHILDREN
    assert answer["childrenTotal"] == 25


def test_archived_children_show_only_under_an_archived_parent(
    alice: Person, project: Project
) -> None:
    caller = person_caller(alice)
    create(caller, project, "page", title="Book")
    create(caller, project, "page", title="Chapter", parent=1)
    create(caller, project, "page", title="Old chapter", parent=1)
    act(caller, project, 3, "archive", 1)

    before = read(caller, project, 1)
    act(caller, project, 1, "archive", 1)
    after = read(caller, project, 1)

    assert [each["number"] for each in before["children"]] == [2]
    assert before["childrenTotal"] == 1
    assert [(each["number"], each["archived"]) for each in after["children"]] == [
        (2, True),
        (3, True),
    ]


def test_an_expired_memory_says_so(alice: Person, project: Project) -> None:
    caller = person_caller(alice)
    shared: dict[str, Any] = {"visibility": "shared"}
    create(caller, project, "memory", title="Old", expiresAt="2020-01-01", **shared)
    create(caller, project, "memory", title="Bag", **shared)
    create(caller, project, "memory", title="Gone", parent=2, expiresAt="2020-01-01", **shared)

    assert read(caller, project, 1)["expired"] is True
    assert "expired" not in read(caller, project, 2)
    assert read(caller, project, 2)["children"][0]["expired"] is True


def test_what_is_locked_shows_its_number_and_nothing_of_its_content(
    alice: Person, project: Project
) -> None:
    caller = person_caller(alice)
    create(caller, project, "task", title="Secret title", content="Secret text", tags=["secret"])
    create(caller, project, "task", title="Other", dependsOn=[1], parent=1)
    change(caller, project, 1, 1, content="Secret text two")
    row = lock(project, 1)
    asked: list[dict[str, Any]] = [
        {}, {"version": 1}, {"version": 2}, {"offset": 5, "version": 2}, {"section": "Secret"},
        {"take": 3},
    ]  # fmt: skip

    answers = [read(caller, project, 1, **more) for more in asked]

    assert row.locked_at is not None
    locked = {"request": "deletion:request00001", "since": iso(row.locked_at)}
    assert answers == [{"number": 1, "kind": "task", "version": 2, "locked": locked} for _ in asked]
    other = read(caller, project, 2)
    assert other["parent"] == {"number": 1, "locked": True}
    assert other["relations"] == [{"relation": "blockedBy", "number": 1, "locked": True}]
    assert "ecret" not in str(other)


def test_a_locked_child_shows_no_title(alice: Person, project: Project) -> None:
    caller = person_caller(alice)
    create(caller, project, "page", title="Book")
    create(caller, project, "page", title="Secret chapter", parent=1)
    lock(project, 2)

    assert read(caller, project, 1)["children"] == [{"number": 2, "locked": True}]
