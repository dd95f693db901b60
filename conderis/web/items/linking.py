"""Links in a text to the items that it names, for the one who reads it."""

from collections.abc import Collection

from django.urls import reverse

from conderis.common.caller import Caller
from conderis.web.markdown import Linker
from items.linked_numbers import ItemName, linked_numbers


def linker_of(caller: Caller, project_id: str | None = None) -> Linker:
    """Gives the addresses of the items that the caller may read.

    `project_id` is the id of the project that the text belongs to; a text of none names
    items of projects alone (`owner/name#12`).
    """

    def addresses(names: Collection[ItemName], /) -> dict[ItemName, str]:
        found = linked_numbers(caller, names, project_id=project_id)
        return {name: _address(place, name.number) for name, place in found.items()}

    return addresses


def _address(full_name: str, number: int) -> str:
    return reverse("item", args=[*full_name.split("/", 1), number])
