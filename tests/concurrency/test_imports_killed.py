"""A server that dies in the midst of an import: started again, it goes on and doubles nothing."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from tests.running import ROOT, START_SECONDS, Running, call, running

pytestmark = pytest.mark.slow

TASKS = 800
# As a person leaves an import who has begun, looked at and started it.
BEGIN = f"""
from exchange.models import Import, ImportFile
from projects.models import Project
from tests.exchange.jobs_world import beads

project = Project.objects.get()
made = Import.objects.create(
    project=project, person=project.owner_person, importer="beads", name="issues.jsonl",
    state="running", total={TASKS},
)
ImportFile.objects.create(
    of=made, content=beads(*(f"Buoy {{each}}" for each in range({TASKS})))
)
"""
END = """
from exchange.models import Import, ImportFile

ended = Import.objects.get()
made = ended.report.get("made", {}).get("task", 0)
print(ended.state, made, ended.report.get("known", 0), ImportFile.objects.count())
"""
COUNT = """
from items.models import Item

items = Item.objects.filter(title__startswith="Buoy")
print(items.count(), len(set(items.values_list("title", flat=True))))
"""


def in_shell(server: Running, command: str) -> str:
    """Run a piece of Python with the settings of the server; what it prints."""
    line = [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "--command", command]
    done = subprocess.run(
        line, env=server.environment, capture_output=True, text=True, check=False,
        timeout=START_SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_after_a_kill_in_its_midst_an_import_goes_on_and_each_item_is_there_once() -> None:
    with running() as server:
        project = server.command("quickstart")["project"]
        key = server.command("add_key", "owner", "--name", "mover")["key"]

        async def total() -> int:
            async with server.client(key) as client:
                found = await call(client, "item_list", kind="task", projectId=project)
            return int(found["total"])

        def until(fits: Callable[[], bool]) -> None:
            deadline = time.monotonic() + START_SECONDS
            while not fits():
                assert time.monotonic() < deadline
                time.sleep(0.1)

        server.stop()
        in_shell(server, BEGIN)
        server.start()
        until(lambda: asyncio.run(total()) > 20)
        server.stop(signal.SIGKILL)
        server.start()
        left = asyncio.run(total())
        # The claim of the process that died runs out first.
        until(lambda: not in_shell(server, END).startswith("running"))

        state, made, known, files = in_shell(server, END).split()
        assert 20 < left < TASKS
        assert (state, int(made) + int(known), files) == ("done", TASKS, "0")
        assert int(known) >= TASKS // 40
        assert in_shell(server, COUNT).split() == [str(TASKS)] * 2
