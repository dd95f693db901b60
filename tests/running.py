"""The product as a process: served from an empty data folder, set up by its commands."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from httpx2 import AsyncClient
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.ports import free_port

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 180  # for a busy machine


@contextmanager
def empty_database() -> Iterator[str]:
    """A fresh PostgreSQL database beside the one of DATABASE_URL; "" for SQLite."""
    address = os.environ.get("DATABASE_URL", "")
    if not address:
        yield ""
        return
    name = f"conderis_{secrets.token_hex(6)}"
    admin = make_conninfo(address, dbname="postgres")
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    known = conninfo_to_dict(make_conninfo(address, dbname=name))
    password = f":{known['password']}" if known.get("password") else ""
    host, port = known.get("host", "127.0.0.1"), known.get("port", 5432)
    try:
        yield f"postgresql://{known['user']}{password}@{host}:{port}/{name}"
    finally:
        with psycopg.connect(admin, autocommit=True) as connection:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(name)))


@dataclass
class Running:
    """A server process with its data folder; `restart` keeps folder, database and port."""

    folder: Path
    database: str
    port: int
    workers: int = 1
    process: subprocess.Popen[str] | None = None
    keys: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    wrapper: tuple[str, ...] = ()  # what the server is started by

    @property
    def url(self) -> str:
        """The MCP endpoint."""
        return f"http://localhost:{self.port}/mcp"

    @property
    def environment(self) -> dict[str, str]:
        """What the product's processes see."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        return kept | {
            "CONDERIS_DATA": str(self.folder),
            "CONDERIS_PORT": str(self.port),
            "DATABASE_URL": self.database,
            "PYTHONPATH": str(ROOT),
            **self.settings,
        }

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run a command of the product to its end."""
        line = [sys.executable, str(ROOT / "manage.py"), *words]
        return subprocess.run(
            line,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=START_SECONDS,
        )

    def command(self, *words: str) -> dict[str, Any]:
        """Run a command of the product and read its JSON."""
        done = self.run(*words, "--json")
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def start(self) -> None:
        """Start serving; returns when it answers."""
        serve = [sys.executable, str(ROOT / "manage.py"), "serve", "--workers", str(self.workers)]
        line = [*self.wrapper, *serve]
        with (self.folder / "server.log").open("a") as log:
            self.process = subprocess.Popen(
                line,
                env=self.environment,
                stdout=log,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            assert self.process.poll() is None, (self.folder / "server.log").read_text()
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1) as way:
                    way.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
                    if b" 200 " in way.recv(100):
                        return
            except OSError:
                pass
            time.sleep(0.05)
        raise AssertionError((self.folder / "server.log").read_text())

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the process and all its workers."""
        if self.process is None:
            return
        os.killpg(self.process.pid, how)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)
        self.process = None

    def key_for(self, handle: str, name: str = "robo", *more: str) -> str:
        """A new key for a person, who is added when missing."""
        if handle not in self.keys:
            self.command("add_person", handle, "--email", f"{handle}.canary@example.org")
        key: str = self.command("add_key", handle, "--name", name, *more)["key"]
        self.keys[handle] = key
        return key

    @asynccontextmanager
    async def client(self, key: str, mode: str = "auto") -> AsyncIterator[Client]:
        """The SDK's client with this key; `mode` names the protocol era."""
        headers = {"Authorization": f"Bearer {key}"}
        async with (
            AsyncClient(headers=headers, timeout=START_SECONDS) as http,
            Client(streamable_http_client(self.url, http_client=http), mode=mode) as client,
        ):
            yield client


@contextmanager
def running(workers: int = 1, **settings: str) -> Iterator[Running]:
    """A server on an empty database, stopped and cleared at the end."""
    with tempfile.TemporaryDirectory() as folder, empty_database() as database:
        server = Running(Path(folder), database, free_port(), workers, settings=settings)
        server.start()
        try:
            yield server
        finally:
            server.stop()


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool and read its JSON; a refusal is answered as it is."""
    result = await client.call_tool(tool, arguments)
    text = "".join(block.text for block in result.content if block.type == "text")
    answer: dict[str, Any] = json.loads(text)
    return answer
