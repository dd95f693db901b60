"""The lists of items: what narrows them, what stands beside an entry, the board."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from conderis.accounts.models import Person
from items.models import Item
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at
from tests.privacy.deletions import ask
from tests.web.signing_in_steps import BACKEND

WHERE = {"owner": "alice", "name": "shop"}
TASKS = reverse("project-tasks", kwargs=WHERE)
MEMORIES = reverse("project-memories", kwargs=WHERE)
DOCS = reverse("project-docs", kwargs=WHERE)
OVERDUE = "flag-stop"
MARKS = 'num meta|entry-no|slip-top"><span class="num'


def ask_for(client: Client, person: Person, path: str, status: int = 200, **sent: Any) -> str:
    client.force_login(person, backend=BACKEND)
    answer = client.get(path, sent)
    assert answer.status_code == status
    return answer.content.decode()


def numbers(page: str) -> list[int]:
    """The numbers of the entries, in their order."""
    return [int(each) for each in re.findall(rf"(?:{MARKS})\">#(\d+)<", page)]


def row(page: str, number: int) -> str:
    """The row of the table of tasks."""
    return next(each for each in page.split("<tr")[1:] if f'num meta">#{number}<' in each)


def texts(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.fixture
def tasks(project: Project, alice: Person, bob: Person) -> Project:
    """1 urgent and due, 2 bob's and tagged, 3 low and done, 4 an agent's."""
    owner = person_caller(alice)
    create(owner, project, "task", title="Pour", priority="urgent", due="2020-01-01")
    create(owner, project, "task", title="Sweep", assignee=bob.ref, tags=["floor"])
    create(owner, project, "task", title="Old", priority="low", status="done")
    create(agent_caller(alice, "robo"), project, "task", title="Count", assignee="me")
    return project


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        ({}, [1, 2, 4]),
        ({"priority": "urgent"}, [1]),
        ({"assignee": "none"}, [1]),
        ({"tags": "floor"}, [2]),
        ({"due": "overdue"}, [1]),
        ({"due": "none"}, [2, 4]),
        ({"ready": "true"}, [1]),
        ({"includeClosed": "true"}, [1, 2, 4, 3]),
        ({"q": "sweep"}, [2]),
        ({"sort": "title"}, [4, 1, 2]),
        ({"priority": " urgent ", "sort": "", "q": " "}, [1]),
    ],
)
def test_every_filter_of_tasks_selects_what_it_says(
    client: Client, rita: Person, tasks: Project, *, sent: dict[str, Any], found: list[int]
) -> None:
    page = ask_for(client, rita, TASKS, **sent)

    assert numbers(page) == found
    assert f"{len(found)} task{'s' if len(found) != 1 else ''}" in texts(page)


def test_people_and_agents_are_chosen_by_name(
    client: Client, rita: Person, bob: Person, tasks: Project
) -> None:
    page = ask_for(client, rita, TASKS, assignee=bob.ref)

    assert numbers(page) == [2]
    assert f'<option value="{bob.ref}" selected>Bob</option>' in page
    assert '<option value="none">Nobody</option>' in page
    assert numbers(ask_for(client, bob, TASKS, assignee="me")) == [2]


def test_each_thing_that_narrows_a_list_can_be_taken_away_alone(
    client: Client, rita: Person, tasks: Project
) -> None:
    page = ask_for(client, rita, TASKS, q="sweep", tags="floor", includeClosed="true", sort="due")

    chips = {
        texts(words): href.replace("&amp;", "&")
        for href, words in re.findall(r'class="chip" href="[^"?]*\?([^"]*)">(.*?)</a>', page)
    }
    assert chips == {
        "Take away: Words: “sweep”": "tags=floor&includeClosed=true&sort=due",
        "Take away: Tag: floor": "q=sweep&includeClosed=true&sort=due",
        "Take away: Closed ones, too": "q=sweep&tags=floor&sort=due",
    }
    assert 'class="chip"' not in ask_for(client, rita, TASKS, sort="due")


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"priority": "x"}, "The filter “Priority” takes no “x”."),
        ({"due": "tomorrow"}, "The filter “Due” takes no “tomorrow”."),
        ({"assignee": "bob"}, "The filter “Assignee” takes no “bob”."),
        ({"parent": "two"}, "The filter “Below” takes no “two”."),
        ({"includeClosed": "perhaps"}, "The filter “Closed ones, too” takes no “perhaps”."),
        ({"sort": "luck"}, "This list has no order “luck”."),
        ({"cursor": "abc"}, "begin at its first page"),
        ({"tags": "x" * 50}, "too long"),
    ],
)
def test_a_list_that_is_asked_for_wrongly_says_so_and_keeps_what_was_typed(
    client: Client, rita: Person, tasks: Project, *, sent: dict[str, str], says: str
) -> None:
    status = 413 if len(sent.get("tags", "")) > 40 else 400

    page = ask_for(client, rita, TASKS, status, q="sweep", **sent)

    assert says in page
    assert 'value="sweep"' in page
    assert numbers(page) == []


def test_a_query_that_is_too_long_is_told(client: Client, rita: Person, tasks: Project) -> None:
    assert "at most 5,000 characters" in ask_for(client, rita, TASKS, 413, q="x" * 5001)


@pytest.mark.parametrize(
    ("zone", "now", "is_overdue"),
    [
        ("Pacific/Pitcairn", datetime(2027, 1, 1, 7, 30, tzinfo=UTC), False),  # 23:30 on the 31st
        ("Pacific/Pitcairn", datetime(2027, 1, 1, 8, 30, tzinfo=UTC), True),
        ("Pacific/Fakaofo", datetime(2026, 12, 31, 10, 30, tzinfo=UTC), False),  # 23:30, UTC+13
        ("Pacific/Fakaofo", datetime(2026, 12, 31, 11, 30, tzinfo=UTC), True),
        ("UTC", datetime(2026, 12, 31, 23, 30, tzinfo=UTC), False),
    ],
)
def test_a_day_is_the_same_for_all_and_over_when_it_has_ended_where_the_reader_is(
    client: Client, rita: Person, alice: Person, project: Project, *, zone: str,
    now: datetime, is_overdue: bool,
) -> None:  # fmt: skip
    create(person_caller(alice), project, "task", title="Close the books", due="2026-12-31")
    Person.objects.filter(pk=rita.pk).update(time_zone=zone)
    rita.refresh_from_db()

    with time_machine.travel(now, tick=False):
        page = ask_for(client, rita, TASKS)
        late = ask_for(client, rita, TASKS, due="overdue")

    assert '<time datetime="2026-12-31">2026-12-31</time>' in page
    assert (OVERDUE in row(page, 1)) is is_overdue
    assert ("Close the books" in late) is is_overdue


def test_what_is_closed_is_never_overdue(
    client: Client, rita: Person, alice: Person, tasks: Project
) -> None:
    assert OVERDUE in row(ask_for(client, rita, TASKS), 1)
    act(person_caller(alice), tasks, 1, "complete", 1)

    assert OVERDUE not in row(ask_for(client, rita, TASKS, includeClosed="true"), 1)


def test_a_task_tells_its_subtasks_what_it_waits_for_and_what_waits_for_it(
    client: Client, rita: Person, alice: Person, tasks: Project
) -> None:
    owner = person_caller(alice)
    for title in ("First", "Second", "Third"):
        create(owner, tasks, "task", title=title, parent=1)
    act(owner, tasks, 5, "complete", 1)
    change(owner, tasks, 2, dependsOn=[1, 5])
    ask(owner, tasks, 7)

    page = ask_for(client, rita, TASKS)

    assert "1 of 2 subtasks closed" in texts(row(page, 1))
    assert "blocks #2" in texts(row(page, 1))
    assert "waits for #1" in texts(row(page, 2))
    assert "#5" not in row(page, 2)  # it is done
    assert "under #1 Pour" in texts(row(page, 6))
    assert "Third" not in page


def test_the_parent_of_a_task_is_its_number_alone_while_it_is_locked(
    client: Client, rita: Person, alice: Person, tasks: Project
) -> None:
    owner = person_caller(alice)
    create(owner, tasks, "task", title="Child", parent=1)
    ask(owner, tasks, 1)

    page = ask_for(client, rita, TASKS)

    assert "under #1 (locked)" in texts(row(page, 5))
    assert "Pour" not in page


def test_a_bag_names_what_is_inside_and_its_children_are_not_listed_twice(
    client: Client, rita: Person, alice: Person, bob: Person, project: Project
) -> None:
    owner = person_caller(alice)
    for place, title in enumerate(["Bag", *(f"Child {each}" for each in range(12))]):
        create(owner, project, "memory", title=title, visibility="shared",
               parent=1 if place else None)  # fmt: skip
    create(owner, project, "memory", title="Key", visibility="shared", weight="critical")
    create(owner, project, "memory", title="Dust", visibility="shared", weight="low")
    act(owner, project, 2, "archive", 1)
    ask(owner, project, 3)

    page = ask_for(client, rita, MEMORIES)
    found = ask_for(client, rita, MEMORIES, q="child")

    assert "bag of 10 memories" in texts(page)
    assert page.count(">Child 11<") == 1
    assert ">Child 0<" not in page
    assert ">Child 1<" not in page
    assert "Critical: Key" in texts(page)
    assert "Low weight" in texts(page)
    assert len(numbers(found)) == 10


def test_a_bag_of_many_names_ten_and_leads_to_the_rest(
    client: Client, rita: Person, alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    for place in range(13):
        create(owner, project, "memory", title=f"Memory {place}", visibility="shared",
               parent=1 if place else None)  # fmt: skip

    page = ask_for(client, rita, MEMORIES)

    assert "2 more in this bag" in page
    assert 'href="?parent=1"' in page
    assert len(numbers(ask_for(client, rita, MEMORIES, parent=1))) == 12


def test_private_children_and_memories_count_for_their_author_alone(
    client: Client, rita: Person, bob: Person, project: Project
) -> None:
    bobs = person_caller(bob)
    create(bobs, project, "memory", title="Bobs bag", visibility="private")
    create(bobs, project, "memory", title="Bobs child", visibility="private", parent=1)

    assert "Bobs" not in ask_for(client, rita, MEMORIES)
    assert "bag of 1 memory" in texts(ask_for(client, bob, MEMORIES))


@pytest.mark.parametrize("kind", ["task", "memory", "page"])
def test_the_queries_of_a_list_do_not_grow_with_it(
    client: Client, rita: Person, alice: Person, project: Project, *, kind: str
) -> None:
    path = {"task": TASKS, "memory": MEMORIES, "page": f"{DOCS}?sort=title"}[kind]

    def fill(many: int) -> None:
        owner = person_caller(alice)
        fields: dict[str, Any] = {"visibility": "shared"} if kind == "memory" else {}
        for _ in range(many // 2):
            first = create(owner, project, kind, title=f"A {Item.objects.count()}",
                           tags=["red", "blue"], **fields)["number"]  # fmt: skip
            second = create(owner, project, kind, title=f"B {Item.objects.count()}",
                            parent=first, **fields)["number"]  # fmt: skip
            relation = "blocks" if kind == "task" else "relates"
            act(owner, project, first, "relate", relation=relation, target=second)
            if kind == "task":
                change(owner, project, first, 1, assignee=alice.ref, due="2020-01-01")

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            ask_for(client, rita, path)
        return len(found)

    fill(10)
    queries()
    few = queries()
    fill(20)

    assert queries() == few


def test_pages_of_a_list_follow_each_other_and_lead_back(
    client: Client, rita: Person, alice: Person, project: Project
) -> None:
    Item.objects.bulk_create(
        Item(project=project, kind="task", number=each, title=f"Task {each}", author=alice,
             status="open", priority=2, changed=timezone.now() - timedelta(minutes=each))
        for each in range(1, 121)
    )  # fmt: skip
    seen: list[int] = []
    path = f"{TASKS}?sort=updated"

    for _ in range(3):
        page = ask_for(client, rita, path)
        seen += numbers(page)
        on = re.search(r'href="(\?[^"]*)" rel="next"', page)
        path = TASKS + on.group(1).replace("&amp;", "&") if on else ""

    assert seen == list(range(1, 121))
    assert path == ""
    assert 'href="?sort=updated">' in page
    assert "The first 50 of 120 tasks" in texts(ask_for(client, rita, TASKS))


def test_more_than_can_be_counted_is_said_as_more(
    client: Client, rita: Person, alice: Person, project: Project
) -> None:
    Item.objects.bulk_create(
        Item(project=project, kind="task", number=each, title="Task", author=alice,
             status="open", priority=2)
        for each in range(1, 1003)
    )  # fmt: skip

    assert "more than 1000 tasks" in texts(ask_for(client, rita, TASKS)).replace("1,000", "1000")


def test_the_board_has_a_column_for_each_state(
    client: Client, rita: Person, alice: Person, tasks: Project
) -> None:
    act(person_caller(alice), tasks, 1, "block", 1, reason="No water")

    board = ask_for(client, rita, TASKS, view="board")
    whole = ask_for(client, rita, TASKS, view="board", includeClosed="true", priority="low")

    columns = re.findall(r'<section class="board-col".*?</section>', board, re.DOTALL)
    assert [numbers(each) for each in columns] == [[2, 4], [], [1]]
    assert "No water" in columns[2]
    assert whole.count('class="board-col"') == 5
    assert numbers(whole) == [3]
    assert '<input type="hidden" name="view" value="board">' in whole
    assert 'id="list"' in ask_for(client, rita, MEMORIES.replace("memories", "tasks"))


def test_an_empty_list_says_how_to_begin_and_a_narrowed_one_how_to_widen(
    client: Client, rita: Person, bob: Person, alice: Person, project: Project
) -> None:
    for path, words in ((TASKS, "No active task."), (MEMORIES, "No memories yet."),
                        (DOCS, "No page yet.")):  # fmt: skip
        empty = ask_for(client, bob, path)
        assert words in empty
        assert "items/new/" in empty
        assert "items/new/" not in ask_for(client, rita, path)
        assert "Nothing fits" in ask_for(client, bob, path, q="x")


def test_an_empty_project_says_how_to_begin_until_something_is_kept(
    client: Client, rita: Person, bob: Person, alice: Person, project: Project
) -> None:
    overview = reverse("project", kwargs=WHERE)
    create(person_caller(bob), project, "memory", title="Mine", visibility="private")

    assert "Nothing is kept here yet." in ask_for(client, rita, overview)
    assert "Nothing is kept here yet." not in ask_for(client, bob, overview)
    create(person_caller(alice), project, "task", title="Done", status="done")
    kept = ask_for(client, rita, overview)
    assert "Nothing is kept here yet." not in kept
    assert reverse("project-picture", kwargs=WHERE) in kept


def test_an_archived_memory_is_listed_where_it_is_asked_for(
    client: Client, rita: Person, alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    create(owner, project, "memory", title="Shelved", visibility="shared")
    act(owner, project, 1, "archive", item_at(project, 1).version)

    assert "Shelved" not in ask_for(client, rita, MEMORIES)
    assert "Archived" in texts(ask_for(client, rita, MEMORIES, includeArchived="true"))
