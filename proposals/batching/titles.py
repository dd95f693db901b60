"""The titles of the items of proposed batches, for lists: one query however many there are."""

from django.db.models import Prefetch, QuerySet
from django.db.models.fields.json import KT

from proposals.models import Proposal, ProposedItem

_LOADED = "titled_entries"


def with_titles(rows: QuerySet[Proposal]) -> QuerySet[Proposal]:
    """The rows, for which `titles_of` then makes no query."""
    entries = ProposedItem.objects.annotate(line=KT("fields__title")).defer("fields")
    return rows.prefetch_related(Prefetch("entries", entries.order_by("position"), _LOADED))


def titles_of(proposal: Proposal) -> list[str]:
    """The titles in order; of what was erased an empty one. Of a locked one, not to be shown."""
    return [str(entry.line or "") for entry in vars(proposal).get(_LOADED, [])]
