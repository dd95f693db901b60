"""What the tests of many at once would say if something were lost: none of it goes unseen."""

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.concurrency import agents, test_killed_in_writing
from tests.concurrency.agents import Agent
from tests.concurrency.inside import Inside
from tests.concurrency.test_killed_in_writing import Writer

pytestmark = pytest.mark.no_database


def item(title: str, *contents: str) -> dict[str, Any]:
    events = [
        {"event": "changed" if place else "created", "version": place + 1, "content": content}
        for place, content in enumerate(contents or ("",))
    ]
    return {"title": title, "content": events[-1]["content"], "events": events}


def writer(*said: dict[str, Any], unsaid: dict[str, Any] | None = None) -> Writer:
    return Writer("w", "owner/soak", random.Random(0), said=list(said), unsaid=unsaid)


CREATED = {"titles": ["a"], "numbers": [1]}
CHANGED = {"number": 1, "version": 2, "content": "new"}
BATCH = {"titles": ["b", "c"]}


@pytest.mark.parametrize(
    ("wrote", "items", "said"),
    [
        (writer(CREATED), {}, "a is not #1"),
        (writer(CREATED), {"1": item("b")}, "a is not #1"),
        (writer(CREATED, CHANGED), {"1": item("a", "old")}, "version 2 of #1 is lost"),
        (writer(CREATED, CHANGED), {"1": item("a", "old", "other")}, "version 2 of #1 is lost"),
        (writer(unsaid=BATCH), {"1": item("b")}, "of ['b', 'c'] there are ['b']"),
        (writer(CREATED), {"1": item("a"), "2": item("a")}, "a is there 1 too many"),
        (writer(CREATED), {"1": item("a"), "2": item("z")}, "z is there 1 too many"),
        (writer(CREATED, unsaid=CHANGED), {"1": item("a", "old", "other")}, "came to"),
    ],
)  # fmt: skip
def test_what_a_kill_takes_is_named(wrote: Writer, items: dict[str, Any], said: str) -> None:
    assert any(said in each for each in test_killed_in_writing.lost([wrote], items))


@pytest.mark.parametrize(
    ("wrote", "items"),
    [
        (writer(CREATED, CHANGED), {"1": item("a", "old", "new")}),
        (writer(CREATED, unsaid=CHANGED), {"1": item("a", "old")}),
        (writer(CREATED, unsaid=CHANGED), {"1": item("a", "old", "new")}),
        (writer(unsaid=BATCH), {}),
        (writer(unsaid=BATCH), {"1": item("b"), "2": item("c")}),
    ],
)
def test_what_is_there_as_it_was_said_is_not_named(wrote: Writer, items: dict[str, Any]) -> None:
    assert list(test_killed_in_writing.lost([wrote], items)) == []


def agent(**came: Any) -> Agent:
    return Agent("a", cast("Any", None), cast("Any", None), random.Random(0), **came)


def losses(worked: list[Agent], items: dict[str, Any], *faults: str) -> Iterator[str]:
    seen = {"faults": list(faults), "items": items}
    asked = cast("Inside", SimpleNamespace(ask=lambda *_, **__: seen))
    return agents.lost(worked, asked, "owner/soak")


def claimed(times: int) -> dict[str, Any]:
    events = [{"event": "claimed", "version": place, "content": ""} for place in range(times)]
    return {"title": "t", "content": "", "events": events}


@pytest.mark.parametrize(
    ("worked", "items"),
    [
        ([agent(lines=[(1, 2, "x")])], {"1": item("ledger", "begun", "begun")}),
        ([agent(lines=[(1, 2, "x")])], {"1": item("ledger", "begun", "x", "overwritten")}),
        ([agent(lines=[(1, 2, "x")])], {"1": item("ledger", "begun")}),
        ([agent(won=[1]), agent(won=[1])], {"1": claimed(1)}),
        ([agent(won=[1])], {"1": claimed(2)}),
        ([agent(proposed={"p": "new"}), agent(approved=["p"])], {}),
        ([agent(proposed={"p": "new"}, approved=["p"])], {"1": item("new"), "2": item("new")}),
        ([agent(proposed={"p": "new"})], {"1": item("new")}),
        ([agent(proposed={"p": "new"}, approved=["p", "p"])], {"1": item("new")}),
        ([agent(wrong=["500"])], {}),
    ],
)  # fmt: skip
def test_what_is_lost_or_happens_twice_is_named(worked: list[Agent], items: dict[str, Any]) -> None:
    assert len(list(losses(worked, items))) == 1


def test_what_is_not_whole_is_named_and_what_is_right_is_not() -> None:
    items = {"1": item("ledger", "begun", "begun\nx", "x\ny"), "2": claimed(1), "3": item("new")}
    right = agent(lines=[(1, 2, "x"), (1, 3, "y")], won=[2], proposed={"p": "new"}, approved=["p"])

    assert list(losses([right], items)) == []
    assert list(losses([right], items, "#1: other rows of tags than tags")) == [
        "#1: other rows of tags than tags"
    ]
