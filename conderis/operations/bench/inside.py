"""What a bench does in the trial's own database: seed it, count statements. Prints JSON.

Run as `python -m conderis.operations.bench.inside STAGE NUMBERS`, in the environment of a
trial: first the stage `alone SMALL`, then `beside LARGE OTHERS SMALL CLIENTS`.
"""

import os
import sys
import time
from dataclasses import asdict

import django

from conderis.common.json import JsonObject, compact

SMALL, LARGE = "small", "shop"


def alone(small: int) -> JsonObject:
    """Make the small project: its `seeded` values, and how many `seconds` it took."""
    # Models can be imported only when Django has been set up.
    from conderis.operations.bench.seeding import in_bulk, seed  # noqa: PLC0415
    from conderis.operations.database import prepared_database  # noqa: PLC0415

    with prepared_database():
        began = time.perf_counter()
        with in_bulk():
            seeded = seed(small, name=SMALL)
        return {"seeded": asdict(seeded), "seconds": time.perf_counter() - began}


def beside(large: int, others: int, small: int, clients: int) -> JsonObject:
    """Make the large project and the others, and count.

    The `seeded` values of the large one, the `seconds` that making took, the `queries` by
    row, the `cookie` (a secret) of the person who looks at pages, the `pageQueries` by page,
    and the `keys` (secrets) of so many clients.
    """
    from conderis.operations.bench.counting import count_queries  # noqa: PLC0415
    from conderis.operations.bench.looking import count_page_queries, signed_in  # noqa: PLC0415
    from conderis.operations.bench.pages import addresses  # noqa: PLC0415
    from conderis.operations.bench.seeding import in_bulk, more_keys, seed  # noqa: PLC0415
    from conderis.operations.database import prepared_database  # noqa: PLC0415

    with prepared_database():
        began = time.perf_counter()
        with in_bulk():
            seeded = seed(large, name=LARGE)
            for place in range(1, others + 1):
                seed(small, name=f"other-{place}")
        seconds = time.perf_counter() - began
        queries = {row: len(statements) for row, statements in count_queries(seeded).items()}
        client, cookie = signed_in()
        by_page = count_page_queries(client, addresses(asdict(seeded)))
        return {
            "seeded": asdict(seeded),
            "seconds": seconds,
            "queries": queries,
            "cookie": cookie,
            "pageQueries": by_page,
            "keys": more_keys(clients),
        }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conderis.settings")
    django.setup()
    stage, numbers = sys.argv[1], [int(each) for each in sys.argv[2:]]
    sys.stdout.write(compact(alone(*numbers) if stage == "alone" else beside(*numbers)))
