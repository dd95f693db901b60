"""No summary, a summary that says nothing, detail in the wrong place, too many critical ones."""

import pytest

from conderis.accounts.models import Person
from projects.models import Project
from tests.items.hygiene.judged import found
from tests.items.recall_rows import days_ago, make_memory, make_page, make_task

pytestmark = pytest.mark.django_db


def test_a_memory_without_a_summary_is_found_and_one_with_is_not(
    alice: Person, project: Project
) -> None:
    bare = make_memory(project, alice, "Deploy windows", content="Tuesdays.")
    make_memory(project, alice, "Retries", summary="They double up to an hour.")
    make_page(project, alice, "Setup")
    make_task(project, alice, "Do it")

    assert found(project, "no_summary") == [(bare.number,)]


@pytest.mark.parametrize("summary", ["deploy windows", "Deploy: windows!", "Windows"])
def test_a_summary_without_a_word_beyond_the_title_is_found(
    alice: Person, project: Project, summary: str
) -> None:
    told = make_memory(project, alice, "Deploy windows", summary=summary)
    make_memory(project, alice, "Retries", summary="Retries double up to an hour.")

    assert found(project, "summary_repeats_title") == [(told.number,)]


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "Long text", "content": "x" * 2001},
        {"title": "y" * 71},
        {"title": "Short", "summary": "z" * 241},
    ],
)
def test_detail_in_the_wrong_place_is_found_once(
    alice: Person, project: Project, fields: dict[str, str]
) -> None:
    title = fields.pop("title")
    wrong = make_memory(project, alice, title, **fields)
    make_memory(project, alice, "Right", summary="z" * 241, content="More.")
    make_memory(project, alice, "y" * 71, summary="Its gist")
    make_memory(project, alice, "Told", summary="Its gist", content="x" * 2001)

    assert found(project, "misplaced_detail") == [(wrong.number,)]
    assert found(project, "no_summary") == []


def test_a_title_of_a_page_or_task_that_is_a_paragraph_is_found(
    alice: Person, project: Project
) -> None:
    page = make_page(project, alice, "p" * 121)
    task = make_task(project, alice, "t" * 121)
    make_task(project, alice, "t" * 120)

    assert found(project, "misplaced_detail") == [(page.number,), (task.number,)]


def test_critical_memories_beyond_half_a_recall_are_found_the_oldest_ones(
    alice: Person, project: Project
) -> None:
    made = [
        make_memory(
            project, alice, f"Rule {day}", summary="s" * 280, weight="critical",
            changed=days_ago(20 - day),
        )
        for day in range(15)
    ]  # fmt: skip

    left_out = found(project, "critical_without_room")

    assert left_out == [(made[0].number,), (made[1].number,)]


def test_a_few_critical_memories_have_room(alice: Person, project: Project) -> None:
    for day in range(12):
        make_memory(project, alice, f"Rule {day}", summary="s" * 280, weight="critical")

    assert found(project, "critical_without_room") == []
