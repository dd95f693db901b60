"""What a hygiene bench does in the trial's own database. Prints JSON.

Run as `python -m conderis.operations.hygiene.inside ITEMS TIMES`, in a trial's environment.
"""

import os
import sys

import django

from conderis.common.json import JsonObject, compact


def measure(items: int, times: int) -> JsonObject:
    """The figures of a made-up project, on the database of this process."""
    # Models can be imported only when Django has been set up.
    from conderis.operations.database import prepared_database  # noqa: PLC0415
    from conderis.operations.hygiene.seeding import make_project, owner  # noqa: PLC0415
    from conderis.operations.hygiene.timing import timed  # noqa: PLC0415

    with prepared_database():
        caller = owner()
        return timed(caller, make_project(caller, items), times)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conderis.settings")
    django.setup()
    sys.stdout.write(compact(measure(int(sys.argv[1]), int(sys.argv[2]))))
