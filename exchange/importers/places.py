"""Where something stands in a source, in words for the report."""

from typing import Final

from conderis.common.secrets import find_secret
from exchange.importers.texts import cut

_SHOWN: Final = 60  # characters of a title


def named_place(place: str, title: str) -> str:
    """The place with the title behind it, unless that looks like a secret."""
    if not title or find_secret(title):
        return place
    return f"{place} ({cut(title, _SHOWN)[0]})"
