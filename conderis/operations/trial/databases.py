"""A PostgreSQL database for a trial, made beside the one in use and dropped after it."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
from django.db import connection
from psycopg import sql

from conderis.common.databases import CONNECT_SECONDS
from conderis.operations.database import database_place
from conderis.operations.faults import Fault


@contextmanager
def trial_database() -> Iterator[str]:
    """The address of an empty database on the server of DATABASE_URL; "" for SQLite.

    Raises:
        Fault: the server cannot be reached, or this user may create no database there.
    """
    if connection.vendor != "postgresql":
        yield ""
        return
    name = f"conderis_trial_{secrets.token_hex(6)}"
    _run(sql.SQL("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE template0"), name)
    try:
        yield urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
    finally:
        _run(sql.SQL("DROP DATABASE {} WITH (FORCE)"), name)


def _run(statement: sql.SQL, name: str) -> None:
    params = {**connection.get_connection_params(), "connect_timeout": CONNECT_SECONDS}
    try:
        with psycopg.connect(**params, autocommit=True) as server:
            server.execute(statement.format(sql.Identifier(name)))
    except psycopg.Error as error:
        said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise Fault(
            f"{database_place()}: no database for a trial can be made or dropped beside it "
            f"({said}). Its user needs the right to create databases."
        ) from error
