"""How an export is laid out: names that its writers and its readers share.

The format is documented in docs/contract.md, "Export and import". A reader refuses another
major version and takes a later minor one: what it does not know of that, it leaves out.
"""

from typing import Final

FORMAT: Final = "conderis-export"
MAJOR: Final = 1
VERSION: Final = f"{MAJOR}.0"

HEADER: Final = "header"
ITEM: Final = "item"
EVENT: Final = "event"
TOMBSTONE: Final = "tombstone"
PROPOSAL: Final = "proposal"
END: Final = "end"
# What the last line counts, by the types of the lines counted.
COUNTED: Final = {ITEM: "items", EVENT: "events", TOMBSTONE: "tombstones", PROPOSAL: "proposals"}

ERASED: Final = "erased"
NOT_EXPORTED: Final = "not exported"

# The folder of Markdown files: the same lines but the items, and a list for people.
LINES_FILE: Final = "conderis.jsonl"
INDEX_FILE: Final = "README.md"

# Members of an item's line that its front matter shares with the kind's fields.
OF_ITEM: Final = (
    "id", "kind", "number", "version", "author", "created", "changed", "archived", "parent",
    "position", "relations", "blockedReason", "heldSince",
)  # fmt: skip
