"""The settings of the database, made of its address."""

from pathlib import Path

import pytest
from django.db import connection

from conderis.common.databases import database

ADDRESS = "postgresql://who@example.com/store"


def options_of(url: str) -> str:
    found: str = database(url, folder=Path("unused"), connections=4)["OPTIONS"]["options"]
    return found


OURS = "-c jit=off -c random_page_cost=1.1"


@pytest.mark.no_database
def test_postgresql_is_told_how_to_plan() -> None:
    assert options_of(ADDRESS) == OURS


@pytest.mark.no_database
def test_what_the_address_says_itself_comes_last_and_so_counts() -> None:
    assert options_of(f"{ADDRESS}?options=-c%20jit%3Don") == f"{OURS} -c jit=on"


def test_the_server_compiles_no_statement_of_ours(db: None) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite compiles none")

    with connection.cursor() as cursor:
        cursor.execute("SHOW jit")
        (jit,) = cursor.fetchone()

    assert jit == "off"
