"""The instructions of the organization and of the project, quoted."""

from typing import Any, Final

from django.db.models import Q, QuerySet

from conderis.common.prepared import Prepared
from items.kinds.instructions import INSTRUCTIONS
from items.models import Item
from items.recall.asking import Asking
from items.recall.quoting import Quote, Quoting
from items.recall.slots import INSTRUCTIONS as SLOT
from items.recall.slots import Section


def _standing(project: int, organization: int | None = None) -> QuerySet[Item, tuple[Any, ...]]:
    standing = Q(project=project)
    if organization is not None:
        standing |= Q(organization=organization)
    return (
        Item.objects.filter(standing, kind=INSTRUCTIONS.name)
        .filter(locked_at__isnull=True, archived_at__isnull=True)
        .values_list("project_id", "version", "content")
    )


_OF_PROJECT: Final = Prepared[tuple[Any, ...]](_standing, project=int)
_OF_BOTH: Final = Prepared[tuple[Any, ...]](_standing, project=int, organization=int)


def read_instructions(asking: Asking) -> list[Section]:
    """The section of instructions; none where there are none.

    An organization's are for those who have a role in its project: they hold for its
    private projects too, and are not made public by a public one.
    """
    if asking.access is None:
        return []
    project = asking.access.project
    if asking.access.role is not None and project.owner_organization_id is not None:
        rows = _OF_BOTH.rows(project=project.pk, organization=project.owner_organization_id)
    else:
        rows = _OF_PROJECT.rows(project=project.pk)
    quotes = {of is None: (version, text) for of, version, text in rows if text.strip()}
    found: list[Quote] = []
    if True in quotes:
        version, text = quotes[True]
        label = f"instructions v{version} of the organization {project.owner_handle}"
        found.append(Quote(label, text, "recall with a larger maxChars"))
    if False in quotes:
        version, text = quotes[False]
        rest = asking.call("item_get ref=instructions")
        found.append(Quote(f"instructions v{version}", text, rest))
    return [Section(SLOT, Quoting("Instructions", found))] if found else []
