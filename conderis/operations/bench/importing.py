"""What importing many issues costs, and how long readers and writers wait meanwhile.

Run as `python -m conderis.operations.bench.importing ITEMS`, in the environment of a trial or
on a database that nobody needs: it fills it. Prints JSON.
"""

import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import django

from conderis.common.json import JsonObject, compact
from conderis.operations.bench.erasing import waiting

BESIDE = 1_000  # items of the import beside which others read and write
_WORDS = "queue order ship index number label parser socket review thread".split()  # noqa: SIM905


def measure(items: int) -> JsonObject:
    """CPU of this process an item, growth of its memory, and the longest waits of others.

    The CPU is that of reading, checking and writing, without what the database server does
    where there is one.
    """
    # Models can be imported only when Django has been set up.
    from django.db import connection  # noqa: PLC0415

    from conderis.operations.database import prepared_database  # noqa: PLC0415
    from conderis.operations.hygiene.seeding import owner  # noqa: PLC0415
    from exchange.importers.registry import importer_named  # noqa: PLC0415
    from exchange.sources import source_of_path  # noqa: PLC0415
    from exchange.writing.running import Order, run_import  # noqa: PLC0415
    from projects.services import create_project  # noqa: PLC0415

    with prepared_database(), tempfile.TemporaryDirectory() as folder:
        caller = owner()
        importer = importer_named("github")
        orders = [
            Order(
                create_project(caller, fields={"name": name}).public_id,
                importer,
                source_of_path(_issues(Path(folder) / f"{name}.json", many)),
            )
            for name, many in (("first", 200), ("large", items), ("beside", min(items, BESIDE)))
        ]
        run_import(caller, orders[0])  # what is loaded once is loaded then
        before, begun = _resident(), time.process_time()
        report = run_import(caller, orders[1])
        spent = time.process_time() - begun
        grown = _resident() - before
        begun = time.process_time()
        again = run_import(caller, orders[1])
        known = time.process_time() - begun
        with waiting() as waits:
            run_import(caller, orders[2])
        return {
            "database": connection.vendor,
            "items": sum(report.made.values()),
            "known": again.known,
            "cpuAnItem": round(spent / items * 1000, 2),
            "cpuAnItemKnown": round(known / items * 1000, 2),
            "memoryGrowth": round(grown / 1024, 1),
            "waits": {name: round(seconds, 3) for name, seconds in waits.items()},
        }


def _resident() -> int:
    """The most memory that this process has had so far, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _issues(path: Path, many: int) -> Path:
    """A file of issues as GitHub's API answers them."""
    chance = Random(7)  # noqa: S311 - nothing secret
    with path.open("w") as file:
        file.write("[")
        for number in range(1, many + 1):
            body = " ".join(chance.choices(_WORDS, k=120))
            issue = {
                "id": number,
                "number": number,
                "url": f"https://api.github.com/repos/a/b/issues/{number}",
                "repository_url": "https://api.github.com/repos/a/b",
                "html_url": f"https://github.com/a/b/issues/{number}",
                "title": f"Issue {number} of the {chance.choice(_WORDS)}",
                "state": chance.choice(["open", "closed"]),
                "body": f"{body}\n\nSee #{chance.randint(1, many)}.",
                "user": {"login": f"user{number % 9}"},
                "labels": [{"name": chance.choice(_WORDS)}],
                "assignees": [],
                "created_at": "2024-03-01T10:00:00Z",
                "updated_at": "2024-04-01T10:00:00Z",
            }
            file.write(("," if number > 1 else "") + json.dumps(issue))
        file.write("]")
    return path


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conderis.settings")
    django.setup()
    sys.stdout.write(compact(measure(int(sys.argv[1]))))
