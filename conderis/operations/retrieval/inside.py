"""What a retrieval bench does in the trial's own database. Prints JSON.

Run as `python -m conderis.operations.retrieval.inside FILE`, or with `--scale` and three
sizes instead of it, in the environment of a trial.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import django

from conderis.common.json import JsonObject, compact


def measure(path: Path) -> JsonObject:
    """The figures of the file's conversations and of the made-up names, on this database."""
    # Models can be imported only when Django has been set up.
    from conderis.operations.database import prepared_database  # noqa: PLC0415
    from conderis.operations.retrieval.asking import ask_all, ask_names  # noqa: PLC0415
    from conderis.operations.retrieval.dataset import read_conversations  # noqa: PLC0415
    from conderis.operations.retrieval.scoring import figures, names_found  # noqa: PLC0415

    with prepared_database():
        found = figures(ask_all(read_conversations(path)))
        return found | {"names": names_found(ask_names())}


def measure_sizes(sizes: Sequence[str]) -> JsonObject:
    """What a search takes among so many items, on this database."""
    # Models can be imported only when Django has been set up.
    from conderis.operations.database import prepared_database  # noqa: PLC0415
    from conderis.operations.retrieval.limits import Sizes  # noqa: PLC0415
    from conderis.operations.retrieval.scale import measure_scale  # noqa: PLC0415

    with prepared_database():
        return measure_scale(Sizes(*map(int, sizes)))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conderis.settings")
    django.setup()
    what, *more = sys.argv[1:]
    answer = measure_sizes(more) if what == "--scale" else measure(Path(what))
    sys.stdout.write(compact(answer))
