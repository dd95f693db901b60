"""PostgreSQL before it is used: reached, new enough, UTF-8, and writable."""

import psycopg
from django.db import connection

from conderis.common.databases import CONNECT_SECONDS
from conderis.operations.faults import Fault

OLDEST_POSTGRESQL = 15
# Texts are parameters of statements (`conderis.common.databases`).
_LOGGED = """
SELECT name FROM (
    SELECT 'log_parameter_max_length_on_error' AS name
    WHERE current_setting('log_parameter_max_length_on_error') <> '0'
    UNION ALL
    SELECT 'log_statement' WHERE current_setting('log_statement') IN ('mod', 'all')
        AND current_setting('log_parameter_max_length') <> '0'
    UNION ALL
    SELECT name FROM unnest(ARRAY['log_min_duration_statement', 'log_min_duration_sample']) AS name
    WHERE current_setting(name) <> '-1' AND current_setting('log_parameter_max_length') <> '0'
) AS found
"""


def check_server(place: str) -> None:
    """Go on only with a server that can be used; `place` names it in what is said.

    Asks once, directly: the pool would go on trying and say so in the log.

    Raises:
        Fault: it does not answer, or is not as Conderis needs it.
    """
    params = {"connect_timeout": CONNECT_SECONDS, **connection.get_connection_params()}
    try:
        with psycopg.connect(**params, autocommit=True) as probe:
            version = probe.info.server_version // 10000
            encoding = probe.info.parameter_status("server_encoding")
            read_only = probe.execute("SHOW transaction_read_only").fetchone()
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise Fault(f"{place} cannot be reached ({reason}). Check DATABASE_URL.") from error
    if version < OLDEST_POSTGRESQL:
        raise Fault(
            f"{place} is PostgreSQL {version}; Conderis needs {OLDEST_POSTGRESQL} or newer."
        )
    if encoding != "UTF8":
        raise Fault(f"{place} has the encoding {encoding}; it must be UTF8.")
    if read_only is not None and read_only[0] == "on":
        raise Fault(f"{place} is read-only. Conderis needs to write to it.")


def settings_that_log_texts() -> list[str]:
    """The settings by which PostgreSQL writes stored texts into its log."""
    with connection.cursor() as cursor:
        cursor.execute(_LOGGED)
        return [name for (name,) in cursor.fetchall()]
