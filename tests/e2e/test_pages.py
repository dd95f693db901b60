"""Every page, on every screen.

A page is loaded once on a phone and once on a desktop. axe-core, which takes as long as all
the rest, judges the desktop in light and the phone in dark. Pictures are taken where a folder
for them is named: of what is wrong, or of every page in light and in dark.
"""

from fnmatch import fnmatch
from urllib.parse import urlsplit

import pytest

from tests.e2e.arriving import ARRIVALS, Arrival
from tests.e2e.judging import faults_of_page, pictures_folder, pictures_of_all, take_picture
from tests.e2e.pages import PAGES, Page
from tests.e2e.screens import SCHEMES, SIZES, Screen
from tests.e2e.visits import Visit, Visits, Windows

# What the browser shows is the same on every database.
pytestmark = [pytest.mark.browser, pytest.mark.no_database]

# Noted of all pages on the way: their weight together, and refusals, whose status is asserted.
OF_THE_WAY = ("makes ", "loads ", "console: Failed to load resource: the server responded")

Looked = tuple[int, str, list[str]]  # status, address and faults

SCREEN = pytest.mark.parametrize("screen", SIZES, ids=lambda screen: screen.size)


def take_pictures(visit: Visit, screen: Screen, name: str, *, wrong: bool) -> None:
    """One in each scheme; the screen's own is the last and stays."""
    folder = pictures_folder()
    if folder is None or not (wrong or pictures_of_all()):
        return
    for scheme in sorted(SCHEMES, key=lambda each: each == screen.scheme):
        visit.tab.emulate_media(color_scheme=scheme)
        take_picture(visit.tab, folder / f"{name}.{screen.size}-{scheme}.png")


@SCREEN
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_page_is_light_fits_the_screen_and_keeps_nobody_out(
    windows: Windows, axe: str, page: Page, screen: Screen
) -> None:
    visit = windows(page.who, screen=screen)
    # A page that sends elsewhere, to sign in for one, was not the page that was looked at.
    expected: Looked = (page.status, visit.world.address(page.path), [])

    response = visit.open(page.path)
    found: Looked = (response.status, visit.tab.url, faults_of_page(visit, screen, axe=axe))
    take_pictures(visit, screen, page.name, wrong=found != expected)

    assert found == expected


@SCREEN
@pytest.mark.parametrize("arrival", ARRIVALS, ids=lambda arrival: arrival.name)
def test_a_page_that_takes_steps_to_come_to_fits_the_screen_and_keeps_nobody_out(
    visits: Visits, axe: str, arrival: Arrival, screen: Screen
) -> None:
    visit = visits(arrival.who, screen=screen)
    answers: list[int] = []
    visit.tab.on(
        "response",
        lambda answer: (
            answers.append(answer.status) if answer.request.is_navigation_request() else None
        ),
    )

    arrival.go(visit)
    found = faults_of_page(visit, screen, axe=axe)
    wrong = [fault for fault in found if not fault.startswith((*OF_THE_WAY, *arrival.shows))]
    take_pictures(visit, screen, arrival.name, wrong=bool(wrong))

    assert answers[-1] == arrival.status
    assert fnmatch(urlsplit(visit.tab.url).path, arrival.path)
    assert wrong == []
