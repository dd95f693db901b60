"""Who `mcp_stdio` acts as, what it refuses to start with, and how it ends."""

import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from conderis.accounts.models import Agent, Person
from conderis.common.errors import Denied
from conderis.operations.faults import Fault
from conderis.operations.stdio_caller import stdio_caller
from tests.clients.launching import PATIENCE, launched, told
from tests.clients.sessions import stdio_command
from tests.operations.processes import cpu_seconds
from tests.running import Running

pytestmark = pytest.mark.slow

START_SECONDS = 2


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Running:
    """A data folder with SQLite and the account of quickstart; nothing serves it."""
    place = Running(tmp_path_factory.mktemp("local"), database="", port=8000)
    place.command("quickstart")
    return place


def refused_start(environment: dict[str, str]) -> str:
    """The one line that it refuses to start with."""
    done = subprocess.run(
        stdio_command(),
        env=environment,
        input=b"",
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    assert done.stdout == b""
    (line,) = done.stderr.decode().splitlines()
    return line


def test_without_a_key_it_acts_for_the_account_of_quickstart(local: Running) -> None:
    with launched(local.environment) as client:
        client.initialize()
        fields = {"title": "Mine"}
        stored = client.call(
            "item_store", {"kind": "task", "projectId": "owner/home", "fields": fields}
        )
        read = client.call("item_get", {"projectId": "owner/home", "number": stored["number"]})
        project = client.call("project_get", {"projectId": "owner/home"})

    assert read["author"] == {"name": "Owner", "agent": "stdio"}
    assert project["permissions"]["manage"] is True


def test_it_prints_nothing_but_the_protocol_even_where_much_is_logged(local: Running) -> None:
    with launched(local.environment | {"CONDERIS_LOG_LEVEL": "debug"}) as client:
        client.initialize()
        client.call("project_get", {})

        assert client.hang_up() == (0, [])
    assert client.errors != []


def test_what_one_transport_stores_the_other_reads_at_once(
    server: Running, project: str, key: str
) -> None:
    with launched(server.environment | {"CONDERIS_KEY": key}) as client:
        client.initialize()
        before = client.call("item_list", {"kind": "task", "projectId": project})["total"]
        other = server.command("add_key", "owner", "--name", "beside")["key"]
        with launched(server.environment | {"CONDERIS_KEY": other}) as second:
            second.initialize()
            second.call(
                "item_store", {"kind": "task", "projectId": project, "fields": {"title": "Two"}}
            )

        after = client.call("item_list", {"kind": "task", "projectId": project})["total"]

    assert after == before + 1


def test_a_key_that_is_revoked_ends_with_the_next_call_and_says_how_to_mend_it(
    server: Running, project: str
) -> None:
    made = server.command("add_key", "owner", "--name", "to be revoked")
    with launched(server.environment | {"CONDERIS_KEY": made["key"]}) as client:
        client.initialize()
        assert client.call("project_get", {"projectId": project})["name"] == project

        server.command("revoke_key", made["id"])
        refused = client.call("project_get", {"projectId": project})

    assert refused["error"] == "denied"
    assert refused["missing"] == "key"
    assert "revoked" in refused["message"]
    assert "CONDERIS_KEY" in refused["message"]


def test_an_account_that_is_deactivated_ends_with_the_next_call(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "vendor", "sqlite")
    owner = Person.objects.create(handle="owner", display_name="Owner", is_superuser=True)
    identify = stdio_caller("")
    assert identify().agent_ref == Agent.objects.get().ref

    owner.is_active = False
    owner.save()

    with pytest.raises(Denied, match="deactivated"):
        identify()


def test_without_a_key_another_database_than_sqlite_is_refused(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "vendor", "postgresql")

    with pytest.raises(Fault, match="CONDERIS_KEY"):
        stdio_caller("")


@pytest.mark.parametrize("key", ["cndr_mistyped", "something else"])
def test_a_key_that_is_none_is_refused_at_the_start(local: Running, key: str) -> None:
    line = refused_start(local.environment | {"CONDERIS_KEY": key})

    assert "agent key" in line
    assert key not in line


def test_a_database_that_was_never_set_up_is_refused_with_what_to_do(tmp_path: Path) -> None:
    line = refused_start(Running(tmp_path, database="", port=8000).environment)

    assert "quickstart" in line


def test_without_a_key_and_without_anybody_it_says_what_to_do(tmp_path: Path) -> None:
    place = Running(tmp_path, database="", port=8000)
    subprocess.run(
        [*stdio_command()[:2], "migrate", "--verbosity", "0"], env=place.environment, check=True
    )

    assert "quickstart" in refused_start(place.environment)


def test_the_first_answer_takes_less_than_two_seconds_of_work(local: Running) -> None:
    def work() -> float:
        with launched(local.environment) as client:
            client.initialize()
            return cpu_seconds(client.process.pid)

    # Neighbours on the machine make even processor time longer: one good start is proof.
    assert any(work() < START_SECONDS for _ in range(3))


def test_when_its_input_ends_all_is_answered_and_it_exits(local: Running) -> None:
    with launched(local.environment) as client:
        client.initialize()
        sent = [
            client.send(
                "tools/call",
                name="item_store",
                arguments={"kind": "memory", "fields": {"title": f"Last {number}"}},
            )
            for number in range(10)
        ]

        code, answers = client.hang_up()

    assert code == 0
    assert sorted(answer["id"] for answer in answers) == sent
    assert all(told(answer)["outcome"] == "published" for answer in answers)


def test_a_call_that_was_taken_back_does_not_keep_it_from_ending(local: Running) -> None:
    with launched(local.environment) as client:
        client.initialize()
        sent = client.send("tools/call", name="recall", arguments={})
        client.notify("notifications/cancelled", requestId=sent)
        began = time.monotonic()

        code, _ = client.hang_up()

    assert code == 0
    assert time.monotonic() - began < 15


@pytest.mark.parametrize("first", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_it_while_it_waits_for_input_and_more_of_them_cut_nothing_off(
    local: Running, first: signal.Signals
) -> None:
    with launched(local.environment) as client:
        client.initialize()

        client.process.send_signal(first)
        for _ in range(300):
            try:
                client.process.wait(0.05)
                break
            except subprocess.TimeoutExpired:
                client.process.send_signal(signal.SIGTERM)

        assert client.process.returncode == 0
    assert client.errors == []


def test_a_client_that_is_gone_ends_it_even_with_its_input_open(local: Running) -> None:
    with subprocess.Popen(
        stdio_command(), env=local.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()

        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()

        assert process.wait(PATIENCE) == 0


def without_index(local: Running) -> None:
    """As an upgrade by `migrate` leaves it, where the index has another form now."""
    with closing(sqlite3.connect(local.folder / "conderis.sqlite3")) as database, database:
        database.execute("DROP TABLE items_search")


def test_it_finds_what_is_old_where_the_index_is_not_whole_and_prints_the_protocol_alone(
    local: Running,
) -> None:
    place = {"kind": "task", "projectId": "owner/home"}
    with launched(local.environment) as client:
        client.initialize()
        client.call("item_store", {**place, "fields": {"title": "Old walrus"}})
    without_index(local)

    with launched(local.environment) as client:
        client.initialize()
        found = client.call("item_list", {**place, "query": "walrus"})

        assert client.hang_up() == (0, [])
    assert [entry["title"] for entry in found["items"]] == ["Old walrus"]


def test_quickstart_mends_an_index_that_is_not_whole_and_prints_one_object_alone(
    local: Running,
) -> None:
    without_index(local)

    local.command("quickstart")

    with closing(sqlite3.connect(local.folder / "conderis.sqlite3")) as database:
        (items,) = database.execute("SELECT COUNT(*) FROM items_item").fetchone()
        (indexed,) = database.execute("SELECT COUNT(*) FROM items_search").fetchone()
    assert indexed == items
