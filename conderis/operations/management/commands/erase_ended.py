"""Erase the projects that were deleted 14 days ago or earlier."""

from django.utils import timezone

from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from privacy.ended_projects import erase_ended_projects


class Command(OperatorCommand):
    help = (
        "Erase for good the projects whose 14 days after deletion are over. `serve` does so at "
        "its start; where it runs for weeks, let a timer run this once a day."
    )

    def answer(self, _options: JsonObject) -> JsonObject:
        return {"erased": erase_ended_projects(timezone.now())}

    def words(self, answer: JsonObject) -> str:
        return f"Projects erased: {answer['erased']}."
