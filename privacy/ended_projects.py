"""Erasing the deleted projects that can no longer be brought back."""

import logging
from datetime import datetime

from django.db import transaction

from conderis.accounts.actors import Operator
from privacy.erasing import erase_project
from projects.ending import ended_projects
from projects.models import Project

logger = logging.getLogger(__name__)


def erase_ended_projects(now: datetime) -> int:
    """Erase the projects whose days of grace are over at `now`; how many there were.

    One transaction for each: where one fails, it stays whole for the next run, the log names
    it, and the others are erased all the same. One that was brought back meanwhile is left
    alone.
    """
    ids = list(ended_projects(now).order_by("pk").values_list("pk", flat=True))
    return sum(_erase_or_log(pk, now) for pk in ids)


def _erase_or_log(pk: int, now: datetime) -> bool:
    try:
        return _erase_if_ended(pk, now)
    except Exception as error:  # noqa: BLE001 - stops neither the others nor `serve`
        # Its kind alone, no trace: a database's errors can hold values of the row.
        logger.error(  # noqa: TRY400 - as said
            "Project %s could not be erased: %s", pk, type(error).__name__
        )
        return False


def _erase_if_ended(pk: int, now: datetime) -> bool:
    with transaction.atomic():
        project = Project.objects.select_for_update().filter(pk=pk).first()
        if project is None or not ended_projects(now).filter(pk=pk).exists():
            return False
        erase_project(Operator(), project)
    return True
