"""The hook of the docs, in a real repository, against a real server."""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.running import ROOT, Running, running

pytestmark = pytest.mark.slow

HOOK = ROOT / "docs" / "examples" / "link_commits_hook.py"


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as started:
        yield started


@dataclass(frozen=True, slots=True)
class Work:
    """A repository whose commits are linked to the tasks of a project."""

    folder: Path
    url: str
    key: str

    def git(self, *words: str) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            ["git", *words], cwd=self.folder, env=self.environment, capture_output=True,
            text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done

    @property
    def environment(self) -> dict[str, str]:
        names = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER")
                 for what in ("NAME", "EMAIL")}  # fmt: skip
        kept = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        return kept | names | {"HOME": str(self.folder), "CONDERIS_KEY": self.key}

    def commit(self, message: str) -> str:
        """The hash of a new commit."""
        return self.said_of(message)[0]

    def said_of(self, message: str) -> tuple[str, str]:
        """The hash of a new commit, and what the hook said."""
        done = self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD").stdout.strip(), done.stdout + done.stderr

    def api(self, method: str, path: str, body: Any = None) -> Any:
        request = urllib.request.Request(  # noqa: S310 - a server of the test's own
            f"{self.url}/api/v1{path}",
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 - as above
            return json.load(response)

    def commits_of(self, number: int) -> list[str]:
        task = self.api("GET", f"{self.items}/{number}")
        return [each["sha"] for each in task.get("commits", [])]

    @property
    def items(self) -> str:
        return f"/projects/{self.git('config', 'conderis.project').stdout.strip()}/items"


@pytest.fixture
def work(server: Running, tmp_path: Path) -> Work:
    """A repository with the hook, and a project of its own with two tasks."""
    key = server.command("quickstart")["key"]
    made = Work(tmp_path, f"http://localhost:{server.port}", key)
    project = made.api("POST", "/projects", {"fields": {"name": f"shop-{tmp_path.name[-12:]}"}})
    made.git("init", "--quiet")
    made.git("config", "conderis.url", made.url)
    made.git("config", "conderis.project", project["name"])
    for title in ("First", "Second"):
        made.api("POST", made.items, {"kind": "task", "fields": {"title": title}})
    target = tmp_path / ".git" / "hooks" / "post-commit"
    shutil.copy(HOOK, target)
    return made


def test_a_commit_is_linked_to_the_tasks_that_it_names(work: Work) -> None:
    none = work.commit("Nothing in particular, see #1")
    both = work.commit("Do it\n\nIt was time.\n\nTask: #1\nTask: 2")
    again, said = work.said_of("More\n\nTask: #1")

    assert work.commits_of(1) == [both, again]
    assert work.commits_of(2) == [both]
    assert none not in work.commits_of(1)
    assert f"{again[:10]} is linked to #1" in said


def test_a_task_that_is_not_there_keeps_no_commit_from_being_made(work: Work) -> None:
    _, said = work.said_of("Do it\n\nTask: #99")

    assert "not linked: #99" in said
    assert work.key not in said


def test_what_cannot_be_linked_keeps_nothing_else_from_it(work: Work) -> None:
    sha, said = work.said_of("Do it\n\nTask: #99\nTask: #1, CORE-7 #2\nTask: the other one")

    assert work.commits_of(1) == work.commits_of(2) == [sha]
    for word in ("#99", "'CORE-7'", "'other'"):
        assert f"{sha[:10]} is not linked: {word}" in said


@pytest.mark.parametrize("commits", [f"{'0' * 40}..HEAD", "nonsense..HEAD", "--nonsense"])
def test_a_range_that_is_none_is_told(work: Work, commits: str) -> None:
    work.commit("Do it\n\nTask: #1")

    done = run_by_hand(work, commits)

    assert done.returncode == 1
    assert done.stderr.startswith("conderis: not linked: git rev-list: ")


@pytest.mark.parametrize("url", ["memory.example.com", "localhost:8000", "https://", "ftp://a"])
def test_an_address_of_no_server_is_told(work: Work, url: str) -> None:
    work.commit("Do it\n\nTask: #1")

    done = run_by_hand(work, "-1 HEAD", CONDERIS_URL=url)

    assert done.returncode == 1
    assert "CONDERIS_URL must begin with https://" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_that_is_not_there_is_told_once(work: Work) -> None:
    work.commit("Do it\n\nTask: #1, #2")

    for more in ({"CONDERIS_URL": "http://localhost:1"}, {"CONDERIS_KEY": "cndr_a\nb"}):
        done = run_by_hand(work, "-1 HEAD", **more)

        assert done.returncode == 1
        assert done.stderr.count("not linked") == 1
        assert "Traceback" not in done.stderr
        assert "cndr_" not in done.stderr


def run_by_hand(work: Work, commits: str, **more: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(HOOK), commits], cwd=work.folder, env=work.environment | more,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_commits_that_are_linked_at_the_same_time_all_arrive(work: Work) -> None:
    hooks = work.folder / ".git" / "hooks" / "post-commit"
    hooks.unlink()
    shas = [work.commit(f"Step {step}\n\nTask: #1") for step in range(5)]

    linking = [
        subprocess.Popen(
            [sys.executable, str(HOOK), f"-1 {sha}"], cwd=work.folder, env=work.environment
        )
        for sha in shas
    ]

    assert [each.wait(120) for each in linking] == [0] * 5
    assert sorted(work.commits_of(1)) == sorted(shas)
