"""What is around an item: what it stands under, the states beside it, its day."""

from datetime import UTC, datetime

import pytest
import time_machine

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import NotFound
from items.listing import list_items
from items.requests import Address, DeletionCall, ListRequest
from items.surrounding import item_surroundings
from privacy.requesting import request_deletion
from projects.models import Project
from proposals.of_item import pending_of_item
from tests.factories import person_caller
from tests.items.calls import act, change, create


def test_the_path_leads_from_the_top_in_one_query_and_names_no_locked_one(
    alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    for number in range(5):
        parent = {"parent": number} if number else {}
        create(owner, project, "page", title=f"Level {number}", **parent)
    request_deletion(owner, DeletionCall(Address(project.path, number=2), reason="x"))

    path = item_surroundings(owner, project.path, 5)["path"]

    assert path == [
        {"number": 1, "title": "Level 0"},
        {"number": 2, "locked": True},
        {"number": 3, "title": "Level 2"},
        {"number": 4, "title": "Level 3"},
    ]
    assert item_surroundings(owner, project.path, 1)["path"] == []
    assert item_surroundings(owner, project.path, 2) == {}


def test_the_states_of_related_work_are_known_on_both_sides(
    alice: Person, rita: Person, project: Project
) -> None:
    owner = person_caller(alice)
    for title in ("First", "Second"):
        create(owner, project, "task", title=title)
    create(owner, project, "page", title="Manual")
    act(owner, project, 1, "relate", relation="blocks", target=2)
    act(owner, project, 1, "relate", relation="documentedBy", target=3)
    act(owner, project, 1, "claim", 1)

    reader = person_caller(rita)
    assert item_surroundings(reader, project.path, 2)["statuses"] == {1: "in_progress"}
    assert item_surroundings(reader, project.path, 1)["statuses"] == {2: "open"}
    assert item_surroundings(reader, project.path, 3)["statuses"] == {1: "in_progress"}


@pytest.mark.parametrize(("zone", "moment", "overdue"), [
    # 23:30 of the day itself, where the reader is: not yet.
    ("America/Los_Angeles", datetime(2027, 1, 1, 7, 30, tzinfo=UTC), False),
    ("Pacific/Auckland", datetime(2026, 12, 31, 10, 30, tzinfo=UTC), False),
    ("UTC", datetime(2026, 12, 31, 23, 30, tzinfo=UTC), False),
    # Half an hour into the next day there.
    ("America/Los_Angeles", datetime(2027, 1, 1, 8, 30, tzinfo=UTC), True),
    ("Pacific/Auckland", datetime(2026, 12, 31, 11, 30, tzinfo=UTC), True),
    ("UTC", datetime(2027, 1, 1, 0, 30, tzinfo=UTC), True),
])  # fmt: skip
def test_a_task_is_overdue_when_its_day_has_ended_where_the_reader_is(
    alice: Person, project: Project, zone: str, moment: datetime, *, overdue: bool
) -> None:
    owner = person_caller(alice)
    create(owner, project, "task", title="Pour", due="2026-12-31")
    Person.objects.filter(pk=alice.pk).update(time_zone=zone)
    alice.refresh_from_db()
    reader = person_caller(alice)

    with time_machine.travel(moment, tick=False):
        answer = item_surroundings(reader, project.path, 1)
        listed = _overdue(reader, project)

    assert answer["overdue"] is overdue
    assert listed == ([1] if overdue else [])


def test_a_closed_task_is_not_overdue(alice: Person, project: Project) -> None:
    owner = person_caller(alice)
    create(owner, project, "task", title="Pour", due="2020-02-29")
    before = item_surroundings(owner, project.path, 1)["overdue"]
    act(owner, project, 1, "complete", 1)

    assert before is True
    assert item_surroundings(owner, project.path, 1)["overdue"] is False
    assert _overdue(owner, project) == []


def test_proposals_that_wait_are_named_to_their_proposer_and_to_who_decides(
    alice: Person, bob: Person, carol: Person, rita: Person, project: Project
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="one")
    change(person_caller(bob), project, 1, 1, content="two")
    create(person_caller(alice), project, "page", title="Other")
    change(person_caller(bob), project, 2, 1, title="Another")

    seen = {
        who.handle: pending_of_item(person_caller(who), project.path, 1)
        for who in (alice, bob, carol, rita)
    }

    assert seen["rita"] == []
    for who in ("alice", "bob", "carol"):
        (entry,) = seen[who]
        assert (entry["action"], entry["number"], entry["author"]["name"]) == ("change", 1, "Bob")


def test_a_stranger_learns_nothing_of_what_is_around(
    alice: Person, bob: Person, mallory: Person, project: Project
) -> None:
    create(person_caller(bob), project, "memory", title="Mine", visibility="private")

    for who in (mallory, alice):
        for read in (item_surroundings, pending_of_item):
            with pytest.raises(NotFound):
                read(person_caller(who), project.path, 1)


def _overdue(caller: Caller, project: Project) -> list[int]:
    request = ListRequest("task", project.path, filters={"due": "overdue", "includeClosed": False})
    return [each["number"] for each in list_items(caller, request)["items"]]
