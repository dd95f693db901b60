"""A server that dies in the midst of batches: sent again, nothing is lost and nothing doubled."""

import asyncio
import signal
from typing import Any

import pytest

from tests.running import call, running

pytestmark = pytest.mark.slow

BATCHES, ITEMS = 6, 40


def batch(number: int) -> dict[str, Any]:
    return {
        "idempotencyKey": f"move {number}",
        "items": [
            {"key": f"k{place}", "kind": kind, "fields": {"title": f"{number} {place}"}}
            for place in range(ITEMS)
            for kind in (("task", "page")[place % 2],)
        ],
    }


def test_after_a_kill_in_the_midst_the_same_batches_sent_again_are_there_once() -> None:
    with running(workers=2) as server:
        project = server.command("quickstart")["project"]
        key = server.command("add_key", "owner", "--name", "mover")["key"]

        async def send(number: int) -> dict[str, Any] | None:
            try:
                async with server.client(key) as client:
                    return await call(client, "item_store", projectId=project,
                                      batch=batch(number))  # fmt: skip
            except Exception:  # noqa: BLE001 - the connection was cut, in one of many ways
                return None

        async def cut_off() -> None:
            sending = [asyncio.create_task(send(number)) for number in range(BATCHES)]
            await asyncio.wait(sending, return_when=asyncio.FIRST_COMPLETED, timeout=10)
            server.stop(signal.SIGKILL)
            await asyncio.gather(*sending)

        async def again() -> list[dict[str, Any] | None]:
            return [await send(number) for number in range(BATCHES) for _ in range(2)]

        asyncio.run(cut_off())
        server.start()
        answers = asyncio.run(again())

        async def count() -> list[int]:
            async with server.client(key) as client:
                lists = [
                    await call(client, "item_list", kind=kind, projectId=project)
                    for kind in ("task", "page")
                ]
            return [each["total"] for each in lists]

        numbers = [
            [each["number"] for each in answer["items"]] for answer in answers if answer is not None
        ]
        assert len(numbers) == 2 * BATCHES
        assert numbers[0::2] == numbers[1::2]
        given = sorted(number for each in numbers[0::2] for number in each)
        assert len(set(given)) == BATCHES * ITEMS
        assert given[-1] - given[0] == BATCHES * ITEMS - 1
        assert sum(asyncio.run(count())) >= BATCHES * ITEMS
