"""The product in a process of its own: uvicorn, its own database, its own commands."""

import json
import os
import re
import secrets
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

READY = re.compile(r"Uvicorn running on http://127\.0\.0\.1:(\d+)")
PATIENCE = 180  # for a busy machine


@dataclass
class RunningServer:
    """A server that listens on `port` of 127.0.0.1; `said` is what it wrote to stderr."""

    process: subprocess.Popen[str]
    environment: dict[str, str]
    port: int = 0
    said: list[str] = field(default_factory=list)
    ready: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    @property
    def memory(self) -> int:
        """Resident bytes."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    @property
    def open_files(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    @property
    def threads(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/task").iterdir()))

    def manage(self, *words: str) -> dict[str, Any]:
        """What a command of the product answers."""
        answer: dict[str, Any] = json.loads(_manage(self.environment, *words, "--json"))
        return answer

    def listen(self) -> None:
        """Keep what the process says, and note when it is ready."""
        for line in self.process.stderr or ():
            self.said.append(line)
            if found := READY.search(line):
                self.port = int(found[1])
                self.ready.set()
        self.ready.set()


@contextmanager
def running_server(folder: Path) -> Iterator[RunningServer]:
    """A server on a new, migrated database of the kind that the tests run on."""
    environment = {
        **os.environ,
        "CONDERIS_DATA": str(folder),
        "PYTHONWARNINGS": "default",
    }
    with _database(environment):
        _manage(environment, "migrate", "--verbosity", "0")
        command = [sys.executable, "-m", "uvicorn", "conderis.asgi:application", "--port", "0"]
        process = subprocess.Popen(
            [*command, "--no-access-log"],
            cwd=settings.BASE_DIR,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        server = RunningServer(process, environment)
        listener = threading.Thread(target=server.listen)
        listener.start()
        try:
            assert server.ready.wait(PATIENCE)
            assert server.port, "".join(server.said)
            yield server
        finally:
            process.terminate()
            process.wait(PATIENCE)
            listener.join()
            if process.stderr is not None:
                process.stderr.close()


def _manage(environment: dict[str, str], *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def _database(environment: dict[str, str]) -> Iterator[None]:
    """On PostgreSQL a database of its own; on SQLite the file in the data folder is one."""
    if connection.vendor != "postgresql":
        environment.pop("DATABASE_URL", None)
        yield
        return
    name = f"conderis_mcp_{secrets.token_hex(4)}"
    environment["DATABASE_URL"] = (
        urlsplit(environment["DATABASE_URL"])._replace(path=f"/{name}").geturl()
    )
    _administer(f'CREATE DATABASE "{name}"')
    try:
        yield
    finally:
        _administer(f'DROP DATABASE "{name}" WITH (FORCE)')


def _administer(statement: str) -> None:
    with connection._nodb_cursor() as cursor:
        cursor.execute(statement)
