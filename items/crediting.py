"""Whose doing something was, by name: the account's own, or as an import says it.

What a file claims is a name and nothing more: it never carries a reference, and beside it
stands who imported it, which is the account that answers for it.
"""

from dataclasses import dataclass

from conderis.common.json import JsonObject, without_nulls
from items.models import Item, ItemEvent

NAME, AGENT, APPROVER, APPROVER_AGENT = "name", "agent", "approver", "approverAgent"


@dataclass(frozen=True, slots=True)
class Names:
    """The names of who did something; `imported_by` only where an import brought it."""

    person: str
    agent: str | None = None
    approver: str | None = None
    approver_agent: str | None = None
    imported_by: str | None = None

    def shown(self) -> JsonObject:
        """The author as answers name one: `{name, agent, importedBy}`."""
        return without_nulls(
            {"name": self.person, "agent": self.agent, "importedBy": self.imported_by}
        )

    @property
    def actor(self) -> str:
        """The agent if there was one, else the person."""
        return self.agent or self.person


def author_of(item: Item) -> Names:
    """Who created the item; its author and agent are read with it."""
    agent = item.author_agent.name if item.author_agent is not None else None
    if item.credit is not None:
        return credited(item.credit, imported_by=item.author.display_name)
    return Names(item.author.display_name, agent)


def doer_of(event: ItemEvent, *, with_approver: bool = False) -> Names:
    """Who did it; who approved it only where that was read with it."""
    if event.credit is not None:
        return credited(event.credit, imported_by=event.author.display_name)
    names = Names(
        event.author.display_name, event.author_agent.name if event.author_agent else None
    )
    if not with_approver:
        return names
    return Names(
        names.person,
        names.agent,
        event.approver.display_name if event.approver else None,
        event.approver_agent.name if event.approver_agent else None,
    )


def credited(credit: JsonObject, *, imported_by: str) -> Names:
    """The names as an import brought them."""
    return Names(
        str(credit.get(NAME, "")),
        credit.get(AGENT),
        credit.get(APPROVER),
        credit.get(APPROVER_AGENT),
        imported_by,
    )
