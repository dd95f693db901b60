"""What stands beside an item counts a little for it, as far as the searcher may read it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conderis.accounts.models import Person
from items.access import visible_items
from items.kinds.memory import MEMORY
from items.models import Item, Relation
from items.search import project_scopes, ranked, rebuild
from projects.models import Project
from tests.factories import person_caller
from tests.items.listed import listed, titles, walk
from tests.items.rows import make_item

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FAR = timedelta(days=30)


def note(project: Project, title: str, content: str, *, days: int = 0, **columns: Any) -> Item:
    """A memory that was written so many days ago."""
    return make_item(
        project, title=title, content=content, created=NOW - timedelta(days=days), **columns
    )


def rivals(project: Project) -> tuple[Item, Item]:
    """Two memories that fit `gateway timeout` alike by themselves, written far apart."""
    first = note(project, "first", "The gateway.", days=90)
    for place in range(3):
        note(project, f"between {place}", "Nothing.", days=60)
    second = note(project, "second", "The gateway.", days=30)
    return first, second


def found(person: Person, project: Project, kind: str = "memory") -> list[str]:
    return titles(person_caller(person), project, kind, query="gateway timeout")


def test_without_anything_beside_them_equals_go_by_age(project: Project, bob: Person) -> None:
    rivals(project)

    assert found(bob, project) == ["first", "second"]


def test_what_the_same_hand_wrote_right_after_puts_an_item_first(
    project: Project, bob: Person
) -> None:
    rivals(project)
    note(project, "note", "Its timeout is 5 s, and that of others too.", days=30)

    assert found(bob, project).index("second") < found(bob, project).index("first")


@pytest.mark.parametrize("why", ["later", "another person"])
def test_what_was_written_later_or_by_another_hand_does_not(
    project: Project, bob: Person, why: str
) -> None:
    rivals(project)
    columns: dict[str, Any] = {"author": bob} if why == "another person" else {}
    note(project, "note", "Its timeout is 5 s.", days=0 if why == "later" else 30, **columns)

    assert found(bob, project).index("first") < found(bob, project).index("second")


def test_a_parent_and_a_related_item_put_an_item_first(project: Project, bob: Person) -> None:
    _, second = rivals(project)
    bag = note(project, "bag", "On every timeout there is.", days=1)
    Item.objects.filter(pk=second.pk).update(parent=bag)

    assert found(bob, project).index("second") < found(bob, project).index("first")

    Item.objects.filter(pk=second.pk).update(parent=None)
    assert found(bob, project).index("first") < found(bob, project).index("second")

    Relation.objects.create(source=bag, target=second, relation="relates")
    assert found(bob, project).index("second") < found(bob, project).index("first")


@pytest.mark.parametrize("state", ["private", "locked", "archived", "erased"])
def test_what_may_not_be_read_or_is_put_away_changes_no_place_at_once(
    project: Project, alice: Person, bob: Person, state: str
) -> None:
    _, second = rivals(project)
    beside = note(project, "beside", "Its timeout is 5 s.", days=30)
    Relation.objects.create(source=beside, target=second, relation="relates")
    assert found(bob, project).index("second") < found(bob, project).index("first")

    rows = Item.objects.filter(pk=beside.pk)
    if state == "private":
        rows.update(visibility="private", author=alice)
    elif state == "erased":
        rows.delete()
    else:
        rows.update(**{f"{state}_at": NOW})

    page = listed(person_caller(bob), project, "memory", query="gateway timeout")
    assert [entry["title"] for entry in page["items"]] == ["first", "second"]
    assert page["total"] == 2


def test_of_what_says_it_and_what_stands_beside_it_the_first_wins(
    project: Project, bob: Person
) -> None:
    for place in range(6):
        note(project, f"beside {place}", "The gateway.", days=10)
    note(project, "says it", "ECONNREFUSED", days=10)

    assert titles(person_caller(bob), project, "memory", query="gateway ECONNREFUSED")[0] == (
        "says it"
    )


@given(
    texts=st.lists(
        st.lists(st.sampled_from(["gateway", "timeout", "needle", "rest"]), min_size=1, max_size=4),
        max_size=30,
    ),
    size=st.integers(1, 9),
)
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_pages_of_every_size_show_the_same_each_once_and_begin_with_the_best(
    *, project: Project, bob: Person, texts: list[list[str]], size: int
) -> None:
    Item.objects.filter(project=project).delete()
    for words in texts:
        make_item(project, content=" ".join(words), title="t")
    caller = person_caller(bob)

    numbers = [
        entry["number"]
        for entry in walk(caller, project, "memory", query="gateway timeout", limit=size)
    ]

    scopes = project_scopes(caller, [project.pk], [MEMORY])
    best = ranked(visible_items(caller, project), "gateway timeout", scopes)
    by_key = {item.pk: item.number or 0 for item in Item.objects.filter(project=project)}
    assert sorted(numbers) == sorted(by_key[hit.item_id] for hit in best)
    assert numbers[:10] == [by_key[hit.item_id] for hit in best[:10]]


def test_the_best_come_first_among_more_matches_than_are_counted(
    project: Project, alice: Person
) -> None:
    caller = person_caller(alice)
    best = [make_item(project, title=f"rare {place}", content="common") for place in range(3)]
    row = best[0]
    others = [
        Item(
            project=project, kind="memory", number=100 + place, author=row.author,
            visibility="shared", title="other", content="common", category="fact", weight="normal",
        )
        for place in range(1_100)
    ]  # fmt: skip
    Item.objects.bulk_create(others)
    rebuild()

    page = listed(caller, project, "memory", query="common rare", limit=3)

    assert {each["number"] for each in page["items"]} == {row.number for row in best}
    assert (page["total"], page["more"]) == (1000, True)
