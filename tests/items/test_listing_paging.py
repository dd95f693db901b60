"""Walks through lists: nothing is lost or doubled, whatever others write meanwhile."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from items.kinds.registry import all_kinds
from items.models import Item, ItemEvent
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.listed import listed, walk
from tests.items.rows import make_item, make_personal

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
LISTS = [(kind.name, sort) for kind in all_kinds() if kind.listed for sort in kind.sorts]


def make_equal_items(project: Project, kind: str, how_many: int) -> None:
    """Items that no order but their number tells apart, as a batch makes them."""
    make_item(project, kind, title="Same", content="The same.", changed=NOW, created=NOW)
    Item.objects.bulk_create(
        Item(
            project=project,
            kind=kind,
            number=number,
            title="Same",
            author=project.owner_person,
            changed=NOW,
            created=NOW,
            visibility="shared",
            status="open" if kind == "task" else "",
            priority=2 if kind == "task" else None,
        )
        for number in range(2, how_many + 1)
    )


@pytest.mark.parametrize(("kind", "sort"), LISTS)
def test_250_items_of_one_moment_are_each_listed_once(
    project: Project, bob: Person, kind: str, sort: str
) -> None:
    make_equal_items(project, kind, 250)

    entries = list(walk(person_caller(bob), project, kind, sort=sort, limit=20))

    assert [entry["number"] for entry in entries] == list(range(1, 251))


def test_250_tasks_of_one_moment_are_each_listed_once_across_projects(
    project: Project, bob: Person
) -> None:
    make_equal_items(project, "task", 250)

    entries = list(walk(person_caller(bob), None, "task", limit=20, sort="updated"))

    assert len({entry["ref"] for entry in entries}) == len(entries) == 250


def test_personal_memories_of_one_moment_are_each_listed_once(alice: Person) -> None:
    for _ in range(45):
        make_personal(alice, changed=NOW)

    entries = list(walk(person_caller(alice), None, "memory", limit=20))

    assert len({entry["ref"] for entry in entries}) == len(entries) == 45


def test_a_walk_by_last_change_ends_and_shows_untouched_items_once_while_others_write(
    project: Project, bob: Person
) -> None:
    for place in range(200):
        make_item(project, title=f"Item {place}", changed=NOW - place // 7 * SECOND)
    touched: list[int] = []

    def write(place: int, seen: list[JsonObject]) -> None:
        if place == 3:
            later = NOW + SECOND
            touched.extend([seen[4]["number"], seen[-1]["number"]])
            Item.objects.filter(project=project, number=touched[0]).update(changed=later)
            Item.objects.filter(project=project, number=touched[1]).update(archived_at=later)
            for _ in range(20):
                make_item(project, changed=later)

    caller = person_caller(bob)
    entries = list(walk(caller, project, "memory", sort="updated", limit=10, meanwhile=write))

    numbers = [entry["number"] for entry in entries]
    untouched = [number for number in numbers if number not in touched]
    assert len(numbers) == len(set(numbers))
    assert set(untouched) == set(range(1, 201)) - set(touched)


def test_what_is_archived_locked_closed_or_expired_meanwhile_is_left_out(
    project: Project, bob: Person
) -> None:
    for _ in range(12):
        make_item(project, "task")

    def write(place: int, seen: list[JsonObject]) -> None:
        if place == 1:
            rows = Item.objects.filter(project=project)
            rows.filter(number=5).update(archived_at=NOW)
            rows.filter(number=6).update(locked_at=NOW, locked_by="x")
            rows.filter(number=7).update(status="done")

    entries = list(walk(person_caller(bob), project, "task", limit=4, meanwhile=write))

    assert [entry["number"] for entry in entries] == [1, 2, 3, 4, 8, 9, 10, 11, 12]


def test_titles_too_long_for_a_cursor_are_walked_by_all_the_same(
    project: Project, bob: Person
) -> None:
    for place in range(9):
        item = make_item(project, "page", title="界" * 190 + f" {place // 2}", rank=-place)
        ItemEvent.objects.create(
            item=item, event="created", version=1, author=bob, state={"title": item.title}
        )

    def rename(place: int, seen: list[JsonObject]) -> None:
        Item.objects.filter(project=project, number=seen[-1]["number"]).update(
            title="elsewhere", version=2
        )

    caller = person_caller(bob)
    entries = list(walk(caller, project, "page", sort="title", limit=2, meanwhile=rename))

    assert [entry["number"] for entry in entries] == list(range(1, 10))


def test_titles_are_walked_by_without_regard_to_case(project: Project, bob: Person) -> None:
    for title in ("Äther", "apple", "Banana", "APRICOT", "zebra", "Éclair", "界", "apple"):
        make_item(project, "page", title=title)
    caller = person_caller(bob)

    walked = [each["title"] for each in walk(caller, project, "page", sort="title", limit=1)]
    whole = [each["title"] for each in listed(caller, project, "page", sort="title")["items"]]

    assert walked == whole
    assert whole[:4] == ["apple", "apple", "APRICOT", "Banana"]


@pytest.mark.parametrize("query", [None, "needle"])
def test_a_cursor_is_good_for_its_caller_and_parameters_alone(
    project: Project, alice: Person, bob: Person, query: str | None
) -> None:
    for _ in range(3):
        make_item(project, "task", title="needle", tags=["a"])
    caller = person_caller(bob)
    first = listed(caller, project, "task", query=query, limit=1, tags=["a"])

    def again(**changed: object) -> JsonObject:
        asked = {"query": query, "tags": ["a"], "cursor": first["nextCursor"], **changed}
        who = asked.pop("caller", caller)
        kind = asked.pop("kind", "task")
        return listed(who, asked.pop("project", project), kind, **asked)

    assert [entry["number"] for entry in again(limit=2)["items"]] == [2, 3]
    others: list[dict[str, object]] = [
        {"caller": person_caller(alice)},
        {"caller": agent_caller(bob)},
        {"project": None},
        {"kind": "page"},
        {"query": "needles"},
        {"tags": ["a", "b"]},
        {"tags": None},
        {"sort": "updated"},
        {"includeClosed": True},
        {"cursor": "nonsense"},
        {"cursor": first["nextCursor"][:-2] + "xx"},
    ]
    for other in others:
        with pytest.raises(Invalid) as refused:
            again(**other)
        assert refused.value.details["field"] == "cursor"


def test_the_total_is_that_of_the_whole_list_on_every_page(project: Project, bob: Person) -> None:
    for _ in range(5):
        make_item(project, title="needle")
    caller = person_caller(bob)

    for query in (None, "needle"):
        first = listed(caller, project, "memory", limit=2, query=query)
        second = listed(caller, project, "memory", limit=2, query=query, cursor=first["nextCursor"])
        assert (first["total"], second["total"]) == (5, 5)
        assert "more" not in first


@pytest.mark.parametrize("limit", [0, 101, -1])
def test_a_limit_out_of_bounds_is_refused(project: Project, bob: Person, limit: int) -> None:
    for query in (None, "needle"):
        with pytest.raises(Invalid, match="1 to 100"):
            listed(person_caller(bob), project, "memory", limit=limit, query=query)


def test_a_further_page_costs_few_queries(project: Project, bob: Person) -> None:
    for _ in range(30):
        make_item(project, title="needle")
    caller = person_caller(bob)

    for query in (None, "needle"):
        first = listed(caller, project, "memory", query=query, limit=10)
        with CaptureQueriesContext(connection) as queries:
            listed(caller, project, "memory", query=query, limit=10, cursor=first["nextCursor"])
        assert len(queries) <= 6
