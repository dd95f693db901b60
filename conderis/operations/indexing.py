"""The search index brought in order before anything is answered from it."""

from collections.abc import Callable

from items.search import is_complete, rebuild


def mend_index(say: Callable[[int], None]) -> int | None:
    """Rebuild the index where it is not whole: how many items it holds; None where it was.

    `say` is told after every 10,000 items how many there are so far. The caller holds
    `setup_lock`, so that of several starts one rebuilds and the others find it done.
    """
    return None if is_complete() else rebuild(say)
