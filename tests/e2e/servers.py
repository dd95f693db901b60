"""The product that the browser tests look at: a server process on a world of its own."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf

from playwright.sync_api import Browser, StorageState

from tests.running import ROOT, START_SECONDS, Running, running

FRESH_SECONDS = 600  # of the 15 minutes after which a sign-in is asked for once more
MAKE = "from tests.e2e import world; world.make()"


@dataclass(frozen=True, slots=True)
class World:
    """A server with everything of `world.py`; `places` is what names in paths stand for."""

    server: Running
    places: dict[str, str]
    signed_in: dict[str, StorageState] = field(default_factory=dict)
    signed_in_at: dict[str, float] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Where the server is, without a slash at the end."""
        return f"http://localhost:{self.server.port}"

    def address(self, path: str) -> str:
        """The address of a path, whose `{names}` are filled in."""
        return self.url + path.format(**self.places)

    def state_of(self, browser: Browser, who: str) -> StorageState:
        """The cookies of this person, who signs in by a one-time link when first asked for, and
        anew before the sign-in is too old for what asks for a fresh one.
        """
        if not self.has_fresh_state(who):
            self.keep_state(who, self._sign_in(browser, who))
        return self.signed_in[who]

    def has_fresh_state(self, who: str) -> bool:
        """Whether this person has signed in lately enough."""
        return time.monotonic() - self.signed_in_at.get(who, -inf) < FRESH_SECONDS

    def keep_state(self, who: str, state: StorageState) -> None:
        """Remember the cookies of a sign-in of just now."""
        self.signed_in[who] = state
        self.signed_in_at[who] = time.monotonic()

    def cookies_of(self, browser: Browser, who: str) -> str:
        """The session alone, as the value of a `Cookie` header."""
        cookies = self.state_of(browser, who)["cookies"]
        return "; ".join(
            f"{cookie['name']}={cookie['value']}"
            for cookie in cookies
            if cookie["name"].endswith("session")
        )

    def sign_in_link(self, who: str) -> str:
        """The address of a new one-time link; the first of each person is made with the world."""
        if secret := self.places.pop(f"door_{who}", ""):
            return f"{self.url}/sign-in/{secret}"
        link: str = self.server.command("sign_in_link", who)["sign_in"]
        return link

    def _sign_in(self, browser: Browser, who: str) -> StorageState:
        context = browser.new_context()
        try:
            tab = context.new_page()
            tab.goto(self.sign_in_link(who))
            with tab.expect_navigation():
                tab.locator("main form button").click()
            return context.storage_state()
        finally:
            context.close()


@contextmanager
def served_world() -> Iterator[World]:
    """The world, served until the block ends."""
    with running() as server:
        made = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "--command", MAKE],
            env=server.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=START_SECONDS,
        )
        assert made.returncode == 0, made.stderr
        yield World(server, json.loads(made.stdout))
