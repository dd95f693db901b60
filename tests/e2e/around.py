"""Items of the shop with much around them, for the pages that show it."""

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.requests import ActRequest, Address, StoreRequest
from proposals.writing import act, store

SHOP = "alice/shop"
SHA = "0123456789abcdef0123456789abcdef01234567"


def make_around(owner: Caller, contributor: Caller, places: dict[str, str]) -> dict[str, str]:
    """Numbers of a task with a path, relations, children and mentions, and of a page to tear.

    A private memory of the owner is `shop_mine`; a page has a proposal that waits, and a
    memory is archived.
    """

    def number(kind: str, title: str, **fields: object) -> int:
        new: JsonObject = {"title": title, **fields}
        return int(str(store(owner, StoreRequest(Address(SHOP), kind=kind, fields=new))["number"]))

    def relate(item: int, relation: str, target: str | int) -> None:
        place = Address(SHOP, number=item)
        act(owner, ActRequest(place, action="relate", relation=relation, target=str(target)))

    top = number("task", "Open the tea room")
    middle = number("task", "Furnish the room by the window", parent=top)
    subject = number(
        "task", "Choose the cups", content="Twelve, not too large.\n\n## Colours\n\nGreen.",
        parent=middle, priority="high", due="2020-02-29", assignee="me", tags=["cups", "room"],
        commits=[SHA],
    )  # fmt: skip
    for title in ("Ask the potter about the glaze", "Count the shelves"):
        number("task", title, parent=subject)
    act(owner, ActRequest(Address(SHOP, number=subject + 1), action="complete", version=1))
    relate(subject, "blockedBy", places["shop_hostile_task"])
    relate(subject, "blocks", top)
    relate(subject, "documentedBy", places["shop_page"])
    relate(subject, "relates", places["shop_long_task"])
    number("page", "What we have bought", content=f"Cups: see #{subject}.")
    number("memory", "Cups break in the dishwasher", visibility="shared",
           content=f"So it was with those of alice/shop#{subject}.")  # fmt: skip
    torn = number("page", "How we serve", content="Warm cups.\n\nCold.\n\nWithout sugar.")
    shown: JsonObject = {"content": "Warm cups.\n\nCold.\n\nWith sugar."}
    store(contributor, StoreRequest(Address(SHOP, number=torn), version=1, fields=shown))
    old = number("memory", "Cups are kept in the attic", visibility="shared", summary="Until May.")
    act(owner, ActRequest(Address(SHOP, number=old), action="archive", version=1))
    return {"shop_around": str(subject), "shop_torn": str(torn), "shop_archived": str(old)}
