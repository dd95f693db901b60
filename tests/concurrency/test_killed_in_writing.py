"""A server that is killed at any moment of its writing: what it has said is stored is there,
and of what it had not yet said, all or nothing is.
"""

import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from conderis.operations.faults import Fault
from conderis.operations.trial.wire import Era, Wire
from tests.concurrency.inside import Inside, inside
from tests.running import Running, running
from tests.soaking import Sizes

pytestmark = [pytest.mark.slow, pytest.mark.soak, pytest.mark.alone, pytest.mark.timeout(7200)]

WRITERS = 4
BATCH = 7
KINDS = ("task", "page", "memory")


@dataclass
class Writer:
    """An agent that writes until it is cut off; `said` is what it has an answer to, `unsaid`
    what it was doing then.
    """

    name: str
    project: str
    random: random.Random
    said: list[dict[str, Any]] = field(default_factory=list)
    unsaid: dict[str, Any] | None = None
    refused: list[str] = field(default_factory=list)
    own: list[dict[str, Any]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def write(self, server: Running, key: str) -> None:
        """Write, one thing after the other, until the server is gone."""
        era = self.random.choice(list(Era))
        with suppress(OSError, Fault), Wire(server.port, key, era) as wire:
            while True:
                tool, arguments, intent = self._next()
                self.unsaid = intent
                answer = wire.call(tool, {"projectId": self.project, **arguments})
                self.unsaid = None
                if answer.is_error:
                    self.refused.append(answer.text)
                    continue
                self._learn(intent, answer.json)
                self.said.append(intent)

    def _next(self) -> tuple[str, dict[str, Any], dict[str, Any]]:
        word = f"{self.name} {next(self.numbers)}"
        choices: list[Callable[[str], tuple[str, dict[str, Any], dict[str, Any]]]] = [self._create]
        if self.own:
            choices += [self._create, self._change, self._append, self._batch]
        return self.random.choice(choices)(word)

    def _fields(self, kind: str, title: str) -> dict[str, Any]:
        fields: dict[str, Any] = {"title": title, "content": f"Text of {title}.", "tags": ["soak"]}
        return fields | ({"visibility": "shared"} if kind == "memory" else {})

    def _create(self, word: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
        kind = self.random.choice(KINDS)
        fields = self._fields(kind, word)
        return "item_store", {"kind": kind, "fields": fields}, {"titles": [word]}

    def _batch(self, word: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
        titles = [f"{word} {place}" for place in range(BATCH)]
        # Of one kind, since kinds are stored one after the other, each as a whole.
        items = [{"kind": "task", "fields": self._fields("task", title)} for title in titles]
        return "item_store", {"batch": {"items": items}}, {"titles": titles}

    def _change(self, word: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
        item = self.random.choice(self.own)
        fields = {"content": word, "tags": ["soak", "changed"]}
        intent = {"item": item, "number": item["number"], "version": item["version"] + 1,
                  "content": word}  # fmt: skip
        return "item_store", {
            "number": item["number"], "version": item["version"], "fields": fields,
        }, intent  # fmt: skip

    def _append(self, word: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
        item = self.random.choice(self.own)
        intent = {"item": item, "number": item["number"], "version": item["version"] + 1,
                  "content": word}  # fmt: skip
        return "item_store", {"number": item["number"], "fields": {"append": word}}, intent

    def _learn(self, intent: dict[str, Any], answer: dict[str, Any]) -> None:
        if "titles" in intent:
            made = answer.get("items", [answer])
            intent["numbers"] = [each["number"] for each in made]
            self.own += [{"number": each["number"], "version": 1} for each in made]
        else:
            intent["item"]["version"] = answer["version"]


def one_round(server: Running, keys: list[str], writers: list[Writer], seconds: float) -> None:
    """Let them write, and kill the server after so many seconds of that."""
    threads = [
        threading.Thread(target=writer.write, args=(server, key))
        for writer, key in zip(writers, keys, strict=True)
    ]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 30
    while not any(writer.said for writer in writers) and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(seconds)
    server.stop(signal.SIGKILL)
    for thread in threads:
        thread.join(60)


def lost(writers: list[Writer], items: dict[str, Any]) -> Iterator[str]:
    """What of the round is not as it was said, or is there in part."""
    there = Counter(item["title"] for item in items.values())
    for writer in writers:
        yield from writer.refused
        for intent in writer.said:
            yield from _lost(intent, items)
        unsaid = writer.unsaid or {}
        titles = unsaid.get("titles", [])
        if sum(there[title] for title in titles) not in (0, len(titles)):
            yield f"of {titles} there are {[title for title in titles if there[title]]}"
        if "number" in unsaid:
            item = items[str(unsaid["number"])]
            later = [each for each in item["events"] if each["version"] == unsaid["version"]]
            if later and unsaid["content"] not in later[0]["content"]:
                yield f"{unsaid} came to {later}"
    meant = Counter(
        title
        for writer in writers
        for intent in (*writer.said, writer.unsaid or {})
        for title in intent.get("titles", [])
    )
    yield from (f"{title} is there {times} too many" for title, times in (there - meant).items())


def _lost(intent: dict[str, Any], items: dict[str, Any]) -> Iterator[str]:
    for number, title in zip(intent.get("numbers", []), intent.get("titles", []), strict=True):
        if items.get(str(number), {}).get("title") != title:
            yield f"{title} is not #{number}"
    if "number" in intent:
        events = items[str(intent["number"])]["events"]
        stored = [each for each in events if each["version"] == intent["version"]]
        if len(stored) != 1 or intent["content"] not in stored[0]["content"]:
            yield f"version {intent['version']} of #{intent['number']} is lost"


def begin(server: Running, asked: Inside) -> tuple[str, list[str]]:
    made = asked.ask("people", owners=WRITERS, contributors=0)
    return made["project"], made["owners"]


def test_what_was_acknowledged_outlives_every_kill_and_nothing_is_there_in_part(
    sizes: Sizes,
) -> None:
    moments = random.Random(20261130)
    written = interrupted = last = 0
    with running(workers=2) as server, inside(server) as asked:
        project, keys = begin(server, asked)
        for turn in range(sizes.kills):
            writers = [
                Writer(f"r{turn} w{place}", project, random.Random(turn * WRITERS + place))
                for place in range(WRITERS)
            ]
            one_round(server, keys, writers, moments.uniform(0, 0.5))

            seen = asked.ask("look", project=project, above=last)

            assert seen["faults"] == []
            assert list(lost(writers, seen["items"])) == []
            last = seen["last"]
            written += sum(len(writer.said) for writer in writers)
            interrupted += sum(writer.unsaid is not None for writer in writers)
            server.start()
        whole = asked.ask("look", project=project)

    assert whole["faults"] == []
    assert written > sizes.kills
    assert interrupted > sizes.kills / 2
