"""Walks by relevance: the best 200, each once, whatever others write meanwhile."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.models import Item
from items.search import index_item
from items.search.backends import backend
from items.search.documents import document_of
from items.search.relevance import Rarity
from projects.models import Project
from tests.factories import person_caller
from tests.items.listed import listed, walk
from tests.items.rows import make_item

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
WORDS = ("deploy", "window", "gateway", "needle")


def make_many(project: Project, texts: list[str]) -> list[Item]:
    """Memories with these contents, by few statements."""
    start = Item.objects.filter(project=project).count() + 1
    Item.objects.bulk_create(
        Item(
            project=project,
            kind="memory",
            number=number,
            title=f"Item {number}",
            content=text,
            author=project.owner_person,
            visibility="shared",
            changed=timezone.now(),
        )
        for number, text in enumerate(texts, start)
    )
    made = list(Item.objects.filter(project=project, number__gte=start).order_by("number"))
    backend().store(document_of(item) for item in made)
    return made


def best(caller: Caller, project: Project, query: str) -> list[int]:
    """The ids that a search finds now, best first, by pages as large as can be."""
    ids = dict(Item.objects.filter(project=project).values_list("number", "pk"))
    entries = walk(caller, project, "memory", query=query, limit=100)
    return [ids[entry["number"]] for entry in entries]


def change(item: Item, content: str) -> None:
    """Change an item as the services do."""
    item.content, item.changed, item.version = content, timezone.now(), item.version + 1
    item.save()
    index_item(item)


def test_a_list_by_relevance_ends_after_the_best_200_and_counts_them_all(
    project: Project, bob: Person
) -> None:
    make_many(project, ["The needle."] * 220)

    entries = list(walk(person_caller(bob), project, "memory", query="needle", limit=20))
    page = listed(person_caller(bob), project, "memory", query="needle", limit=20)

    assert [entry["number"] for entry in entries] == list(range(1, 201))
    assert (page["total"], page["hasMore"]) == (220, True)


def test_the_total_of_a_search_is_exact_to_a_thousand(project: Project, bob: Person) -> None:
    make_many(project, ["The needle."] * 1000)
    caller = person_caller(bob)

    full = listed(caller, project, "memory", query="needle", limit=1)
    make_item(project, content="needle")
    over = listed(caller, project, "memory", query="needle", limit=1)
    by_date = listed(caller, project, "memory", query="needle", limit=1, sort="updated")

    assert (full["total"], full.get("more")) == (1000, None)
    assert (over["total"], over.get("more")) == (1000, True)
    assert (by_date["total"], by_date.get("more")) == (1000, True)


def test_250_items_of_one_moment_are_each_found_once_by_every_other_order(
    project: Project, bob: Person
) -> None:
    make_many(project, ["The needle."] * 250)
    Item.objects.filter(project=project).update(changed=NOW, created=NOW, title="Same")

    for sort in ("updated", "created", "title"):
        entries = list(
            walk(person_caller(bob), project, "memory", query="needle", sort=sort, limit=20)
        )
        assert [entry["number"] for entry in entries] == list(range(1, 251))


def test_items_that_nobody_touches_are_found_once_in_their_order_while_the_corpus_shifts(
    project: Project, bob: Person
) -> None:
    items = make_many(
        project,
        [" ".join(WORDS[: 1 + place % 4]) + " more" * (place % 7) for place in range(150)],
    )
    caller = person_caller(bob)
    query = "needle deploy window"
    before = best(caller, project, query)
    numbers = {item.pk: item.number for item in items}
    touched: set[int] = set()

    def write(place: int, seen: list[JsonObject]) -> None:
        shown = Item.objects.get(project=project, number=seen[2]["number"])
        coming = Item.objects.get(pk=before[-place])
        last = Item.objects.get(project=project, number=seen[-1]["number"])
        touched.update({shown.pk, coming.pk, last.pk})
        change(shown, "needle " * 5)
        change(coming, "deploy window needle")
        last.archived_at = timezone.now()
        last.save()
        # The rarity of every word turns about.
        make_many(project, ["deploy"] * 40)
        for _ in range(3):
            make_item(project, title="needle deploy window")

    entries = list(walk(caller, project, "memory", query=query, limit=10, meanwhile=write))

    seen = Counter(entry["number"] for entry in entries)
    untouched = [numbers[key] for key in before if key not in touched]
    assert [entry["number"] for entry in entries if entry["number"] in untouched] == untouched
    assert all(seen[number] == 1 for number in untouched)


steps = st.one_of(
    st.tuples(st.just("add"), st.integers(1, 20), st.sampled_from(WORDS)),
    st.tuples(st.just("change"), st.integers(0, 30), st.sampled_from(WORDS)),
    st.tuples(st.just("archive"), st.integers(0, 30), st.just("")),
)


@given(
    texts=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), max_size=14),
    query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
    size=st.integers(1, 4),
    meanwhile=st.lists(st.lists(steps, max_size=2), max_size=6),
)
@settings(
    max_examples=40,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_whatever_is_written_meanwhile_an_untouched_item_is_found_exactly_once_in_its_place(
    *,
    project: Project,
    bob: Person,
    texts: list[list[str]],
    query: list[str],
    size: int,
    meanwhile: list[list[Any]],
) -> None:
    Item.objects.filter(project=project).delete()
    backend().clear()
    items = make_many(project, [" ".join(words) for words in texts])
    caller = person_caller(bob)
    wanted = " ".join(query)
    before = best(caller, project, wanted)
    touched: set[int] = set()
    waiting = iter(meanwhile)

    def write(_place: int, _seen: list[JsonObject]) -> None:
        for what, place, word in next(waiting, []):
            if what == "add":
                make_many(project, [word] * place)
            elif items:
                item = items[place % len(items)]
                touched.add(item.pk)
                if what == "change":
                    change(item, word)
                else:
                    Item.objects.filter(pk=item.pk).update(archived_at=NOW)

    numbers = [
        entry["number"]
        for entry in walk(caller, project, "memory", query=wanted, limit=size, meanwhile=write)
    ]

    by_key = {item.pk: item.number for item in items}
    expected = [by_key[key] for key in before if key not in touched]
    assert [number for number in numbers if number in expected] == expected


def test_a_cursor_of_the_longest_query_fits(project: Project, bob: Person) -> None:
    words = [f"word{place}" for place in range(40)]
    Item.objects.create(
        pk=9_999_999_900, project=project, kind="page", number=99, author=bob
    )  # so that further ids are long, where the database goes on from the highest
    make_many(project, [" ".join(words)] * 3)

    entries = list(walk(person_caller(bob), project, "memory", query=" ".join(words), limit=1))

    assert len(entries) == 3


def test_what_another_clock_has_dated_ahead_is_walked_through_all_the_same(
    project: Project, bob: Person
) -> None:
    items = make_many(project, ["needle"] * 6)
    Item.objects.filter(pk__in=[item.pk for item in items]).update(
        changed=timezone.now() + timedelta(minutes=5)
    )

    entries = list(walk(person_caller(bob), project, "memory", query="needle", limit=2))

    assert [entry["number"] for entry in entries] == [1, 2, 3, 4, 5, 6]


def test_rarities_are_the_same_after_a_cursor() -> None:
    terms = ["one", "two", "three", "none"]
    having = dict(zip(terms, [1, 5_000, 1_000_000, 0], strict=True))
    rarity = Rarity.of(1_000_000, having)

    assert Rarity.unpacked(terms, rarity.packed(terms)) == rarity
    assert rarity.levels["one"] > rarity.levels["two"] > rarity.levels["three"] == 1
    assert "none" not in rarity.levels
