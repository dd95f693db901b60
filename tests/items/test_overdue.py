"""Overdue: one answer of a function, of a condition on rows, and of whoever shows it."""

from datetime import UTC, date, datetime

import pytest
import time_machine

from conderis.accounts.models import Person
from items.beside import beside_entries
from items.kinds.task import STATUSES
from items.models import Item
from items.overdue import is_overdue, overdue_q
from items.surrounding import item_surroundings
from projects.models import Project
from tests.factories import make_person, person_caller
from tests.items.rows import make_item

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAYS = {"yesterday": date(2026, 11, 29), "today": date(2026, 11, 30), "none": None}


@pytest.mark.parametrize(
    ("zone", "late"),
    [
        ("UTC", {"yesterday"}),
        ("Pacific/Kiritimati", {"yesterday", "today"}),
        ("Pacific/Pago_Pago", {"yesterday"}),
    ],
)
def test_all_that_show_what_is_overdue_agree(project: Project, zone: str, late: set[str]) -> None:
    reader = person_caller(make_person("dora", time_zone=zone))
    project.is_public = True
    project.save()
    rows = {
        (word, status.name): make_item(
            project, "task", title=f"{word} {status.name}", status=status.name, due=day
        )
        for word, day in DAYS.items()
        for status in STATUSES
    }
    numbers = {item.number: name for name, item in rows.items() if item.number is not None}
    with time_machine.travel(NOON, tick=False):
        by_rows = set(Item.objects.filter(overdue_q(reader)).values_list("number", flat=True))
        by_function = {
            number
            for number, name in numbers.items()
            if is_overdue(reader, due=rows[name].due, status=rows[name].status)
        }
        beside = beside_entries(
            reader, project_id=project.public_id, kind="task", numbers=list(numbers)
        )
        in_lists = {number for number, each in beside.items() if each.overdue}
        on_pages = {
            number
            for number in numbers
            if item_surroundings(reader, project.public_id, number)["overdue"]
        }

    names = {numbers[number] for number in by_rows if number is not None}
    work = {"open", "in_progress", "blocked"}
    assert names == {(word, status) for word in late for status in work}
    assert by_rows == by_function == in_lists == on_pages


def test_a_moment_given_is_the_one_that_counts(rita: Person) -> None:
    caller, due = person_caller(rita), date(2026, 11, 29)

    assert is_overdue(caller, due=due, status="open", now=NOON)
    assert not is_overdue(caller, due=due, status="open", now=NOON.replace(day=29))
