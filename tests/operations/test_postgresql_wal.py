"""The commands of docs/operating.md empty PostgreSQL's write-ahead log of what was erased.

On a server of its own, since they change what holds for a whole server.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.running import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not os.environ.get("CONDERIS_TEST_POSTGRES_LOG"), reason="for PostgreSQL of the checks"
    ),
]
MARKER = "XQZMARKERXQZ"
FILL = """
INSERT INTO kept SELECT 'WORD' || repeat(md5(random()::text), 20) FROM generate_series(1, 30000)
"""
_START = 'source .ci/postgres.sh; postgres_start "$1" >/dev/null && echo "$POSTGRES_URL"'
_STOP = 'source .ci/postgres.sh; postgres_folder="$1"; postgres_stop'
_PSQL = 'source .ci/postgres.sh; "$(postgres_programs)/psql" --no-psqlrc --quiet "$1"'


def bash(script: str, argument: str, *, said: str | None = None) -> str:
    ended = subprocess.run(
        ["bash", "-c", script, "bash", argument],
        cwd=ROOT,
        input=said,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return ended.stdout


@dataclass(frozen=True, slots=True)
class Cluster:
    folder: Path
    superuser: str

    def run(self, statements: str) -> None:
        bash(_PSQL, self.superuser, said=f"\\set ON_ERROR_STOP on\n{statements}")

    @property
    def marked(self) -> list[str]:
        """The files that hold the marker."""
        files = [path for path in (self.folder / "data").rglob("*") if path.is_file()]
        return [path.name for path in files if MARKER.encode() in path.read_bytes()]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    # Not below pytest's own folder: the database's user must be let through to its own.
    above = Path(tempfile.mkdtemp(prefix="conderis-wal-"))
    above.chmod(0o711)
    folder = above / "postgres"
    url = bash(_START, str(folder)).strip()
    try:
        yield Cluster(folder, url.replace("conderis@", "postgres@"))
    finally:
        bash(_STOP, str(folder))
        shutil.rmtree(above, ignore_errors=True)


def documented() -> str:
    text = (ROOT / "docs" / "operating.md").read_text()
    blocks = re.findall(r"<<'SQL'\n(.*?)^    SQL$", text, re.DOTALL | re.MULTILINE)
    (found,) = [block for block in blocks if "wal_recycle = off" in block]
    return str(found)


def test_the_documented_commands_leave_no_segment_with_what_was_erased(cluster: Cluster) -> None:
    cluster.run("CREATE TABLE kept (word text)")
    for _ in range(2):  # over several segments, some of them filled anew
        cluster.run(f"{FILL.replace('WORD', MARKER)}; CHECKPOINT")
    cluster.run("TRUNCATE kept; CHECKPOINT")
    assert cluster.marked != []

    cluster.run(documented())

    assert cluster.marked == []
