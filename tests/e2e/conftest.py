from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e import tools
from tests.e2e.servers import World, served_world
from tests.e2e.visits import PATIENCE, Visits, Windows


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for this folder. It ends with it: Playwright's event loop would be in
    the way of other tests.
    """
    expect.set_options(timeout=PATIENCE)
    with tools.chromium() as started:
        yield started


@pytest.fixture(scope="session")
def world() -> Iterator[World]:
    """The server with people, projects and items (see `world.py`)."""
    with served_world() as served:
        yield served


@pytest.fixture(scope="session")
def axe() -> str:
    return tools.axe_script()


@pytest.fixture
def visits(browser: Browser, world: World) -> Iterator[Visits]:
    """Opens tabs: `visits("alice", screen=PHONE, javascript=False)`."""
    opened = Visits(browser, world)
    yield opened
    opened.close()


@pytest.fixture(scope="package")
def windows(browser: Browser, world: World) -> Iterator[Windows]:
    """Opens pages in tabs that are kept: `windows("alice", screen=PHONE)`."""
    opened = Visits(browser, world)
    yield Windows(opened)
    opened.close()
