"""Lighthouse finds the pages accessible and well made."""

import pytest
from playwright.sync_api import Browser

from tests.e2e.lighthouses import SECONDS, Target, judge, pages_to_judge
from tests.e2e.pages import PAGES
from tests.e2e.servers import World

pytestmark = [
    pytest.mark.browser,
    pytest.mark.no_database,
    pytest.mark.slow,
    pytest.mark.timeout(60 + SECONDS * len(PAGES)),
]

LEAST = 95


def test_lighthouse_finds_the_pages_accessible_and_well_made(
    browser: Browser, world: World
) -> None:
    pages = pages_to_judge()
    targets = [
        Target(
            name=page.name,
            url=world.address(page.path),
            cookie=world.cookies_of(browser, page.who) if page.who else "",
        )
        for page in pages
    ]

    verdicts = judge(targets)

    assert [each.name for each in verdicts] == [page.name for page in pages]
    # A page that sends elsewhere, to sign in for one, was not the page that was judged.
    assert [each.at for each in verdicts] == [each.url for each in targets]
    assert [each for each in verdicts if min(each.scores.values()) < LEAST] == []
