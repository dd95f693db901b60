"""The curve: a point a day on which something shared changed, for everybody the same."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from pytest_django import DjangoCaptureOnCommitCallbacks

from conderis.accounts.models import Person
from items.hygiene import assess, points
from items.hygiene.points import hygiene_curve, write_point
from items.models import HygienePoint
from items.project_view import project_get
from items.requests import Address, StoreRequest
from projects.access import access_project
from projects.models import Project
from proposals.writing import store
from tests.factories import person_caller
from tests.items.recall_rows import make_memory

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def nothing_written_yet() -> None:
    points._written.clear()


def remember(person: Person, project: Project, **fields: Any) -> None:
    fields = {"title": "Deploys", "visibility": "shared"} | fields
    store(person_caller(person), StoreRequest(Address(project.path), kind="memory", fields=fields))


def test_a_change_writes_the_point_of_its_day_once_it_is_committed(
    alice: Person,
    project: Project,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        remember(alice, project)

    (point,) = HygienePoint.objects.all()
    assert (point.project, point.score, point.found) == (project, 90, 1)


def test_a_private_memory_writes_none(
    alice: Person,
    project: Project,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        remember(alice, project, visibility="private")

    assert not HygienePoint.objects.exists()


def changed_twice_in_a_minute(
    alice: Person, project: Project, capture: DjangoCaptureOnCommitCallbacks
) -> None:
    """The point of today is that of the first change."""
    for title in ("One", "Two"):
        with capture(execute=True):
            remember(alice, project, title=title)
    assert HygienePoint.objects.get().found == 1


@pytest.mark.parametrize("surface", ["project_get", "curve"])
def test_what_changed_in_the_same_minute_is_made_good_by_the_next_judgement(
    alice: Person,
    project: Project,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    surface: str,
) -> None:
    changed_twice_in_a_minute(alice, project, django_capture_on_commit_callbacks)
    access = access_project(person_caller(alice), project.path)

    if surface == "curve":
        hygiene_curve(access, assess(project))
    else:
        project_get(access.caller, project.path)

    assert HygienePoint.objects.get().found == 2


def test_a_judgement_writes_no_point_on_a_day_without_a_change(
    alice: Person, project: Project
) -> None:
    make_memory(project, alice, "Bare")
    access = access_project(person_caller(alice), project.path)

    project_get(access.caller, project.path)
    hygiene_curve(access, assess(project))

    assert not HygienePoint.objects.exists()


def test_a_change_right_after_midnight_writes_the_point_of_its_own_day(
    alice: Person,
    project: Project,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    midnight = datetime(2026, 12, 1, tzinfo=UTC)
    for seconds, title in ((-10, "One"), (10, "Two")):
        with (
            time_machine.travel(midnight + timedelta(seconds=seconds), tick=False),
            django_capture_on_commit_callbacks(execute=True),
        ):
            remember(alice, project, title=title)

    rows = HygienePoint.objects.order_by("day").values_list("day__day", "found")
    assert list(rows) == [(30, 1), (1, 2)]


def test_a_day_has_one_point_with_its_last_score(alice: Person, project: Project) -> None:
    with time_machine.travel(NOON, tick=False):
        write_point(project)
        make_memory(project, alice, "Bare")
        write_point(project)
    with time_machine.travel(NOON + timedelta(days=1), tick=False):
        write_point(project)

    rows = HygienePoint.objects.order_by("day").values_list("day__day", "score")
    assert list(rows) == [(30, 90), (1, 90)]


def test_the_curve_ends_with_what_was_just_judged_and_goes_back_a_year(
    alice: Person, project: Project
) -> None:
    for days, score in ((400, 10), (5, 70), (0, 71)):
        day = (datetime.now(tz=UTC) - timedelta(days=days)).date()
        HygienePoint.objects.create(project=project, day=day, score=score, found=3)
    access = access_project(person_caller(alice), project.path)

    curve = hygiene_curve(access, assess(project))

    assert [(point.score, point.found) for point in curve] == [(70, 3), (100, 0)]
