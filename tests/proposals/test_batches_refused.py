"""What batches refuse: single items, whole batches, and what nobody may learn."""

from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import Denied, Invalid, NotFound, TooLarge
from items.models import Item
from projects.models import Project
from tests.factories import agent_caller
from tests.items.calls import create
from tests.proposals.batches import (
    memory,
    numbers,
    outcomes,
    page,
    personal,
    send,
    send_whole,
    task,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("item", "field", "allowed"),
    [
        (task("b", parent="later"), "parent", "a"),
        (task("b", parent="b"), "parent", "a"),
        (task("b", parent="m"), "parent", "a"),
        (task("b", dependsOn=["later"]), "dependsOn", "a"),
        (task("b", parent=99), "parent", None),
        (task("b", parent="memory:abc"), "parent", "a"),
        ({"kind": "task", "key": "12", "fields": {"title": "x"}}, "key", None),
        ({"kind": "task", "key": "#12", "fields": {"title": "x"}}, "key", None),
        ({"kind": "task", "key": "a", "fields": {"title": "x"}}, "key", None),
        ({"kind": "task", "key": "k" * 101, "fields": {"title": "x"}}, "key", None),
        ({"kind": "task", "fields": {"title": "x"}, "version": 1}, "version", "kind"),
        ({"kind": "task", "fields": {"title": "x"}, "reason": "why"}, "reason", "fields"),
        ({"kind": "task", "fields": [1]}, "fields", "title"),
        ({"kind": "task"}, "fields", "title"),
        (task("b", nonsense=1), "nonsense", "title"),
        (task("b", status="blocked"), "reason", None),
    ],
)
def test_a_refused_item_is_named_with_its_field_and_what_is_allowed(
    alice: Person, project: Project, item: dict[str, Any], field: str, allowed: str | None
) -> None:
    answer = send(agent_caller(alice), project, memory("m"), task("a"), item, task("later"))

    refused = answer["items"][2]
    assert refused["error"] in ("invalid", "not_found", "too_large")
    assert (refused["index"], refused["field"]) == (2, field)
    assert allowed is None or allowed in refused["allowed"]
    assert outcomes(answer) == {"memory": "stored", "task": "failed"}
    assert [each.kind for each in Item.objects.all()] == ["memory"]


@pytest.mark.parametrize(
    ("batch", "field"),
    [
        ({}, "batch.items"),
        ({"items": []}, "batch.items"),
        ({"items": "x"}, "batch.items"),
        ({"items": [1]}, "batch.items[0]"),
        ({"items": [{"fields": {"title": "x"}}]}, "batch.items[0].kind"),
        ({"items": [{"kind": "project", "fields": {}}]}, "batch.items[0].kind"),
        ({"items": [{"kind": "instructions", "fields": {"content": "x"}}]}, "batch.items[0].kind"),
        ({"items": [{"kind": 3, "fields": {}}]}, "batch.items[0].kind"),
        ({"items": [task("a")], "other": 1}, "batch.other"),
        ({"items": [task("a")], "atomic": "maybe"}, "batch.atomic"),
        ({"items": [task("a")], "idempotencyKey": " "}, "batch.idempotencyKey"),
        ({"items": [task("a")], "idempotencyKey": "a\x00"}, "batch.idempotencyKey"),
        ({"items": [task("a")], "source": "x" * 201}, "batch.source"),
        ({"format": "conderis-memory-batch", "version": 2, "memories": []}, "batch.version"),
        ({"format": "other", "memories": []}, "batch.format"),
        ({"format": "conderis-memory-batch", "version": 1, "memories": []}, "batch.items"),
    ],
)
def test_a_wrong_frame_refuses_the_batch_whole(
    alice: Person, project: Project, batch: dict[str, Any], field: str
) -> None:
    with pytest.raises((Invalid, TooLarge)) as refusal:
        send_whole(agent_caller(alice), project, batch)

    assert refusal.value.details["field"] == field
    assert not Item.objects.exists()


def test_a_hundred_items_are_taken_and_one_more_is_too_large(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)

    answer = send(caller, project, *(task(f"k{n}") for n in range(100)))
    with pytest.raises(TooLarge) as refusal:
        send(caller, project, *(task(f"k{n}") for n in range(101)))

    assert sorted(filter(None, numbers(answer))) == list(range(1, 101))
    assert refusal.value.details["limit"] == 100
    assert Item.objects.count() == 100


def test_more_than_a_megabyte_is_too_large_however_it_is_spelled(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    fits = [page(f"k{n}", content="ä" * 240_000) for n in range(2)]

    assert send(caller, project, *fits)["outcome"] == "stored"
    with pytest.raises(TooLarge) as refusal:
        send(caller, project, *fits, page("k3", content="ä" * 40_000))

    assert refusal.value.details["limit"] == 1_000_000


def test_the_limits_of_trees_and_bags_hold_inside_a_batch(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    chain = [task("t0"), *(task(f"t{n}", parent=f"t{n - 1}") for n in range(1, 6))]
    bag = [memory("bag"), memory("in", parent="bag"), memory("deep", parent="in")]
    critical = [memory("bag"), memory("in", parent="bag", weight="critical")]
    apart = [memory("bag"), memory("in", parent="bag", visibility="private")]
    twice = [page("a", title="Same"), page("b", title="Same")]

    for items, place in ((chain, 5), (bag, 2), (critical, 1), (apart, 1), (twice, 1)):
        answer = send(caller, project, *items)
        assert answer["outcome"] == "failed"
        assert "error" in answer["items"][place], answer
        assert not any("error" in each for each in answer["items"][:place])
    assert not Item.objects.exists()
    assert send(caller, project, *chain[:5])["outcome"] == "stored"


def test_a_key_for_chosen_projects_has_no_personal_batch(alice: Person, project: Project) -> None:
    with pytest.raises(Denied):
        send(agent_caller(alice, projects=[project]), None, personal("a"))


@pytest.mark.parametrize("where", ["title", "tags", "content", "source", "reason"])
def test_a_secret_anywhere_is_refused_and_never_said(
    alice: Person, project: Project, where: str
) -> None:
    secret = "ghp_" + "a1B2c3" * 6
    values: dict[str, dict[str, Any]] = {
        "title": {"title": secret},
        "content": {"content": secret},
        "tags": {"tags": [secret]},
        "reason": {"status": "blocked", "reason": secret},
        "source": {},
    }
    frame: dict[str, Any] = {"source": secret} if where == "source" else {}

    try:
        answer = send(agent_caller(alice), project, task("a", **values[where]), **frame)
    except Invalid as refusal:
        said = str(refusal.as_answer())
    else:
        said = str(answer)
        assert answer["outcome"] == "failed"
    assert where in said
    assert secret not in said
    assert not Item.objects.exists()


def test_what_somebody_may_not_read_or_write_answers_as_it_always_does(
    alice: Person, bob: Person, rita: Person, mallory: Person, project: Project
) -> None:
    create(agent_caller(alice), project, "memory", title="Mine", visibility="private")

    with pytest.raises(NotFound):
        send(agent_caller(mallory), project, task("a"))
    with pytest.raises(Denied):
        send(agent_caller(rita), project, task("a"))
    hidden = send(agent_caller(bob), project, memory("a", visibility="private", parent=1))
    never = send(agent_caller(bob), project, memory("a", visibility="private", parent=77))

    assert hidden["items"][0]["error"] == never["items"][0]["error"] == "not_found"
    assert hidden["items"][0]["message"].replace("#1", "") == never["items"][0]["message"].replace(
        "#77", ""
    )
