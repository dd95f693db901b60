"""What one looping agent may do at most; whatever is refused stores nothing."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
import time_machine
from django.conf import settings as configured
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from conderis.accounts.limits import forget_calls
from conderis.accounts.models import AgentUsage, AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import RateLimited, TooLarge
from conderis.common.json import JsonObject
from items.models import Item, ItemEvent
from mcp_surface.dispatch import call_tool
from projects.models import Project
from proposals.models import Proposal
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create

NOON = datetime(2027, 3, 4, 12, 0, 20, tzinfo=UTC)
_titles = count(1)


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    forget_calls()
    yield
    forget_calls()


@pytest.fixture
def robo(bob: Person, project: Project) -> Caller:
    return agent_caller(bob)


def limit(settings: Settings, **limits: int) -> None:
    settings.LIMITS = replace(configured.LIMITS, **limits)


def store(caller: Caller, project: Project, content: str = "Steps.") -> int:
    title = f"Restore the backup {next(_titles)}"
    return int(create(caller, project, "task", title=title, content=content)["number"])


def called(caller: Caller, tool: str, **arguments: Any) -> JsonObject:
    answer: JsonObject = json.loads(call_tool(caller, tool, arguments).text)
    return answer


def stored() -> tuple[int, ...]:
    """How many rows there are of all that a write makes, and the numbers given."""
    numbers = tuple(Project.objects.order_by("pk").values_list("last_number", flat=True))
    tables = (Item, ItemEvent, AuditEvent, Proposal)
    return (*numbers, *(table.objects.count() for table in tables))


def test_more_changes_than_a_minute_takes_are_refused_until_it_is_over(
    robo: Caller, project: Project, settings: Settings
) -> None:
    limit(settings, writes_a_minute=3)
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(3):
            store(robo, project)
        before = stored()

        with pytest.raises(RateLimited) as refused:
            store(robo, project)

        assert refused.value.as_answer()["retryAfter"] == 40
        assert "3 changes a minute" in refused.value.message
        assert stored() == before
        clock.shift(timedelta(seconds=40))
        store(robo, project)


def test_every_way_of_changing_counts_as_a_change(
    robo: Caller, project: Project, settings: Settings
) -> None:
    limit(settings, writes_a_minute=5)
    with time_machine.travel(NOON, tick=False):
        number = store(robo, project)  # 1
        other = store(robo, project)  # 2
        change(robo, project, number, 1, content="Other steps.")  # 3
        act(robo, project, number, "claim", 2)  # 4
        act(robo, project, number, "relate", target=other, relation="relates")  # 5
        before = stored()

        with pytest.raises(RateLimited):
            act(robo, project, number, "complete", 3)
        with pytest.raises(RateLimited):
            change(robo, project, other, 1, content="Other steps.")
        with pytest.raises(RateLimited):
            act(robo, project, number, "unrelate", target=other, relation="relates")

        assert stored() == before


def test_an_agent_makes_no_more_items_in_a_day_and_changes_those_that_are_there(
    robo: Caller, project: Project, settings: Settings
) -> None:
    limit(settings, items_a_day=2)
    with time_machine.travel(NOON, tick=False) as clock:
        number = store(robo, project)
        store(robo, project)

        with pytest.raises(RateLimited) as refused:
            store(robo, project)

        assert refused.value.details["retryAfter"] == 12 * 3600 - 20
        change(robo, project, number, 1, content="Other steps.")
        clock.shift(timedelta(hours=12))
        store(robo, project)


def test_an_agent_that_writes_one_text_over_and_over_meets_the_limit_of_bytes(
    robo: Caller, project: Project, settings: Settings
) -> None:
    limit(settings, megabytes_a_day=1)
    number = store(robo, project, "a" * 100_000)
    for version in range(1, 5):
        change(robo, project, number, version, content=f"{version}" + "ä" * 99_990)

    with pytest.raises(RateLimited) as refused:
        change(robo, project, number, 5, content="ö" * 99_990)

    assert "1 MB of text" in refused.value.message
    assert Item.objects.get(number=number).version == 5
    change(robo, project, number, 5, content="Short.", complete=True)


def test_what_is_proposed_counts_as_well(bob: Person, project: Project, settings: Settings) -> None:
    limit(settings, writes_a_minute=1)
    reviewed = agent_caller(bob, always_review=True)
    create(reviewed, project, "page", title="One", content="Text.")
    before = stored()

    with pytest.raises(RateLimited):
        create(reviewed, project, "page", title="Two", content="Text.")

    assert stored() == before


def test_a_batch_beyond_the_limit_is_refused_whole_and_says_when_to_come_again(
    robo: Caller, project: Project, settings: Settings
) -> None:
    limit(settings, items_a_day=3)
    before = stored()
    items = [{"kind": "task", "fields": {"title": f"Task {number}"}} for number in range(4)]

    answer = called(robo, "item_store", projectId=project.path, batch={"items": items})

    failed = answer["kinds"]["task"]
    assert (failed["outcome"], failed["error"]) == ("failed", "rate_limited")
    assert failed["retryAfter"] > 0
    assert stored() == before


def test_each_agent_has_limits_of_its_own_and_a_new_key_does_not_renew_them(
    robo: Caller, project: Project, bob: Person, settings: Settings
) -> None:
    limit(settings, items_a_day=1)
    store(robo, project)

    with pytest.raises(RateLimited):
        store(agent_caller(bob), project)  # another key of the same agent

    store(agent_caller(bob, "other"), project)


def test_people_are_held_by_no_daily_limit(
    bob: Person, project: Project, settings: Settings
) -> None:
    limit(settings, items_a_day=1, writes_a_minute=1)

    for _ in range(3):
        store(person_caller(bob), project)

    assert not AgentUsage.objects.exists()


def test_a_full_project_takes_no_more_from_anybody_and_does_not_say_to_wait(
    robo: Caller, project: Project, bob: Person, settings: Settings
) -> None:
    limit(settings, items_in_project=2)
    first = store(robo, project)
    store(robo, project)
    before = stored()

    for caller in (robo, person_caller(bob)):
        with pytest.raises(TooLarge) as refused:
            store(caller, project)
        assert "retryAfter" not in refused.value.as_answer()
        assert refused.value.details["limit"] == 2
    assert stored() == before

    Item.objects.filter(project=project, number=first).update(erased_at=NOON)
    store(robo, project)


def test_switched_off_nothing_is_refused_and_nothing_counted(
    robo: Caller, project: Project, settings: Settings
) -> None:
    limit(settings, calls_a_minute=0, writes_a_minute=0, items_a_day=0, megabytes_a_day=0,
          items_in_project=0)  # fmt: skip

    store(robo, project)

    assert not AgentUsage.objects.exists()


def test_a_write_costs_one_query_more_and_a_read_none(
    robo: Caller, project: Project, settings: Settings
) -> None:
    number = store(robo, project)
    asked = {"projectId": project.path, "number": number}

    with CaptureQueriesContext(connection) as writing:
        store(robo, project)
    with CaptureQueriesContext(connection) as reading:
        call_tool(robo, "item_get", asked)

    def counting(queries: CaptureQueriesContext) -> list[Any]:
        return [query for query in queries if "accounts_agentusage" in query["sql"]]

    assert len(counting(writing)) == 1
    assert len(counting(reading)) == 0


def test_calls_that_come_too_fast_are_refused_with_the_seconds_to_wait(
    robo: Caller, project: Project, settings: Settings
) -> None:
    limit(settings, calls_a_minute=2)
    answers = [called(robo, "project_get", projectId=project.path) for _ in range(3)]

    assert ["error" in answer for answer in answers] == [False, False, True]
    assert answers[2]["error"] == "rate_limited"
    assert 0 < answers[2]["retryAfter"] <= 30


def test_pages_that_are_asked_for_too_fast_are_429_in_words_of_people(
    client: Client, bob: Person, project: Project, settings: Settings
) -> None:
    limit(settings, calls_a_minute=2)
    client.force_login(bob)
    answers = [client.get(f"/{project.path}/") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 0 < int(answers[2]["Retry-After"]) <= 30
    assert "2 pages within a minute" in answers[2].content.decode()
    assert client.get("/healthz").status_code == 200


def test_the_usual_limits_let_a_batch_of_a_hundred_through_many_times(
    robo: Caller, project: Project
) -> None:
    limits = configured.LIMITS

    assert limits.items_a_day >= 2 * 10_000
    assert limits.items_in_project >= 100_000
    assert limits.writes_a_minute >= 100 * 60
    assert limits.megabytes_a_day >= 1000
