"""The processor time that a server has used, its worker processes included, also ended ones."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from conderis.operations.faults import Fault

PROC = Path("/proc")
# Places of fields in /proc/<pid>/stat behind the name (proc(5): fields 4 and 14 to 17).
_PARENT, _USER, _SYSTEM, _ENDED_USER, _ENDED_SYSTEM = 1, 11, 12, 13, 14
_CPUCLOCK_SCHED = 2


@dataclass(frozen=True, slots=True)
class Processor:
    """The processes of one server: the first one, and those below it whenever it is asked."""

    pid: int

    @classmethod
    def of(cls, pid: int) -> "Processor":
        """The process and all below it, now and later.

        Raises:
            Fault: this system does not say.
        """
        if not (PROC / str(pid) / "stat").exists():
            raise Fault("The processor time of a server can be read on Linux alone.")
        return cls(pid)

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that there are now, each behind its parent."""
        parents = {
            int(entry.name): parent
            for entry in PROC.iterdir()
            if entry.name.isdigit() and (parent := _parent(int(entry.name))) is not None
        }
        found = [self.pid]
        for each in found:
            found += [child for child, parent in parents.items() if parent == each]
        return tuple(found)

    def seconds(self) -> float:
        """Processor seconds, in the kernel's code too, that they have used so far.

        What has ended is counted with its parent, as soon as that has noticed.

        Raises:
            Fault: the first process has ended.
        """
        while (PROC / str(self.pid) / "stat").exists():
            try:
                return sum(map(_seconds, self.pids))
            except OSError:  # one has ended: by now its parent may have its time
                continue
        raise Fault("The server has ended.")

    def memory(self) -> int:
        """Bytes of memory that they hold now."""
        return sum(map(_memory, self.pids))


def _seconds(pid: int) -> float:
    """Of the process and its ended children, which the kernel counts to a hundredth."""
    fields = _stat(pid)
    return _own_seconds(pid, fields) + _in_seconds(fields[_ENDED_USER], fields[_ENDED_SYSTEM])


def _own_seconds(pid: int, fields: list[str]) -> float:
    """By the process's own clock, to the nanosecond, else by /proc, to a hundredth.

    The clock's number is that of clock_getcpuclockid(3) on Linux.
    """
    try:
        return time.clock_gettime((~pid << 3) | _CPUCLOCK_SCHED)
    except OSError:
        return _in_seconds(fields[_USER], fields[_SYSTEM])


def _in_seconds(*ticks: str) -> float:
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> int:
    try:
        pages = int((PROC / str(pid) / "statm").read_text().split()[1])
    except OSError:  # it has ended meanwhile
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _parent(pid: int) -> int | None:
    try:
        return int(_stat(pid)[_PARENT])
    except OSError:  # it has ended meanwhile
        return None


def _stat(pid: int) -> list[str]:
    return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
