"""A server that cannot start says why in one line, prints nothing else, and fails."""

import os
import shutil
import socket
import sqlite3
from pathlib import Path
from typing import Any, cast

import pytest

from tests.operations.processes import manage, serving
from tests.ports import free_port

pytestmark = [pytest.mark.slow, pytest.mark.no_database]

# Without this capability, root obeys the modes of files as everybody else does.
AS_ANYBODY = (
    ("setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all")
    if os.geteuid() == 0
    else ()
)
obeys_modes = pytest.mark.skipif(
    bool(AS_ANYBODY) and shutil.which("setpriv") is None, reason="root, and no setpriv"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def refused(folder: Path, *arguments: str, **more: Any) -> str:
    port = str(free_port())
    return manage("serve", "--port", port, *arguments, folder=folder, **more).fault


@pytest.fixture
def set_up(folder: Path) -> Path:
    """A folder in which everything is right."""
    assert manage("quickstart", folder=folder).code == 0
    return folder


def test_a_taken_port_is_refused_before_anything_is_made(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])

        fault = manage("serve", "--port", port, folder=folder).fault

    assert f"Port {port} on 127.0.0.1 is taken" in fault
    assert not (folder / "conderis.sqlite3").exists()


def test_a_second_server_on_the_port_of_a_first_is_refused(folder: Path) -> None:
    with serving(folder) as server:
        fault = manage("serve", "--port", str(server.port), folder=folder).fault

    assert "is taken" in fault


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_an_address_that_is_not_this_machines_is_refused(folder: Path, host: str) -> None:
    assert host in refused(folder, "--host", host)


def test_a_data_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    fault = refused(tmp_path / "file" / "data", CONDERIS_SECRET_KEY="x" * 40)

    assert "cannot be written (Not a directory)" in fault
    assert "CONDERIS_DATA" in fault
    assert refused(tmp_path / "file" / "data") == fault


@obeys_modes
@pytest.mark.parametrize("secret", ["", "x" * 40])
def test_a_data_folder_that_may_not_be_written_is_refused(folder: Path, secret: str) -> None:
    folder.mkdir(mode=0o555)

    fault = manage("serve", folder=folder, wrapper=AS_ANYBODY, CONDERIS_SECRET_KEY=secret).fault

    assert f"The data folder {folder} cannot be written (Permission denied)" in fault


@obeys_modes
def test_a_database_that_may_only_be_read_is_refused(set_up: Path) -> None:
    (set_up / "conderis.sqlite3").chmod(0o444)

    fault = manage("serve", "--port", str(free_port()), folder=set_up, wrapper=AS_ANYBODY).fault

    assert "is read-only" in fault


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(folder: Path) -> None:
    folder.mkdir()
    file = folder / "conderis.sqlite3"
    file.write_text("not a database, but somebody's notes\n" * 100)

    fault = refused(folder)

    assert "is no SQLite database" in fault
    assert str(file) in fault
    assert file.read_text().startswith("not a database")


def test_a_database_newer_than_the_code_is_refused_and_left_as_it_is(set_up: Path) -> None:
    with sqlite3.connect(set_up / "conderis.sqlite3") as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('items', '9999_of_tomorrow', '2027-01-01')"
        )

    fault = refused(set_up)

    assert "made by a newer version of Conderis" in fault
    assert "items.9999_of_tomorrow" in fault


def test_every_other_command_refuses_a_newer_database_too(set_up: Path) -> None:
    with sqlite3.connect(set_up / "conderis.sqlite3") as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('accounts', '9999_of_tomorrow', '2027-01-01')"
        )

    for arguments in (["quickstart"], ["sign_in_link", "owner"], ["revoke_key", "x"]):
        assert "newer version" in manage(*arguments, folder=set_up).fault


def test_a_postgresql_that_does_not_answer_is_refused_without_its_password(
    folder: Path,
) -> None:
    address = f"postgresql://conderis:hush-hush@127.0.0.1:{free_port()}/conderis"

    fault = refused(folder, DATABASE_URL=address)

    assert "cannot be reached" in fault
    assert "refused" in fault
    assert "hush" not in fault


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("CONDERIS_PORT", "http", "whole number from 1 to 65535"),
        ("CONDERIS_PORT", "70000", "whole number from 1 to 65535"),
        ("CONDERIS_WORKERS", "0", "whole number from 1 to 64"),
        ("CONDERIS_CORS", "maybe", "on or off"),
        ("CONDERIS_SECRET_KEY", "short", "at least 32 characters"),
        ("CONDERIS_URL", "memory.example.com", "https://memory.example.com"),
        ("DATABASE_URL", "mysql://localhost/x", "PostgreSQL"),
    ],
)
def test_a_bad_setting_is_refused_by_every_command(
    folder: Path, name: str, value: str, said: str
) -> None:
    for command in ("serve", "migrate"):
        fault = manage(command, folder=folder, **cast("dict[str, Any]", {name: value})).fault

        assert name in fault
        assert said in fault


@pytest.mark.parametrize("option", [("--port", "0"), ("--port", "x"), ("--workers", "65")])
def test_a_bad_option_is_refused_like_a_bad_setting(folder: Path, option: tuple[str, str]) -> None:
    fault = manage("serve", *option, folder=folder).fault

    assert f"{option[0]} must be a whole number" in fault


def test_a_refused_start_in_json_is_an_object_and_the_line(folder: Path) -> None:
    bad_setting = manage("serve", "--json", folder=folder, CONDERIS_PORT="x")
    no_host = manage("serve", "--json", "--host", "192.0.2.1", folder=folder)

    for ended in (bad_setting, no_host):
        assert ended.code == 1
        assert ended.json["error"] == "unavailable"
        assert ended.json["message"] == ended.err.strip()


def test_commands_on_a_folder_without_a_database_say_what_to_do_first(folder: Path) -> None:
    fault = manage("add_person", "ada", "--email", "ada@example.org", folder=folder).fault

    assert "make run" in fault
    assert "ada@" not in fault
