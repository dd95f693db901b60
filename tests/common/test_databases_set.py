"""The databases that the environment names: pool, replica, and what cannot be used."""

from pathlib import Path
from typing import Any

import pytest

from conderis.common.databases import REPLICA, databases, limit_statements
from conderis.common.environment import BadSetting

pytestmark = pytest.mark.no_database
ADDRESS = "postgresql://who:hidden@example.com/store"
COPY = "postgresql://reader:hidden@copy.example.com/store"


def found(monkeypatch: pytest.MonkeyPatch, **environment: str) -> dict[str, dict[str, Any]]:
    for name in ("DATABASE_URL", "DATABASE_REPLICA_URL", "CONDERIS_DB_CONNECTIONS"):
        monkeypatch.setenv(name, environment.get(name, ""))
    return databases(folder=Path("unused"), threads=6)


def test_a_worker_holds_a_connection_for_each_thread_and_some_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = found(monkeypatch, DATABASE_URL=ADDRESS)
    set_to = found(monkeypatch, DATABASE_URL=ADDRESS, CONDERIS_DB_CONNECTIONS="3")

    assert usual.keys() == {"default"}
    assert usual["default"]["OPTIONS"]["pool"]["max_size"] == 10
    assert set_to["default"]["OPTIONS"]["pool"]["max_size"] == 3


def test_a_replica_is_only_read_and_soon_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    replica = found(monkeypatch, DATABASE_URL=ADDRESS, DATABASE_REPLICA_URL=COPY)[REPLICA]

    assert replica["HOST"] == "copy.example.com"
    assert "default_transaction_read_only=on" in replica["OPTIONS"]["options"]
    assert replica["OPTIONS"]["pool"]["timeout"] <= 2


@pytest.mark.parametrize(
    "environment",
    [
        {"DATABASE_REPLICA_URL": COPY},
        {"DATABASE_URL": ADDRESS, "DATABASE_REPLICA_URL": "sqlite:////folder/file"},
        {"DATABASE_URL": ADDRESS, "DATABASE_REPLICA_URL": "mysql://who:hidden@example.com/x"},
    ],
)
def test_what_can_be_no_replica_is_refused_by_name_and_without_its_password(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    with pytest.raises(BadSetting, match="DATABASE_REPLICA_URL") as refused:
        found(monkeypatch, **environment)

    assert "hidden" not in str(refused.value)


def test_statements_are_limited_only_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = found(monkeypatch, DATABASE_URL=ADDRESS)["default"]
    assert "statement_timeout" not in settings["OPTIONS"]["options"]

    limit_statements(settings, seconds=30)

    assert settings["OPTIONS"]["options"].endswith("-c statement_timeout=30000")
