"""Several clients at once, each with a key and a connection of its own: what they get done.

First pings, then the mix of calls that agents make, then each row by itself. Each part lasts
some seconds, and every client calls as soon as it has its answer.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from random import Random

from conderis.common.json import JsonObject, without_nulls
from conderis.operations.bench.measuring import Run, Samples
from conderis.operations.bench.rows import BY_NAME, OWN, PING, ROWS, Course, Row
from conderis.operations.bench.seeding import Seeded
from conderis.operations.faults import Fault
from conderis.operations.trial.processor import Processor
from conderis.operations.trial.wire import Era, Wire

MIX = "mix"
# Of a hundred calls: what agents do most.
SHARES = {
    "item_get": 60, "item_list": 15, "item_list query": 5, "item_store create": 10,
    "item_store change": 10,
}  # fmt: skip
# Calls a second that 8 clients get done on 2 cores.
LEAST = {Era.HANDSHAKE: 300, Era.MODERN: 450}
PART = 5  # a row has a fifth of the mix's time
Choose = Callable[[Random], Row | None]


def crowd(
    port: int,
    keys: Sequence[str],
    era: Era,
    seeded: Seeded,
    processor: Processor,
    *,
    seconds: float,
) -> list[JsonObject]:
    """One object of figures for each part, pings first. `keys` are one for each client.

    Raises:
        Fault: a call is refused or breaks off.
    """
    mixed = [BY_NAME[name] for name in SHARES]
    parts: dict[str, tuple[Choose, float]] = {
        PING: (lambda _: None, seconds / 2),
        MIX: (lambda random: random.choices(mixed, tuple(SHARES.values()))[0], seconds),
    }
    for row in ROWS:
        parts[row.name] = (lambda _, row=row: row, seconds / PART)  # type: ignore[misc]
    with ExitStack() as open_wires:
        runs = [
            Run(open_wires.enter_context(Wire(port, key, era)), processor, Course(seeded))
            for key in keys
        ]
        for run in runs:
            run.warm_up((OWN,))
        taken = {
            name: _together(runs, choose, for_seconds)
            for name, (choose, for_seconds) in parts.items()
        }
    ping = taken[PING]
    return [
        _figures(name, figures, ping, LEAST[era] if name == MIX else None)
        for name, figures in taken.items()
    ]


class _Taken:
    """What was taken of one part: of all clients together.

    `processor` are seconds of the server for a call, `client` those of all clients for all calls.
    """

    def __init__(self, runs: Sequence[Run], samples: Sequence[Samples], seconds: float) -> None:
        self.samples = Samples(wall=[each for one in samples for each in one.wall])
        self.seconds = seconds
        self.runs = runs
        self.processor = self.client = 0.0

    @property
    def calls_per_second(self) -> float:
        """Of all clients together."""
        return len(self.samples.wall) / self.seconds

    @property
    def server_cores(self) -> float:
        """How many processors the server took, on average."""
        return self.processor * self.calls_per_second

    @property
    def client_cores(self) -> float:
        """How many processors the clients took, all together."""
        return self.client / self.seconds


def _together(runs: Sequence[Run], choose: Choose, seconds: float) -> _Taken:
    start = threading.Barrier(len(runs))
    processor = runs[0].processor

    def work(place: int) -> Samples:
        run, samples, random = runs[place], Samples(), Random(place)  # noqa: S311 - no secret
        start.wait()
        run.wire.reopen()
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            row = choose(random)
            if row is not None and row.most is not None and run.called[row.name] >= row.most:
                break
            run.call(row, samples)
        return samples

    before, client, began = processor.seconds(), time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(len(runs)) as pool:
        samples = list(pool.map(work, range(len(runs))))
    taken = _Taken(runs, samples, time.perf_counter() - began)
    taken.client = time.process_time() - client
    if not taken.samples.wall:
        raise Fault("The clients got nothing done.")
    taken.processor = (processor.seconds() - before) / len(taken.samples.wall)
    return taken


def _figures(name: str, taken: _Taken, ping: _Taken, least: int | None) -> JsonObject:
    return without_nulls({
        "row": name,
        "callsPerSecond": round(taken.calls_per_second, 1),
        "callsPerSecondLeast": least,
        "pingsPerCall": round(ping.calls_per_second / taken.calls_per_second, 2),
        "p50Ms": round(taken.samples.share(0.5) * 1000, 2),
        "p95Ms": round(taken.samples.share(0.95) * 1000, 2),
        "worstMs": round(taken.samples.share(1) * 1000, 2),
        "cpuMs": round(taken.processor * 1000, 3),
        "cpuRatio": round(taken.processor / ping.processor, 2),
        "serverCores": round(taken.server_cores, 2),
        "clientCores": round(taken.client_cores, 2),
    })  # fmt: skip
