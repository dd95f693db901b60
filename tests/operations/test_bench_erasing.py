"""The bench of erasing, small."""

import json
import subprocess
import sys

import pytest

from conderis.operations.bench.erasing_report import PARTS, table
from tests.running import ROOT

WAITS = ("longest wait of a reader", "longest wait of a writer")


@pytest.mark.slow
def test_erasing_is_timed_with_the_waits_of_others_and_ends_with_nothing_left() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "bench_erasing", "--items", "200", "--json"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    for measured in answer["databases"].values():
        assert measured["left"] == 0
        assert measured["items"] == 201
        for part in PARTS:
            assert set(measured[part]) == {"seconds", *WAITS}
            assert all(0 <= value < 60 for value in measured[part].values())
    assert next(table(answer)).startswith("200 items")
