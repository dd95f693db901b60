"""Agent keys for whoever runs the server: whose they are, what they may, whether they work."""

from collections.abc import Iterator, Sequence

from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.models import Person
from conderis.common.json import JsonObject
from conderis.common.times import iso
from projects.keys import KeyRow, list_agent_keys

HEADINGS = ("id", "handle", "name", "scopes", "projects", "state", "last used")


def key_list(person: Person | None = None) -> list[JsonObject]:
    """The keys, of this person alone or of everybody: live ones first, then by age."""
    return [_entry(row) for row in list_agent_keys(Operator(), person=person)]


def key_lines(keys: Sequence[JsonObject]) -> Iterator[str]:
    """The keys as lines of a table."""
    if not keys:
        return
    rows = [HEADINGS, *(_row(key) for key in keys)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def _entry(row: KeyRow) -> JsonObject:
    entry: JsonObject = {
        "id": row.id,
        "handle": row.owner,
        "name": row.agent,
        "scopes": list(row.scopes),
        "projects": "all" if row.projects is None else list(row.projects),
        "alwaysReview": row.always_review,
        "expires": iso(row.expires_at) if row.expires_at is not None else None,
        "lastUsed": iso(row.last_used_at) if row.last_used_at is not None else None,
    }
    if row.revoked_at is not None:
        entry["revoked"] = iso(row.revoked_at)
    if not row.owner_active:
        entry["deactivated"] = True
    return entry


def _row(key: JsonObject) -> tuple[str, ...]:
    projects = key["projects"]
    review = " (always review)" if key["alwaysReview"] else ""
    return (
        key["id"],
        key["handle"],
        key["name"],
        ",".join(key["scopes"]) + review,
        projects if projects == "all" else ",".join(projects) or "none",
        _state(key),
        key["lastUsed"] or "never",
    )


def _state(key: JsonObject) -> str:
    if "revoked" in key:
        return f"revoked {key['revoked']}"
    if "deactivated" in key:
        return "deactivated"
    if key["expires"] is None:
        return "works"
    return f"{'expired' if key['expires'] <= iso(timezone.now()) else 'until'} {key['expires']}"
