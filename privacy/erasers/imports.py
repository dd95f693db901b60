"""Imports: the file as it was sent, and the report, which may hold or name what is erased.

Nothing tells which import a text came in by, and a file may hold it once more: so all of the
project's are emptied. One that is under way ends, and says why.
"""

from typing import Any, Final

from django.db.models import Q, QuerySet

from exchange.models import Import, Origin
from exchange.running import EMPTIED, end_imports
from privacy.erasers.base import Eraser, Scope

_ENDED: Final[dict[str, Any]] = {"reason": EMPTIED}


def _of(scope: Scope) -> QuerySet[Import]:
    """The imports of the project that hold anything; newer ones are of a text that is new."""
    owner = scope.item or (scope.proposal.item if scope.proposal is not None else None)
    project = owner.project_id if owner is not None else None
    if scope.proposal is not None:
        project = scope.proposal.project_id
    if project is None:
        return Import.objects.none()
    rows = Import.objects.filter(project=project, created__lte=scope.now)
    is_empty = Q(name="", only=[], digest="", file__isnull=True) & (Q(report={}) | Q(report=_ENDED))
    return rows.exclude(is_empty)


def _erase(scope: Scope) -> dict[str, int]:
    found = list(_of(scope).values_list("pk", flat=True))
    rows = Import.objects.filter(pk__in=found)
    end_imports(rows, scope.now, state=Import.State.FAILED, report=_ENDED, name="", only=[])
    rows.exclude(report=_ENDED).update(report={})
    rows.update(name="", only=[])
    if scope.item is not None:
        Origin.objects.filter(item=scope.item).update(content="")
    return {"imports": len(found)}


def _left(scope: Scope) -> int:
    return _of(scope).count()


ERASER = Eraser(
    fields=(
        "exchange.Import.name",
        "exchange.Import.only",
        "exchange.Import.report",
        "exchange.ImportFile.content",
    ),
    erase=_erase,
    left=_left,
)
