"""Limits of what is stored hold for several callers at once, on either database."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.conf import settings as configured
from django.db import connection
from pytest_django import Settings

from conderis.accounts.models import AgentUsage, Person
from conderis.common.caller import Caller
from conderis.common.errors import DomainError, RateLimited, TooLarge
from items.models import Item
from projects.models import Project
from tests.factories import agent_caller, make_project
from tests.items.calls import create

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
AT_ONCE, EACH = 4, 6


def storing(caller: Caller, project: Project, name: int) -> Callable[[], list[DomainError]]:
    def store() -> list[DomainError]:
        refusals: list[DomainError] = []
        try:
            for number in range(EACH):
                try:
                    create(caller, project, "task", title=f"Task {name}-{number}")
                except DomainError as refusal:
                    refusals.append(refusal)
        finally:
            connection.close()
        return refusals

    return store


def all_refusals(work: list[Callable[[], list[DomainError]]]) -> list[DomainError]:
    with ThreadPoolExecutor(len(work)) as threads:
        done = [threads.submit(each) for each in work]
        return [refusal for each in done for refusal in each.result()]


def test_one_agent_in_two_projects_at_once_stores_exactly_what_it_may(
    alice: Person, settings: Settings
) -> None:
    settings.LIMITS = replace(configured.LIMITS, items_a_day=10)
    places = [make_project(alice), make_project(alice, "other")]
    robo = agent_caller(alice)

    refusals = all_refusals([storing(robo, places[n % 2], n) for n in range(AT_ONCE)])

    assert Item.objects.count() == 10
    assert len(refusals) == AT_ONCE * EACH - 10
    assert {type(refusal) for refusal in refusals} == {RateLimited}
    assert AgentUsage.objects.get().items == 10


def test_many_agents_at_once_fill_a_project_exactly(alice: Person, settings: Settings) -> None:
    settings.LIMITS = replace(configured.LIMITS, items_in_project=10)
    project = make_project(alice)
    agents = [agent_caller(alice, f"robo {n}") for n in range(AT_ONCE)]

    refusals = all_refusals([storing(agent, project, n) for n, agent in enumerate(agents)])

    numbers = sorted(item.number or 0 for item in Item.objects.all())
    assert numbers == list(range(1, 11))
    assert {type(refusal) for refusal in refusals} == {TooLarge}
    assert sum(AgentUsage.objects.values_list("items", flat=True)) == 10
