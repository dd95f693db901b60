from collections.abc import Iterator

import pytest

from tests.running import Running, running


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    """The product, serving with the account and the project of quickstart."""
    with running() as started:
        yield started


@pytest.fixture(scope="module")
def project(server: Running) -> str:
    name: str = server.command("quickstart")["project"]
    return name


@pytest.fixture(scope="module")
def key(server: Running, project: str) -> str:
    """A key of its own for this module's clients."""
    made: str = server.command("add_key", "owner", "--name", "foreign client")["key"]
    return made
