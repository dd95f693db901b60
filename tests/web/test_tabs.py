"""The tabs of a project: one context for whole pages and for what htmx takes of them."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from conderis.accounts.models import Person
from conderis.web.frame import HTMX_CONFIG
from projects.capabilities import Role
from projects.models import Project
from tests.factories import join, make_project, person_caller
from tests.items.calls import create
from tests.web.reading import without_tokens
from tests.web.signing_in_steps import BACKEND

TABS = ("project", "project-tasks", "project-memories", "project-docs", "moderation",
        "project-activity", "project-settings")  # fmt: skip
HTMX = {"HX-Request": "true", "HX-Boosted": "true"}


@pytest.fixture
def browser(client: Client, alice: Person) -> Client:
    client.force_login(alice, backend=BACKEND)
    return client


def at(route: str, project: str = "shop") -> str:
    return reverse(route, kwargs={"owner": "alice", "name": project})


def tabs_of(page: str) -> str:
    return page[page.index('<ul id="tabs">') : page.index("</nav>", page.index('id="tabs"'))]


@pytest.mark.parametrize("route", TABS)
def test_a_tab_by_htmx_is_the_same_page_as_by_its_address(
    browser: Client, project: Project, *, route: str
) -> None:
    whole, part = browser.get(at(route)), browser.get(at(route), headers=HTMX)

    assert whole.status_code == part.status_code == 200
    assert "HX-Request" in whole["Vary"]
    assert "HX-Request" in part["Vary"]
    pages = [re.sub(r"\s+", " ", without_tokens(each.content.decode())) for each in (whole, part)]
    if route != "moderation":  # says its count beside, too
        assert pages[0] == pages[1]
    for page in pages:
        assert page.count(' id="main"') == 1
        assert page.count("aria-current", *_span(page)) == 1


def _span(page: str) -> tuple[int, int]:
    start = page.index('<ul id="tabs">')
    return start, page.index("</nav>", start)


def test_the_tab_bar_swaps_the_main_part_and_names_all_that_changes_beside_it(
    browser: Client, project: Project
) -> None:
    page = browser.get(at("project-tasks")).content.decode()
    bar = page[page.index('<nav class="tabs"') : page.index('<ul id="tabs">')]

    for attribute in ('hx-boost="true"', 'hx-target="#main"', 'hx-select="#main"',
                      'hx-select-oob="#tabs:innerHTML,#said:innerHTML"'):  # fmt: skip
        assert attribute in bar
    for region in ("main", "tabs", "said", "heard"):
        assert page.count(f'id="{region}"') == 1
    assert page.index("</nav>", page.index('id="tabs"')) < page.index('id="main"')


def test_no_page_is_kept_in_the_storage_of_the_browser() -> None:
    config = json.loads(HTMX_CONFIG)

    assert config["historyCacheSize"] == 0
    assert config["refreshOnHistoryMiss"] is True


def test_who_was_signed_out_meanwhile_is_led_to_the_door_and_back(
    client: Client, project: Project
) -> None:
    answer = client.get(at("project-tasks") + "?q=x", headers=HTMX)

    assert answer.status_code == 204
    assert answer["HX-Redirect"] == "/sign-in/?next=/alice/shop/tasks/%3Fq%3Dx"
    assert "HX-Request" in answer["Vary"]


def test_a_project_that_went_away_answers_htmx_as_it_answers_everybody(
    client: Client, project: Project, rita: Person
) -> None:
    client.force_login(rita, backend=BACKEND)
    project.members.filter(person=rita).delete()

    assert client.get(at("project-tasks"), headers=HTMX).status_code == 404


def test_the_count_of_the_moderation_tab_is_right_on_every_tab(
    client: Client, project: Project, carol: Person, bob: Person, rita: Person
) -> None:
    for number in range(2):
        create(person_caller(bob), project, "page", title=f"Proposed {number}")
    counts = {}
    for who in (carol, bob, rita):
        client.force_login(who, backend=BACKEND)
        found = set()
        for route in TABS[:5]:
            tabs = tabs_of(client.get(at(route), headers=HTMX).content.decode())
            found |= set(re.findall(r'class="count[^"]*">(\d+)<', tabs))
        counts[who.handle] = found

    assert counts == {"carol": {"2"}, "bob": {"2"}, "rita": {"0"}}


def test_moderation_keeps_its_filters_while_the_tabs_of_one_project_are_switched(
    browser: Client, project: Project, alice: Person, bob: Person
) -> None:
    other = make_project(alice, "other")
    join(other, bob, Role.CONTRIBUTOR)

    def sorted_oldest_first() -> bool:
        page = browser.get(at("moderation")).content.decode()
        return '<option value="oldest" selected>' in page

    browser.get(at("moderation") + "?state=pending&sort=oldest")
    for route in TABS[:4]:
        browser.get(at(route), headers=HTMX)
    kept = sorted_oldest_first()
    browser.get(at("project-tasks", "other"), headers=HTMX)

    assert kept
    assert not sorted_oldest_first()
