"""PostgreSQL's own programs: found, new enough, and run without a password in sight."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from django.db import connection
from psycopg.pq import Conninfo

from conderis.common.text import cut_at_word
from conderis.operations.faults import Fault

_DEBIAN = Path("/usr/lib/postgresql")
_QUOTED = 300


def find_program(name: str, *, server: int) -> str:
    """Where a program of PostgreSQL is that can talk to a server of this major version.

    The one of the PATH, else the newest one of Debian's folders.

    Raises:
        Fault: there is none, or none new enough.
    """
    found: list[tuple[int, str]] = []
    for path in _places(name):
        version = _version(path)
        if version >= server:
            return path
        found.append((version, path))
    if not found:
        raise Fault(
            f"{name} is not installed here. Install PostgreSQL's client programs, version "
            f"{server} or newer (Debian: apt-get install postgresql-client)."
        )
    raise Fault(
        f"{name} is version {max(found)[0]} here, older than the server ({server}). Install "
        f"PostgreSQL's client programs, version {server} or newer."
    )


def connection_arguments() -> tuple[list[str], dict[str, str]]:
    """How a program connects as Django does: its arguments, and its whole environment.

    What libpq takes from the environment goes there, the password with it: everybody on the
    machine may read a command line.
    """
    params = {
        name: str(value)
        for name, value in connection.get_connection_params().items()
        if isinstance(value, str | int) and not isinstance(value, bool)
    }
    environment = dict(os.environ)
    rest = []
    for option in Conninfo.get_defaults():
        keyword = option.keyword.decode()
        if keyword not in params:
            continue
        if option.envvar:
            environment[option.envvar.decode()] = params[keyword]
        elif keyword != "password":
            rest.append(f"{keyword}={_quoted(params[keyword])}")
    return ([f"--dbname={' '.join(rest)}"] if rest else []), environment


def run(program: Sequence[str], *, environment: dict[str, str]) -> None:
    """Run a program to its end, without input.

    Raises:
        Fault: it failed; the fault has the last line that it said.
    """
    ended = subprocess.run(  # noqa: S603 - PostgreSQL's own
        program,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if ended.returncode != 0:
        raise Fault(f"{Path(program[0]).name} failed: {last_line(ended.stderr)}")


def last_line(said: str) -> str:
    """The last line that a program said, cut short."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return cut_at_word(lines[-1], _QUOTED) if lines else "it said nothing."


def _places(name: str) -> list[str]:
    found = [path for path in [shutil.which(name)] if path]
    folders = [folder for folder in _DEBIAN.glob("*/bin") if (folder / name).exists()]
    folders.sort(key=lambda folder: _number(folder.parent.name), reverse=True)
    return found + [str(folder / name) for folder in folders]


def _version(path: str) -> int:
    try:
        said = subprocess.run(  # noqa: S603 - PostgreSQL's own
            [path, "--version"], capture_output=True, text=True, check=False, timeout=20
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    match = re.search(r"\(PostgreSQL\) (\d+)", said)
    return int(match[1]) if match else 0


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
