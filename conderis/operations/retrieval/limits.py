"""How many memories a search is measured among, and what it may take."""

from dataclasses import dataclass

MOST_MILLISECONDS = 10.0  # alone
MOST_RATIO = 1.5  # of what it takes beside others to what it takes alone


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many memories the project has, and how many other projects of how many there are."""

    items: int = 10_000
    others: int = 100
    others_items: int = 1_000

    @property
    def total(self) -> int:
        """How many memories there are in all."""
        return self.items + self.others * self.others_items
