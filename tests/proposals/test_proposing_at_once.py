"""Proposals by two calls at once: none is doubled, and no limit is passed."""

import threading
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import DomainError
from projects.capabilities import Role
from projects.models import Project
from proposals import limits
from proposals.models import Proposal
from tests.factories import agent_caller, join, make_person, make_project, person_caller
from tests.items.calls import act
from tests.proposals.reviews import propose_new

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 6


@pytest.fixture
def contributor() -> Person:
    return make_person("bob")


@pytest.fixture
def shop(contributor: Person) -> Project:
    made = make_project(make_person("alice"))
    join(made, contributor, Role.CONTRIBUTOR)
    return made


def at_once(calls: list[Callable[[], str]]) -> list[str]:
    """What each call answered, or the code of its refusal."""
    barrier = threading.Barrier(len(calls))
    outcomes: list[str] = []

    def run(call: Callable[[], str]) -> None:
        barrier.wait()
        try:
            outcomes.append(call())
        except DomainError as refusal:
            outcomes.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def state_after(caller: Caller, project: Project, ref: str, action: str) -> str:
    """How far the proposal has come by this."""
    return str(act(caller, project, ref, action)["state"])


def test_the_same_by_several_calls_at_once_is_one(contributor: Person, shop: Project) -> None:
    callers = [agent_caller(contributor, f"agent {number}") for number in range(AT_ONCE)]

    outcomes = at_once([partial(propose_new, who, shop, "page", title="P") for who in callers])

    assert outcomes == [str(Proposal.objects.get())] * AT_ONCE


def test_no_more_wait_than_the_limit_allows_however_they_come(
    contributor: Person, shop: Project
) -> None:
    Proposal.objects.bulk_create(
        Proposal(project=shop, kind="page", action="create", digest=str(number),
                 proposer=contributor)
        for number in range(limits.MOST_IN_PROJECT - 2)
    )  # fmt: skip
    caller = agent_caller(contributor)

    outcomes = at_once(
        [partial(propose_new, caller, shop, "page", title=f"P{each}") for each in range(AT_ONCE)]
    )

    assert outcomes.count("conflict") == AT_ONCE - 2
    assert Proposal.objects.count() == limits.MOST_IN_PROJECT


def test_withdrawn_by_one_call_and_approved_by_another_it_is_one_of_the_two(
    contributor: Person, shop: Project
) -> None:
    owner = person_caller(Person.objects.get(handle="alice"))
    proposer = person_caller(contributor)

    for number in range(3):
        ref = propose_new(proposer, shop, "page", title=f"P{number}")
        outcomes = at_once(
            [
                partial(state_after, owner, shop, ref, "approve"),
                partial(state_after, proposer, shop, ref, "withdraw"),
            ]
        )
        kept = Proposal.objects.latest("pk")
        assert sorted(outcomes) == sorted([kept.state, "conflict"])
        assert (kept.state == "approved") == (kept.item is not None)
