"""The history: every event once, newest first, and no reason of what is locked."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from items.history import PAGE
from items.models import Item, ItemEvent
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at
from tests.items.test_reading import lock, read


@pytest.fixture
def robo(alice: Person) -> Caller:
    return agent_caller(alice)


def pages(caller: Caller, project: Project) -> list[JsonObject]:
    found = [read(caller, project, 1, history=True)]
    while found[-1]["hasMore"]:
        found.append(read(caller, project, 1, history=True, version=found[-1]["nextVersion"]))
    return found


def write_history(item: Item, person: Person, versions: list[bool]) -> None:
    """Replace the item's events: one for each entry, that makes a version or does not."""
    item.events.all().delete()
    item.version = 0
    for place, makes_one in enumerate([True, *versions]):
        item.version += makes_one
        ItemEvent.objects.create(
            item=item,
            event=f"event{place}",
            version=item.version if makes_one else None,
            author=person,
            state={"title": "T"} if makes_one else None,
        )
    item.save()


def test_events_are_shown_newest_first_with_who_when_and_what(
    alice: Person, bob: Person, carol: Person, robo: Caller, project: Project
) -> None:
    create(robo, project, "task", title="Task", reason="Needed")
    change(person_caller(bob), project, 1, 1, title="Renamed", tags=["x"])
    act(robo, project, 1, "block", 2, reason="Rain")
    checker = agent_caller(carol, "checker").agent_id
    ItemEvent.objects.filter(version=2).update(approver=carol, approver_agent=checker)

    answer = read(person_caller(alice), project, 1, history=True)

    assert [answer[name] for name in ("number", "kind", "version", "hasMore")] == [
        1, "task", 3, False
    ]  # fmt: skip
    blocked, changed, created = answer["events"]
    times = [blocked.pop("at"), changed.pop("at"), created.pop("at")]
    assert times == sorted(times, reverse=True)
    assert times[0].endswith("Z")
    assert blocked == {
        "event": "blocked",
        "version": 3,
        "by": "Alice",
        "agent": "robo",
        "reason": "Rain",
        "fields": ["status"],
    }
    assert sorted(changed.pop("fields")) == ["tags", "title"]
    assert changed == {
        "event": "changed",
        "version": 2,
        "by": "Bob",
        "approver": "Carol",
        "approverAgent": "checker",
    }
    assert (created["event"], created["version"], created["reason"]) == ("created", 1, "Needed")


def test_a_long_history_comes_twenty_at_a_time_each_event_once(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "page", title="Page")
    for version in range(1, 45):
        change(robo, project, 1, version, tags=[str(version)])

    found = pages(robo, project)

    assert [len(page["events"]) for page in found] == [PAGE, PAGE, 5]
    assert [page.get("nextVersion") for page in found] == [25, 5, None]
    versions = [event["version"] for page in found for event in page["events"]]
    assert versions == list(range(45, 0, -1))


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(versions=st.lists(st.booleans(), max_size=70) | st.lists(st.sampled_from([False])))
def test_events_without_a_version_are_neither_lost_nor_repeated(
    alice: Person, robo: Caller, project: Project, versions: list[bool]
) -> None:
    if not Item.objects.filter(project=project).exists():
        create(robo, project, "page", title="Page")
    write_history(item_at(project, 1), alice, versions)

    found = pages(robo, project)

    names = [event["event"] for page in found for event in page["events"]]
    assert names == [f"event{place}" for place in range(len(versions), -1, -1)]
    assert all(page["events"][-1]["version"] for page in found)


def test_pages_hold_while_new_versions_are_written(robo: Caller, project: Project) -> None:
    create(robo, project, "page", title="Page")
    for version in range(1, 30):
        change(robo, project, 1, version, tags=[str(version)])

    first = read(robo, project, 1, history=True)
    change(robo, project, 1, 30, title="Meanwhile")
    second = read(robo, project, 1, history=True, version=first["nextVersion"])

    versions = [event["version"] for page in (first, second) for event in page["events"]]
    assert versions == list(range(30, 0, -1))


def test_moves_and_relations_are_not_in_the_history(robo: Caller, project: Project) -> None:
    create(robo, project, "page", title="Page")
    create(robo, project, "page", title="Other")
    change(robo, project, 1, parent=2)
    act(robo, project, 1, "relate", target=2, relation="relates")

    assert [event["event"] for event in read(robo, project, 1, history=True)["events"]] == [
        "created"
    ]


def test_the_history_of_what_is_locked_has_no_reasons(robo: Caller, project: Project) -> None:
    create(robo, project, "task", title="Secret", reason="Secret reason")
    act(robo, project, 1, "block", 1, reason="Secret block")
    lock(project, 1)

    answer = read(robo, project, 1, history=True)

    assert answer["locked"]["request"] == "deletion:request00001"
    assert [event["event"] for event in answer["events"]] == ["blocked", "created"]
    assert "ecret" not in str(answer)


def test_a_locked_or_erased_version_is_marked_in_the_history(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "page", title="Page", reason="Secret reason")
    for version in (1, 2):
        change(robo, project, 1, version, tags=[str(version)], reason="Secret too")
    ItemEvent.objects.filter(version=1).update(state=None, changed=[], reason="")
    ItemEvent.objects.filter(version=2).update(locked_by="request00002")

    newest, locked, erased = read(robo, project, 1, history=True)["events"]

    assert locked["locked"] == {"request": "deletion:request00002"}
    assert "reason" not in locked
    assert erased["erased"] is True
    assert newest["reason"] == "Secret too"
    assert {"locked", "erased"}.isdisjoint(newest)


@pytest.mark.parametrize("field", ["section", "offset", "take"])
def test_history_beside_part_reading_is_refused(robo: Caller, project: Project, field: str) -> None:
    create(robo, project, "page", title="Page")
    value = "x" if field == "section" else 5

    with pytest.raises(Invalid) as refusal:
        read(robo, project, 1, history=True, **{field: value})

    assert refusal.value.details["field"] == field
    assert refusal.value.details["allowed"] == ["version"]


def test_a_history_takes_few_queries_however_long_it_is(
    alice: Person, robo: Caller, project: Project
) -> None:
    create(robo, project, "page", title="Page")
    counts = []
    for size in (3, 60):
        write_history(item_at(project, 1), alice, [True] * size)
        with CaptureQueriesContext(connection) as queries:
            read(robo, project, 1, history=True, version=3)
        counts.append(len(queries))

    assert counts[0] == counts[1] <= 4


def test_a_person_reads_the_projects_instructions_with_their_versions(
    alice: Person, rita: Person, project: Project
) -> None:
    owner, reader = person_caller(alice), person_caller(rita)
    create(owner, project, "instructions", content="One")
    change(owner, project, "instructions", 1, content="Two")

    now = read(reader, project, "instructions")
    before = read(reader, project, "instructions", version=1)
    history = read(reader, project, "instructions", history=True)

    assert (now["version"], now["content"]) == (2, "Two")
    assert (before["content"], before["currentVersion"]) == ("One", 2)
    assert [event["version"] for event in history["events"]] == [2, 1]
