#!/usr/bin/env python3
"""Link commits to the tasks that their messages name, over the REST API of Conderis.

A line at the end of a commit message says which task, or which ones (a git trailer):

    Rotate the signing key

    Task: #12, #13

The server never reads commit messages: this reads them, where the repository is, and sends the
task its whole list of commits. It needs Python 3.8 and git, nothing else. As a hook:

    cp docs/examples/link_commits_hook.py .git/hooks/post-commit
    chmod +x .git/hooks/post-commit
    git config conderis.url https://memory.example.com
    git config conderis.project alice/shop
    export CONDERIS_KEY=cndr_…   # an agent key with the scopes read and write

In a job of a CI server, for what was pushed (amended commits are then left out):

    python3 link_commits_hook.py "$BEFORE..$AFTER"

On a new branch $BEFORE is all zeros, which is no commit: name the branch that it came from, as
origin/main.."$AFTER".

CONDERIS_URL and CONDERIS_PROJECT in the environment come before git's settings. The exit code
is 1 where something could not be linked, which git does not mind after a commit; the other
tasks are linked all the same.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

TRIES = 8  # when others change the same task
SECONDS = 10  # to wait for an answer
NUMBER = re.compile(r"#?([1-9][0-9]{0,8})\Z")
ADDRESS = re.compile(r"https?://[^/\s]")


class NotLinked(Exception):
    """What kept a commit from being linked, in one line."""


class NoServer(NotLinked):
    """Nobody answers, so that nothing else can be linked either."""


class Server:
    """The project's tasks on the server."""

    def __init__(self, url: str, project: str, key: str) -> None:
        place = urllib.parse.quote(project, safe="")
        self.items = f"{url.rstrip('/')}/api/v1/projects/{place}/items"
        self.key = key

    def read(self, number: int) -> dict[str, Any]:
        """The task as it stands."""
        _, answer = self._ask("GET", number, None)
        return answer

    def link(self, number: int, sha: str) -> bool:
        """Add the commit to the task's list; False where it is there already."""
        for _ in range(TRIES):
            task = self.read(number)
            shas = [each["sha"] for each in task.get("commits", [])]
            if sha in shas:
                return False
            change = {"version": task["version"], "fields": {"commits": [*shas, sha]}}
            status, _ = self._ask("PATCH", number, change)
            if status != 409:
                return True
            # Somebody changed the task since it was read: read it again.
        raise NotLinked(f"#{number} is changed all the time by others")

    def _ask(self, method: str, number: int, body: Any) -> tuple[int, dict[str, Any]]:
        data = json.dumps(body).encode() if body is not None else None
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = urllib.request.Request(  # noqa: S310 - the address is the user's own
            f"{self.items}/{number}", data=data, headers=headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as response:  # noqa: S310 - as above
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            if error.code == 409:
                return 409, {}
            raise NotLinked(f"#{number}: {_message(error)}") from None
        except OSError as error:
            raise NoServer(f"the server does not answer: {error}") from None
        except (http.client.HTTPException, ValueError) as error:
            # Its words may hold the key.
            raise NoServer(f"no answer can be read ({type(error).__name__})") from None


def _message(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(error)["message"])
    except (ValueError, KeyError, TypeError):
        return f"the server answers {error.code}"


def git(*words: str) -> str:
    """What a git command prints.

    Raises:
        NotLinked: it failed; the refusal has the first line that git said.
    """
    line = ["git", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False)  # noqa: S603 - git
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["it says nothing"]
        raise NotLinked(f"git {words[0]}: {said[0]}")
    return done.stdout.strip()


def named_tasks(commits: str) -> Iterator[tuple[str, str]]:
    """Each commit with each task that its message names, as it names it, the oldest first."""
    for sha in git("rev-list", "--reverse", *commits.split(), "--").split():
        said = git("log", "-1", "--format=%(trailers:key=Task,valueonly)", sha)
        for line in said.splitlines():
            for word in re.split(r"[,\s]+", line):
                if word:
                    yield sha, word


def number_of(word: str) -> int:
    """The number of a task.

    Raises:
        NotLinked: it is none.
    """
    found = NUMBER.match(word)
    if found is None:
        raise NotLinked(f"{word!r} is no task; name it by its number, as Task: #12")
    return int(found.group(1))


def setting(name: str) -> str:
    """A setting from the environment, else from git.

    Raises:
        NotLinked: there is none.
    """
    value = os.environ.get(f"CONDERIS_{name.upper()}", "").strip()
    # With a default, since git calls it a failure where there is none.
    value = value or git("config", "--default", "", "--get", f"conderis.{name}")
    if not value:
        raise NotLinked(f"set CONDERIS_{name.upper()}, or git config conderis.{name}")
    return value


def configured() -> Server:
    """The server of the settings.

    Raises:
        NotLinked: a setting is missing, or its address is none.
    """
    url = setting("url")
    if not ADDRESS.match(url):
        raise NotLinked("CONDERIS_URL must begin with https:// or http://, and name a host")
    return Server(url, setting("project"), setting("key"))


def linked(server: Server, wanted: list[tuple[str, str]]) -> int:
    """Link each commit to each task that it names; 1 where one could not be, else 0.

    Raises:
        NoServer: nobody answers.
    """
    failed = 0
    for sha, word in wanted:
        try:
            number = number_of(word)
            if server.link(number, sha):
                sys.stdout.write(f"conderis: {sha[:10]} is linked to #{number}\n")
        except NoServer:
            raise
        except NotLinked as error:
            sys.stderr.write(f"conderis: {sha[:10]} is not linked: {error}\n")
            failed = 1
    return failed


def main(arguments: list[str]) -> int:
    """Link the commits of a range, without one the last commit."""
    try:
        wanted = list(named_tasks(arguments[0] if arguments else "-1 HEAD"))
        return linked(configured(), wanted) if wanted else 0
    except NotLinked as error:
        sys.stderr.write(f"conderis: not linked: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
