"""What a bench does in the trial's own database: seed it, count statements. Prints JSON.

Run as `python -m conderis.operations.bench.inside ITEMS`, in the environment of a trial.
"""

import os
import sys
from dataclasses import asdict

import django

from conderis.common.json import JsonObject, compact


def prepare(items: int) -> JsonObject:
    """Make the project and count.

    The `seeded` values, the `queries` by row, the `cookie` (a secret) of the person who
    looks at pages, and the `pageQueries` by page.
    """
    # Models can be imported only when Django has been set up.
    from conderis.operations.bench.counting import count_queries  # noqa: PLC0415
    from conderis.operations.bench.looking import count_page_queries, signed_in  # noqa: PLC0415
    from conderis.operations.bench.pages import addresses  # noqa: PLC0415
    from conderis.operations.bench.seeding import seed  # noqa: PLC0415
    from conderis.operations.database import prepared_database  # noqa: PLC0415

    with prepared_database():
        seeded = seed(items)
        queries = {row: len(statements) for row, statements in count_queries(seeded).items()}
        client, cookie = signed_in()
        by_page = count_page_queries(client, addresses(asdict(seeded)))
    return {
        "seeded": asdict(seeded),
        "queries": queries,
        "cookie": cookie,
        "pageQueries": by_page,
    }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conderis.settings")
    django.setup()
    sys.stdout.write(compact(prepare(int(sys.argv[1]))))
