"""What is wrong with a page that is open: width, weight, accessibility, leaks."""

import os
from pathlib import Path

from playwright.sync_api import Page as Tab

from tests.e2e.leaks import leaks
from tests.e2e.screens import Screen
from tests.e2e.visits import Visit

MOST_REQUESTS = 15
MOST_BYTES = 200_000
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa")

_WIDE = """width => [...document.querySelectorAll('body *')]
  .filter(element => element.getBoundingClientRect().right > width + 0.5)
  .slice(0, 3)
  .map(element => `${element.tagName.toLowerCase()}.${element.getAttribute('class')}`)"""
_AXE = """rules => axe.run(document, {
  runOnly: {type: 'tag', values: rules}, resultTypes: ['violations'],
}).then(found => found.violations.map(each => [
  each.id, each.nodes.length, each.nodes[0].target.join(' '), each.nodes[0].failureSummary,
]))"""


def faults_of_page(visit: Visit, screen: Screen, *, axe: str) -> list[str]:
    """Everything that is wrong with the page just opened in a fresh visit, in words."""
    return [
        *visit.faults,
        *_faults_of_weight(visit),
        *_faults_of_width(visit.tab, screen),
        *leaks(visit.tab, who=visit.who),
        *_faults_of_access(visit.tab, axe),
    ]


def pictures_folder() -> Path | None:
    """Where pictures of pages are wanted: the folder of SCREENSHOTS."""
    folder = os.environ.get("SCREENSHOTS")
    return Path(folder) if folder else None


def pictures_of_all() -> bool:
    """Whether pages without a fault have theirs taken, too: SCREENSHOTS_OF=all."""
    return os.environ.get("SCREENSHOTS_OF") == "all"


def take_picture(tab: Tab, path: Path) -> None:
    """A picture of the whole page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    tab.screenshot(path=path, full_page=True)


def _faults_of_weight(visit: Visit) -> list[str]:
    faults = []
    if len(visit.requests) > MOST_REQUESTS:
        faults.append(f"makes {len(visit.requests)} requests: {', '.join(visit.requests)}")
    if visit.bytes > MOST_BYTES:
        faults.append(f"loads {visit.bytes:,} bytes")
    return faults


def _faults_of_width(tab: Tab, screen: Screen) -> list[str]:
    width = tab.evaluate("document.scrollingElement.scrollWidth")
    if width <= screen.width:
        return []
    wide = ", ".join(tab.evaluate(_WIDE, screen.width))
    return [f"is {width} wide on a screen of {screen.width}: {wide}"]


def _faults_of_access(tab: Tab, axe: str) -> list[str]:
    tab.evaluate(axe)
    return [
        f"axe: {rule} ({count} times, {target}): {' '.join(summary.split())}"
        for rule, count, target, summary in tab.evaluate(_AXE, list(RULES))
    ]
