"""Reading settings: what is taken, and that all else is refused with its name."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conderis.common.data_folder import generated_secret
from conderis.common.databases import database
from conderis.common.environment import (
    DECLARED,
    BadSetting,
    as_choice,
    as_hosts,
    as_list,
    as_origin,
    as_switch,
    as_whole_number,
    host_of,
    read,
)

pytestmark = pytest.mark.no_database


def test_an_unset_empty_or_blank_setting_has_its_default() -> None:
    default = DECLARED["CONDERIS_PORT"].default

    for environ in ({}, {"CONDERIS_PORT": ""}, {"CONDERIS_PORT": "  "}):
        assert read(environ, "CONDERIS_PORT") == default
    assert read({"CONDERIS_PORT": " 9 "}, "CONDERIS_PORT") == "9"


@pytest.mark.parametrize(("text", "value"), [("on", True), ("YES", True), ("0", False)])
def test_a_switch_is_on_or_off(text: str, value: object) -> None:
    assert as_switch("X", text) is value


def test_a_list_is_parted_by_commas() -> None:
    assert as_list(" a, b ,,c ") == ["a", "b", "c"]


@pytest.mark.parametrize(
    "host",
    ["localhost", "memory.example.com", "[::1]", "192.0.2.7", ".example.com", "*", "my_host"],
)
def test_host_names_are_taken(host: str) -> None:
    assert as_hosts("X", host) == [host]


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://Memory.Example.com", "https://memory.example.com"),
        ("https://memory.example.com/", "https://memory.example.com"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("https://memory.example.com:443", "https://memory.example.com"),
        ("http://memory.example.com:80", "http://memory.example.com"),
        ("https://memory.example.com:80", "https://memory.example.com:80"),
    ],
)
def test_an_origin_is_scheme_and_host(text: str, origin: str) -> None:
    assert as_origin("X", text) == origin


def test_the_host_of_an_origin_is_as_hosts_are_listed() -> None:
    assert host_of("http://[::1]:8000") == "[::1]"
    assert host_of("https://memory.example.com:8443") == "memory.example.com"


@pytest.mark.parametrize(
    "read_it",
    [
        lambda: as_whole_number("SETTING", "1.5", least=1, most=9),
        lambda: as_whole_number("SETTING", "10", least=1, most=9),
        lambda: as_whole_number("SETTING", "", least=1, most=9),
        lambda: as_switch("SETTING", "maybe"),
        lambda: as_choice("SETTING", "loud", allowed=["info", "error"]),
        lambda: as_hosts("SETTING", "localhost,http://memory.example.com"),
        lambda: as_hosts("SETTING", "localhost:8000"),
        lambda: as_hosts("SETTING", "a b"),
        lambda: as_origin("SETTING", "memory.example.com"),
        lambda: as_origin("SETTING", "ftp://memory.example.com"),
        lambda: as_origin("SETTING", "https://"),
        lambda: as_origin("SETTING", "https://memory.example.com/path"),
        lambda: as_origin("SETTING", "https://memory.example.com?x"),
        lambda: as_origin("SETTING", "https://host:port"),
        lambda: as_origin("SETTING", "https://[::1"),
    ],
)
def test_every_other_value_is_refused_in_one_line_with_the_name(
    read_it: Callable[[], object],
) -> None:
    with pytest.raises(BadSetting) as refused:
        read_it()

    assert str(refused.value).startswith("SETTING must ")
    assert "\n" not in str(refused.value)


def test_a_password_in_an_address_is_refused_without_being_repeated() -> None:
    with pytest.raises(BadSetting) as refused:
        as_origin("SETTING", "https://ada:hush-hush@example.com")

    assert "hush" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        *("nonsense", "mysql://h/n", "postgresql://user:hush@h", "postgresql://u:hush@h:x/n"),
        *("sqlite://", "sqlite://:memory:", "postgresql://u:hush@[::1/n"),
    ],
)
def test_an_address_of_no_usable_database_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(BadSetting) as refused:
        database(url, folder=Path(), connections=1)

    assert "DATABASE_URL" in str(refused.value)
    assert "hush" not in str(refused.value)


def test_sqlite_waits_for_locks_and_wipes_what_it_deletes() -> None:
    options = database("", folder=Path("folder"), connections=1)["OPTIONS"]

    assert options["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in options["init_command"]
    assert "secure_delete=ON" in options["init_command"]
    assert "foreign_keys=ON" in options["init_command"]


def test_postgresql_gets_a_pool_of_as_many_connections_as_it_may_hold() -> None:
    found = database("postgresql://u:p@h/n?sslmode=require", folder=Path(), connections=7)

    assert found["OPTIONS"]["pool"]["max_size"] == 7
    assert found["OPTIONS"]["sslmode"] == "require"


def test_the_secret_is_made_once_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"

    first = generated_secret(folder)

    assert len(first) >= 32
    assert generated_secret(folder) == first
    assert [path.name for path in folder.iterdir()] == ["secret-key"]


@pytest.mark.parametrize("damage", [b"", b"short", b"\xff" * 40])
def test_a_damaged_secret_is_refused_and_not_replaced(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "secret-key").write_bytes(damage)

    with pytest.raises(BadSetting, match="secret-key"):
        generated_secret(tmp_path)

    assert (tmp_path / "secret-key").read_bytes() == damage
