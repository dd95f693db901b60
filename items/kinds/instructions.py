"""The instructions: how agents are to work in a project."""

from items.kinds.base import Field, Kind, Review
from items.kinds.values import Text

INSTRUCTIONS = Kind(
    name="instructions",
    plural="instructions",
    fields=(Field("content", Text(50_000), "content", searched=True),),
    numbered=False,
    listed=False,
    review=Review.OWNERS,
    related=False,
)
