#!/usr/bin/env python3
"""Link commits to the tasks that their messages name, over the REST API of Conderis.

A line at the end of a commit message says which task (a git trailer, one or several):

    Rotate the signing key

    Task: #12

The server never reads commit messages: this reads them, where the repository is, and sends the
task its whole list of commits. It needs Python 3.8 and git, nothing else. As a hook:

    cp docs/examples/link_commits_hook.py .git/hooks/post-commit
    chmod +x .git/hooks/post-commit
    git config conderis.url https://memory.example.com
    git config conderis.project alice/shop
    export CONDERIS_KEY=cndr_…   # an agent key with the scopes read and write

In a job of a CI server, for what was pushed (amended commits are then left out):

    python3 link_commits_hook.py "$BEFORE..$AFTER"

CONDERIS_URL and CONDERIS_PROJECT in the environment come before git's settings. The exit code
is 1 where something could not be linked, which git does not mind after a commit.
"""

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
NUMBER = re.compile(r"#?([1-9][0-9]{0,8})$")


class NotLinked(Exception):
    """What kept a commit from being linked, in one line."""


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
        except (urllib.error.URLError, TimeoutError, ValueError) as error:
            raise NotLinked(f"the server does not answer: {error}") from None


def _message(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(error)["message"])
    except (ValueError, KeyError):
        return f"the server answers {error.code}"


def git(*words: str) -> str:
    """What a git command prints."""
    line = ["git", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False)  # noqa: S603 - git
    return done.stdout.strip()


def named_tasks(commits: str) -> Iterator[tuple[str, int]]:
    """Each commit with each task that its message names, the oldest first."""
    for sha in git("rev-list", "--reverse", *commits.split()).split():
        said = git("log", "-1", "--format=%(trailers:key=Task,valueonly)", sha)
        for line in said.splitlines():
            found = NUMBER.match(line.strip())
            if found:
                yield sha, int(found.group(1))


def setting(name: str) -> str:
    """A setting from the environment, else from git.

    Raises:
        NotLinked: there is none.
    """
    value = os.environ.get(f"CONDERIS_{name.upper()}") or git("config", f"conderis.{name}")
    if not value:
        raise NotLinked(f"set CONDERIS_{name.upper()}, or git config conderis.{name}")
    return value


def main(arguments: list[str]) -> int:
    """Link the commits of a range, without one the last commit."""
    commits = arguments[0] if arguments else "-1 HEAD"
    failed = 0
    try:
        wanted = list(named_tasks(commits))
        server = None
        for sha, number in wanted:
            server = server or Server(setting("url"), setting("project"), setting("key"))
            if server.link(number, sha):
                sys.stdout.write(f"conderis: {sha[:10]} is linked to #{number}\n")
    except NotLinked as error:
        sys.stderr.write(f"conderis: not linked: {error}\n")
        failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
