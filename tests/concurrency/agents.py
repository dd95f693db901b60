"""Agents that work on one project at once, what each was told, and what must then be true."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from conderis.common.json import JsonObject
from conderis.operations.trial.wire import Era, Wire
from tests.concurrency.inside import Inside
from tests.running import Running

WORDS = ("kettle", "teapot", "saucer", "spoon", "sugar", "lemon", "biscuit", "tray")
LEDGERS = 4
LINES = 50  # that a ledger keeps, so that it is read as a whole
MOST_WAITING = 8  # proposals of one agent
TRIES = 50  # of a change that others are faster than
WRITES = frozenset({"item_store", "item_action"})


@dataclass
class Place:
    """The project, and what its agents share. `proposals` is guarded by `lock`."""

    server: Running
    project: str
    ledgers: list[int] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    proposals: list[str] = field(default_factory=list)
    stop_at: float = 0.0

    @property
    def is_open(self) -> bool:
        """Whether there is still time to work."""
        return time.monotonic() < self.stop_at


@dataclass
class Agent:
    """One agent with a connection of its own, and what came of its calls.

    `lines` are what it has added to the ledgers (number, version, text), `won` the tasks that
    it claimed, `approved` the proposals that it approved; `conflicts` counts by the way of
    calling. What must not happen is in `wrong`.
    """

    name: str
    place: Place
    wire: Wire
    random: random.Random
    count: int = 0
    own: list[dict[str, Any]] = field(default_factory=list)
    lines: list[tuple[int, int, str]] = field(default_factory=list)
    won: list[int] = field(default_factory=list)
    approved: list[str] = field(default_factory=list)
    proposed: dict[str, str] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)
    conflicts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    slowest_write: float = 0.0

    def call(self, tool: str, *, may: str = "", **arguments: Any) -> JsonObject:
        """The answer; a refusal is wrong, but for a conflict where the call `may` meet one."""
        began = time.monotonic()
        answer = self.wire.call(tool, {"projectId": self.place.project, **arguments})
        taken = time.monotonic() - began
        if tool in WRITES:
            self.slowest_write = max(self.slowest_write, taken)
        self.calls[tool] += 1
        if tool == "recall":
            return {}
        said = answer.json
        if not answer.is_error:
            return said
        if may and said["error"] == "conflict" and said["message"]:
            self.conflicts[may] += 1
        else:
            self.wrong.append(f"{tool} {arguments} was answered {answer.text}")
        return said

    def word(self, what: str) -> str:
        """A text that no other agent writes."""
        self.count += 1
        return f"{what} {self.name} {self.count} {self.random.choice(WORDS)}"

    def create(self) -> None:
        """A new item of a kind."""
        kind = self.random.choice(("task", "page", "memory"))
        fields = {"title": self.word(kind), "content": self.word("text"), "tags": ["tea"]}
        if kind == "memory":
            fields["visibility"] = "shared"
        made = self.call("item_store", kind=kind, fields=fields)
        if "number" in made:
            self.own.append({"number": made["number"], "version": 1, "kind": kind})

    def change(self) -> None:
        """A change of an own page or memory, which nobody else changes."""
        item = self._own("page", "memory")
        if item is None:
            return
        content = self.word("changed")
        said = self.call("item_store", number=item["number"], version=item["version"],
                         fields={"content": content})  # fmt: skip
        item["version"] = said.get("version", item["version"])

    def note(self) -> None:
        """A line in a ledger that all write to, by the version that was read."""
        number, line = self.random.choice(self.place.ledgers), self.word("line")
        for _ in range(TRIES):
            read = self.call("item_get", number=number)
            lines = [*read["content"].splitlines()[-LINES:], line]
            said = self.call("item_store", number=number, version=read["version"],
                             fields={"content": "\n".join(lines)}, may="change")  # fmt: skip
            if "outcome" in said:
                self.lines.append((number, said["version"], line))
                return
            if said.get("currentVersion", 0) <= read["version"]:
                self.wrong.append(f"a conflict without a newer version: {said}")
                return

    def append(self) -> None:
        """A line in a ledger without a version."""
        number, line = self.random.choice(self.place.ledgers), self.word("appended")
        said = self.call("item_store", number=number, fields={"append": line})
        if "outcome" in said:
            self.lines.append((number, said["version"], line))

    def claim(self) -> None:
        """The next task that is ready; when it is won, it is done."""
        ready = self.call("item_list", kind="task", filter={"ready": True}, limit=20)
        if not ready.get("items"):
            return
        number = self.random.choice(ready["items"][:5])["number"]
        task = self.call("item_get", number=number)
        said = self.call("item_action", number=number, action="claim", version=task["version"],
                         may="claim")  # fmt: skip
        if said.get("outcome") != "done":
            return
        self.won.append(number)
        self.call("item_action", number=number, action="complete", version=said["version"],
                  fields={"summary": self.word("done")})  # fmt: skip

    def batch(self) -> None:
        """Several items in one call, some of them below others."""
        items: list[JsonObject] = [{"key": "top", "kind": "page",
                                    "fields": {"title": self.word("top")}}]  # fmt: skip
        items += [
            {"kind": "page", "fields": {"title": self.word("below"), "parent": "top"}}
            for _ in range(3)
        ]
        items += [{"kind": "task", "fields": {"title": self.word("batch")}} for _ in range(3)]
        self.call("item_store", batch={"idempotencyKey": self.word("key"), "items": items})

    def move(self) -> None:
        """An own page below a ledger, and up again."""
        item = self._own("page")
        if item is not None:
            parent = self.random.choice((None, *self.place.ledgers))
            self.call("item_store", number=item["number"], fields={"parent": parent})

    def relate(self) -> None:
        """An own item related to a ledger."""
        item = self._own("page", "task", "memory")
        if item is not None:
            self.call("item_action", number=item["number"], action="relate", relation="relates",
                      target=self.random.choice(self.place.ledgers))  # fmt: skip

    def archive(self) -> None:
        """An own page or memory archived, which nobody then changes."""
        item = self._own("page", "memory")
        if item is not None and len(self.own) > 5:
            self.own.remove(item)
            self.call("item_action", number=item["number"], action="archive",
                      version=item["version"])  # fmt: skip

    def list(self) -> None:
        """A list of a kind."""
        self.call("item_list", kind=self.random.choice(("task", "page", "memory")), limit=20)

    def search(self) -> None:
        """A search for two words."""
        query = " ".join(self.random.sample(WORDS, 2))
        self.call("item_list", kind=self.random.choice(("task", "page")), query=query)

    def recall(self) -> None:
        """A recall."""
        self.call("recall", maxChars=4000)

    def get(self) -> None:
        """A ledger with its history."""
        self.call("item_get", number=self.random.choice(self.place.ledgers), history=True)

    def propose(self) -> None:
        """A new page that a moderator has to approve; too many that wait are withdrawn."""
        with self.place.lock:
            waiting = [ref for ref in self.place.proposals if ref in self.proposed]
        if len(waiting) >= MOST_WAITING:
            self._decide(waiting[0], "withdraw")
            return
        title = self.word("proposed")
        said = self.call("item_store", kind="page", fields={"title": title})
        if said.get("outcome") != "proposed":
            self.wrong.append(f"no proposal came of {title}: {said}")
            return
        self.proposed[said["proposal"]] = title
        with self.place.lock:
            self.place.proposals.append(said["proposal"])

    def approve(self) -> None:
        """One of the oldest proposals, which others may approve at the same moment."""
        with self.place.lock:
            waiting = self.place.proposals[:3]
        if waiting:
            ref = self.random.choice(waiting)
            if self._decide(ref, "approve", reason="It fits.").get("outcome") == "done":
                self.approved.append(ref)

    def _decide(self, ref: str, action: str, **more: str) -> JsonObject:
        said = self.call("item_action", ref=ref, action=action, may=action, **more)
        with self.place.lock:
            if ref in self.place.proposals:
                self.place.proposals.remove(ref)
        return said

    def _own(self, *kinds: str) -> dict[str, Any] | None:
        fit = [each for each in self.own if each["kind"] in kinds]
        return self.random.choice(fit) if fit else None


Doing = Callable[[Agent], None]
READING: tuple[Doing, ...] = (Agent.list, Agent.search, Agent.recall, Agent.get, Agent.list)
WRITING: tuple[Doing, ...] = (
    Agent.create, Agent.create, Agent.change, Agent.note, Agent.append, Agent.claim, Agent.claim,
    Agent.batch, Agent.move, Agent.relate, Agent.archive, Agent.approve,
)  # fmt: skip
PROPOSING: tuple[Doing, ...] = (Agent.propose, Agent.list, Agent.search, Agent.recall)


def begin(place: Place, key: str) -> None:
    """Make the ledgers."""
    with Wire(place.server.port, key, Era.HANDSHAKE) as wire:
        for number in range(LEDGERS):
            made = wire.call("item_store", {
                "projectId": place.project, "kind": "page",
                "fields": {"title": f"Ledger {number}", "content": "Begun."},
            })  # fmt: skip
            place.ledgers.append(made.json["number"])


def work(place: Place, name: str, key: str, does: Sequence[Doing], into: list[Agent]) -> None:
    """One agent's work until the time is over; a call that breaks off is wrong."""
    rng = random.Random(name)
    with Wire(place.server.port, key, rng.choice(list(Era))) as wire:
        agent = Agent(name, place, wire, rng)
        into.append(agent)
        while place.is_open and not agent.wrong:
            doing = rng.choice(does)
            try:
                doing(agent)
            except Exception as error:  # noqa: BLE001 - whatever it is, it must not happen
                agent.wrong.append(f"{getattr(doing, '__name__', doing)}: {error!r}")


def together(
    place: Place,
    works: Sequence[tuple[str, Sequence[Doing]]],
    seconds: float,
    *,
    beside: Sequence[Callable[[], None]] = (),
) -> list[Agent]:
    """Agents with these keys and kinds of work, all at once for so many seconds."""
    agents: list[Agent] = []
    place.stop_at = time.monotonic() + seconds
    threads = [
        threading.Thread(target=work, args=(place, f"a{number}", key, does, agents))
        for number, (key, does) in enumerate(works)
    ]
    threads += [threading.Thread(target=each) for each in beside]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 120)
    assert not any(thread.is_alive() for thread in threads)
    return agents


def lost(agents: Sequence[Agent], asked: Inside, project: str) -> Iterator[str]:
    """What is not as the agents were told, and what is not whole in the database."""
    seen = asked.ask("look", project=project)
    yield from seen["faults"]
    items = seen["items"]
    for agent in agents:
        yield from agent.wrong
        yield from _lines_lost(agent, items)
    yield from _won_twice(agents, items)
    yield from _approved_twice(agents, items)


def _lines_lost(agent: Agent, items: JsonObject) -> Iterator[str]:
    """Each line ends the version that it made, and stands in the one after that."""
    for number, version, line in agent.lines:
        after = [
            each["content"].splitlines()
            for each in items[str(number)]["events"]
            if each["version"] in (version, version + 1)
        ]
        if not after or after[0][-1] != line or any(line not in each for each in after):
            yield f"{line!r} of version {version} of #{number} is lost"


def _won_twice(agents: Sequence[Agent], items: JsonObject) -> Iterator[str]:
    won = Counter(number for agent in agents for number in agent.won)
    for number, times in won.items():
        events = Counter(each["event"] for each in items[str(number)]["events"])
        if times != 1 or events["claimed"] != 1 or events["completed"] > 1:
            yield f"#{number} was won {times} times: {dict(events)}"


def _approved_twice(agents: Sequence[Agent], items: JsonObject) -> Iterator[str]:
    titles = {ref: title for agent in agents for ref, title in agent.proposed.items()}
    there = Counter(item["title"] for item in items.values())
    approved = Counter(ref for agent in agents for ref in agent.approved)
    for ref, title in titles.items():
        if not approved[ref] == there[title] <= 1:
            yield f"{title} was approved {approved[ref]} times and is there {there[title]} times"


def report(agents: Sequence[Agent]) -> str:
    """What was done, for whoever reads the run."""
    calls: Counter[str] = sum((agent.calls for agent in agents), Counter())
    conflicts: Counter[str] = sum((agent.conflicts for agent in agents), Counter())
    slowest = max(agent.slowest_write for agent in agents)
    return (
        f"{sum(calls.values()):,} calls {json.dumps(calls)}, conflicts {json.dumps(conflicts)}, "
        f"slowest write {slowest:.2f} s"
    )
