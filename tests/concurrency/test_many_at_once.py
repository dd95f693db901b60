"""Several agents at once, through several worker processes, on the real endpoint."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from tests.concurrency.inside import inside
from tests.running import Running, call, running

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running(workers=2) as started:
        yield started


@pytest.fixture(scope="module")
def made(server: Running) -> dict[str, Any]:
    with inside(server) as asked:
        people: dict[str, Any] = asked.ask("people", owners=10, contributors=0)
        return people


@pytest.fixture(scope="module")
def project(made: dict[str, Any]) -> str:
    return str(made["project"])


@pytest.fixture(scope="module")
def keys(made: dict[str, Any]) -> list[str]:
    """Of ten agents of the owner, `owner 0` to `owner 9`."""
    return list(made["owners"])


def shared(kind: str, title: str) -> dict[str, Any]:
    return {"title": title} | ({"visibility": "shared"} if kind == "memory" else {})


@pytest.mark.parametrize("kind", ["memory", "task", "page"])
def test_two_agents_creating_twenty_each_lose_and_double_nothing(
    server: Running, project: str, keys: list[str], kind: str
) -> None:
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
    server: Running, project: str, keys: list[str]
) -> None:
    by_name = {f"owner {n}": key for n, key in enumerate(keys)}

    async def claim_all() -> tuple[list[dict[str, Any]], dict[str, Any]]:
        async with server.client(keys[0]) as first:
            task = await call(first, "item_store", kind="task", projectId=project,
                              fields={"title": "Wanted"})  # fmt: skip

        async def claim(key: str) -> dict[str, Any]:
            async with server.client(key) as client:
                return await call(client, "item_action", projectId=project,
                                  number=task["number"], action="claim", version=1)  # fmt: skip

        answers = await asyncio.gather(*map(claim, keys))
        winner = next(answer["holder"]["name"] for answer in answers if "outcome" in answer)
        return answers, await claim(by_name[winner])

    answers, again = asyncio.run(claim_all())

    won = [answer for answer in answers if answer.get("outcome") == "done"]
    lost = [answer for answer in answers if answer.get("error") == "conflict"]
    assert (len(won), len(lost)) == (1, 9)
    assert {answer["holder"]["name"] for answer in lost} == {won[0]["holder"]["name"]}
    assert all(answer["since"] for answer in lost)
    assert again["outcome"] == "unchanged"


def test_of_ten_that_ask_for_the_next_task_and_claim_it_one_gets_it(
    server: Running, keys: list[str]
) -> None:
    async def race() -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
        async with server.client(keys[0]) as first:
            await call(first, "project_store", fields={"name": "one-task"})
            before = await call(first, "item_store", kind="task", projectId="owner/one-task",
                                fields={"title": "Comes first", "status": "blocked"},
                                reason="It waits.")  # fmt: skip
            for fields in (
                {"title": "The next task"},
                {"title": "Waits", "dependsOn": [before["number"]]},
            ):
                await call(first, "item_store", kind="task", projectId="owner/one-task",
                           fields=fields)  # fmt: skip

        async def next_task(key: str) -> tuple[dict[str, Any], dict[str, Any] | None]:
            async with server.client(key) as client:
                ready = await call(client, "item_list", kind="task", projectId="owner/one-task",
                                   filter={"ready": True}, limit=1)  # fmt: skip
                for task in ready["items"]:
                    found = await call(client, "item_get", projectId="owner/one-task",
                                       number=task["number"])  # fmt: skip
                    return task, await call(
                        client, "item_action", projectId="owner/one-task", action="claim",
                        number=task["number"], version=found["version"],
                    )  # fmt: skip
            return {}, None

        answers = await asyncio.gather(*map(next_task, keys))
        seen = [task for task, answer in answers if answer is not None]
        late = [task for task, _ in [await next_task(keys[0])] if task]
        return seen, [answer for _, answer in answers if answer is not None], late

    seen, answers, late = asyncio.run(race())

    won = [answer for answer in answers if answer.get("outcome") == "done"]
    lost = [answer for answer in answers if answer.get("outcome") != "done"]
    assert {task["title"] for task in seen} == {"The next task"}
    assert len(won) == 1
    for answer in lost:
        assert answer["error"] == "conflict"
        assert answer["holder"]["name"] == won[0]["holder"]["name"]
        assert answer["since"]
    assert late == []


def test_changes_at_once_lose_none_and_each_loser_is_told(
    server: Running, project: str, keys: list[str]
) -> None:
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

        answers = await asyncio.gather(*(change(n, key) for n, key in enumerate(keys[:8])))
        await asyncio.gather(*(append(n, key) for n, key in enumerate(keys[:8])))
        async with server.client(keys[0]) as client:
            return answers, await call(client, "item_get", projectId=project, number=number)

    answers, page = asyncio.run(race())

    assert sorted(answer.get("error", "ok") for answer in answers) == ["conflict"] * 7 + ["ok"]
    assert page["version"] == 10
    assert sorted(page["content"].splitlines()[1:]) == [f"line {n}" for n in range(8)]


@pytest.mark.parametrize(("kind", "field"), [("page", "parent"), ("task", "dependsOn")])
def test_two_moves_at_once_never_meet_in_a_circle(
    server: Running, project: str, keys: list[str], kind: str, field: str
) -> None:
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


def test_two_pages_of_one_title_at_once_become_one(
    server: Running, project: str, keys: list[str]
) -> None:
    async def race() -> list[str]:
        async def create(key: str) -> dict[str, Any]:
            async with server.client(key) as client:
                return await call(client, "item_store", kind="page", projectId=project,
                                  fields={"title": "The one title"})  # fmt: skip

        answers = await asyncio.gather(*map(create, keys[:6]))
        return sorted(answer.get("error", "ok") for answer in answers)

    assert asyncio.run(race()) == ["conflict"] * 5 + ["ok"]
