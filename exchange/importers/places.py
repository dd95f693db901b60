"""Where something stands in a source, in words for the report."""

from typing import Final

from conderis.common.secrets import find_secret

_SHOWN: Final = 60  # characters of a title


def named_place(place: str, title: str) -> str:
    """The place with the title behind it, unless that looks like a secret."""
    if not title or find_secret(title):
        return place
    shown = title if len(title) <= _SHOWN else f"{title[: _SHOWN - 1].rstrip()}…"
    return f"{place} ({shown})"
