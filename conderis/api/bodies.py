"""The bodies of requests. What stands in `fields` is checked by the services."""

from typing import Any, ClassVar

from pydantic import Field

from conderis.api.reading import Body

REASON = "For the reviewer, or of a block."
VERSION = "The version that you read. Not needed for append, moves and dependencies alone."


class ProjectSent(Body):
    """A project's own fields: an omitted one is kept, null clears."""

    fields: dict[str, Any]


class NewItem(Body):
    """A new item."""

    inside_fields: ClassVar[bool] = True
    kind: str = Field(description="The kind of the item.")
    fields: dict[str, Any] = Field(default_factory=dict)
    reason: str | None = Field(None, description=REASON)
    propose: bool = Field(default=False, description="Propose it for review.")


class ItemChange(Body):
    """A change of an item: an omitted field is kept, null clears."""

    inside_fields: ClassVar[bool] = True
    kind: str | None = Field(None, description="Not needed; refused where it is another one.")
    version: int | None = Field(None, description=VERSION)
    fields: dict[str, Any] = Field(default_factory=dict)
    reason: str | None = Field(None, description=REASON)
    propose: bool = Field(default=False, description="Propose it for review.")


class Action(Body):
    """An action of the item's kind."""

    action: str = Field(description="Which one.")
    version: int | None = Field(
        None, description="The version that you read. Not needed for relations and proposals."
    )
    reason: str | None = Field(None, description="Needed for block; shown to others.")
    target: int | str | None = Field(None, description="The number of the other item.")
    relation: str | None = Field(None, description="How the two relate.")
    fields: dict[str, Any] = Field(default_factory=dict, description="Of the action.")


class Decision(Body):
    """An action on a proposal."""

    action: str = Field(description="approve, reject or withdraw.")
    version: int | None = Field(
        None, description="Of the item, as you saw it: approve only if it is still that one."
    )
    reason: str | None = Field(None, description="Needed for reject; its proposer reads it.")


class DeletionWish(Body):
    """A request that a person erases something for good; its content is locked at once."""

    reason: str = Field(description="Shown to who decides.")
    version: int | None = Field(None, description="Only this version.")
