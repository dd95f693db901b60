"""How a text of the services is known again, whatever stands in its gaps."""

import re
from typing import Final

from django.utils.functional import Promise

_ITEM: Final = r"(?:#\d+|memory:\w+|instructions)"
_NAMED: Final = {
    "ITEM": rf"(?P<item>{_ITEM})",
    "OTHER": rf"(?P<other>{_ITEM})",
    "FIELD": r"(?P<field>[A-Za-z]+(?:\.[A-Za-z]+)?(?:\[\d+\])?(?:\.\w+)?)",
    "KIND": r"(?P<kind>[A-Za-z]+)",
    "COUNT": r"(?P<count>\d+)",
    "LIMIT": r"(?P<limit>\d+)",
    "NUMBER": r"(?P<number>\d+)",
    "REF": r"(?P<ref>[a-z]+:\w+)",
    "STATUS": r"(?P<status>[a-z_]+)",
    "NAME": r"(?P<name>.+)",
}


def rule(pattern: str, words: Promise) -> tuple[re.Pattern[str], Promise]:
    """A pattern in which names in capitals stand for what often occurs."""
    told = re.sub(r"<([A-Z]+)>", lambda found: _NAMED[found[1]], pattern)
    return re.compile(told, re.DOTALL), words
