"""The imports of a project in pages, for surfaces that have pages."""

from typing import Final

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.common.paging import Binding, Keyset, SortKey, page_of
from exchange.jobs import ShownImport, access_imports, listed, listed_rows

NEWEST: Final = Keyset(
    SortKey("created", descending=True), SortKey("public_id", descending=True, unique=True)
)


def page_imports(
    caller: Caller, project_id: str, *, limit: int | None = None, cursor: str | None = None
) -> JsonObject:
    """A page of the project's imports, newest first, without their reports.

    `limit` is 1 to 100, else 20. Those of others show no file name and no parts.

    Raises:
        NotFound: there is no project that the caller may read.
        Denied: the caller may not publish there.
        Invalid: the limit is out of bounds, or the cursor is not one of this list.
    """
    access = access_imports(caller, project_id)
    page = page_of(
        listed_rows(access),
        keyset=NEWEST,
        binding=Binding(caller, "import", {"projectId": access.project.public_id}),
        limit=limit,
        cursor=cursor,
    )
    return page.as_answer([_entry(listed(caller, row)) for row in page.items])


def _entry(shown: ShownImport) -> JsonObject:
    return {name: value for name, value in shown.as_answer().items() if name != "report"}
