"""Tabs of the browser that note what goes wrong in them, and what they load."""

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, ConsoleMessage, Response
from playwright.sync_api import Page as Tab

from tests.e2e.screens import DESKTOP, Screen
from tests.e2e.servers import World

PATIENCE = 60_000  # milliseconds, for a busy machine
_STORED = "local_storage,indexeddb,cache_storage,service_workers"


@dataclass  # no slots: Playwright keeps attributes of its own on whose methods it calls
class Visit:
    """A tab of one person. `faults` are errors in the console (among them what the content
    security policy has stopped), errors of scripts, and requests that left the server.
    """

    tab: Tab
    world: World
    who: str | None
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    bytes: int = 0
    _opening: str = ""
    _wire: CDPSession | None = None

    def open(self, path: str) -> Response:
        """Open a path (with `{names}` of the world), and wait until it is loaded."""
        self._opening = self.world.address(path)
        response = self.tab.goto(self._opening, wait_until="load")
        assert response is not None
        self.tab.evaluate("document.fonts.ready.then(() => true)")
        return response

    def watch(self) -> None:
        """Begin to note; once, before the first page."""
        self.tab.on("console", self._note_console)
        self.tab.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        self._wire = wire = self.tab.context.new_cdp_session(self.tab)
        wire.on("Network.requestWillBeSent", self._note_request)
        wire.on("Network.loadingFinished", self._note_bytes)
        wire.send("Network.enable")

    def begin_anew(self, who: str | None, cookies: list[Any]) -> None:
        """Empty the tab and its notes: nothing is left of the pages and the person before, in
        cookies, cache or storage.
        """
        assert self._wire is not None
        context = self.tab.context
        self.tab.goto("about:blank")
        context.clear_cookies()
        context.add_cookies(cookies)
        self._wire.send("Network.clearBrowserCache")
        self._wire.send(
            "Storage.clearDataForOrigin", {"origin": self.world.url, "storageTypes": _STORED}
        )
        self.who, self.bytes, self._opening = who, 0, ""
        self.faults.clear()
        self.requests.clear()

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        where = message.location["url"]
        # A page that is an error on purpose: its status is asserted by who opens it.
        if where == self._opening and "responded with a status of" in message.text:
            return
        self.faults.append(f"console: {message.text} ({where})")

    def _note_request(self, event: dict[str, Any]) -> None:
        address = event["request"]["url"]
        if address.startswith(("data:", "blob:")):
            return
        self.requests.append(address)
        if not address.startswith(f"{self.world.url}/"):
            self.faults.append(f"request to another place: {address}")

    def _note_bytes(self, event: dict[str, Any]) -> None:
        self.bytes += int(event["encodedDataLength"])


@dataclass(slots=True)
class Visits:
    """Makes visits, each in a fresh context (cookies, cache and storage of its own)."""

    browser: Browser
    world: World
    contexts: list[BrowserContext] = field(default_factory=list)

    def __call__(
        self, who: str | None = None, *, screen: Screen = DESKTOP, javascript: bool = True
    ) -> Visit:
        """A tab of this person (None: not signed in), with no page opened yet."""
        context = self.browser.new_context(
            viewport={"width": screen.width, "height": screen.height},
            has_touch=screen.touch,
            is_mobile=screen.touch,
            color_scheme=screen.scheme,
            # A picture in the middle of a movement would differ from run to run.
            reduced_motion="reduce",
            java_script_enabled=javascript,
            storage_state=self.world.state_of(self.browser, who) if who else None,
        )
        self.contexts.append(context)
        context.set_default_timeout(PATIENCE)
        visit = Visit(context.new_page(), self.world, who)
        visit.watch()
        return visit

    def close(self) -> None:
        """End them all."""
        for context in self.contexts:
            context.close()


@dataclass(slots=True)
class Windows:
    """One tab for each screen, where page after page is looked at as if it were the first.

    A tab of its own for every page costs Chromium more than all that is asked of the page.
    """

    visits: Visits
    opened: dict[Screen, Visit] = field(default_factory=dict)

    def __call__(self, who: str | None = None, *, screen: Screen) -> Visit:
        """The tab of this screen, empty, for this person."""
        visits = self.visits
        if screen not in self.opened:
            self.opened[screen] = visits(screen=screen)
        visit = self.opened[screen]
        cookies = visits.world.state_of(visits.browser, who)["cookies"] if who else []
        visit.begin_anew(who, cookies)
        return visit
