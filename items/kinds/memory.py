"""Memories: what should be known again, in three roles: title, summary, content."""

from conderis.common.errors import Invalid
from items.kinds.base import ARCHIVE, RELATE, RESTORE, UNRELATE, Field, Filter, Kind, Review, State
from items.kinds.values import (
    Choice,
    ItemReference,
    Line,
    Moment,
    ParentFilter,
    SourceState,
    Switch,
    Tags,
    Text,
)

TYPES = ("fact", "decision", "convention", "gotcha", "preference", "reference", "session")
PRIVATE, SHARED = "private", "shared"
VISIBILITIES = (PRIVATE, SHARED)
CRITICAL, NORMAL = "critical", "normal"
WEIGHTS = (CRITICAL, NORMAL, "low")


def check(after: State, before: State | None) -> None:
    """A visibility is fixed; a critical memory stands alone, never in a bag.

    Raises:
        Invalid: the state breaks one of these.
    """
    if before is not None and before["visibility"] != after["visibility"]:
        raise Invalid(
            "A memory's visibility is fixed at its creation. Store a copy with the other "
            "visibility, then archive this one.",
            field="visibility",
            allowed=[before["visibility"]],
        )
    if after["weight"] == "critical" and after["parent"] is not None:
        raise Invalid(
            "A critical memory cannot be in a bag: send weight normal, or parent null.",
            field="weight" if before is not None and before["parent"] is not None else "parent",
            allowed=["normal", "low"],
        )


MEMORY = Kind(
    name="memory",
    plural="memories",
    fields=(
        Field("title", Line(80), "title", "<=80", required=True, clearable=False, searched=True),
        Field("summary", Line(300), "summary", "<=300", searched=True),
        Field("content", Text(20_000), "content", searched=True),
        Field("tags", Tags(), "tags", searched=True),
        Field("type", Choice(TYPES), "category", ", ".join(TYPES), clearable=False, default="fact"),
        Field(
            "visibility",
            Choice(VISIBILITIES),
            "visibility",
            "private, shared; needed in a project",
            clearable=False,
            restored=False,
        ),
        Field("expiresAt", Moment(), "expires_at"),
        Field("parent", ItemReference(), "parent", structure=True, historic=False),
        Field(
            "weight",
            Choice(WEIGHTS),
            "weight",
            ", ".join(WEIGHTS),
            clearable=False,
            default="normal",
        ),
        Field("verifiedAgainst", SourceState(), "verified_against"),
    ),
    filters=(
        Filter("type", Choice(TYPES)),
        Filter("tags", Tags()),
        Filter("visibility", Choice(VISIBILITIES)),
        Filter("weight", Choice(WEIGHTS)),
        Filter("parent", ParentFilter()),
        Filter("includeArchived", Switch()),
        Filter("includeExpired", Switch()),
    ),
    actions=(ARCHIVE, RESTORE, RELATE, UNRELATE),
    sorts=("updated", "created", "title"),
    entry=("summary", "type", "visibility", "weight", "tags", "parent"),
    personal=True,
    compared=True,
    proposed_in_batches=True,
    review=Review.MODERATORS,
    unreviewed_setting="memories_unreviewed",
    max_depth=2,
    aging=("session",),
    check=check,
)
