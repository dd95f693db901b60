"""Clients that nobody here wrote, against the real server: a session's work from end to end."""

import asyncio

import pytest

from mcp_surface.tools import listed_tools
from tests.clients.sessions import BY_PROCESS, CLIENTS, Connect
from tests.running import Running

pytestmark = pytest.mark.slow

every_client = pytest.mark.parametrize("connect", CLIENTS.values(), ids=CLIENTS.keys())
over_http = pytest.mark.parametrize(
    "connect",
    [pytest.param(CLIENTS[name], id=name) for name in CLIENTS if not name.startswith(BY_PROCESS)],
)


@every_client
def test_a_client_lists_the_tools_stores_a_task_finds_it_and_reads_a_refusal(
    connect: Connect, server: Running, project: str, key: str, request: pytest.FixtureRequest
) -> None:
    title = f"Größe 😀 {request.node.callspec.id}"

    async def work() -> None:
        async with connect(server, key) as session:
            assert await session.tools() == [tool["name"] for tool in listed_tools()]

            stored = await session.call(
                "item_store", kind="task", projectId=project, fields={"title": title}
            )
            listed = await session.call("item_list", kind="task", projectId=project, limit=100)
            refused = await session.call(
                "item_store", kind="task", projectId=project, fields={"name": title}
            )
            recalled = await session.call("recall", projectId=project)

        assert stored.is_error is False
        assert stored.json["outcome"] == "published"
        shown = {entry["number"]: entry["title"] for entry in listed.json["items"]}
        assert shown[stored.json["number"]] == title
        assert refused.is_error is True
        assert refused.json["error"] == "invalid"
        assert "title" in refused.json["allowed"]
        assert title in recalled.text

    asyncio.run(work())


@over_http
def test_a_session_goes_on_after_the_server_was_started_anew(
    connect: Connect, server: Running, project: str, key: str, request: pytest.FixtureRequest
) -> None:
    title = f"Before {request.node.callspec.id}"

    async def work() -> None:
        async with connect(server, key) as session:
            stored = await session.call(
                "item_store", kind="task", projectId=project, fields={"title": title}
            )

            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)
            read = await session.call("item_get", projectId=project, number=stored.json["number"])

            assert await session.tools()
        assert read.json["title"] == title

    asyncio.run(work())
