"""Keyword search over items, alike on SQLite and PostgreSQL.

`index_item` and `forget_item` are called by the services, in the transaction of their
change. `ranked`, `matching` and `page_by_relevance` search rows that a door has given:
what is not among them shows in no hit and no count. `scopes` narrow the index first
(`items.search.scopes`); None searches all of it.
"""

from items.search.candidates import WHOLE, Rows, Visible
from items.search.index import (
    clear_traces,
    forget_for_good,
    forget_item,
    index_item,
    index_items,
    is_complete,
    merge,
    rebuild,
)
from items.search.scopes import MAX_SCOPES, personal_scopes, project_scopes, stands
from items.search.searching import (
    MAX_QUERY,
    Hit,
    matching,
    page_by_relevance,
    ranked,
    read_query,
)

__all__ = [
    "MAX_QUERY",
    "MAX_SCOPES",
    "WHOLE",
    "Hit",
    "Rows",
    "Visible",
    "clear_traces",
    "forget_for_good",
    "forget_item",
    "index_item",
    "index_items",
    "is_complete",
    "matching",
    "merge",
    "page_by_relevance",
    "personal_scopes",
    "project_scopes",
    "ranked",
    "read_query",
    "rebuild",
    "stands",
]
