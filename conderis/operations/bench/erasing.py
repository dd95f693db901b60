"""What erasing costs in a large project, and how long readers and writers wait meanwhile.

Run as `python -m conderis.operations.bench.erasing ITEMS`, in the environment of a trial or
on a database that nobody needs: it fills it. Prints JSON.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import django

from conderis.common.json import JsonObject, compact

PAUSE_SECONDS = 0.01


def measure(items: int) -> JsonObject:
    """Seconds of the transaction and of the clearing, and the longest waits in each."""
    # Models can be imported only when Django has been set up.
    from django.conf import settings  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    from conderis.accounts.authentication import caller_of_person  # noqa: PLC0415
    from conderis.accounts.models import Person  # noqa: PLC0415
    from conderis.common.caller import Surface  # noqa: PLC0415
    from conderis.operations.bench.seeding import HANDLE, in_bulk, seed  # noqa: PLC0415
    from conderis.operations.database import prepared_database  # noqa: PLC0415
    from items.requests import Address, DeletionCall  # noqa: PLC0415
    from privacy import clearing, deciding  # noqa: PLC0415
    from privacy.requesting import request_deletion  # noqa: PLC0415
    from projects.models import Project  # noqa: PLC0415

    settings.CLEAR_IN_BACKGROUND = False
    with prepared_database():
        if not Project.objects.filter(name="shop").exists():
            with in_bulk():
                seed(items)
        caller = caller_of_person(Person.objects.get(handle=HANDLE), Surface.WEB)
        project = Project.objects.get(name="shop")
        item = project.items.filter(locked_at=None, number__isnull=False).latest("number")
        call = DeletionCall(Address(project.path, number=item.number), reason="bench")
        ref = str(request_deletion(caller, call)["request"])
        with waiting() as waits:
            erasing = _seconds(lambda: _only_erase(deciding.erase, caller, ref))
            while_erasing = dict(waits)
            waits.update(reader=0.0, writer=0.0)
            clearing_seconds = _seconds(clearing.finish_erasures)
        return {
            "database": connection.vendor,
            "items": project.items.count(),
            "erasing": {"seconds": erasing, **_rounded(while_erasing)},
            "clearing": {"seconds": clearing_seconds, **_rounded(waits)},
            "left": clearing.count_unfinished(),
        }


def _only_erase(erase: Callable[..., object], caller: object, ref: str) -> None:
    """Erase, and leave the clearing for later: it is measured by itself."""
    from privacy import clearing  # noqa: PLC0415

    with clearing.put_off():
        erase(caller, ref)


@contextmanager
def waiting() -> Iterator[dict[str, float]]:
    """The longest time, so far, that one read and one write have taken beside the block."""
    waits, over = {"reader": 0.0, "writer": 0.0}, threading.Event()
    threads = [
        threading.Thread(target=_again_and_again, args=(name, work, waits, over))
        for name, work in (("reader", _read), ("writer", _write))
    ]
    for thread in threads:
        thread.start()
    try:
        yield waits
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _again_and_again(
    name: str, work: Callable[[], object], waits: dict[str, float], over: threading.Event
) -> None:
    from django.db import connection  # noqa: PLC0415

    while not over.wait(PAUSE_SECONDS):
        waits[name] = max(waits[name], _seconds(work))
    connection.close()


def _read() -> None:
    from items.models import Item, ItemEvent  # noqa: PLC0415

    list(Item.objects.order_by("-pk").values_list("title", "content")[:20])
    list(ItemEvent.objects.order_by("-pk").values_list("state")[:20])


def _write() -> None:
    from django.db import transaction  # noqa: PLC0415
    from django.utils import timezone  # noqa: PLC0415

    from items.models import Item  # noqa: PLC0415

    with transaction.atomic():
        Item.objects.filter(number=1).update(changed=timezone.now())


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return round(time.perf_counter() - began, 3)


def _rounded(waits: dict[str, float]) -> JsonObject:
    return {f"longest wait of a {name}": round(value, 3) for name, value in waits.items()}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conderis.settings")
    django.setup()
    sys.stdout.write(compact(measure(int(sys.argv[1]))) + "\n")
