"""What was laid out, kept in this process's memory for some minutes; on no disk.

The key is made of the text itself. So only who has been given the text by its door finds
what became of it, and nothing of a text that was changed, locked or erased is ever served.
"""

from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from threading import Lock
from typing import Final

from cachetools import TTLCache
from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils.translation import get_language

from conderis.web.markdown.values import Rendered
from privacy.models import Erasure

KEPT_SECONDS: Final = 300
MOST_KEPT: Final = 8_000_000
"""Characters of HTML in all; what was not asked for longest goes first."""
ENTRY: Final = 1_000
"""Characters that an entry counts beside its HTML: it has a key and headings."""
FORMAT: Final = 1
"""Of what is kept. It changes with what a text becomes."""

Key = tuple[int, str | None, int, bytes]


def size_of(rendered: Rendered) -> int:
    """What an entry counts, in characters."""
    return len(rendered.html) + ENTRY


_kept: TTLCache[Key, Rendered] = TTLCache(MOST_KEPT, ttl=KEPT_SECONDS, getsizeof=size_of)
_lock = Lock()


def kept(text: str, base_level: int, *, make: Callable[[str, int], Rendered]) -> Rendered:
    """What `make` makes of the text, from memory where it was made within five minutes."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).digest()
    key = (FORMAT, get_language(), base_level, digest)
    with _lock:
        _kept.expire()  # else what nobody asks for again would stay
        found = _kept.get(key)
    if found is None:
        found = make(text, base_level)
        with _lock, suppress(ValueError):  # larger than all that is kept
            _kept[key] = found
    return found


def forget_all() -> None:
    """Drop all that is kept in this process."""
    with _lock:
        _kept.clear()


@receiver(post_save, sender=Erasure)
def _forget_with_the_erased(**_sent: object) -> None:
    transaction.on_commit(forget_all)
