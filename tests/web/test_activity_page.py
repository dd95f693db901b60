"""The Activity tab: for all who read, by day, with filters and pages."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import AuditEvent, Person
from items import activity
from items.models import ItemEvent
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create
from tests.web.deletion_pages import opened, text_of, words_of

PAGE = "/alice/shop/activity/"


def test_readers_see_what_happened_with_links(
    project: Project, alice: Person, bob: Person, rita: Person
) -> None:
    create(agent_caller(bob), project, "task", title="Ship it <now>")
    act(person_caller(alice), project, 1, "complete", 1)
    create(person_caller(alice), project, "task", title="Later")
    act(person_caller(alice), project, 2, "relate", target=1, relation="relates")

    page = opened(rita, PAGE)

    words = words_of(page)
    for each in ("Created", "Completed", "Relation added: Related #1", "Bob", "robo", "Alice"):
        assert each in words, each
    text = text_of(page)
    assert '<a href="/alice/shop/items/1/"><bdi class="kept">Ship it &lt;now&gt;</bdi></a>' in text
    assert 'href="/alice/shop/items/1/history/2/"' in text


def test_days_are_those_of_the_readers_calendar(
    project: Project, alice: Person, rita: Person
) -> None:
    create(person_caller(alice), project, "page", title="Guide")
    late = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    AuditEvent.objects.update(at=late)
    ItemEvent.objects.update(at=late)

    found = {}
    for zone in ("America/Los_Angeles", "UTC", "Pacific/Auckland"):
        Person.objects.filter(pk=rita.pk).update(time_zone=zone)
        rita.refresh_from_db()
        found[zone] = [day.iso for day in opened(rita, PAGE).context["page"].days]

    assert found == {
        "America/Los_Angeles": ["2026-03-01"],
        "UTC": ["2026-03-01"],
        "Pacific/Auckland": ["2026-03-02"],
    }


def test_today_and_yesterday_are_called_so(project: Project, alice: Person) -> None:
    create(person_caller(alice), project, "page", title="Old")
    AuditEvent.objects.update(at=datetime.now(UTC) - timedelta(days=1))
    create(person_caller(alice), project, "page", title="New")

    days = opened(alice, PAGE).context["page"].days

    assert [day.label for day in days] == ["Today", "Yesterday"]


def test_filters_stay_chosen_and_in_the_way_on(
    project: Project, alice: Person, bob: Person
) -> None:
    for number in range(52):
        create(person_caller(bob), project, "task", title=f"Task {number}")
    create(person_caller(alice), project, "page", title="Zanzibar")

    page = opened(alice, f"{PAGE}?kind=task&person={bob.ref}&by=people")
    older = page.context["page"].older

    assert "Zanzibar" not in words_of(page)
    assert f'<option class="kept" value="{bob.ref}" selected>Bob</option>' in text_of(page)
    assert "kind=task" in older
    second = opened(alice, f"{PAGE}?{older}")
    assert words_of(second).count("Created") == 2
    assert "Older" not in words_of(second)


@pytest.mark.parametrize("query", ["kind=proposal", "by=robots", "cursor=x", "cursor=%00"])
def test_what_the_page_has_not_is_refused(project: Project, alice: Person, query: str) -> None:
    assert opened(alice, f"{PAGE}?{query}").status_code == 400


def test_empty_pages_say_why(project: Project, alice: Person) -> None:
    assert "Nothing has happened yet" in words_of(opened(alice, PAGE))
    assert "Nothing fits the filters" in words_of(opened(alice, f"{PAGE}?person=person:none"))


def test_where_a_filter_finds_little_the_page_leads_further_back(
    project: Project, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(person_caller(alice), project, "page", title="Zanzibar")
    for number in range(4):
        create(person_caller(alice), project, "task", title=f"Task {number}")
    monkeypatch.setattr(activity, "WINDOW", 4)

    first = opened(alice, f"{PAGE}?kind=page")
    second = opened(alice, f"{PAGE}?{first.context['page'].older}")

    assert "The log goes further back" in words_of(first)
    assert "Look further back" in words_of(first)
    assert "Nothing fits the filters" not in words_of(first)
    assert "Zanzibar" in words_of(second)


def test_others_private_memories_change_no_byte(
    project: Project, alice: Person, bob: Person
) -> None:
    create(person_caller(alice), project, "page", title="Guide")
    before = words_of(opened(alice, PAGE))
    create(person_caller(bob), project, "memory", title="Zanzibar", visibility="private")
    change(person_caller(bob), project, 2, 1, title="Zanzibar again")

    assert words_of(opened(alice, PAGE)) == before
    assert "Zanzibar again" in words_of(opened(bob, PAGE))


def test_the_page_costs_the_same_for_two_events_and_for_thirty(
    project: Project, alice: Person, bob: Person
) -> None:
    def cost() -> int:
        browser = Client()
        browser.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
        browser.get(PAGE)
        with CaptureQueriesContext(connection) as caught:
            answer: Any = browser.get(PAGE)
        assert answer.status_code == 200
        return len(caught)

    create(person_caller(alice), project, "page", title="Guide")
    create(agent_caller(bob), project, "task", title="Ship")
    few = cost()
    for number in range(28):
        create(agent_caller(bob, f"agent {number}"), project, "task", title=f"Task {number}")

    assert cost() == few
