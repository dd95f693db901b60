"""Several agents at once, through several worker processes, on the real endpoint."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from tests.running import Running, call, running

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running(workers=2) as started:
        yield started


@pytest.fixture(scope="module")
def project(server: Running) -> str:
    name: str = server.command("quickstart")["project"]
    return name


def shared(kind: str, title: str) -> dict[str, Any]:
    return {"title": title} | ({"visibility": "shared"} if kind == "memory" else {})


@pytest.mark.parametrize("kind", ["memory", "task", "page"])
def test_two_agents_creating_twenty_each_lose_and_double_nothing(
    server: Running, project: str, kind: str
) -> None:
    keys = [server.command("add_key", "owner", "--name", f"{kind} {n}")["key"] for n in range(2)]

    async def create_all() -> list[dict[str, Any]]:
        async with server.client(keys[0]) as one, server.client(keys[1]) as two:
            return await asyncio.gather(*(
                call(client, "item_store", kind=kind, projectId=project,
                     fields=shared(kind, f"{kind} {name} {number}"))
                for number in range(20)
                for name, client in (("one", one), ("two", two))
            ))  # fmt: skip

    async def read_back(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        async with server.client(keys[0]) as client:
            return [
                await call(client, "item_get", projectId=project, number=answer["number"],
                           history=True)
                for answer in answers
            ]  # fmt: skip

    answers = asyncio.run(create_all())
    histories = asyncio.run(read_back(answers))

    numbers = sorted(answer["number"] for answer in answers)
    assert [answer["outcome"] for answer in answers] == ["published"] * 40
    assert numbers == list(range(numbers[0], numbers[0] + 40))
    assert all([event["event"] for event in each["events"]] == ["created"] for each in histories)


def test_of_ten_claiming_one_task_exactly_one_wins_and_nine_learn_who(
    server: Running, project: str
) -> None:
    keys = {
        f"claimer {n}": server.command("add_key", "owner", "--name", f"claimer {n}")["key"]
        for n in range(10)
    }

    async def claim_all() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        async with server.client(keys["claimer 0"]) as first:
            task = await call(first, "item_store", kind="task", projectId=project,
                              fields={"title": "Wanted"})  # fmt: skip

        async def claim(key: str) -> dict[str, Any]:
            async with server.client(key) as client:
                return await call(client, "item_action", projectId=project,
                                  number=task["number"], action="claim", version=1)  # fmt: skip

        answers = await asyncio.gather(*map(claim, keys.values()))
        winner = next(answer["holder"]["name"] for answer in answers if "outcome" in answer)
        return answers, await claim(keys[winner])

    answers, again = asyncio.run(claim_all())

    won = [answer for answer in answers if answer.get("outcome") == "done"]
    lost = [answer for answer in answers if answer.get("error") == "conflict"]
    assert (len(won), len(lost)) == (1, 9)
    assert {answer["holder"]["name"] for answer in lost} == {won[0]["holder"]["name"]}
    assert all(answer["since"] for answer in lost)
    assert again["outcome"] == "unchanged"


def test_changes_at_once_lose_none_and_each_loser_is_told(server: Running, project: str) -> None:
    keys = [server.command("add_key", "owner", "--name", f"editor {n}")["key"] for n in range(8)]

    async def race() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        async with server.client(keys[0]) as first:
            page = await call(first, "item_store", kind="page", projectId=project,
                              fields={"title": "Raced", "content": "start"})  # fmt: skip
            number = page["number"]

        async def change(place: int, key: str) -> dict[str, Any]:
            async with server.client(key) as client:
                return await call(client, "item_store", projectId=project, number=number,
                                  version=1, fields={"content": f"by {place}"})  # fmt: skip

        async def append(place: int, key: str) -> dict[str, Any]:
            async with server.client(key) as client:
                return await call(client, "item_store", projectId=project, number=number,
                                  fields={"append": f"line {place}"})  # fmt: skip

        answers = await asyncio.gather(*(change(n, key) for n, key in enumerate(keys)))
        await asyncio.gather(*(append(n, key) for n, key in enumerate(keys)))
        async with server.client(keys[0]) as client:
            return answers, await call(client, "item_get", projectId=project, number=number)

    answers, page = asyncio.run(race())

    assert sorted(answer.get("error", "ok") for answer in answers) == ["conflict"] * 7 + ["ok"]
    assert page["version"] == 10
    assert sorted(page["content"].splitlines()[1:]) == [f"line {n}" for n in range(8)]


@pytest.mark.parametrize(("kind", "field"), [("page", "parent"), ("task", "dependsOn")])
def test_two_moves_at_once_never_meet_in_a_circle(
    server: Running, project: str, kind: str, field: str
) -> None:
    keys = [server.command("add_key", "owner", "--name", f"{kind} mover {n}")["key"]
            for n in range(2)]  # fmt: skip

    async def race(turn: int) -> list[str]:
        async with server.client(keys[0]) as one, server.client(keys[1]) as two:
            numbers = [
                (await call(one, "item_store", kind=kind, projectId=project,
                            fields={"title": f"{kind} {turn} {side}"}))["number"]
                for side in "ab"
            ]  # fmt: skip
            answers = await asyncio.gather(*(
                call(client, "item_store", projectId=project, number=numbers[side],
                     fields={field: numbers[1 - side] if field == "parent"
                             else [numbers[1 - side]]})
                for side, client in ((0, one), (1, two))
            ))  # fmt: skip
            return sorted(answer.get("error", "ok") for answer in answers)

    for turn in range(5):
        assert asyncio.run(race(turn)) == ["invalid", "ok"]


def test_two_pages_of_one_title_at_once_become_one(server: Running, project: str) -> None:
    keys = [server.command("add_key", "owner", "--name", f"titler {n}")["key"] for n in range(6)]

    async def race() -> list[str]:
        async def create(key: str) -> dict[str, Any]:
            async with server.client(key) as client:
                return await call(client, "item_store", kind="page", projectId=project,
                                  fields={"title": "The one title"})  # fmt: skip

        answers = await asyncio.gather(*map(create, keys))
        return sorted(answer.get("error", "ok") for answer in answers)

    assert asyncio.run(race()) == ["conflict"] * 5 + ["ok"]
