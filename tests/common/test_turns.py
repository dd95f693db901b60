"""Writers of SQLite come in turns: first come, first served, in threads and in processes."""

import gc
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.db.utils import ConnectionHandler

from conderis.common.outages import code_of, outage
from conderis.common.sqlite.base import turn_on
from conderis.common.sqlite.turns import line_of
from tests.common.turn_taking import connections_to, transaction_on, write, written
from tests.running import ROOT

pytestmark = pytest.mark.django_db  # connections are let through; the file is one of its own
SECONDS = 60  # for what hangs


@pytest.fixture
def handler(tmp_path: Path) -> Iterator[ConnectionHandler]:
    made = connections_to(tmp_path)
    with made["default"].cursor() as cursor:
        cursor.execute("CREATE TABLE written (id INTEGER PRIMARY KEY, name TEXT)")
    yield made
    made["default"].close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "conderis.sqlite3"


def started(does: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=does, daemon=True)
    thread.start()
    return thread


def ended(*threads: threading.Thread) -> None:
    for thread in threads:
        thread.join(SECONDS)
    assert not any(thread.is_alive() for thread in threads)


def until(fits: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not fits():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def waiting(file: Path) -> int:
    return len(line_of(str(file))._waiting)


def is_taken(file: Path) -> bool:
    return line_of(str(file))._is_taken()


def writes_apart(handler: ConnectionHandler, name: str, *, alone: bool = False) -> None:
    """Write on the connection of this thread: in a transaction, or a statement alone."""
    with closing(handler["default"]) as own:
        if alone:
            write(own, name)
        else:
            with transaction_on(own):
                write(own, name)


@contextmanager
def process(file: Path, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """Another process, which has opened the file."""
    line = [sys.executable, "-m", "tests.common.turn_taking", str(file.parent), *words]
    with subprocess.Popen(
        line, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as made:
        try:
            assert made.stdout is not None
            assert made.stdout.readline() == "here\n"
            yield made
        finally:
            made.kill()


def tell(made: "subprocess.Popen[str]") -> None:
    assert made.stdin is not None
    made.stdin.write("\n")
    made.stdin.flush()


def test_threads_write_in_the_order_in_which_they_came(
    handler: ConnectionHandler, file: Path
) -> None:
    names = [f"thread {number}" for number in range(6)]
    threads = []
    with transaction_on(handler["default"]):
        for number, name in enumerate(names):
            alone = number % 2 == 1
            threads.append(started(partial(writes_apart, handler, name, alone=alone)))
            until(lambda: waiting(file) == len(threads))
        assert written(handler["default"]) == []
    ended(*threads)

    assert written(handler["default"]) == names


def test_who_writes_again_and_again_lets_in_who_waits(
    handler: ConnectionHandler, file: Path
) -> None:
    over = threading.Event()

    def writes_on() -> None:
        with closing(handler["default"]) as own:
            while not over.is_set():
                with transaction_on(own):
                    write(own, "greedy")
                    if not over.is_set():
                        until(lambda: waiting(file) > 0 or over.is_set())

    greedy = started(writes_on)
    for _ in range(20):
        writes_apart(handler, "modest")
    over.set()
    ended(greedy)

    said = "".join(name[0] for name in written(handler["default"]))
    assert said.count("m") == 20
    assert "gg" not in said.rstrip("g")


def test_among_processes_nobody_waits_for_more_than_a_few_turns(
    handler: ConnectionHandler, file: Path
) -> None:
    names, times = ("a", "b", "c"), 100
    with (
        process(file, "write", "a", str(times)) as one,
        process(file, "write", "b", str(times)) as two,
        process(file, "write", "c", str(times)) as three,
    ):
        for each in (one, two, three):
            tell(each)
            tell(each)
        for each in (one, two, three):
            assert each.wait(SECONDS) == 0

    said = "".join(written(handler["default"]))
    assert {name: said.count(name) for name in names} == dict.fromkeys(names, times)
    together = said[max(map(said.index, names)) : min(map(said.rindex, names))]
    waits = [len(gap) for name in names for gap in together.split(name)]
    assert len(together) > times
    assert max(waits) <= 12  # two, but for a process that the machine has kept from coming


def test_a_killed_process_leaves_its_turn_to_the_next(
    handler: ConnectionHandler, file: Path
) -> None:
    with process(file, "hold") as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        thread = started(lambda: writes_apart(handler, "next"))
        thread.join(0.2)
        assert thread.is_alive()
        began = time.monotonic()

        holder.send_signal(signal.SIGKILL)
        ended(thread)

    assert time.monotonic() - began < 10  # of the 20 seconds that it would wait
    assert written(handler["default"]) == ["next"]


@pytest.mark.parametrize("how", ["alone", "in a transaction"])
def test_whose_patience_ends_is_told_that_the_database_is_locked(
    handler: ConnectionHandler, file: Path, how: str
) -> None:
    faults: list[OperationalError] = []
    left: list[int] = []

    def gives_up() -> None:
        with closing(handler["default"]) as own, own.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 300")
            try:
                with nullcontext() if how == "alone" else transaction_on(own):
                    write(own, "late")
            except OperationalError as error:
                faults.append(error)
            cursor.execute("PRAGMA busy_timeout")
            left.append(cursor.fetchone()[0])

    with transaction_on(handler["default"]):
        began = time.monotonic()
        ended(started(gives_up))
        taken = time.monotonic() - began
        assert waiting(file) == 0

    assert [str(fault) for fault in faults] == ["database is locked"]
    assert code_of(faults[0]) == "SQLITE_BUSY"
    assert outage(faults[0]) is not None
    assert 0.3 <= taken < 15
    assert left == [300]
    assert written(handler["default"]) == []


def test_a_writer_without_a_turn_is_waited_for(handler: ConnectionHandler, file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        thread = started(lambda: writes_apart(handler, "second"))
        until(lambda: is_taken(file))
        other.execute("INSERT INTO written (name) VALUES ('first')")
        other.execute("COMMIT")
        ended(thread)

    assert written(handler["default"]) == ["first", "second"]


def test_a_transaction_that_cannot_begin_gives_its_turn_back(
    handler: ConnectionHandler, file: Path
) -> None:
    own = handler["default"]
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with own.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 0")
        with pytest.raises(OperationalError, match="locked"), transaction_on(own):
            pass

        assert not is_taken(file)


@pytest.mark.parametrize("way", ["commit", "rollback", "close"])
def test_a_turn_ends_with_its_transaction(handler: ConnectionHandler, file: Path, way: str) -> None:
    own = handler["default"]
    own.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    write(own, "mine")
    assert is_taken(file)

    getattr(own, way)()

    assert not is_taken(file)
    writes_apart(handler, "after")


def test_a_block_in_a_turn_keeps_its_place_between_its_statements(
    handler: ConnectionHandler, file: Path
) -> None:
    with turn_on(handler["default"]):
        write(handler["default"], "one")
        other = started(partial(writes_apart, handler, "other"))
        until(lambda: waiting(file) == 1)
        write(handler["default"], "two")
    ended(other)

    assert written(handler["default"]) == ["one", "two", "other"]


def test_who_reads_needs_no_turn(handler: ConnectionHandler) -> None:
    with transaction_on(handler["default"]):
        write(handler["default"], "new")
        seen: list[list[str]] = []
        ended(started(lambda: seen.append(written(handler["default"]))))

    assert seen == [[]]


def test_two_connections_of_one_thread_do_not_share_a_turn(handler: ConnectionHandler) -> None:
    with (
        closing(handler.create_connection("default")) as second,
        second.cursor() as cursor,
        transaction_on(handler["default"]),
    ):
        cursor.execute("PRAGMA busy_timeout = 50")
        with pytest.raises(OperationalError, match="locked"):
            write(second, "second")


def test_a_thread_that_dies_within_a_transaction_leaves_its_turn(
    handler: ConnectionHandler, file: Path
) -> None:
    def dies() -> None:
        own: Any = handler.create_connection("default")
        own.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        write(own, "never")

    ended(started(dies))
    gc.collect()
    ended(started(lambda: writes_apart(handler, "next")))

    assert written(handler["default"]) == ["next"]
    assert not is_taken(file)


def test_a_forked_process_stands_in_line_for_itself(file: Path) -> None:
    # SQLite's own files do not bear a fork, so that it is the line alone that is asked.
    line = line_of(str(file))
    file.touch()
    turn, _ = line.take(lambda: 0)
    assert turn is not None
    child = os.fork()
    if child == 0:
        try:
            taken, left = line_of(str(file)).take(lambda: SECONDS)
            os._exit(0 if taken is not None and left is not None else 2)
        finally:
            os._exit(1)
    time.sleep(0.05)
    assert os.waitpid(child, os.WNOHANG) == (0, 0)
    line.leave(turn)

    assert os.waitpid(child, 0)[1] == 0


def test_without_a_file_to_stand_in_line_at_sqlite_decides(
    handler: ConnectionHandler, file: Path
) -> None:
    turns = Path(line_of(str(file)).path)
    turns.unlink()
    turns.mkdir()  # as in a folder that cannot be written: no file can be opened there
    with process(file, "hold") as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        thread = started(lambda: writes_apart(handler, "here"))
        until(lambda: is_taken(file))
        tell(holder)
        ended(thread)

    assert written(handler["default"]) == ["held", "here"]


def test_the_file_of_the_turns_is_for_the_eyes_of_the_databases_owner(
    handler: ConnectionHandler, file: Path
) -> None:
    turns = Path(line_of(str(file)).path)
    turns.unlink()
    if os.geteuid() == 0:
        os.chown(file, 12345, 12345)

    write(handler["default"], "anew")

    assert stat.S_IMODE(turns.stat().st_mode) == 0o600
    assert turns.stat().st_uid == file.stat().st_uid


@pytest.mark.django_db(transaction=True)
def test_blocks_within_a_transaction_take_no_second_turn() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL lets many write")
    file = Path(str(connection.settings_dict["NAME"]))

    with transaction.atomic():
        with transaction.atomic():
            assert is_taken(file)
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            1 / 0  # noqa: B018
        assert is_taken(file)

    assert not is_taken(file)


def test_a_database_in_memory_has_no_line() -> None:
    made = ConnectionHandler({"default": {"ENGINE": "conderis.common.sqlite", "NAME": ":memory:"}})[
        "default"
    ]
    with made.cursor() as cursor:
        cursor.execute("CREATE TABLE written (id INTEGER PRIMARY KEY, name TEXT)")

    with transaction_on(made):
        write(made, "here")

    assert written(made) == ["here"]
    made.connection.close()
