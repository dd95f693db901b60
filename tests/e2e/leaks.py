"""The search for what a page must not hold."""

import re

from playwright.sync_api import Page as Tab

from tests.e2e.canaries import ADMIN, MARK, MAY_SEE

_EMAIL = re.compile(rf"\b([\w-]{{1,39}})\.{MARK}@")
_KEY = re.compile(r"cndr_\w{20,}")

_STORAGE = "() => JSON.stringify([{...localStorage}, {...sessionStorage}])"
_HOSTILE = "() => Boolean(window.hostile) || document.querySelector('[data-hostile]') !== null"


def expect_no_leaks(tab: Tab, *, who: str | None) -> None:
    """Fail where the page holds, in its source or its storage, what this person must not see.

    That is others' email addresses, texts of projects and memories closed to them, and
    whole agent keys; and markup of somebody's text that came to life.
    """
    assert leaks(tab, who=who) == []


def leaks(tab: Tab, *, who: str | None) -> list[str]:
    """What `expect_no_leaks` fails for, in words."""
    seen = tab.content() + tab.evaluate(_STORAGE)
    found = []
    if who != ADMIN:
        foreign = set(_EMAIL.findall(seen)) - {who}
        found += [f"shows the email address of {handle}" for handle in sorted(foreign)]
        found += [
            f"shows the word {word}" for word, readers in MAY_SEE.items()
            if word in seen and who not in readers
        ]  # fmt: skip
    if _KEY.search(seen):
        found.append("shows a whole agent key")
    if tab.evaluate(_HOSTILE):
        found.append("runs markup that somebody wrote")
    return found
