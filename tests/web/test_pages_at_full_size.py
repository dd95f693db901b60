"""Every list, queue, history and page of the administration over a store as it is after years:
hardly more questions to the database than over a small one, and in full (`make soak`) none takes
a second.
"""

import html
import sys
import time
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import resolve

from conderis.accounts.models import Person
from projects.models import Project
from tests.administration.pages import admin_browser, list_of, models
from tests.soaking import Sizes
from tests.web.crawling import LINK
from tests.web.full_size import Filler
from tests.web.signing_in_steps import BACKEND
from tests.web.test_pages_cost_the_same import SHOP, costs, more_of_everything, some_of_each

pytestmark = [pytest.mark.slow, pytest.mark.soak, pytest.mark.timeout(7200)]

SMALL = 0.05  # more than a page of each kind
DEEP = ("tasks/", "memories/", "docs/", "moderation/", "activity/", "picture/")
MOST_SECONDS = 1.0
MOST_QUESTIONS = 30
MORE = 2  # questions of a list that has become longer than its page
# Looks through the whole project, and only on asking.
WHOLE = (f"{SHOP}settings/visibility/?all=1",)
LOOKS = 3  # of which the fastest counts


def test_no_page_asks_more_often_or_takes_a_second_over_years_of_work(
    project: Project, alice: Person, bob: Person, sizes: Sizes
) -> None:
    more_of_everything(project, alice, bob, start=0)
    project.refresh_from_db()
    filler = Filler(project, alice, bob)
    filler.up_to(SMALL)
    client, admin = Client(), admin_browser()
    client.force_login(alice, backend=BACKEND)
    lists = [list_of(model) for model in models()]
    items = [f"{SHOP}items/{number}/" for number in (1, 2, 3, project.last_number)]
    tabs = [f"{SHOP}{tab}" for tab in ("", *DEEP)]
    paths = some_of_each(client, "/", "/search/?q=worker+timeout", *tabs, *items)
    before = costs(client, paths) | costs(admin, lists)

    filler.up_to(sizes.share)
    after = costs(client, paths) | costs(admin, lists)
    deep = [address for tab in DEEP for address in deeper(client, f"{SHOP}{tab}", sizes)]
    deep_costs = costs(client, deep)

    grown = {path: (before[path], after[path]) for path in after}
    assert {path: each for path, each in grown.items() if each[1] > each[0] + MORE} == {}
    assert {path: cost for path, cost in deep_costs.items() if cost > MOST_QUESTIONS} == {}
    views = {resolve(urlsplit(path).path).view_name for path in paths}
    assert {"project-tasks", "item-history", "moderation-proposal", "search"} <= views
    if sizes.full:
        taken = seconds(client, [path for path in (*paths, *deep) if path not in WHOLE]) | seconds(
            admin, lists
        )
        slowest = sorted(taken.items(), key=lambda each: -each[1])
        sys.stdout.write("".join(f"\n{each:6.2f} s  {path}" for path, each in slowest[:10]) + "\n")
        assert [(path, each) for path, each in slowest if each > MOST_SECONDS] == []


def deeper(client: Client, start: str, sizes: Sizes) -> list[str]:
    """The addresses that "next" leads to, page after page: some of them and the last one."""
    found, address = [start], start
    for _ in range(200 if sizes.full else 5):
        answer = client.get(address)
        links = [html.unescape(link) for link in LINK.findall(answer.text) if "cursor=" in link]
        following = [urljoin(address, link).partition("#")[0] for link in links]
        ahead = [each for each in following if each not in found and each.startswith(start)]
        if not ahead:
            break
        address = ahead[-1]
        found.append(address)
    return [*found[1:4], *found[-1:]]


def seconds(client: Client, paths: list[str]) -> dict[str, float]:
    """How long each page takes, the fastest of some looks."""
    taken = dict.fromkeys(paths, 60.0)
    for path in paths:
        for _ in range(LOOKS):
            began = time.perf_counter()
            answer = client.get(path)
            taken[path] = min(taken[path], time.perf_counter() - began)
            assert answer.status_code in (200, 302), path
    return taken
