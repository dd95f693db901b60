"""Where items came from: what tells that a record of a source has been imported before.

Kept are keyed digests alone, so that nobody can read, or try out, what a source was called
or what it held. What is private is known to its author alone.
"""

from collections.abc import Collection

from conderis.accounts.digests import Secret, keyed_digest
from conderis.common.json import compact
from exchange.models import Origin
from exchange.records import Record
from projects.models import Project

PRIVATE = "private"


def key_digest(importer: str, record: Record, *, person: str) -> str:
    """What names the record in its source for good; `person` is the reference of who imports."""
    whose = person if record.fields.get("visibility") == PRIVATE else ""
    return keyed_digest(Secret.ORIGIN, compact([importer, whose, record.key]))


def content_digest(record: Record) -> str:
    """What tells whether the source has changed since; its times do not count."""
    return keyed_digest(
        Secret.ORIGIN,
        compact(
            [
                record.kind,
                dict(record.fields),
                record.parent,
                sorted([link.relation, link.key] for link in record.links),
                record.archived is not None,
                record.version,
            ]
        ),
    )


def origins_among(project: Project, importer: str, digests: Collection[str]) -> dict[str, Origin]:
    """Those of the digests that have been imported into the project, each with its item."""
    rows = Origin.objects.filter(project=project, importer=importer, digest__in=list(digests))
    return {row.digest: row for row in rows.select_related("item").defer("item__content")}
