"""Several servers over one PostgreSQL, behind a proxy: no state of theirs is missed.

Left out where the suite runs on SQLite, which serves one machine.
"""

import json
import os
import signal
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from conderis.common import readiness
from tests.operations.probing import becomes, call, ready, tool_answer
from tests.operations.ways import Way, way_to
from tests.ports import free_port
from tests.running import Running, empty_database

pytestmark = [
    pytest.mark.slow,
    pytest.mark.alone,
    pytest.mark.skipif(
        not os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="for PostgreSQL"
    ),
]
SERVERS, AGENTS, WRITES = 3, 6, 25
SECRET = "one secret for all servers, 32 characters"


def through(way: Way, address: str) -> str:
    """The address of the database, by the way."""
    parts = urlsplit(address)
    user = parts.netloc.rpartition("@")[0]
    return parts._replace(netloc=f"{user}@127.0.0.1:{way.port}").geturl()


@contextmanager
def servers(folder: Path, database: str, how_many: int) -> Iterator[list[Running]]:
    """Servers with folders of their own and one secret, as on machines of their own."""
    with ExitStack() as ends:
        started = []
        for number in range(how_many):
            own = folder / f"server-{number}"
            own.mkdir()
            server = Running(own, database, free_port(), settings={"CONDERIS_SECRET_KEY": SECRET})
            server.start()
            ends.callback(server.stop, signal.SIGKILL)
            started.append(server)
        yield started


class Agent:
    """Writes on and on by the proxy; keeps what was acknowledged, and asks again as told."""

    def __init__(self, proxy: Running, key: str, name: str) -> None:
        self.proxy, self.key, self.name = proxy, key, name
        self.acknowledged: dict[int, tuple[str, int]] = {}  # title and version by number
        self.broken: list[OSError] = []

    def run(self) -> None:
        for number in range(WRITES):
            title = f"{self.name} task {number}"
            made = self._say("item_store", kind="task", fields={"title": title})
            if made is None:
                continue
            assert made.get("outcome") == "published", made
            self.acknowledged[made["number"]] = (title, 1)
            claimed = self._say("item_action", number=made["number"], action="claim", version=1)
            if claimed is not None:
                assert claimed.get("outcome") == "done", claimed
                self.acknowledged[made["number"]] = (title, 2)

    def _say(self, tool: str, **arguments: Any) -> dict[str, Any] | None:
        """The answer; None where the way broke, so that nobody knows what came of it."""
        try:
            said = call(self.proxy, self.key, tool, projectId="owner/home", **arguments)
        except OSError as error:
            self.broken.append(error)
            return None
        return tool_answer(said)


def test_a_server_killed_among_three_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    with (
        empty_database() as database,
        servers(tmp_path, database, SERVERS) as started,
        way_to(*(server.port for server in started)) as way,
    ):
        proxy = Running(tmp_path, database, way.port)
        started[0].command("quickstart")
        agents = [
            Agent(proxy, started[0].command("add_key", "owner", "--name", f"agent {n}")["key"],
                  f"agent {n}")
            for n in range(AGENTS)
        ]  # fmt: skip
        victim = started[1].process
        assert victim is not None

        def kill_in_the_midst() -> None:
            while sum(len(agent.acknowledged) for agent in agents) < AGENTS * WRITES // 4:
                time.sleep(0.01)
            os.killpg(victim.pid, signal.SIGKILL)

        killing = threading.Thread(target=kill_in_the_midst, daemon=True)
        killing.start()
        with ThreadPoolExecutor(AGENTS) as threads:
            for done in [threads.submit(agent.run) for agent in agents]:
                done.result()
        killing.join(timeout=60)
        assert victim.wait(20) == -signal.SIGKILL
        started[1].process = None

        acknowledged: dict[int, tuple[str, int]] = {}
        for agent in agents:
            acknowledged |= agent.acknowledged
        assert len(acknowledged) == sum(len(agent.acknowledged) for agent in agents)
        # Only calls that were at the victim just then have broken, one of each agent at most,
        # and one more where its connection was taken up in that moment.
        broken = [error for agent in agents for error in agent.broken]
        assert len(broken) <= 2 * AGENTS, broken
        with psycopg.connect(database) as connection:
            rows = connection.execute(
                "SELECT number, title, version, (SELECT count(*) FROM items_itemevent AS event "
                "WHERE event.item_id = item.id) FROM items_item AS item WHERE kind = 'task'"
            ).fetchall()
        stored = {number: (title, version, events) for number, title, version, events in rows}
        for number, (title, version) in acknowledged.items():
            assert stored[number][0] == title
            assert stored[number][1] >= version
        # Numbers and histories have no gap, what was not acknowledged is there whole or not.
        numbers = sorted(stored)
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert all(version == events for _title, version, events in stored.values())
        for server in (started[0], started[2]):
            assert ready(server) == (200, "ok")
        assert ready(proxy) == (200, "ok")


def test_what_one_server_revokes_the_others_refuse_at_once(tmp_path: Path) -> None:
    with empty_database() as database, servers(tmp_path, database, 2) as (one, other):
        one.command("quickstart")
        made = one.command("add_key", "owner", "--name", "robo")
        for server in (one, other):
            assert call(server, made["key"], "project_get").status == 200

        one.command("revoke_key", made["id"])

        for server in (one, other):
            assert call(server, made["key"], "project_get").status == 401


def test_a_server_whose_database_is_away_says_so_and_comes_back_by_itself(tmp_path: Path) -> None:
    with (
        empty_database() as database,
        way_to(urlsplit(database).port or 5432) as way,
        servers(tmp_path, through(way, database), 1) as (server,),
    ):
        key = server.command("quickstart")["key"]
        assert becomes(server, 200, "ok")

        way.cut()
        began = time.monotonic()
        assert becomes(server, 503, readiness.UNREACHABLE)
        assert time.monotonic() - began < 10
        with urllib.request.urlopen(f"http://localhost:{server.port}/healthz") as alive:
            assert json.load(alive) == {"status": "ok"}
        refused = call(server, key, "item_store", projectId="owner/home", kind="task",
                           fields={"title": "While it is away"})  # fmt: skip
        assert refused.status == 503
        assert refused.json["error"] == "unavailable"
        assert "127.0.0.1" not in refused.text

        way.mend()
        assert becomes(server, 200, "ok")
        made = call(server, key, "item_store", projectId="owner/home", kind="task",
                        fields={"title": "After"})  # fmt: skip
        assert tool_answer(made)["outcome"] == "published"


def test_a_database_that_may_only_be_read_is_not_ready(tmp_path: Path) -> None:
    with empty_database() as database, servers(tmp_path, database, 1) as (server,):
        key = server.command("quickstart")["key"]
        assert becomes(server, 200, "ok")
        name = urlsplit(database).path[1:]
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

        assert becomes(server, 503, readiness.READ_ONLY)
        refused = tool_answer(call(server, key, "item_store", projectId="owner/home", kind="task",
                                   fields={"title": "Never stored"}))  # fmt: skip
        assert refused["error"] == "unavailable"
        assert "cannot be written" in refused["message"]


def test_a_statement_of_the_server_that_takes_too_long_is_ended_and_said(tmp_path: Path) -> None:
    with empty_database() as database, ExitStack() as ends:
        settings = {"CONDERIS_STATEMENT_SECONDS": "1"}
        server = Running(tmp_path, database, free_port(), settings=settings)
        server.start()
        ends.callback(server.stop, signal.SIGKILL)
        key = server.command("quickstart")["key"]
        assert call(server, key, "project_get").status == 200

        with psycopg.connect(database) as connection:
            connection.execute("LOCK TABLE projects_project IN ACCESS EXCLUSIVE MODE")
            began = time.monotonic()
            refused = tool_answer(call(server, key, "project_get"))
            took = time.monotonic() - began

        assert refused["error"] == "unavailable"
        assert refused["retryAfter"] == 2
        assert 0.9 < took < 20
        assert "error" not in tool_answer(call(server, key, "project_get"))
