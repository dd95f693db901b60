"""Which deletion requests a list shows, as its address says."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PENDING, DECIDED, ALL = "pending", "decided", "all"
LISTS: Final[dict[str, Promise]] = {
    PENDING: _("Pending"),
    DECIDED: _("Decided"),
    ALL: _("All"),
}
LIST_ICONS: Final = {PENDING: "s-pending", DECIDED: "s-done", ALL: "list"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The choice of a list: how far they have come, and whether only one's own."""

    state: str = PENDING
    mine: bool = False

    @property
    def query(self) -> str:
        """The choice as the query of an address."""
        return urlencode({"state": self.state} | ({"mine": "1"} if self.mine else {}))

    def with_state(self, state: str) -> "Wanted":
        """The same for another state."""
        return replace(self, state=state)

    def of(self, *, mine: bool) -> "Wanted":
        """The same for one's own, or for all that one sees."""
        return replace(self, mine=mine)


def wanted_by(sent: Mapping[str, str]) -> Wanted:
    """The choice in an address; what is none is as if it were not there."""
    state = sent.get("state", PENDING)
    return Wanted(state if state in LISTS else PENDING, mine=sent.get("mine") == "1")
