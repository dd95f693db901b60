"""Projects whose days of grace are over go for good, by command and at the start."""

import json
from datetime import timedelta
from io import StringIO

from django.core.management import call_command
from django.utils import timezone

from conderis.accounts.models import Person
from projects.models import Project
from tests.factories import make_project


def run() -> dict[str, int]:
    out = StringIO()
    call_command("erase_ended", "--json", stdout=out)
    answer: dict[str, int] = json.loads(out.getvalue())
    return answer


def test_what_was_deleted_14_days_ago_goes_and_what_can_come_back_stays(alice: Person) -> None:
    now = timezone.now()
    make_project(alice, "old", deleted_at=now - timedelta(days=14, minutes=1))
    make_project(alice, "recent", deleted_at=now - timedelta(days=13, hours=23))
    make_project(alice, "live")

    assert run() == {"erased": 1}

    assert sorted(Project.objects.values_list("name", flat=True)) == ["live", "recent"]
    assert run() == {"erased": 0}
