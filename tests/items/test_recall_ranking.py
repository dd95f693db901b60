"""What comes first in a recall: by focus, by group, by what apps above and kinds add."""

import pytest

from conderis.accounts.models import Person
from items.kinds.base import Field, Kind, Status
from items.kinds.registry import one_more
from items.kinds.values import Line, Text
from items.models import Item, Relation
from items.recall import registry, slots
from items.recall.asking import Asking
from items.recall.entries import Entry
from items.recall.listing import Listing
from items.recall.registry import add_source
from items.recall.slots import Section
from projects.models import Project
from tests.factories import make_project, person_caller
from tests.items.recall_rows import (
    days_ago,
    headings,
    make_item,
    make_memory,
    make_page,
    make_task,
    recalled,
    section,
)

pytestmark = pytest.mark.django_db


def order(text: str, title: str) -> list[int]:
    """The numbers of a section's entries."""
    lines = section(text, title).split("\n")[1:]
    return [int(line.partition("#")[2].partition(" ")[0]) for line in lines if "- " in line[:12]]


def test_a_focus_puts_first_what_fits_and_hides_nothing(alice: Person, project: Project) -> None:
    for days, title in enumerate(["Payment retries", "Deploy windows", "Coffee machine"]):
        make_memory(project, alice, title, changed=days_ago(days))
    caller = person_caller(alice)

    plain = recalled(caller, project)
    focused = recalled(caller, project, focus="when may I deploy?")

    assert order(plain, "Memories") == [1, 2, 3]
    assert order(focused, "Memories") == [2, 1, 3]
    assert len(focused) == len(plain)


def test_a_focus_ranks_every_section(alice: Person, project: Project) -> None:
    project.upstream = make_project(alice, "upstream")
    project.save()
    for owner in (project.upstream, None):
        make_memory(owner, alice, "Deploy", changed=days_ago(9))
        make_memory(owner, alice, "Other")
    for weight in ("critical", "normal"):
        make_memory(project, alice, "Deploy", weight=weight, changed=days_ago(9))
        make_memory(project, alice, "Other", weight=weight)
    make_task(project, alice, "Other", status="in_progress", priority=0)
    make_task(project, alice, "Deploy", priority=3)
    book = make_page(project, alice, "Other")
    make_page(project, alice, "Deploy", parent=book)

    text = recalled(person_caller(alice), project, focus="deploy")

    for title in ("Critical memories", "Personal memories", "Memories", "Tasks", "Pages"):
        assert "Deploy" in section(text, title).split("\n")[1], title
    assert "Deploy" in section(text, "Upstream alice/upstream").split("\n")[1]
    assert "- #8 v1 Deploy (in #7)\n- #7 v1 Other" in text


def test_a_bag_comes_first_for_what_it_holds(alice: Person, project: Project) -> None:
    bag = make_memory(project, alice, "Releases", changed=days_ago(9))
    for title in ("Tags", "Notes", "Rollback by feature flag"):
        make_memory(project, alice, title, parent=bag)
    make_memory(project, alice, "Other")

    text = recalled(person_caller(alice), project, focus="rollback")

    assert section(text, "Memories").split("\n")[1:3] == [
        "- #1 v1 Releases (holds 3)",
        "  #4 v1 Rollback by feature flag; #2 v1 Tags; #3 v1 Notes",
    ]


def test_a_focus_that_fits_nothing_changes_nothing(alice: Person, project: Project) -> None:
    make_memory(project, alice, "One")
    caller = person_caller(alice)

    assert recalled(caller, project, focus="zzz") == recalled(caller, project)
    assert recalled(caller, project, focus='" OR * ?') == recalled(caller, project)


def test_a_focus_on_many_still_finds_the_one_that_was_changed_long_ago(
    alice: Person, project: Project
) -> None:
    make_memory(project, alice, "Rollback by feature flag", changed=days_ago(300))
    for number in range(120):
        make_memory(project, alice, f"Memory {number}", summary="words " * 40)

    text = recalled(person_caller(alice), project, focus="rollback", max_chars=1_500)

    assert order(text, "Memories")[0] == 1


def grouped_rows(project: Project, alice: Person, extra: int) -> None:
    make_memory(project, alice, "Untagged")
    make_memory(project, alice, "Web one", tags=["web", "api"])
    make_memory(project, alice, "Api one", tags=["Api"])
    bag = make_memory(project, alice, "Bag", tags=["web"], changed=days_ago(400))
    make_memory(project, alice, "Inside", parent=bag)
    make_memory(project, alice, "Web two", tags=["web"])
    make_memory(project, alice, "Critical", weight="critical")
    for number in range(extra):
        make_memory(project, alice, f"More {number}", tags=["more"])


def test_a_small_project_is_flat_and_a_large_one_grouped(alice: Person, project: Project) -> None:
    caller = person_caller(alice)
    grouped_rows(project, alice, 34)

    flat = recalled(caller, project)
    make_memory(project, alice, "One too many", tags=["more"])
    grouped = recalled(caller, project)

    assert order(flat, "Memories")[-5:] == [6, 3, 2, 1, 4]
    assert "[web]" not in flat
    lines = section(grouped, "Memories").split("\n")
    assert lines[1:4] == [
        "- #4 v1 Bag (holds 1)",
        "  #5 v1 Inside",
        "- #3 v1 [Api] Api one",
    ]
    assert lines[-3:] == [
        "- #6 v1 [web] Web two",
        "- #2 v1 [web] Web one",
        "- #1 v1 Untagged",
    ]


def test_the_setting_of_the_project_goes_before_its_size(alice: Person, project: Project) -> None:
    caller = person_caller(alice)
    grouped_rows(project, alice, 0)
    project.recall_mode = "grouped"
    project.save()
    small = recalled(caller, project)
    grouped_rows(project, alice, 40)
    project.recall_mode = "flat"
    project.save()
    large = recalled(caller, project)

    assert order(small, "Memories") == [4, 3, 6, 2, 1]
    assert "[more]" not in large


def test_bags_of_a_grouped_recall_are_shown_even_behind_many_critical_memories(
    alice: Person, project: Project
) -> None:
    project.recall_mode = "grouped"
    project.save()
    for number in range(3):
        bag = make_memory(project, alice, f"Bag {number}", changed=days_ago(400))
        make_memory(project, alice, "Inside", parent=bag)
    for number in range(205):
        make_memory(project, alice, f"Critical {number}", weight="critical", summary="words " * 9)

    text = recalled(person_caller(alice), project, max_chars=2_000)

    assert section(text, "Memories").startswith("Memories: all 3\n- #5 v1 Bag 2 (holds 1)")


def test_short_lines_fill_the_recall_too(alice: Person, project: Project) -> None:
    for _ in range(150):
        make_memory(project, alice, "x")
        make_task(project, alice, "y")

    text = recalled(person_caller(alice), project, max_chars=4_000)

    assert section(text, "Memories").startswith("Memories: all 150\n")
    assert len(text) > 3_900


def test_an_app_above_adds_its_section(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pending(asking: Asking) -> list[Section]:
        entries = [Entry("- proposal:abc v1", "Change the handbook")]
        call = asking.call("item_list kind=proposal")
        return [Section(slots.PROPOSALS, Listing("Pending proposals", entries, 1, call))]

    monkeypatch.setattr(registry, "_SOURCES", dict(registry._SOURCES))
    add_source("proposals", pending)

    text = recalled(person_caller(alice), project)

    assert headings(text) == ["Memories", "Tasks", "Pages", "Pending proposals"]
    assert "- proposal:abc v1 Change the handbook" in text


def test_a_further_kind_has_its_section(alice: Person, project: Project) -> None:
    kind = Kind(
        name="risk",
        plural="risks",
        fields=(
            Field("title", Line(200), "title", required=True),
            Field("content", Text(1_000), "content"),
        ),
        statuses=(Status("standing", active=True), Status("gone", active=False)),
    )
    with one_more(kind):
        make_item(project, alice, "risk", title="Fire", content="In the\ncellar", status="standing")
        make_item(project, alice, "risk", title="Flood", status="gone")
        make_item(project, alice, "risk", title="Theft", status="standing", locked_at=days_ago(1))

        text = recalled(person_caller(alice), project)

    assert section(text, "Risks") == "Risks: all 1\n- #1 v1 Fire (standing): In the cellar"


def pair(one: Item, other: Item, relation: str = "documents") -> None:
    Relation.objects.create(source=one, target=other, relation=relation)


def test_what_bears_on_the_work_takes_turns_with_what_is_fresh(
    alice: Person, project: Project
) -> None:
    for days in range(3):
        make_memory(project, alice, f"Fresh {days}", changed=days_ago(days))
    started = make_task(project, alice, "Started", status="in_progress")
    waiting = make_task(project, alice, "Waiting")
    closed = make_task(project, alice, "Closed", status="done")
    for number, task in enumerate((closed, waiting, started)):
        pair(make_memory(project, alice, "Old", changed=days_ago(100 + number)), task)
    pair(started, make_memory(project, alice, "Old", changed=days_ago(300)), "relates")

    text = recalled(person_caller(alice), project)

    # In work: 9 and 10; on the other active task: 8; nothing of the closed one: 7.
    assert order(text, "Memories") == [9, 1, 10, 2, 8, 3, 7]


def test_a_bag_bears_on_the_work_for_what_it_holds(alice: Person, project: Project) -> None:
    bag = make_memory(project, alice, "Bag", changed=days_ago(90))
    inside = make_memory(project, alice, "Inside", parent=bag)
    for number in range(3):
        make_memory(project, alice, f"Fresh {number}")
    pair(inside, make_task(project, alice, "Blocked", status="blocked"))

    assert order(recalled(person_caller(alice), project), "Memories") == [1, 5, 4, 3]


def test_a_focus_goes_before_the_work_and_critical_ones_before_both(
    alice: Person, project: Project
) -> None:
    make_memory(project, alice, "Critical", weight="critical", changed=days_ago(99))
    pair(make_memory(project, alice, "Old", changed=days_ago(90)), make_task(project, alice, "T"))
    make_memory(project, alice, "Rollback", changed=days_ago(99))
    make_memory(project, alice, "Fresh")

    text = recalled(person_caller(alice), project, focus="rollback")

    assert text.index("## Critical memories") < text.index("## Memories")
    assert order(text, "Memories") == [4, 2, 5]


def test_among_thousands_the_old_memory_of_a_task_in_work_has_its_line(
    alice: Person, project: Project
) -> None:
    old = make_memory(project, alice, "Old", changed=days_ago(300))
    pair(old, make_task(project, alice, "Started", status="in_progress"))
    for number in range(150):
        make_memory(project, alice, f"Memory {number}", summary="words " * 40)

    text = recalled(person_caller(alice), project, max_chars=1_500)

    assert order(text, "Memories")[0] == old.number
