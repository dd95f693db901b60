"""Items that a text names (`#12`, `owner/name#12`): which of them its reader may read."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import F, Q

from conderis.common.caller import Caller, Scope
from items.access import may_read
from items.models import Item
from projects.access import require_scope, visible_projects
from projects.models import Project


@dataclass(frozen=True, slots=True)
class ItemName:
    """An item as a text names it: `project` is `owner/name` in lower case, "" the text's own."""

    project: str
    number: int


def linked_numbers(
    caller: Caller, names: Collection[ItemName], *, project_id: str | None = None
) -> dict[ItemName, str]:
    """Those of the names whose items the caller may read, each with its project's `owner/name`.

    The project's name is the one that it has now; former ones are found too. `project_id` is
    the id of the project that the text belongs to; without one, numbers alone name nothing.
    Left out without a sign is what never was, what may not be read, what is locked and what
    was erased. Two queries, however many names (callers send at most 500); none for none.

    Raises:
        Denied: the key has not the scope to read.
    """
    require_scope(caller, Scope.READ)
    projects = _projects(caller, names, project_id)
    wanted: dict[int, set[int]] = defaultdict(set)
    for name in names:
        if name.project in projects:
            wanted[projects[name.project].pk].add(name.number)
    if not wanted:
        return {}
    places = (Q(project=pk, number__in=sorted(numbers)) for pk, numbers in wanted.items())
    rows = Item.objects.filter(
        may_read(caller), reduce(or_, places), locked_at__isnull=True, erased_at__isnull=True
    )
    found = set(rows.values_list("project", "number"))
    return {
        name: projects[name.project].full_name
        for name in names
        if name.project in projects and (projects[name.project].pk, name.number) in found
    }


def _projects(
    caller: Caller, names: Collection[ItemName], project_id: str | None
) -> dict[str, Project]:
    """The projects that the names speak of, as far as the caller may read them."""
    if not names:
        return {}
    paths = {name.project for name in names} - {""}
    rows = visible_projects(caller).annotate(named=F("paths__path"))
    found: dict[str, Project] = {}
    for project in rows.filter(Q(public_id=project_id or "") | Q(named__in=paths)):
        found[str(vars(project)["named"])] = project
        if project.public_id == project_id:
            found[""] = project
    return found
