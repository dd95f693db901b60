"""The relations between two items, and their names from the other side."""

from conderis.common.errors import Invalid

BLOCKS = "blocks"
INVERSE = {
    "relates": "relates",
    "blocks": "blockedBy",
    "documents": "documentedBy",
    "supersedes": "supersededBy",
    "duplicates": "duplicatedBy",
}
_STORED = {inverse: name for name, inverse in INVERSE.items() if inverse != name}
ALLOWED = tuple(INVERSE) + tuple(_STORED)


def read_relation(value: str | None) -> tuple[str, bool]:
    """The relation's stored name, and whether it was named from the other side.

    Raises:
        Invalid: it is none, or missing.
    """
    name = (value or "").strip()
    if name in INVERSE:
        return name, False
    if name in _STORED:
        return _STORED[name], True
    raise Invalid(
        f"relation must be one of {', '.join(ALLOWED)}.", field="relation", allowed=ALLOWED
    )
