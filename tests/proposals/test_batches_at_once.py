"""The same batch by several calls at once: one is stored, and all get the same numbers."""

import threading
from collections.abc import Callable, Sequence
from functools import partial

import pytest
from django.db import connection

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import DomainError
from conderis.common.json import Json, JsonObject
from items.models import Item, ItemEvent
from projects.capabilities import Role
from projects.models import Project
from proposals.models import Proposal
from tests.factories import agent_caller, join, make_person, make_project
from tests.items.calls import create
from tests.proposals.batches import memory, numbers, outcomes, page, personal, send, task

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 5


@pytest.fixture
def owner() -> Person:
    return make_person("alice")


@pytest.fixture
def shop(owner: Person) -> Project:
    return make_project(owner)


def at_once(calls: Sequence[Callable[[], JsonObject]]) -> list[JsonObject]:
    """What each call answered, or its refusal."""
    barrier = threading.Barrier(len(calls))
    answers: list[JsonObject] = []

    def run(call: Callable[[], JsonObject]) -> None:
        barrier.wait()
        try:
            answers.append(call())
        except DomainError as refusal:
            answers.append(refusal.as_answer())
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_five_equal_batches_at_once_are_stored_once(owner: Person, shop: Project) -> None:
    caller = agent_caller(owner)
    items = [task("a"), task("b", parent="a"), memory("m"), page("p")]

    answers = at_once([partial(send, caller, shop, *items, idempotencyKey="k")] * AT_ONCE)

    assert len({tuple(numbers(each)) for each in answers}) == 1
    assert sorted("replayed" in each for each in answers) == [False] + [True] * (AT_ONCE - 1)
    assert Item.objects.count() == ItemEvent.objects.count() == 4


def test_five_equal_personal_batches_at_once_are_stored_once(owner: Person) -> None:
    caller = agent_caller(owner)
    items = [personal("a"), personal("b", parent="a")]

    answers = at_once([partial(send, caller, None, *items, idempotencyKey="k")] * AT_ONCE)

    assert len({tuple(each["ref"] for each in answer["items"]) for answer in answers}) == 1
    assert Item.objects.count() == 2


def test_of_different_contents_at_once_under_one_key_one_is_stored(
    owner: Person, shop: Project
) -> None:
    caller = agent_caller(owner)

    answers = at_once(
        [partial(send, caller, shop, task(f"k{n}"), idempotencyKey="k") for n in range(AT_ONCE)]
    )

    codes = [each.get("error", each.get("outcome")) for each in answers]
    assert sorted(map(str, codes)) == ["conflict"] * (AT_ONCE - 1) + ["stored"]
    assert Item.objects.count() == 1


def test_five_equal_proposed_batches_at_once_are_one_proposal(shop: Project) -> None:
    bob = make_person("bob")
    join(shop, bob, Role.CONTRIBUTOR)
    caller = agent_caller(bob)

    answers = at_once([partial(send, caller, shop, memory("a"), idempotencyKey="k")] * AT_ONCE)

    assert {each["kinds"]["memory"]["proposal"] for each in answers} == {
        str(Proposal.objects.get())
    }


def test_numbers_stay_dense_beside_single_writes_and_failing_batches(
    owner: Person, shop: Project
) -> None:
    caller = agent_caller(owner)

    def single(caller: Caller, title: str) -> JsonObject:
        return create(caller, shop, "task", title=title)

    bad: list[Json] = [task("a"), task("b", due="soon"), page("p")]
    good: list[Json] = [task("a"), memory("m")]
    at_once(
        [partial(single, caller, f"Single {n}") for n in range(3)]
        + [partial(_send_titled, caller, shop, bad, n) for n in range(3)]
        + [partial(_send_titled, caller, shop, good, n + 3) for n in range(3)]
    )

    given = Item.objects.order_by("number").values_list("number", flat=True)
    assert list(given) == list(range(1, 3 + 3 + 6 + 1))


def _send_titled(caller: Caller, shop: Project, items: list[Json], turn: int) -> JsonObject:
    titled = [
        {**each, "fields": {**each["fields"], "title": f"{turn} {each['key']}"}} for each in items
    ]
    answer = send(caller, shop, *titled)
    assert "stored" in outcomes(answer).values()
    return answer
