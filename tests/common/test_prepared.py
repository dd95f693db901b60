"""A prepared queryset gives what the plain one gives."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.db.models import Count, F, QuerySet

from conderis.accounts.models import AgentKey, Person
from conderis.common.prepared import Prepared, PreparedByKey
from items.models import Item
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import create


def by_lookup(lookup: str) -> QuerySet[AgentKey]:
    return AgentKey.objects.filter(lookup=lookup).select_related("agent__person")


def by_number(project: int, number: int) -> QuerySet[Item]:
    rows = Item.objects.filter(project=project, number=number).annotate(many=Count("children"))
    return rows.select_related("author", "parent").defer("content")


def titles(project: int) -> QuerySet[Item, tuple[object, ...]]:
    rows = Item.objects.filter(project=project).order_by(F("number").desc())
    return rows.values_list("title", "tags")


@pytest.fixture
def stocked(alice: Person, project: Project) -> Project:
    caller = person_caller(alice)
    create(caller, project, "task", title="One", content="Text.", tags=["a", "b"])
    create(caller, project, "task", title="Two", parent=1)
    return project


def test_models_come_with_their_relations_annotations_and_deferred_columns(
    stocked: Project,
) -> None:
    prepared = Prepared[Item](by_number, project=int, number=int)

    for number in (1, 2, 1):
        (made,) = prepared.rows(project=stocked.pk, number=number)
        (plain,) = by_number(stocked.pk, number)
        assert made == plain
        assert vars(made).keys() == vars(plain).keys()
        assert made._state.fields_cache.keys() == plain._state.fields_cache.keys()
        assert made.get_deferred_fields() == {"content"}
        assert (made.tags, made.created, vars(made)["many"]) == (
            plain.tags,
            plain.created,
            vars(plain)["many"],
        )
        assert made.parent == plain.parent


def test_tuples_come_in_their_order_with_their_values_converted(stocked: Project) -> None:
    prepared = Prepared[tuple[object, ...]](titles, project=int)

    assert prepared.rows(project=stocked.pk) == list(titles(stocked.pk))
    assert prepared.rows(project=stocked.pk + 1) == []


def test_texts_are_values_and_never_a_part_of_the_statement(alice: Person) -> None:
    agent_caller(alice)
    key = AgentKey.objects.get()
    prepared = Prepared[AgentKey](by_lookup, lookup=str)

    assert [each.agent.person for each in prepared.rows(lookup=key.lookup)] == [alice]
    assert prepared.rows(lookup="' OR 1=1 --") == []
    assert prepared.rows(lookup="%s") == []


@pytest.mark.parametrize("values", [{}, {"lookup": 1}, {"lookup": "a", "more": 2}])
def test_a_value_too_few_too_many_or_of_another_type_is_an_error(
    db: None, values: dict[str, int | str]
) -> None:
    prepared = Prepared[AgentKey](by_lookup, lookup=str)

    with pytest.raises(TypeError, match="Takes"):
        prepared.rows(**values)


def test_a_statement_that_drops_or_changes_a_value_is_an_error(db: None) -> None:
    prepared = Prepared[AgentKey](lambda lookup: by_lookup(f"{lookup}x"), lookup=str)

    with pytest.raises(TypeError, match="does not hold each"):
        prepared.rows(lookup="a")


def numbers(project: int, wanted: list[int]) -> QuerySet[Item, tuple[object, ...]]:
    rows = Item.objects.filter(project=project, number__in=wanted)
    return rows.order_by("number").values_list("number")


@pytest.mark.parametrize("wanted", [[1], [1, 2], [7] * 16, [*range(2, 40)], [*range(1, 1100)]])
def test_lists_of_any_length_say_what_they_hold(stocked: Project, wanted: list[int]) -> None:
    prepared = Prepared[tuple[object, ...]](numbers, project=int, wanted=list)

    for _ in range(2):
        found = prepared.rows(project=stocked.pk, wanted=wanted)
        assert found == list(numbers(stocked.pk, wanted))


def test_an_empty_list_is_an_error(stocked: Project) -> None:
    prepared = Prepared[tuple[object, ...]](numbers, project=int, wanted=list)

    with pytest.raises(TypeError, match="no empty list"):
        prepared.rows(project=stocked.pk, wanted=[])


def test_moments_are_compared_as_django_compares_them(stocked: Project) -> None:
    prepared = Prepared[tuple[object, ...]](
        lambda until: Item.objects.filter(created__lte=until).values_list("title"), until=datetime
    )
    one, two = Item.objects.order_by("number")

    assert prepared.rows(until=one.created - timedelta(microseconds=1)) == []
    assert prepared.rows(until=two.created - timedelta(microseconds=1)) == [("One",)]
    assert prepared.rows(until=one.created.astimezone(ZoneInfo("Asia/Tokyo"))) == [("One",)]


def test_where_a_slice_ends_is_a_value_too_outside_and_inside(stocked: Project) -> None:
    def build(project: int, most: int, inside: int) -> QuerySet[Item, tuple[object, ...]]:
        rows = Item.objects.filter(project=project).order_by("number")
        chosen = Item.objects.filter(pk__in=rows.values("pk")[:inside], title__contains="%s")
        others = Item.objects.filter(pk__in=rows.values("pk")[:inside]).exclude(pk__in=chosen)
        return others.order_by("-number").values_list("number")[:most]

    prepared = Prepared[tuple[object, ...]](build, project=int, most=int, inside=int)

    for most, inside in ((9, 9), (1, 9), (9, 1), (1, 1)):
        found = prepared.rows(project=stocked.pk, most=most, inside=inside)
        assert found == list(build(stocked.pk, most, inside))


def test_rows_are_counted_up_to_where_a_slice_ends(stocked: Project) -> None:
    prepared = Prepared[tuple[object, ...]](
        lambda project, most: Item.objects.filter(project=project).values_list("pk")[:most],
        project=int,
        most=int,
    )

    assert [prepared.count(project=stocked.pk, most=most) for most in (1, 2, 3)] == [1, 2, 2]
    assert prepared.count(project=stocked.pk + 1, most=3) == 0


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite makes plans in no time")
@pytest.mark.parametrize(("sort", "keeps"), [(PreparedByKey, True), (Prepared, False)])
def test_postgresql_keeps_the_plan_of_what_finds_rows_by_a_key_alone(
    stocked: Project, sort: type[Prepared[Item]], *, keeps: bool
) -> None:
    prepared = sort(by_number, project=int, number=int)

    titles = [
        [row.title for row in prepared.rows(project=stocked.pk, number=number)]
        for number in (1, 2, 1, 2, 1, 2, 3)
    ]

    assert titles == [["One"], ["Two"], ["One"], ["Two"], ["One"], ["Two"], []]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COUNT(*) FROM pg_prepared_statements WHERE statement LIKE %s",
            ["%items_item%many%"],
        )
        (kept,) = cursor.fetchone()
    assert (kept > 0) is keeps
