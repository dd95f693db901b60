"""`/healthz` says that the process lives, `/readyz` whether it can work: both are true."""

import os
import resource
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.db import connection
from django.test import Client

from conderis.common import readiness
from tests.operations.probing import ask, becomes, call, ready, tool_answer
from tests.operations.test_refused_starts import AS_ANYBODY, obeys_modes
from tests.running import Running, running

on_sqlite = pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="for SQLite's file")


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as started:
        yield started


@pytest.fixture(scope="module")
def key(server: Running) -> str:
    made: str = server.command("quickstart")["key"]
    return made


def file_of(server: Running) -> Path:
    return server.folder / "conderis.sqlite3"


def on_file(server: Running, statement: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(file_of(server), timeout=20) as database:
        return database.execute(statement).fetchall()


@contextmanager
def full_disk(server: Running) -> Iterator[None]:
    """No file that the server writes can hold anything, as on a disk without room."""
    assert server.process is not None
    pid, least = server.process.pid, resource.RLIM_INFINITY
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, least))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


def items(server: Running) -> object:
    return on_file(server, "SELECT COUNT(*), MAX(id) FROM items_item")


def store(server: Running, key: str, title: str) -> dict[str, object]:
    said = call(server, key, "item_store", projectId="owner/home", kind="task",
                fields={"title": title})  # fmt: skip
    return tool_answer(said)


def test_ready_answers_without_a_session_and_is_kept_by_no_cache(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "_look", lambda: None)
    readiness.forget()
    try:
        for path in ("/readyz", "/healthz"):
            answer = client.get(path)

            assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
            assert answer["Cache-Control"] == "no-store"
            assert not answer.cookies
    finally:
        readiness.forget()


def test_what_was_found_stands_for_a_second_however_often_it_is_asked(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[None] = []
    monkeypatch.setattr(readiness, "_look", lambda: looked.append(None))
    monkeypatch.setattr(readiness, "FRESH_SECONDS", 3600)
    readiness.forget()
    try:
        assert {client.get("/readyz").status_code for _ in range(20)} == {200}
        assert len(looked) == 1
    finally:
        readiness.forget()


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The database answers once it is let go."""
    let_go = threading.Event()
    monkeypatch.setattr(readiness, "FRESH_SECONDS", 0)
    readiness.forget()
    yield let_go
    let_go.set()
    readiness.forget()


def held(hanging: threading.Event, started: threading.Event) -> Callable[[], None]:
    def look() -> None:
        started.set()
        hanging.wait(60)

    return look


def test_probes_do_not_wait_for_one_that_a_hanging_database_holds(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch, hanging: threading.Event
) -> None:
    monkeypatch.setattr(readiness, "_look", lambda: None)
    assert client.get("/readyz").status_code == 200
    started = threading.Event()
    monkeypatch.setattr(readiness, "_look", held(hanging, started))
    stuck = threading.Thread(target=readiness.why_not_ready)
    stuck.start()
    assert started.wait(60)
    try:
        began = time.monotonic()
        assert client.get("/readyz").status_code == 200  # as was found last

        monkeypatch.setattr(readiness, "LATE_SECONDS", 0)  # as long as none ever takes
        late = client.get("/readyz")

        assert time.monotonic() - began < 30
        assert (late.status_code, late.json()["reason"]) == (503, readiness.UNREACHABLE)
    finally:
        hanging.set()
        stuck.join()


def test_a_first_look_that_hangs_holds_other_probes_for_a_moment_alone(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch, hanging: threading.Event
) -> None:
    started = threading.Event()
    monkeypatch.setattr(readiness, "WAIT_SECONDS", 0.01)
    monkeypatch.setattr(readiness, "_look", held(hanging, started))
    stuck = threading.Thread(target=readiness.why_not_ready)
    stuck.start()
    assert started.wait(60)
    try:
        answer = client.get("/readyz")

        assert not hanging.is_set()
        assert answer.json()["reason"] == readiness.UNREACHABLE
    finally:
        hanging.set()
        stuck.join()


@pytest.mark.parametrize(
    ("codes", "reason"),
    [
        ({"sqlite_errorname": "SQLITE_ERROR"}, readiness.NOT_MIGRATED),
        ({"sqlstate": "42P01"}, readiness.NOT_MIGRATED),
        ({"sqlstate": "40001"}, None),
        ({"sqlstate": "25006"}, readiness.READ_ONLY),
        ({"sqlite_errorname": "SQLITE_CORRUPT"}, readiness.UNREACHABLE),
    ],
)
def test_what_a_database_refuses_is_told_by_its_code(
    codes: dict[str, str],
    reason: str | None,
    client: Client,
    db: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> None:
        error = Exception("SECRET words")
        error.__dict__.update(codes)
        raise error

    monkeypatch.setattr(readiness, "_sqlite", refuse)
    monkeypatch.setattr(readiness, "_postgresql", refuse)
    readiness.forget()
    try:
        assert client.get("/readyz").json().get("reason") == reason
    finally:
        readiness.forget()


@on_sqlite
def test_a_database_without_any_table_lacks_its_migrations(
    client: Client, db: None, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.sqlite3"
    sqlite3.connect(empty).close()
    empty.touch()
    before = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = empty
    readiness.forget()
    try:
        answer = client.get("/readyz")
    finally:
        connection.settings_dict["NAME"] = before
        readiness.forget()

    assert (answer.status_code, answer.json()["reason"]) == (503, readiness.NOT_MIGRATED)


def test_maintenance_is_not_ready_and_alive(client: Client, db: None) -> None:
    sign = Path(configured.DATA_FOLDER) / readiness.MAINTENANCE_FILE
    sign.parent.mkdir(parents=True, exist_ok=True)
    sign.touch()
    try:
        answer = client.get("/readyz")

        assert answer.status_code == 503
        assert answer.json() == {"status": "unavailable", "reason": "maintenance"}
        assert client.get("/healthz").status_code == 200
    finally:
        sign.unlink()


@pytest.mark.slow
@on_sqlite
def test_a_full_disk_is_said_by_the_probe_the_tools_and_the_pages_and_nothing_is_stored(
    server: Running, key: str
) -> None:
    assert store(server, key, "Before")["outcome"] == "published"
    before = items(server)

    with full_disk(server):
        assert becomes(server, 503, readiness.FULL)
        assert ask(server, "/healthz").status == 200
        refused = store(server, key, "While it is full")
        page = ask(server, "/sign-in/", b"login=a&password=b", Cookie="conderis_csrf=" + "a" * 32,
                   Referer=f"http://localhost:{server.port}/")  # fmt: skip

        assert refused["error"] == "unavailable"
        assert "disk is full" in str(refused["message"])
        assert refused["retryAfter"] == 60
        assert page.status != 200
        assert items(server) == before

    assert becomes(server, 200, "ok")
    assert store(server, key, "After")["outcome"] == "published"


@pytest.mark.slow
@on_sqlite
def test_missing_and_unknown_migrations_are_told_apart(server: Running) -> None:
    newest = "id = (SELECT MAX(id) FROM django_migrations WHERE app = 'items')"

    on_file(server, f"UPDATE django_migrations SET app = 'kept' WHERE {newest}")  # noqa: S608
    assert becomes(server, 503, readiness.NOT_MIGRATED)
    on_file(server, "UPDATE django_migrations SET app = 'items' WHERE app = 'kept'")
    assert becomes(server, 200, "ok")

    on_file(
        server,
        "INSERT INTO django_migrations (app, name, applied) VALUES ('items', '9999_later', '2099')",
    )
    assert becomes(server, 503, readiness.NEWER)
    on_file(server, "DELETE FROM django_migrations WHERE name = '9999_later'")
    assert becomes(server, 200, "ok")


@pytest.mark.slow
@on_sqlite
def test_probing_fills_nothing(server: Running) -> None:
    for _ in range(50):
        ready(server)

    assert on_file(server, "SELECT COUNT(*) FROM cache WHERE cache_key = 'conderis-ready'") == [
        (1,)
    ]


@pytest.mark.slow
@on_sqlite
def test_a_database_whose_file_is_gone_is_not_ready(tmp_path: Path) -> None:
    with running() as server:
        assert becomes(server, 200, "ok")

        file_of(server).rename(tmp_path / "elsewhere")

        assert becomes(server, 503, readiness.UNREACHABLE)
        assert not file_of(server).exists()


@pytest.mark.slow
@on_sqlite
@obeys_modes
def test_a_database_that_may_only_be_read_is_not_ready_and_pages_say_so() -> None:
    with running() as server:
        server.command("quickstart")
        link = server.command("sign_in_link", "owner")["sign_in"]
        server.stop()
        server.wrapper = AS_ANYBODY
        server.start()
        assert becomes(server, 200, "ok")

        file_of(server).chmod(0o444)

        assert becomes(server, 503, readiness.READ_ONLY)
        address = str(link).partition(f":{server.port}")[2]
        shown = ask(server, address)
        assert shown.status == 200
        token = shown.text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        cookie = shown.headers["set-cookie"]
        tried = ask(server, address, f"csrfmiddlewaretoken={token}".encode(),
                    Cookie=cookie.partition(";")[0])  # fmt: skip
        assert tried.status == 503
        assert int(tried.headers["retry-after"]) > 0
        assert "disk is full or cannot be written" in tried.text
        assert str(server.folder) not in tried.text

        # SQLite gives its files beside the database the modes of that.
        for each in server.folder.glob("conderis.sqlite3*"):
            each.chmod(0o600)
        assert becomes(server, 200, "ok")
