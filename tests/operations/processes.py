"""Real processes of the product's own commands, each on a data folder of its own."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from conderis.common.json import JsonObject
from tests.ports import free_port

ROOT: Path = settings.BASE_DIR
START_SECONDS = 180  # for a busy machine


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> JsonObject:
        """The one JSON object that it printed."""
        answer: JsonObject = json.loads(self.out)
        return answer

    @property
    def fault(self) -> str:
        """The one line that it refused with; nothing else may have been printed."""
        assert self.code != 0, self.out
        assert self.out == ""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers."""

    process: subprocess.Popen[bytes]
    port: int
    folder: Path
    seconds: float
    cpu_seconds: float

    @property
    def base(self) -> str:
        """Where it is."""
        return f"http://localhost:{self.port}"

    @property
    def out(self) -> str:
        """What it has printed."""
        return (self.folder.parent / f"out-{self.port}").read_text()

    @property
    def err(self) -> str:
        """What it has logged."""
        return (self.folder.parent / f"err-{self.port}").read_text()


def environment(folder: Path, **more: str) -> dict[str, str]:
    """The environment of a command: this folder, and nothing of the tests' settings."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("CONDERIS_") and name not in {"DATABASE_URL", "PYTHONWARNINGS"}
    }
    return {**kept, "CONDERIS_DATA": str(folder), **more}


def command_line(*arguments: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *arguments]


def manage(*arguments: str, folder: Path, wrapper: tuple[str, ...] = (), **more: str) -> Ended:
    """Run a command to its end."""
    ended = subprocess.run(
        [*wrapper, *command_line(*arguments)],
        env=environment(folder, **more),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def launch(folder: Path, port: int, *arguments: str, **more: str) -> subprocess.Popen[bytes]:
    """Start a server in the background, without waiting for it."""
    with (
        (folder.parent / f"out-{port}").open("wb") as out,
        (folder.parent / f"err-{port}").open("wb") as err,
    ):
        return subprocess.Popen(
            command_line("serve", "--port", str(port), *arguments),
            env=environment(folder, **more),
            cwd=ROOT,
            stdout=out,
            stderr=err,
        )


@contextmanager
def serving(folder: Path, *arguments: str, port: int = 0, **more: str) -> Iterator[Server]:
    """A server, from its first answer on until the block ends."""
    port = port or free_port()
    began = time.monotonic()
    process = launch(folder, port, *arguments, **more)
    try:
        wait_for_answer(process, port, folder)
        yield Server(process, port, folder, time.monotonic() - began, cpu_seconds(process.pid))
    finally:
        process.terminate()
        process.wait(timeout=START_SECONDS)


def wait_for_answer(process: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while fetch(f"http://127.0.0.1:{port}/healthz") is None:
        assert process.poll() is None, (folder.parent / f"err-{port}").read_text()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def fetch(
    url: str, *, method: str = "GET", body: bytes | None = None, **headers: str
) -> int | None:
    """The status of an answer; None while nobody listens."""
    request = urllib.request.Request(url, data=body, method=method, headers=headers)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=START_SECONDS) as answer:  # noqa: S310
            status: int = answer.status
            return status
    except urllib.error.HTTPError as refused:
        return refused.code
    except OSError:
        return None


def cpu_seconds(pid: int) -> float:
    """The processor time of a process so far, as Linux counts it; 0 elsewhere."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
