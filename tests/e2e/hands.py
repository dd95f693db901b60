"""Three ways to use a page: with a mouse, by the keyboard alone, and without JavaScript.

A journey is written once, with these hands. By the keyboard every element is gone to by
Tab, where it must be seen and marked, and any use of a pointer is a fault.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

import pytest
from playwright.sync_api import Locator
from playwright.sync_api import Page as Tab

from tests.e2e.journeys import Stage
from tests.e2e.keyboard import press_tab_until
from tests.e2e.visits import Visit

NO_POINTER = "addEventListener('pointerdown', () => console.error('a pointer was used'))"
MOST_RADIOS = 20
_HAS_FOCUS = "element => element === document.activeElement"


class Way(StrEnum):
    """How somebody uses the pages."""

    MOUSE = "mouse"
    KEYBOARD = "keyboard"
    PLAIN = "plain"  # a mouse, without JavaScript


every_way = pytest.mark.parametrize("way", list(Way), ids=str)


@dataclass(frozen=True, slots=True)
class Hands:
    """Somebody's hands on a tab; all that they do is done in their way."""

    visit: Visit
    way: Way

    @property
    def tab(self) -> Tab:
        """The tab, to look at."""
        return self.visit.tab

    @property
    def main(self) -> Locator:
        """What the page is about, without its frame."""
        return self.tab.get_by_role("main")

    def follow(self, target: Locator) -> None:
        """Follow a link, or press a button that leads to another page; wait for that page."""
        with self._navigation():
            self.press(target)

    def press(self, target: Locator) -> None:
        """Press something that leaves the page as it is."""
        if self.way is Way.KEYBOARD:
            self._walk_to(target)
            self.tab.keyboard.press("Enter")
        else:
            target.click()

    def send(self, name: str) -> None:
        """Press the button of a form of this page, and wait for the page that follows."""
        self.follow(self.main.get_by_role("button", name=name, exact=True))

    def write(self, field: Locator, text: str) -> None:
        """Put this text in the place of what stands in a field."""
        if self.way is Way.KEYBOARD:
            self._walk_to(field)
            self.tab.keyboard.press("ControlOrMeta+A")
            self.tab.keyboard.type(text)
        else:
            field.fill(text)

    def tick(self, box: Locator) -> None:
        """Tick a box that is not ticked."""
        if self.way is Way.KEYBOARD:
            self._walk_to(box)
            self.tab.keyboard.press("Space")
        else:
            box.check()

    def pick(self, group: Locator, value: str) -> None:
        """Pick the radio with this value of a group, in which one is picked already."""
        target = group.and_(self.tab.locator(f'[value="{value}"]'))
        if self.way is not Way.KEYBOARD:
            target.check()
            return
        self._walk_to(group.and_(self.tab.locator(":checked")))
        for _ in range(MOST_RADIOS):
            if target.is_checked():
                return
            self.tab.keyboard.press("ArrowDown")
        raise AssertionError(f"Not reached by the arrows: {target}")

    def find(self, words: str) -> None:
        """Search for these words in the search at the top of every page."""
        field = self.tab.locator("#find")
        if self.way is Way.KEYBOARD:
            self.tab.keyboard.press("/")
            self.tab.keyboard.type(words)
        else:
            field.fill(words)
        with self._navigation():
            self.tab.keyboard.press("Enter")

    def _walk_to(self, target: Locator) -> None:
        if not target.evaluate(_HAS_FOCUS):
            press_tab_until(self.tab, target)

    @contextmanager
    def _navigation(self) -> Iterator[None]:
        with self.tab.expect_navigation():
            yield
        # A tab of a project is two steps of the history; the second is done after a script.
        self.tab.evaluate("true")


def hands_of(stage: Stage, who: str | None, way: Way) -> Hands:
    """The hands of this person (None: somebody who is not signed in) on a tab of their own."""
    visit = stage.visit(who, javascript=way is not Way.PLAIN)
    if way is Way.KEYBOARD:
        visit.tab.add_init_script(NO_POINTER)
    return Hands(visit, way)
