"""A kind as a module of its own would add it: what may go wrong."""

from items.kinds.base import ARCHIVE, RELATE, RESTORE, UNRELATE, Field, Filter, Kind, Review
from items.kinds.values import Choice, Line, Text

LEVELS = ("low", "high")

RISK = Kind(
    name="risk",
    plural="risks",
    fields=(
        Field("title", Line(120), "title", required=True, clearable=False, searched=True),
        Field("content", Text(20_000), "content", searched=True),
        Field("level", Choice(LEVELS), default="low"),
    ),
    filters=(Filter("level", Choice(LEVELS)),),
    actions=(ARCHIVE, RESTORE, RELATE, UNRELATE),
    entry=("level",),
    review=Review.NEVER,
)
