"""A streaming replica: read by some pages, and never seen to lag.

Left out where the suite runs on SQLite, or has no programs to make a replica with.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.operations.probing import Said, ask, becomes, call, tool_answer
from tests.ports import free_port
from tests.running import Running, empty_database

ADDRESS = os.environ.get("DATABASE_URL", "")
FOUND = sorted(
    Path("/usr/lib/postgresql").glob("*/bin"), key=lambda found: float(found.parent.name)
)
PROGRAMS = FOUND[-1] if FOUND else None
pytestmark = [
    pytest.mark.slow,
    pytest.mark.alone,
    pytest.mark.skipif(not ADDRESS.startswith("postgres"), reason="for PostgreSQL"),
    pytest.mark.skipif(
        PROGRAMS is None or not (PROGRAMS / "pg_basebackup").exists(), reason="no pg_basebackup"
    ),
]
AS_POSTGRES = ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()


def run(program: str, *words: str) -> None:
    assert PROGRAMS is not None
    line = [*AS_POSTGRES, str(PROGRAMS / program), *words]
    ended = subprocess.run(line, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           text=True, check=False, timeout=120)  # fmt: skip
    assert ended.returncode == 0, ended.stderr


def as_superuser(address: str) -> str:
    """The same place, as the one who may make replicas of it and stop them."""
    parts = urlsplit(address)
    return parts._replace(netloc=f"postgres@{parts.hostname}:{parts.port}").geturl()


@dataclass
class Replica:
    """A replica of the whole cluster, on a port of its own."""

    folder: Path
    port: int

    def address(self, database: str) -> str:
        """Where it has a copy of the database."""
        parts = urlsplit(database)
        user = parts.netloc.rpartition("@")[0]
        return parts._replace(netloc=f"{user}@127.0.0.1:{self.port}").geturl()

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder}"
        run("pg_ctl", "-D", str(self.folder / "data"), "-o", options, "-l",
            str(self.folder / "log"), "-w", "start")  # fmt: skip

    def stop(self) -> None:
        run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")

    def ask(self, database: str, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(as_superuser(self.address(database)), autocommit=True) as connection:
            return connection.execute(statement.encode()).fetchall()


@pytest.fixture(scope="module")
def replica() -> Iterator[Replica]:
    try:
        psycopg.connect(as_superuser(ADDRESS)).close()
    except psycopg.OperationalError:
        pytest.skip("the superuser of this PostgreSQL is not let in")
    folder = Path(tempfile.mkdtemp(prefix="conderis-replica-"))
    if AS_POSTGRES:
        shutil.chown(folder, "postgres")
    made = Replica(folder, free_port())
    try:
        run(
            "pg_basebackup",
            "-d",
            as_superuser(ADDRESS),
            "-D",
            str(folder / "data"),
            "-R",
            "-c",
            "fast",
        )
        made.start()
        yield made
        made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def database(replica: Replica) -> Iterator[str]:
    with empty_database() as name:
        yield name


@pytest.fixture(scope="module")
def server(
    replica: Replica, database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    started = Running(
        tmp_path_factory.mktemp("server"),
        database,
        free_port(),
        settings={"DATABASE_REPLICA_URL": replica.address(database)},
    )
    started.start()
    try:
        yield started
    finally:
        started.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def key(server: Running, database: str) -> str:
    made: str = server.command("quickstart")["key"]
    publish(database, is_public=True)
    return made


def publish(database: str, *, is_public: bool) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE projects_project SET is_public = %s", [is_public])


def store(server: Running, key: str, title: str) -> int:
    said = call(server, key, "item_store", projectId="owner/home", kind="page",
                fields={"title": title, "content": "Some text."})  # fmt: skip
    number: int = tool_answer(said)["number"]
    return number


def page(server: Running, number: int) -> Said:
    """The page of an item, as somebody reads it who is not signed in."""
    return ask(server, f"/owner/home/items/{number}/")


def read_last(replica: Replica, database: str) -> list[str]:
    """What sessions of the server have asked the replica last."""
    rows = replica.ask(
        database,
        "SELECT query FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid()",
    )
    return [str(query) for (query,) in rows]


def test_public_pages_read_the_replica_and_show_what_was_stored_a_moment_ago(
    server: Running, key: str, replica: Replica, database: str
) -> None:
    for number in range(5):
        stored = store(server, key, f"Fresh page {number}")

        assert f"Fresh page {number}" in page(server, stored).text

    # The replica is read once it has all; here commits are sent to it some time after.
    deadline = time.monotonic() + 60
    while not any("items_item" in query for query in read_last(replica, database)):
        assert time.monotonic() < deadline, read_last(replica, database)
        time.sleep(0.5)
        assert page(server, stored).status == 200


def test_while_the_replica_lags_nothing_old_is_shown(
    server: Running, key: str, replica: Replica, database: str
) -> None:
    stored = store(server, key, "Soon to be erased")
    assert page(server, stored).status == 200
    replica.ask(database, "SELECT pg_wal_replay_pause()")
    try:
        other = store(server, key, "Stored while it lags")
        assert "Stored while it lags" in page(server, other).text

        asked = tool_answer(call(server, key, "item_delete", projectId="owner/home", number=stored,
                                 reason="Personal data"))  # fmt: skip
        assert "error" not in asked
        assert "Soon to be erased" not in page(server, stored).text

        publish(database, is_public=False)
        assert "Stored while it lags" not in page(server, other).text
    finally:
        replica.ask(database, "SELECT pg_wal_replay_resume()")
        publish(database, is_public=True)


def test_without_the_replica_everything_goes_on(
    server: Running, key: str, replica: Replica
) -> None:
    stored = store(server, key, "Read from the database")
    assert page(server, stored).status == 200
    replica.stop()
    try:
        for _ in range(3):
            assert "Read from the database" in page(server, stored).text
        assert becomes(server, 200, "ok")
    finally:
        replica.start()


def test_an_address_that_is_the_database_itself_is_said_once_and_left_alone(
    tmp_path: Path,
) -> None:
    with empty_database() as name:
        server = Running(tmp_path, name, free_port(), settings={"DATABASE_REPLICA_URL": name})
        server.start()
        try:
            server.command("quickstart")
            publish(name, is_public=True)
            assert {ask(server, "/owner/home/").status for _ in range(5)} == {200}
        finally:
            server.stop(signal.SIGKILL)

    log = (tmp_path / "server.log").read_text()
    assert log.count("DATABASE_REPLICA_URL is not read") == 1
    assert "it follows no other" in log
