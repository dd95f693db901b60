"""Calls over the wire, timed: wall time by the client, processor time of the server.

The rows take turns, some calls each, round after round: what else runs on the machine
then burdens all of them alike. Processor time is read once for each turn. What others do
meanwhile, in the caches and on the memory that all share, only adds to it, and to each row
as much as it reads: so the lower quartile of the turns stands for the row.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil

from conderis.common.json import compact
from conderis.common.tokens import count_tokens
from conderis.operations.bench.rows import PING, ROWS, STANDING, Course, Row
from conderis.operations.faults import Fault
from conderis.operations.trial.processor import Processor
from conderis.operations.trial.wire import Wire, answer_of, result_of

TURN = 10  # calls in a row of one kind
SAY_EVERY = 50  # calls of each row
SETTLE_SECONDS = 0.003  # for what the server does after its answer has left


@dataclass(slots=True)
class Samples:
    """What was taken of one row in one era. `text` is the answer to its last call."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    text: str = ""

    def share(self, part: float) -> float:
        """The wall seconds that this part of the calls stays within."""
        ordered = sorted(self.wall)
        return ordered[max(0, ceil(part * len(ordered)) - 1)]

    @property
    def calls_per_second(self) -> float:
        """How many calls one client gets done, one after the other."""
        return len(self.wall) / sum(self.wall)

    @property
    def processor_seconds(self) -> float:
        """Processor seconds of the server for one call: a quarter of the turns took less."""
        ordered = sorted(self.processor)
        return ordered[(len(ordered) - 1) // 4]

    @property
    def tokens(self) -> int:
        """The answer in o200k tokens."""
        return count_tokens(self.text)


@dataclass(frozen=True, slots=True)
class Run:
    """The calls of one era in one project: by whom, about what, and what is taken by row."""

    wire: Wire
    processor: Processor
    course: Course
    taken: dict[str, Samples] = field(default_factory=dict)
    called: Counter[str] = field(default_factory=Counter)

    def warm_up(self, rows: Iterable[Row | None]) -> None:
        """Make calls that are not measured, on a new connection: they fill caches."""
        self.wire.reopen()
        for row in rows:
            self.call(row, Samples())

    def turn(self, row: Row | None, calls: int) -> None:
        """Measure some calls of a row, or (None) pings; fewer where the row has a bound."""
        if row is not None and row.most is not None:
            calls = min(calls, row.most - self.called[row.name])
        if not calls:
            return
        samples = self.taken.setdefault(PING if row is None else row.name, Samples())
        time.sleep(SETTLE_SECONDS)
        before = self.processor.seconds()
        for _ in range(calls):
            self.call(row, samples)
        time.sleep(SETTLE_SECONDS)
        samples.processor.append((self.processor.seconds() - before) / calls)

    def call(self, row: Row | None, samples: Samples) -> None:
        """Call once, and note what it took.

        Raises:
            Fault: the call is refused.
        """
        wire, course = self.wire, self.course
        request = (
            wire.request(wire.era.ping)
            if row is None
            else wire.tool_request(row.tool, row.arguments(course))
        )
        began = time.perf_counter()
        body = wire.exchange(request)
        samples.wall.append(time.perf_counter() - began)
        if row is None:
            samples.text = compact(result_of(body))
            return
        self.called[row.name] += 1
        answer = answer_of(body)
        if answer.is_error:
            raise Fault(f"{row.name} was refused: {answer.text}")
        if row.learn is not None:
            row.learn(course, answer.json)
        samples.text = answer.text


def measure(
    runs: Sequence[Run], *, calls: int, say: Callable[[str], None]
) -> list[dict[str, Samples]]:
    """The samples by row, the ping of the era first, for each of the runs.

    Raises:
        Fault: a call is refused, so that its figure would be one of refusals.
    """
    for run in runs:
        run.warm_up((None, STANDING, *ROWS))
    for done in range(0, calls, TURN):
        if done and done % SAY_EVERY == 0:
            say(f"{done:,} of {calls:,} calls of each row done")
        for run in runs:
            run.warm_up((None,))
            for row in (None, *ROWS):
                run.turn(row, min(calls - done, TURN))
    return [run.taken for run in runs]
