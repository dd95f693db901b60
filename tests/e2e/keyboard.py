"""Walking a page by the keyboard alone."""

from playwright.sync_api import Locator
from playwright.sync_api import Page as Tab

MOST_STOPS = 100

# The element that has the focus: how it is called, whether one sees it and its mark of focus.
_FOCUSED = """() => {
  const element = document.activeElement
  if (!element || element === document.body) return null
  const box = element.getBoundingClientRect()
  const style = getComputedStyle(element)
  const around = getComputedStyle(element, '::after')  // of a row, whose link covers it
  const outlined = (one) => one.outlineStyle !== 'none' && parseFloat(one.outlineWidth) > 0
  const name = element.getAttribute('aria-label') || element.innerText || element.name
  return {
    name: `${element.tagName.toLowerCase()} ${(name || element.id || '').trim().slice(0, 60)}`,
    seen: box.width > 0 && box.height > 0 && style.visibility === 'visible',
    marked: outlined(style) || outlined(around) || style.boxShadow !== 'none',
  }
}"""


def press_tab_until(tab: Tab, target: Locator, *, key: str = "Tab", most: int = MOST_STOPS) -> None:
    """Press Tab (or Shift+Tab, as `key`) until the focus is on this element.

    Fails, naming the stops on the way, where it is not reached, or not seen when it is.
    """
    passed = []
    for _ in range(most):
        tab.keyboard.press(key)
        stop = tab.evaluate(_FOCUSED)
        passed.append(stop["name"] if stop else "(the page)")
        if target.evaluate("element => element === document.activeElement"):
            assert stop["seen"], f"{passed[-1]} has the focus and is not seen"
            assert stop["marked"], f"{passed[-1]} has the focus and shows no mark of it"
            return
    raise AssertionError(f"Not reached by {key}: {target}. Passed: {', '.join(passed)}")


def press_on(tab: Tab, target: Locator, *, key: str = "Enter") -> None:
    """Go to this element by Tab and press a key on it."""
    press_tab_until(tab, target)
    tab.keyboard.press(key)


def faults_of_tab_order(tab: Tab, *, most: int = MOST_STOPS) -> list[str]:
    """Stops of Tab, from the top to the end of the page, that are not seen or not marked."""
    faults: list[str] = []
    for _ in range(most):
        tab.keyboard.press("Tab")
        stop = tab.evaluate(_FOCUSED)
        if stop is None:
            return faults
        if not stop["seen"]:
            faults.append(f"{stop['name']} is a stop and not seen")
        elif not stop["marked"]:
            faults.append(f"{stop['name']} shows no mark of the focus")
    return faults
