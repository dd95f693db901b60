"""What stands at `erasing` is finished by command, once the files can be cleared."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction

from conderis.accounts.models import Person
from items.requests import Address, DeletionCall
from privacy.deciding import erase
from privacy.models import DeletionRequest
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import person_caller
from tests.items.calls import create


def run() -> dict[str, int]:
    out = StringIO()
    call_command("finish_erasures", "--json", stdout=out)
    answer: dict[str, int] = json.loads(out.getvalue())
    return answer


@pytest.mark.django_db(transaction=True)
def test_what_could_not_be_cleared_at_once_is_finished_later(
    alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Secret")
    call = DeletionCall(Address(project.path, number=1), reason="holds a password")
    ref = str(request_deletion(owner, call)["request"])
    erase(owner, ref)
    DeletionRequest.objects.update(state="erasing")  # as if the server had stopped in between

    with transaction.atomic():
        held_up = run()
    finished, again = run(), run()

    assert held_up == {"finished": 0, "left": 1}
    assert finished == {"finished": 1, "left": 0}
    assert again == {"finished": 0, "left": 0}
    assert DeletionRequest.objects.get().state == "erased"
