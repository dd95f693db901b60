"""Sending a batch again: nothing is stored twice, whatever happened in between."""

from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conderis.accounts.models import Person
from conderis.common.errors import Conflict
from items.models import Item
from projects.models import Project
from proposals.batching import results
from proposals.models import BatchResult
from tests.factories import agent_caller, make_project, person_caller
from tests.items.calls import act, change, create, item_at
from tests.privacy.deletions import ask, erase
from tests.proposals.batches import memory, numbers, outcomes, page, personal, send, task

pytestmark = pytest.mark.django_db

_names = count(1)


def test_the_same_again_stores_nothing_and_answers_with_the_same_numbers(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    items = [task("a"), task("b", parent="a", dependsOn=["a"]), memory("m"), page("p")]

    first = send(caller, project, *items, idempotencyKey="k")
    again = send(caller, project, *items, idempotencyKey="k", source="elsewhere")

    assert again["items"] == first["items"]
    assert again["outcome"] == "stored"
    assert again["replayed"] == ["task", "memory", "page"]
    assert Item.objects.count() == 4


def test_the_order_of_members_does_not_make_it_another_content(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    item = {"kind": "task", "fields": {"title": "T", "tags": ["a"]}}
    turned = {"fields": {"tags": ["a"], "title": "T"}, "kind": "task"}

    first = send(caller, project, item, idempotencyKey="k")
    again = send(caller, project, turned, idempotencyKey="k")

    assert numbers(first) == numbers(again)


def test_without_a_key_it_is_stored_twice(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)

    send(caller, project, task("a"))
    send(caller, project, task("a"))

    assert Item.objects.count() == 2
    assert not BatchResult.objects.exists()


@pytest.mark.parametrize(
    "other",
    [
        [task("a", content="other")],
        [task("b", title="Task a")],
        [task("a"), task("b")],
        [task("a"), task("c")],
    ],
)
def test_other_content_of_a_stored_kind_is_refused_whole(
    alice: Person, project: Project, other: list[dict[str, Any]]
) -> None:
    caller = agent_caller(alice)
    send(caller, project, task("a"), idempotencyKey="k")

    with pytest.raises(Conflict) as refusal:
        send(caller, project, *other, page("new"), idempotencyKey="k")

    assert refusal.value.details["field"] == "batch.idempotencyKey"
    assert refusal.value.details["kinds"] == ["task"]
    assert Item.objects.count() == 1


def test_a_failed_kind_keeps_nothing_and_its_items_may_be_mended(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    bad, mended = task("b", due="soon"), task("b", due="2026-12-31")

    first = send(caller, project, page("p"), task("a"), bad, idempotencyKey="k")
    second = send(caller, project, page("p"), task("a"), mended, idempotencyKey="k")
    alone = send(caller, project, task("a"), mended, idempotencyKey="k")

    assert outcomes(first) == {"page": "stored", "task": "failed"}
    assert outcomes(second) == {"page": "stored", "task": "stored"}
    assert second["replayed"] == ["page"]
    assert numbers(first)[0] == numbers(second)[0] == 1
    assert numbers(alone) == numbers(second)[1:]
    assert Item.objects.count() == 3


def test_an_atomic_batch_that_failed_keeps_nothing(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)

    send(caller, project, page("p"), task("b", due="soon"), idempotencyKey="k", atomic=True)
    again = send(caller, project, page("q"), task("c"), idempotencyKey="k", atomic=True)

    assert again["outcome"] == "stored"
    assert "replayed" not in again


def test_what_an_atomic_batch_finds_stored_stays(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    send(caller, project, page("p"), idempotencyKey="k")

    answer = send(
        caller, project, page("p"), task("b", due="soon"), idempotencyKey="k", atomic=True
    )

    assert outcomes(answer) == {"page": "stored", "task": "failed"}
    assert answer["outcome"] == "partly"
    assert Item.objects.count() == 1


def test_a_key_is_of_who_sends_it_where(alice: Person, project: Project) -> None:
    other = make_project(alice, "cellar")
    callers = [agent_caller(alice), agent_caller(alice, "other"), person_caller(alice)]

    answers = [
        send(caller, place, memory("a"), idempotencyKey="k")
        for caller in callers
        for place in (project, other)
    ]
    own = [send(caller, None, personal("a"), idempotencyKey="k") for caller in callers]

    assert Item.objects.count() == 9
    assert not any("replayed" in each for each in [*answers, *own])
    assert len({each["items"][0]["ref"] for each in own}) == 3


def test_another_key_of_the_same_agent_is_the_same_caller(alice: Person, project: Project) -> None:
    first = send(agent_caller(alice), project, task("a"), idempotencyKey="k")
    again = send(agent_caller(alice), project, task("a"), idempotencyKey="k")

    assert numbers(first) == numbers(again)


def test_what_became_of_the_items_does_not_matter(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    items = [page("a"), page("b", parent="a"), page("c")]
    first = send(caller, project, *items, idempotencyKey="k")
    change(caller, project, 1, 1, title="Renamed")
    act(caller, project, 3, "archive", 1)

    again = send(caller, project, *items, idempotencyKey="k")

    assert numbers(again) == numbers(first)
    assert again["items"][1]["parent"] == {"number": 1, "title": "Renamed"}


def test_of_what_is_locked_or_erased_a_replay_says_the_number_alone_and_stores_nothing(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    items = [page("a", title="Marker"), page("b", parent="a"), page("c", parent="a")]
    send(caller, project, *items, idempotencyKey="k")
    ask(caller, project, 3)
    request = ask(caller, project, 1)
    locked = send(caller, project, *items, idempotencyKey="k")
    erase(alice, request)

    erased = send(caller, project, *items, idempotencyKey="k")
    with pytest.raises(Conflict):
        send(caller, project, *items, page("d"), idempotencyKey="k")

    assert locked["items"][0] == {"index": 0, "key": "a", "number": 1, "locked": True}
    assert locked["items"][1]["parent"] == {"number": 1, "locked": True}
    assert locked["items"][2] == {"index": 2, "key": "c", "number": 3, "locked": True}
    assert erased["items"][0] == {"index": 0, "key": "a", "number": 1, "erased": True}
    assert "Marker" not in str(erased)
    assert Item.objects.count() == 3
    assert BatchResult.objects.get().digest == ""


def test_the_batch_that_made_an_item_is_the_next_one_kept_after_it(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = agent_caller(alice)
    for key in "abcde":
        create(caller, project, "page", title=f"Alone {key}")
        send(caller, project, page(f"{key}1"), page(f"{key}2"), idempotencyKey=key)
        send(caller, None, personal(key), idempotencyKey=key)
    monkeypatch.setattr(results, "NEAREST", 1)

    found = {item.pk: results.results_holding(item) for item in Item.objects.all()}

    kept = {pk: [row.pk for row in rows] for pk, rows in found.items()}
    wanted: dict[int, list[int]] = {pk: [] for pk in found}
    for row in BatchResult.objects.all():
        for pk in row.made:
            wanted[pk].append(row.pk)
    assert kept == wanted
    assert sorted(len(rows) for rows in kept.values()) == [0] * 5 + [1] * 15


def test_no_text_is_kept_under_the_key(alice: Person, project: Project) -> None:
    send(
        agent_caller(alice), project, task("zanzibar"), idempotencyKey="zanzibar", source="zanzibar"
    )

    row = BatchResult.objects.values().get()

    assert "zanzibar" not in str(row)
    assert row["made"] == [item_at(project, 1).pk]


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_a_batch_sent_any_number_of_times_between_failures_makes_the_same_items(
    alice: Person, project: Project, data: st.DataObject
) -> None:
    """Each try is whole, or has a broken item in some kinds, or is atomic; others write, too."""
    caller = agent_caller(alice)
    name = f"batch {next(_names)}"  # the database goes on from example to example
    kinds = data.draw(st.lists(st.sampled_from(["task", "memory", "page"]), min_size=1, max_size=8))
    make = {"task": task, "memory": memory, "page": page}
    items: list[dict[str, Any]] = []
    for place, kind in enumerate(kinds):
        more: dict[str, Any] = {"title": f"{name}, {place}"}
        tops = [
            at for at in range(place) if kinds[at] == kind and "parent" not in items[at]["fields"]
        ]
        parent: int | None = data.draw(st.sampled_from([None, *tops]))
        if parent is not None:
            more["parent"] = f"k{parent}"
        items.append(make[kind](f"k{place}", **more))
    before = set(Item.objects.values_list("pk", flat=True))
    written = set()

    for _ in range(data.draw(st.integers(1, 5))):
        broken = data.draw(st.sets(st.sampled_from(sorted(set(kinds)))))
        atomic = data.draw(st.booleans())
        sent = [
            each if each["kind"] not in broken else {**each, "fields": {**each["fields"], "x": 1}}
            for each in items
        ]
        try:
            send(caller, project, *sent, idempotencyKey=name, atomic=atomic)
        except Conflict:  # a kind that is stored was sent broken
            assert broken
        if data.draw(st.booleans()):
            written.add(create(caller, project, "task", title="Between")["number"])
    first = send(caller, project, *items, idempotencyKey=name)
    again = send(caller, project, *items, idempotencyKey=name)

    made = Item.objects.exclude(pk__in=before).exclude(number__in=written)
    assert first["outcome"] == again["outcome"] == "stored"
    assert first["items"] == again["items"]
    assert sorted(made.values_list("number", flat=True)) == sorted(numbers(first))  # type: ignore[type-var]
    assert [item_at(project, each["number"]).title for each in first["items"]] == [
        each["fields"]["title"] for each in items
    ]
    last = project.__class__.objects.get(pk=project.pk).last_number
    assert Item.objects.filter(project=project).count() == last
