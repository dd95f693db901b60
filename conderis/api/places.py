"""Items in an address: what stands elsewhere is not read here, so that no address is a lie."""

import re
from typing import Final

from conderis.common.errors import Invalid
from items.kinds.values import read_number
from items.requests import Address

INSTRUCTIONS: Final = "instructions"
_OWN: Final = re.compile(r"memory:[0-9a-z]{1,20}")


def project_address(project: str, item: str) -> Address:
    """An item of this project: its number, or the `instructions`.

    Raises:
        Invalid: it is neither. Memories without a project and proposals have other addresses.
    """
    named = item.strip()
    if read_number(named) is None and named != INSTRUCTIONS:
        raise Invalid(
            "item must be a number, or instructions. Personal memories stand at "
            "/items/memory:<id>, proposals at /proposals/<id>.",
            field="item",
            allowed=["12", INSTRUCTIONS],
        )
    return Address(project_id=project, ref=named)


def own_address(item: str) -> Address:
    """A personal memory.

    Raises:
        Invalid: it is none.
    """
    named = item.strip()
    if not _OWN.fullmatch(named):
        raise Invalid(
            "item must be memory:<id>, a personal memory. Items of a project stand at "
            "/projects/{project}/items/<number>, proposals at /proposals/<id>.",
            field="item",
            allowed=["memory:<id>"],
        )
    return Address(ref=named)
