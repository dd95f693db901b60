"""How long and how often the tests of many at once go on, loaded as a plugin.

In a run of all tests they are short. `make soak` runs them in full; `--kills`, `--seconds` and
`--share` set single sizes.
"""

import os
from dataclasses import dataclass

import pytest


@dataclass(frozen=True, slots=True)
class Sizes:
    """Kills of the server, seconds of mixed work, the share of the full number of rows, and
    the most seconds that one write may take.
    """

    kills: int
    seconds: float
    share: float
    write_seconds: float
    full: bool


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("soak", "many at once, for long")
    group.addoption("--soak", action="store_true", help="In full: 200 kills (50 on PostgreSQL), "
                    "5 minutes of each work, all rows.")  # fmt: skip
    group.addoption("--kills", type=int, help="Kills of the server.")
    group.addoption("--seconds", type=float, help="Seconds of each mixed work.")
    group.addoption("--share", type=float, help="Share of the full number of rows, as 0.1.")


@pytest.fixture(scope="session")
def sizes(pytestconfig: pytest.Config) -> Sizes:
    """The sizes of this run."""
    full = bool(pytestconfig.getoption("soak"))
    on_postgresql = os.environ.get("DATABASE_URL", "").startswith("postgres")
    kills, seconds, share = pytestconfig.getoption("kills"), None, None
    seconds, share = pytestconfig.getoption("seconds"), pytestconfig.getoption("share")
    if kills is None:
        kills = 10 if not full else 50 if on_postgresql else 200
    return Sizes(
        kills=kills,
        seconds=seconds or (300 if full else 20),
        share=share or (1 if full else 0.06),
        # A busy machine takes its time; what waits for a lock that nobody gives takes longer.
        write_seconds=5 if full else 30,
        full=full,
    )
