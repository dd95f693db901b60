"""Imports of the browser tests' world: one that waits for a yes, one that runs, one
done, one failed.

None of them makes an item, so that the lists of the project stay as they are.
"""

from datetime import timedelta

from django.test import override_settings
from django.utils import timezone

from conderis.common.caller import Caller
from exchange import jobs, running
from exchange.models import Import
from tests.exchange.jobs_world import beads

FILE = beads(
    "Pour the tea",
    "Ask the harbour master",
    "<b>bold</b> \"' {{ 7*7 }} " + "Kapitän" * 20,
    "",
    labels=["import", "x" * 60],
    description="Slowly, with the key AKIAIOSFODNN7EXAMPLE.",
)
CLEAN = beads("Tow the buoys home", "Paint them", "Bring them out", prefix="x")


def make_imports(owner: Caller, project: str) -> dict[str, str]:
    """The ids of the three, by their names in paths."""
    with override_settings(IMPORT_IN_BACKGROUND=False):
        upload = jobs.Upload(
            "harbour " + "long-name-" * 12 + ".jsonl", FILE + b"no json at all\n" + CLEAN
        )
        made = jobs.begin_import(owner, project, upload=upload)
        running.work_off()
    waiting = Import.objects.get(public_id=made.import_id)
    assert waiting.state == Import.State.CHECKED, waiting.report
    again = {"project": waiting.project, "person": waiting.person, "ended": timezone.now()}
    numbers = {str(old): old + 40 for old in range(1, 60)}
    ended = Import.objects.create(
        **again, importer="conderis", name="alice-tea-2026-11-01.jsonl", state="done",
        done=63, total=63,
        report={
            "made": {"task": 41, "page": 1, "memory": 17}, "known": 4, "tombstones": 2,
            "numbers": numbers, "differing": ["#4", "#9"],
            "leftOut": [{"place": f"line {line}", "reason": "It has no title."}
                        for line in range(3, 70)],
            "warnings": [{"place": "#12", "reason": "A tag of it was too long."}],
        },
    )  # fmt: skip
    failed = Import.objects.create(
        **again, importer="beads", name="x.jsonl", state="failed", done=20, total=40,
        report={"reason": running.NO_RIGHTS},
    )  # fmt: skip
    busy = Import.objects.create(
        project=waiting.project, person=waiting.person, importer="beads", name="buoys.jsonl",
        state="running", done=130, total=400,
        working_until=timezone.now() + timedelta(days=9),  # so that the server leaves it so
    )  # fmt: skip
    return {
        "busy_import": busy.public_id,
        "checked_import": waiting.public_id,
        "done_import": ended.public_id,
        "failed_import": failed.public_id,
    }
