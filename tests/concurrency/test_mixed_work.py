"""Sixteen agents at once through several worker processes, and one store that many write to."""

import sys
import time
from typing import Any

import pytest
from httpx2 import Client as Browser

from conderis.common.json import JsonObject
from conderis.operations.trial.wire import Era, Wire
from tests.concurrency.agents import (
    PROPOSING,
    READING,
    WRITING,
    Place,
    begin,
    lost,
    report,
    together,
)
from tests.concurrency.inside import inside
from tests.exchange.jobs_world import beads
from tests.running import Running, running
from tests.soaking import Sizes
from tests.web.test_item_saving import Fields

pytestmark = [pytest.mark.slow, pytest.mark.soak, pytest.mark.alone, pytest.mark.timeout(7200)]

IMPORTED, AT_ONCE = 1000, 100


def said(server: Running) -> str:
    """What the server has written to its log."""
    return (server.folder / "server.log").read_text()


def test_sixteen_agents_lose_nothing_and_every_conflict_is_answered_as_one(sizes: Sizes) -> None:
    with running(workers=2) as server, inside(server) as asked:
        made = asked.ask("people", owners=13, contributors=3)
        place = Place(server, made["project"])
        begin(place, made["owners"][0])
        works = [(key, WRITING + READING) for key in made["owners"]]
        works += [(key, PROPOSING) for key in made["contributors"]]

        agents = together(place, works, sizes.seconds)

        sys.stdout.write(f"{report(agents)}\n")
        assert list(lost(agents, asked, place.project)) == []
        assert len(agents) == 16
        assert sum(agent.conflicts["change"] for agent in agents) > 0
        assert sum(len(agent.won) for agent in agents) > 0
        assert sum(len(agent.approved) for agent in agents) > 0
        log = said(server)
    assert "Traceback" not in log
    assert "locked" not in log


class Batches:
    """An agent that brings in 1,000 items in batches, and says which of them it brought."""

    def __init__(self, place: Place, key: str) -> None:
        self.place, self.key = place, key
        self.numbers: list[int] = []
        self.wrong: list[str] = []
        self.slowest = 0.0

    def __call__(self) -> None:
        with Wire(self.place.server.port, self.key, Era.MODERN) as wire:
            for start in range(0, IMPORTED, AT_ONCE):
                batch = {
                    "idempotencyKey": f"import {start}",
                    "items": [
                        {"kind": ("task", "page")[number % 2],
                         "fields": {"title": f"Imported {number}", "content": "Brought in."}}
                        for number in range(start, start + AT_ONCE)
                    ],
                }  # fmt: skip
                began = time.monotonic()
                answer = wire.call("item_store", {"projectId": self.place.project, "batch": batch})
                self.slowest = max(self.slowest, time.monotonic() - began)
                if answer.is_error:
                    self.wrong.append(answer.text)
                    return
                self.numbers += [each["number"] for each in answer.json["items"]]


class Import:
    """An agent that has a file of 1,000 tasks checked and imported, as REST does it.

    `taken` are the seconds from sending the file to the import's end, `slowest` is the longest
    that one request took.
    """

    def __init__(self, place: Place, key: str) -> None:
        self.place, self.key = place, key
        self.titles = [f"Filed {number}" for number in range(IMPORTED)]
        self.ended: JsonObject = {}
        self.wrong: list[str] = []
        self.slowest = self.taken = 0.0

    def __call__(self) -> None:
        base = f"http://localhost:{self.place.server.port}"
        headers = {"Authorization": f"Bearer {self.key}"}
        with Browser(base_url=base, headers=headers, timeout=120) as browser:
            began = time.monotonic()
            imports = f"/api/v1/projects/{self.place.project}/imports"
            sent = {"file": ("issues.jsonl", beads(*self.titles))}
            begun = self._asked(browser, "POST", imports, files=sent)
            one = f"{imports}/{begun.get('import')}"
            if self._worked(browser, one, "checking").get("state") == "checked":
                self._asked(browser, "POST", f"{one}/start")
                self.ended = self._worked(browser, one, "running")
            self.taken = time.monotonic() - began

    def _worked(self, browser: Browser, one: str, state: str) -> JsonObject:
        """The import when it is no longer in this state."""
        while (found := self._asked(browser, "GET", one)).get("state") == state:
            time.sleep(0.2)
        return found

    def _asked(self, browser: Browser, method: str, path: str, **sent: Any) -> JsonObject:
        began = time.monotonic()
        answer = browser.request(method, path, **sent)
        self.slowest = max(self.slowest, time.monotonic() - began)
        if answer.is_error:
            self.wrong.append(f"{method} {path} was answered {answer.text}")
            return {}
        found: JsonObject = answer.json()
        return found


class Writing:
    """A person who changes one page in the browser, again and again."""

    def __init__(self, place: Place, cookie: dict[str, str], number: int) -> None:
        self.place, self.cookie, self.number = place, cookie, number
        self.saved: list[str] = []
        self.wrong: list[str] = []
        self.slowest = 0.0

    def __call__(self) -> None:
        path = f"/{self.place.project}/items/{self.number}/edit/"
        base = f"http://localhost:{self.place.server.port}"
        with Browser(base_url=base, cookies=self.cookie, timeout=120) as browser:
            while self.place.is_open:
                fields = Fields(browser.get(path).text).found
                text = f"Saved {len(self.saved)}"
                began = time.monotonic()
                answer = browser.post(path, data=fields | {"content": text})
                self.slowest = max(self.slowest, time.monotonic() - began)
                if answer.status_code != 302:
                    self.wrong.append(f"{answer.status_code}: {answer.text[:2000]}")
                    return
                self.saved.append(text)


def test_beside_readers_writers_and_an_import_nobody_waits_long_or_meets_a_lock(
    sizes: Sizes,
) -> None:
    with running(workers=2) as server, inside(server) as asked:
        made = asked.ask("people", owners=19, contributors=0)
        place = Place(server, made["project"])
        begin(place, made["owners"][0])
        batches, importing = Batches(place, made["owners"][16]), Import(place, made["owners"][18])
        with Wire(server.port, made["owners"][17], Era.HANDSHAKE) as wire:
            own = wire.call("item_store", {"projectId": place.project, "kind": "page",
                                           "fields": {"title": "The person's page"}})  # fmt: skip
        person = Writing(place, made["cookie"], own.json["number"])
        works = [(key, WRITING) for key in made["owners"][:8]]
        works += [(key, READING) for key in made["owners"][8:16]]

        agents = together(place, works, sizes.seconds, beside=[batches, importing, person])

        slowest = max(person.slowest, *(agent.slowest_write for agent in agents))
        sys.stdout.write(
            f"{report(agents)}; batches {batches.slowest:.2f} s for {AT_ONCE}; import "
            f"{importing.taken:.1f} s for {IMPORTED}, {importing.slowest:.2f} s a request; person "
            f"{len(person.saved)} times, {person.slowest:.2f} s\n"
        )
        assert batches.wrong + importing.wrong + person.wrong == []
        assert list(lost(agents, asked, place.project)) == []
        items = asked.ask("look", project=place.project)["items"]
        log = said(server)
    titles = [each["title"] for each in items.values()]
    assert len(set(batches.numbers)) == IMPORTED
    assert all(items[str(each)]["title"].startswith("Imported") for each in batches.numbers)
    assert importing.ended["state"] == "done"
    assert sorted(each for each in titles if each.startswith("Filed")) == sorted(importing.titles)
    page = items[str(person.number)]
    assert [each["content"] for each in page["events"][1:]] == person.saved
    assert len(person.saved) > 2
    assert max(slowest, batches.slowest, importing.slowest) < sizes.write_seconds
    assert "Traceback" not in log
    assert "locked" not in log
