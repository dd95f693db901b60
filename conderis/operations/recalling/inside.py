"""What a bench of recall does in the trial's own database. Prints JSON.

Run as `python -m conderis.operations.recalling.inside FILE` (or `-` for no file), or with
`--scale MEMORIES`, in the environment of a trial.
"""

import os
import sys
from pathlib import Path

import django

from conderis.common.json import JsonObject, compact


def measure(file: str) -> JsonObject:
    """The figures with a focus (None without a file), without one, and of similar."""
    # Models can be imported only when Django has been set up.
    from conderis.operations.database import prepared_database  # noqa: PLC0415
    from conderis.operations.recalling.measuring import measure_recall  # noqa: PLC0415
    from conderis.operations.retrieval.dataset import read_conversations  # noqa: PLC0415

    conversations = read_conversations(Path(file)) if file != "-" else []
    with prepared_database():
        return measure_recall(conversations)


def measure_scale(memories: int) -> JsonObject:
    """What recall and similar take among so many memories."""
    # Models can be imported only when Django has been set up.
    from conderis.operations.database import prepared_database  # noqa: PLC0415
    from conderis.operations.recalling.scaling import time_recall  # noqa: PLC0415

    with prepared_database():
        return time_recall(memories)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conderis.settings")
    django.setup()
    what, *more = sys.argv[1:]
    answer = measure_scale(int(more[0])) if what == "--scale" else measure(what)
    sys.stdout.write(compact(answer))
