"""Lighthouse, which judges pages by rules of its own, run once on a list of them."""

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from tests.e2e import tools
from tests.e2e.pages import PAGES, Page

# What Lighthouse needs for one page, with room for a slow machine.
SECONDS = 40


@dataclass(frozen=True, slots=True)
class Target:
    """A page to judge: its address, and the `Cookie` header of who looks at it."""

    name: str
    url: str
    cookie: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Scores of 0 to 100 by category, the audits that failed, and where the page was found."""

    name: str
    scores: dict[str, int]
    failing: list[str]
    at: str


def pages_to_judge() -> list[Page]:
    """The short list; with LIGHTHOUSE=all every page that is no error page."""
    everything = os.environ.get("LIGHTHOUSE") == "all"
    return [page for page in PAGES if page.status == 200 and (everything or page.lighthouse)]


def judge(targets: Sequence[Target]) -> list[Verdict]:
    """What Lighthouse says of each."""
    asked = [{"name": each.name, "url": each.url, "cookie": each.cookie} for each in targets]
    # Not in a test's own folder: Chromium does not start where the path of its socket gets long.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        done = subprocess.run(
            [tools.node_path(), str(tools.NODE_FOLDER / "audit.mjs")],
            input=json.dumps(asked),
            env={
                "PATH": os.environ["PATH"],
                "HOME": folder,
                "TMPDIR": folder,
                "CHROMIUM": tools.chromium_path(),
                "FLAGS": json.dumps(["--headless=new", *tools.FLAGS]),
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=30 + SECONDS * len(targets),
        )
    assert done.returncode == 0, done.stderr
    return [Verdict(**json.loads(line)) for line in done.stdout.splitlines()]
