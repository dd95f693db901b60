"""The bench of importing, small."""

import json
import subprocess
import sys

import pytest

from conderis.operations.bench.importing_report import table
from tests.running import ROOT

MOST_MS = 6  # of CPU an item, as promised; a small import takes less
MOST_MB = 64


@pytest.mark.slow
def test_importing_is_measured_and_keeps_within_what_is_promised() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "bench_import", "--items", "600", "--json"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    for measured in answer["databases"].values():
        assert measured["items"] == measured["known"] == 600
        assert 0 < measured["cpuAnItem"] < MOST_MS
        assert measured["memoryGrowth"] < MOST_MB
        assert set(measured["waits"]) == {"reader", "writer"}
    assert next(table(answer)).startswith("600 items")
