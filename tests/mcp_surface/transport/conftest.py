from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker, Settings

from conderis.accounts.keys import mint_key
from conderis.accounts.models import Agent, AgentKey, Person
from tests.mcp_surface.transport.server import RunningServer, running_server


@pytest.fixture(autouse=True)
def in_this_thread(settings: Settings) -> None:
    """Tool calls see the test's transaction, and hosts are the default ones."""
    settings.MCP_THREAD_SENSITIVE = True
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]


@pytest.fixture
def stored_key(alice: Person) -> tuple[AgentKey, str]:
    """A key of alice's that lets everything through, and its text."""
    text = mint_key()
    agent = Agent.objects.create(person=alice, name="robo")
    row = AgentKey.objects.create(
        agent=agent,
        lookup=text.lookup,
        digest=text.digest,
        scopes=["read", "write", "delete", "review"],
    )
    return row, text.text


@pytest.fixture
def key(stored_key: tuple[AgentKey, str]) -> str:
    return stored_key[1]


@pytest.fixture(scope="session")
def server(
    tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Iterator[RunningServer]:
    """The product on a port of its own, with the person alice."""
    with django_db_blocker.unblock(), running_server(tmp_path_factory.mktemp("server")) as started:
        started.manage("add_person", "alice", "--email", "alice@example.org")
        yield started
