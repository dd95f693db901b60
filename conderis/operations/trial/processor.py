"""The processor time that a server has used, its worker processes included."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from conderis.operations.faults import Fault

PROC = Path("/proc")
# Places of fields in /proc/<pid>/stat behind the name (proc(5): fields 4, 14 and 15).
_PARENT, _USER, _SYSTEM = 1, 11, 12
_CPUCLOCK_SCHED = 2


@dataclass(frozen=True, slots=True)
class Processor:
    """The processes of one server, as they were when this was made."""

    pids: tuple[int, ...]

    @classmethod
    def of(cls, pid: int) -> "Processor":
        """The process and all below it.

        Raises:
            Fault: this system does not say.
        """
        if not (PROC / str(pid) / "stat").exists():
            raise Fault("The processor time of a server can be read on Linux alone.")
        parents = {
            int(entry.name): parent
            for entry in PROC.iterdir()
            if entry.name.isdigit() and (parent := _parent(int(entry.name))) is not None
        }
        found = [pid]
        for each in found:
            found += [child for child, parent in parents.items() if parent == each]
        return cls(tuple(found))

    def seconds(self) -> float:
        """Processor seconds, in the kernel's code too, that they have used so far."""
        return sum(map(_seconds, self.pids))

    def memory(self) -> int:
        """Bytes of memory that they hold now."""
        pages = sum(int((PROC / str(pid) / "statm").read_text().split()[1]) for pid in self.pids)
        return pages * os.sysconf("SC_PAGE_SIZE")


def _seconds(pid: int) -> float:
    """By the process's own clock, to the nanosecond, else by /proc, to a hundredth.

    The clock's number is that of clock_getcpuclockid(3) on Linux.
    """
    try:
        return time.clock_gettime((~pid << 3) | _CPUCLOCK_SCHED)
    except OSError:
        fields = _stat(pid)
        return (int(fields[_USER]) + int(fields[_SYSTEM])) / os.sysconf("SC_CLK_TCK")


def _parent(pid: int) -> int | None:
    try:
        return int(_stat(pid)[_PARENT])
    except OSError:  # it has ended meanwhile
        return None


def _stat(pid: int) -> list[str]:
    return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
