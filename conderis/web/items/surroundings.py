"""What stands beside an item on its page, in the page's words."""

from dataclasses import dataclass

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.web.items.reading import ShownItem, with_status
from conderis.web.items.words import LISTS, RELATIONS, TABS
from conderis.web.moderation.words import kind_word, what_word
from items.kinds.registry import kind_of
from items.similar import similar_to
from items.surrounding import item_surroundings, related_statuses
from proposals.of_item import pending_of_item


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is around an item that can be read, as it stands."""

    item: ShownItem
    answer: JsonObject
    proposals: list[JsonObject]
    similar: list[JsonObject]

    @property
    def path(self) -> list[JsonObject]:
        """What it stands under, from the top."""
        return list(self.answer.get("path", []))

    @property
    def is_overdue(self) -> bool:
        """Whether its day has ended where the reader is."""
        return bool(self.answer.get("overdue"))

    @property
    def relations(self) -> list[tuple[str, list[JsonObject]]]:
        """Its relations by their word, with the status of the work that it is related to."""
        return _by_word(self.item, self.answer.get("statuses", {}))

    @property
    def mentions(self) -> list[JsonObject]:
        """The items that mention it, the newest first."""
        entries = self.answer.get("mentions", [])
        return [with_status(each) | {"what": kind_word(each["kind"])} for each in entries]

    @property
    def searches(self) -> list[tuple[str, str]]:
        """Where all that mention it are found: address and word; none where all are shown."""
        if not self.answer.get("moreMentions"):
            return []
        return [(route, str(TABS[kind])) for kind, route in LISTS.items()]


def read_surroundings(
    caller: Caller, project_id: str, item: ShownItem, *, with_similar: bool = False
) -> Surroundings | None:
    """What is around the item; None around one that is not read, or not as it stands.

    `with_similar` adds at most three that say nearly the same, of kinds that are compared.

    Raises:
        NotFound: it is gone meanwhile.
    """
    if not item.is_readable or not item.is_current:
        return None
    answer, proposals = item_surroundings(caller, project_id, item.number), []
    if item.answer.get("pendingProposals"):
        proposals = [_waiting(each) for each in pending_of_item(caller, project_id, item.number)]
    similar = _similar(caller, project_id, item) if with_similar else []
    return Surroundings(item, answer, proposals, similar)


def read_relations(
    caller: Caller, project_id: str, item: ShownItem
) -> list[tuple[str, list[JsonObject]]]:
    """The item's relations by their word, with the status of the work at their ends.

    Raises:
        NotFound: it is gone meanwhile.
    """
    return _by_word(item, related_statuses(caller, project_id, item.number))


def _by_word(item: ShownItem, statuses: dict[int, str]) -> list[tuple[str, list[JsonObject]]]:
    found: dict[str, list[JsonObject]] = {}
    for each in item.answer.get("relations", []):
        status = statuses.get(each["number"])
        entry = with_status(each | ({"status": status} if status else {}))
        found.setdefault(str(RELATIONS[each["relation"]]), []).append(entry)
    return list(found.items())


def _waiting(entry: JsonObject) -> JsonObject:
    return {
        "id": str(entry["proposal"]).removeprefix("proposal:"),
        "what": what_word(str(entry["action"]), str(entry["kind"])),
        "author": entry["author"],
        "locked": "locked" in entry or "erased" in entry,
    }


def _similar(caller: Caller, project_id: str, item: ShownItem) -> list[JsonObject]:
    if not kind_of(item.kind).compared:
        return []
    texts = {name: str(item.answer.get(name) or "") for name in ("title", "summary", "content")}
    return similar_to(caller, project_id, **texts, number=item.number)
