"""A first session over MCP: notes and tasks of other tools go in, work is done, recalled.

    .venv/bin/python docs/examples/tour.py FOLDER [--mode legacy]

Run it beside a server (`make run`), with the settings of that server: address and key come
from `manage.py quickstart --json`, where not from --url and --key. FOLDER holds
`basic-memory-notes/` (Markdown notes with front matter) and `task-master-tasks.json`;
`docs/examples/files` is a small one. Every run makes a project of its own.
"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from httpx2 import AsyncClient, HTTPError, InvalidURL
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

ROOT = Path(__file__).resolve().parent.parent.parent
FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n?", re.DOTALL)
STATUSES = {"pending": "open", "done": "done", "in-progress": "in_progress"}
PRIORITIES = {"high": "high", "medium": "normal", "low": "low"}


@dataclass
class Session:
    """An open connection, with counts of what was called and refused."""

    client: Client
    project: str = ""
    calls: int = 0
    refused: list[dict[str, Any]] = field(default_factory=list)

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool; a refusal is noted and answered as it is."""
        self.calls += 1
        result = await self.client.call_tool(tool, arguments)
        text = "".join(block.text for block in result.content if block.type == "text")
        if result.is_error:
            refusal: dict[str, Any] = json.loads(text)
            self.refused.append(refusal)
            return refusal
        return text if tool == "recall" else json.loads(text)

    async def here(self, tool: str, **arguments: Any) -> Any:
        """Call a tool in the tour's project."""
        return await self.call(tool, projectId=self.project, **arguments)


def say(text: str) -> None:
    """Print a line of what was done."""
    sys.stdout.write(text + "\n")


def counted(number: int, one: str, more: str = "") -> str:
    """The number with the right form of what is counted."""
    return f"{number} {one if number == 1 else more or one + 's'}"


class CannotGo(Exception):
    """The tour cannot be done; the message is one clear line."""


@dataclass(frozen=True)
class Note:
    """A Markdown note with what its front matter says."""

    title: str
    tags: list[str]
    about_person: bool
    content: str


def read_notes(folder: Path) -> Iterator[Note]:
    """The notes below a folder, in the order of their paths."""
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        found = FRONT_MATTER.match(text)
        front = (
            dict(re.findall(r"^(\w+):[ \t]*(.+)$", found.group(1), re.MULTILINE)) if found else {}
        )
        content = text[found.end() :] if found else text
        heading = re.search(r"^# (.+)$", content, re.MULTILINE)
        title = front.get("title") or (heading.group(1) if heading else path.stem)
        tags = [tag.strip() for tag in front.get("tags", "").strip("[]").split(",") if tag.strip()]
        yield Note(title, tags, front.get("type") == "Person", content.strip())


async def store_notes(session: Session, notes: list[Note]) -> None:
    """Notes about people become memories, the others pages."""
    stored = {"memory": 0, "page": 0}
    for note in notes:
        kind = "memory" if note.about_person else "page"
        fields: dict[str, Any] = {"title": note.title, "content": note.content, "tags": note.tags}
        if kind == "memory":
            fields |= {"type": "reference", "visibility": "shared"}
        answer = await session.here("item_store", kind=kind, fields=fields)
        if answer.get("outcome") == "published":
            stored[kind] += 1
            say(f"  #{answer['number']} {kind}: {note.title}")
        else:
            say(f"  not stored, {note.title}: {answer['message']}")
    total = stored["memory"] + stored["page"]
    memories = counted(stored["memory"], "memory", "memories")
    say(f"Stored {counted(total, 'note')}: {memories}, {counted(stored['page'], 'page')}.")


async def store_tasks(session: Session, contexts: dict[str, Any]) -> list[int]:
    """The tasks of every context, each context under a task of its own."""
    numbers: list[int] = []
    for context, holding in contexts.items():
        top = await session.here("item_store", kind="task", fields={"title": f"Context {context}"})
        known: dict[int, int] = {}
        for task in holding["tasks"]:
            fields = {
                "title": task["title"],
                "content": "\n\n".join(filter(None, (task["description"], task.get("details")))),
                "status": STATUSES[task["status"]],
                "priority": PRIORITIES[task["priority"]],
                "tags": [context],
                "parent": top["number"],
            }
            answer = await session.here("item_store", kind="task", fields=fields)
            known[task["id"]] = answer["number"]
        for task in holding["tasks"]:
            before = [known[each] for each in task["dependencies"] if each in known]
            missing = [each for each in task["dependencies"] if each not in known]
            if before:
                await session.here(
                    "item_store", number=known[task["id"]], fields={"dependsOn": before}
                )
            waits = "".join(f", waits for #{each}" for each in before)
            lost = "".join(f", its dependency {each} is not in the file" for each in missing)
            say(f"  #{known[task['id']]} {task['title']}{waits}{lost}")
        numbers += known.values()
    say(f"Stored {counted(len(numbers), 'task')}.")
    return numbers


async def work(session: Session) -> None:
    """List, make a subtask, claim, block, unblock, complete, search, recall."""
    listed = await session.here("item_list", kind="task", filter={"ready": True})
    say(f"Ready tasks: {listed['total']}.")
    entry = next(each for each in listed["items"] if "parent" in each)
    parent, number = entry["number"], entry["number"]
    subtask = await session.here(
        "item_store", kind="task", fields={"title": "Write the tests first", "parent": parent}
    )
    say(f"  #{subtask['number']} is a subtask of #{parent}.")
    claimed = await session.here(
        "item_action", number=number, action="claim", version=entry["version"]
    )
    say(f"  claimed #{number} (version {claimed['version']}), holder {claimed['holder']['name']}.")
    blocked = await session.here(
        "item_action", number=number, action="block", version=claimed["version"],
        reason="Waits for the review of the voices",
    )  # fmt: skip
    say(f"  blocked #{number}: {blocked['blockedReason']}.")
    freed = await session.here(
        "item_action", number=number, action="unblock", version=blocked["version"]
    )
    done = await session.here(
        "item_action", number=number, action="complete", version=freed["version"],
        fields={"summary": "Works on three platforms"},
    )  # fmt: skip
    say(f"  completed #{number}; still active below it: {done.get('activeSubtasks', [])}.")
    for kind, query in (("memory", "programmer"), ("page", "front matter"), ("task", "command")):
        more = {"filter": {"includeClosed": True}} if kind == "task" else {}
        found = await session.here("item_list", kind=kind, query=query, **more)
        titles = ", ".join(f"#{each['number']} {each['title']}" for each in found["items"][:3])
        say(f"Search {kind} for {query}: {found['total']} ({titles}).")


async def tour(notes: list[Note], contexts: dict[str, Any], url: str, key: str, mode: str) -> int:
    """The whole session; answers the number of refused calls."""
    async with AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=30) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode) as client:
            session = Session(client)
            tools = await client.list_tools()
            say(f"Connected at {client.protocol_version}: {len(tools.tools)} tools.")
            name = f"tour-{int(time.time())}"
            made = await session.call("project_store", fields={"name": name})
            session.project = made["name"]
            say(f"Project {session.project}.")
            await store_notes(session, notes)
            await store_tasks(session, contexts)
            await work(session)
            text = await session.here("recall", focus="text to speech", maxChars=2000)
            say(f"Recall in {len(text)} characters:\n{text}")
            say(f"{counted(session.calls, 'call')}, {len(session.refused)} refused.")
            return len(session.refused)


def read_folder(folder: Path) -> tuple[list[Note], dict[str, Any]]:
    """The notes and the tasks of the folder.

    Raises:
        CannotGo: one of them is missing or cannot be read.
    """
    notes, tasks = folder / "basic-memory-notes", folder / "task-master-tasks.json"
    for needed, there in ((notes, notes.is_dir()), (tasks, tasks.is_file())):
        if not there:
            raise CannotGo(f"{needed} is missing; docs/examples/files has what FOLDER must hold.")
    try:
        return list(read_notes(notes)), json.loads(tasks.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CannotGo(f"{folder} cannot be read: {error}") from error


def ask_quickstart() -> dict[str, str]:
    """Address and key of this machine's own server.

    Raises:
        CannotGo: the command was refused.
    """
    command = [sys.executable, str(ROOT / "manage.py"), "quickstart", "--json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603  # own command
    if done.returncode:
        raise CannotGo(f"quickstart was refused: {done.stderr.strip()}")
    answer: dict[str, str] = json.loads(done.stdout)
    return answer


async def check_server(url: str, key: str) -> None:
    """Go on only where an MCP server takes the key.

    Raises:
        CannotGo: nothing answers at the address, or it refuses the key.
    """
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {
        "Authorization": f"Bearer {key}",
        "Accept": "application/json, text/event-stream",
    }
    try:
        async with AsyncClient(headers=headers, timeout=30) as http:
            answer = await http.post(url, json=ping)
    except (HTTPError, InvalidURL, ValueError) as error:
        raise CannotGo(
            f"No server answers at {url}. Start one with `make run`; the tour needs its "
            "settings, or --url and --key."
        ) from error
    if answer.status_code == 401:
        raise CannotGo(f"The server at {url} refuses the key. `manage.py quickstart` prints one.")
    if answer.status_code in (404, 405):
        raise CannotGo(f"There is no MCP server at {url}; its address ends with /mcp.")


def go(folder: Path, url: str | None, key: str | None, mode: str) -> int:
    """Read the folder, ask quickstart where no key is given, and do the tour."""
    notes, contexts = read_folder(folder)
    if not (url and key):
        start = ask_quickstart()
        url, key = url or start["mcp"], key or start["key"]
    asyncio.run(check_server(url, key))
    return asyncio.run(tour(notes, contexts, url, key, mode))


def main() -> None:
    """Read the command line, and go."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--url")
    parser.add_argument("--key")
    parser.add_argument("--mode", choices=("auto", "legacy", "2026-07-28"), default="auto")
    chosen = parser.parse_args()
    try:
        refused = go(chosen.folder, chosen.url, chosen.key, chosen.mode)
    except CannotGo as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
