"""A proposal whose base was erased: approved in the browser, as a whole text."""

from django.test import Client

from conderis.accounts.models import Person
from items.requests import Address, DeletionCall
from privacy.deciding import erase
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import person_caller
from tests.items.calls import change, item_at
from tests.proposals.reviews import page, proposal_at, propose, robo
from tests.web.moderation_pages import at, opened, post, words_of


def test_the_whole_text_is_shown_beside_the_current_one_and_approved(
    client: Client, project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    owner = person_caller(alice)
    number = page(project, alice)
    change(owner, project, number, 1, content="quokka secret", complete=True)
    ref = propose(robo(bob), project, number, content="All of it anew.", complete=True)
    change(owner, project, number, 2, content="What stands now.", complete=True)
    call = DeletionCall(Address(project.path, number=number), 2, "a secret")
    erase(owner, str(request_deletion(owner, call)["request"]))

    shown = words_of(opened(client, carol, at(ref)))
    post(client, carol, at(ref, "approve"), version=3, reason="Good")

    assert "Version 2, which this was worked out from, has been erased" in shown
    assert "All of it anew." in shown
    assert "What stands now." in shown
    assert proposal_at(ref).state == "approved"
    assert item_at(project, number).content == "All of it anew."
