"""Which items name which numbers: `#12` in titles, summaries and texts.

Read anew each time, from the items with the latest change and of each the beginning of
its text, so that the cost stays bounded. Code is no mention, nor is `owner/name#12`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import BooleanField, Func, Q, QuerySet
from django.db.models.functions import Left

from conderis.common.prepared import Prepared
from items.hygiene.rows import shared_rows
from items.kinds.registry import all_kinds
from items.models import Item

MOST_ITEMS = 20_000  # with the latest change that are looked into
MOST_CHARS = 20_000  # of each text

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`", re.DOTALL)
# Six digits are as good as always a colour; no project comes to seven.
# The sign stands first, so that the search for it is fast; what stands before it, behind.
_NUMBER = re.compile(r"#(?<![\w/#&.\\-]#)([1-9][0-9]{0,4})(?![\w-]|\.\d)")


@dataclass(frozen=True, slots=True)
class Mentions:
    """The numbers that each item names, by its own number, and those of the instructions.

    `whole` says whether every item of the project was looked into.
    """

    by_number: Mapping[int, frozenset[int]]
    elsewhere: frozenset[int]
    whole: bool


class _NamesNumber(Func):
    """Whether a text holds `#` and a digit: spares loading the others."""

    arity = 1
    output_field = BooleanField()

    def as_sqlite(self, compiler: Any, connection: Any, **more: Any) -> Any:
        return self.as_sql(compiler, connection, template="%(expressions)s GLOB '*#[0-9]*'", **more)

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        # Most texts hold no sign at all, and looking for it is half the work of the pattern.
        template = "(strpos(%(expressions)s, '#') > 0 AND %(expressions)s ~ '#[0-9]')"
        return self.as_sql(compiler, connection, template=template, **more)


def numbers_in(text: str) -> frozenset[int]:
    r"""The numbers that a text names; code and escaped ones (`\#12`) left out."""
    return frozenset(map(int, _NUMBER.findall(without_code(text))))


def without_code(text: str) -> str:
    """The text with a blank for each piece of code."""
    return _CODE.sub(" ", text) if "`" in text or "~~~" in text else text


def read_mentions(project: int, live: frozenset[int], *, whole: bool) -> Mentions:
    """What the items with `live` numbers name, in one query; all or those changed last."""
    found: dict[int, frozenset[int]] = {}
    elsewhere: frozenset[int] = frozenset()
    for number, *texts in _texts(whole=whole).rows(project=project):
        named = numbers_in("\n".join(texts))
        if number is None:
            elsewhere |= named
        elif number in live and named:
            found[number] = named - {number}
    return Mentions(found, elsewhere, whole)


@cache
def _texts(*, whole: bool) -> Prepared[tuple[Any, ...]]:
    def build(project: int) -> QuerySet[Item, tuple[Any, ...]]:
        rows = shared_rows(project).filter(kind__in=[kind.name for kind in all_kinds()])
        if not whole:
            latest = rows.order_by("-changed", "-pk").values("pk")[:MOST_ITEMS]
            rows = shared_rows(project).filter(pk__in=latest)
        naming = rows.filter(
            Q(_NamesNumber("content")) | Q(_NamesNumber("summary")) | Q(_NamesNumber("title"))
        )
        beginning = naming.annotate(beginning=Left("content", MOST_CHARS))
        return beginning.order_by("pk").values_list("number", "title", "summary", "beginning")

    return Prepared(build, project=int)
