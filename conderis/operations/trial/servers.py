"""The product served for a trial: its own process, data folder, database and port.

Nothing of the user's is touched: not the data, not the settings, not a running server.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

from django.conf import settings

from conderis.common.json import JsonObject
from conderis.operations.faults import Fault
from conderis.operations.trial.databases import trial_database
from conderis.operations.trial.processor import Processor

START_SECONDS = 60
STOP_SECONDS = 30
# Worker processes have started when all together take less than this share of a core.
QUIET_SECONDS, QUIET_SHARE = 0.5, 0.1
SETTINGS = ("CONDERIS_", "DATABASE_URL")


@dataclass(frozen=True, slots=True)
class Trial:
    """Where a trial takes place. `database` is an address, or "" for SQLite in the folder."""

    folder: Path
    database: str
    port: int

    @property
    def environment(self) -> dict[str, str]:
        """What its processes see: the product's own defaults, but for place and port."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
        return kept | {
            "CONDERIS_DATA": str(self.folder),
            "CONDERIS_PORT": str(self.port),
            "DATABASE_URL": self.database,
        }

    def run(self, module: str, *arguments: str) -> JsonObject:
        """Run a module of the product in the trial's place, and read the JSON it prints.

        Raises:
            Fault: it failed; the fault has the last line that it said.
        """
        ended = subprocess.run(  # noqa: S603 - our own module
            [sys.executable, "-m", module, *arguments],
            env=self.environment,
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode != 0:
            raise Fault(f"{module} failed: {_last_line(ended.stderr)}")
        answer: JsonObject = json.loads(ended.stdout)
        return answer

    @contextmanager
    def serving(self, *, workers: int = 1) -> Iterator["Serving"]:
        """A server that answers, with so many worker processes, stopped at the end.

        Raises:
            Fault: it does not start.
        """
        said, log = self.folder / "server.out", self.folder / "server.log"
        with said.open("w") as out, log.open("w") as err:
            process = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "manage.py", "serve", "--workers", str(workers), "--json"],
                env=self.environment,
                cwd=settings.BASE_DIR,
                stdout=out,
                stderr=err,
                start_new_session=True,  # Ctrl-C reaches this process alone, which stops it
            )
        try:
            self._wait(process, log)
            if workers > 1:
                _wait_for_workers(process.pid)
            yield Serving(process.pid, self.port, json.loads(said.read_text()))
        finally:
            _stop(process)

    def _wait(self, process: subprocess.Popen[bytes], log: Path) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(self.port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise Fault(f"The server of the trial did not start: {_last_line(log.read_text())}")
            time.sleep(0.05)


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that answers; `welcome` is what `serve` printed (a first start: a key)."""

    pid: int
    port: int
    welcome: JsonObject


@contextmanager
def trial() -> Iterator[Trial]:
    """A place for a trial, with an empty data folder and database, gone at the end."""
    with (
        _ended_by_term(),
        tempfile.TemporaryDirectory(prefix="conderis-trial-") as folder,
        trial_database() as database,
    ):
        yield Trial(Path(folder), database, _free_port())


@contextmanager
def _ended_by_term() -> Iterator[None]:
    """Have SIGTERM leave by the way of Ctrl-C, so that nothing of a trial is left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _exit(number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as way:
            way.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
            return b" 200 " in way.recv(100)
    except OSError:
        return False


def _wait_for_workers(pid: int) -> None:
    """The first one that has started answers; the others are still at it, and take time."""
    processor, deadline = Processor.of(pid), time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        before = processor.seconds()
        time.sleep(QUIET_SECONDS)
        if processor.seconds() - before < QUIET_SECONDS * QUIET_SHARE:
            return


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it said nothing."
