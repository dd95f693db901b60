"""Deletion requests and erasures in the admin: how far they are, nothing of what was erased."""

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from items.models import Item
from items.requests import Address, DeletionCall
from privacy.deciding import erase, refuse
from privacy.models import DeletionRequest, Erasure
from privacy.requesting import request_deletion
from projects.models import Project
from proposals.models import Proposal
from tests.administration.pages import HIDDEN_ROW, admin_browser, list_of, page_at, page_of
from tests.factories import agent_caller, person_caller
from tests.items.calls import create
from tests.proposals.reviews import propose_new, robo
from tests.web.deletion_pages import MARK
from tests.web.settings_pages import shown


@pytest.fixture
def owner(alice: Person) -> Caller:
    return person_caller(alice)


def ask(caller: Caller, address: Address) -> str:
    return str(request_deletion(caller, DeletionCall(address, reason=MARK))["request"])


def test_lists_show_states_and_who_decided_without_words(
    project: Project, owner: Caller, bob: Person
) -> None:
    for title in ("One", "Two"):
        create(owner, project, "page", title=title, content=MARK)
    first, second = (ask(agent_caller(bob), Address(project.path, number=n)) for n in (1, 2))
    proposal = propose_new(robo(bob), project, "page", title=MARK, content=MARK)
    third = ask(robo(bob), Address(ref=proposal))
    erase(owner, first)
    refuse(owner, second, reason=MARK)
    erase(owner, third)
    client = admin_browser()

    requests, erasures, items, proposals, log = (
        client.get(list_of(model)).content.decode()
        for model in (DeletionRequest, Erasure, Item, Proposal, AuditEvent)
    )

    for ref in (first, second, third):
        assert ref.removeprefix("deletion:") in requests
        assert ref.removeprefix("deletion:") in log
    assert proposal in requests
    assert "erasing" in requests.lower()
    assert "refused" in requests.lower()
    assert "Alice" in requests
    assert proposal.removeprefix("proposal:") in erasures
    assert "deletion.erased" in log
    for page in (requests, erasures, items, proposals, log):
        assert MARK not in page


def test_nothing_is_there_of_private_and_personal_memories(
    project: Project, owner: Caller, bob: Person
) -> None:
    robo = agent_caller(bob)
    create(robo, project, "memory", title="Mine", visibility="private")
    personal = str(create(robo, None, "memory", title="Mine")["ref"])
    asked = [
        ask(robo, Address(project.path, number=1)),
        ask(robo, Address(ref=personal)),
    ]
    for ref in asked:
        erase(person_caller(bob), ref)
    client = admin_browser()

    for model in (DeletionRequest, Erasure):
        rows = list(model.objects.all())
        assert len(rows) == 2
        listed = client.get(list_of(model)).content.decode()
        missing = client.get(page_at(model, HIDDEN_ROW))
        for row in rows:
            hidden = client.get(page_of(row))
            assert hidden.status_code == missing.status_code == 404
            assert shown(hidden.content) == shown(missing.content)
        for item in Item.objects.all():
            assert item.public_id not in listed
    log = client.get(list_of(AuditEvent)).content.decode()
    assert "deletion." not in log.replace("deletion.</", "")
