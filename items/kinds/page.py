"""Pages: documentation in Markdown, in a tree."""

from items.kinds.base import ARCHIVE, RELATE, RESTORE, UNRELATE, Field, Filter, Kind, Review
from items.kinds.values import (
    ItemReference,
    Line,
    ParentFilter,
    Position,
    SourceState,
    Switch,
    Tags,
    Text,
)

PAGE = Kind(
    name="page",
    plural="pages",
    fields=(
        Field("title", Line(200), "title", required=True, clearable=False, searched=True),
        Field("content", Text(500_000), "content", searched=True),
        Field("tags", Tags(), "tags", searched=True),
        Field("parent", ItemReference(), "parent", structure=True, historic=False),
        Field("position", Position(), "rank", structure=True, historic=False),
        Field("verifiedAgainst", SourceState(), "verified_against"),
    ),
    filters=(
        Filter("parent", ParentFilter()),
        Filter("tags", Tags()),
        Filter("includeArchived", Switch()),
    ),
    actions=(ARCHIVE, RESTORE, RELATE, UNRELATE),
    sorts=("position", "updated", "created", "title"),
    entry=("tags", "parent"),
    review=Review.MODERATORS,
    max_depth=10,
    unique_sibling_titles=True,
)
