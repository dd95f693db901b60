"""Deciding at the same moment, in real threads."""

import pytest

from conderis.accounts.models import Person
from items.models import Item, ItemEvent
from projects.models import Project
from proposals.models import Proposal
from proposals.reviewing import approve, reject
from proposals.withdrawing import withdraw
from tests.factories import person_caller
from tests.items.calls import change, item_at
from tests.projects.test_at_once import at_once
from tests.proposals.reviews import TEXT, page, proposal_at, propose, propose_new

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_two_reviewers_one_decides_and_the_other_gets_the_conflict(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    ref = propose_new(person_caller(bob), project, "page", title="New")

    outcomes = at_once(
        lambda: approve(person_caller(carol), ref),
        lambda: approve(person_caller(alice), ref),
        lambda: reject(person_caller(alice), ref, reason="r"),
        lambda: withdraw(person_caller(bob), ref),
    )

    assert outcomes == ["conflict", "conflict", "conflict", "done"]
    approved = proposal_at(ref).state == Proposal.State.APPROVED
    assert Item.objects.count() == ItemEvent.objects.count() == int(approved)


def test_proposals_and_a_change_at_once_lose_no_line(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    first = propose(person_caller(bob), project, number, content=TEXT.replace("Build", "Bake"))
    second = propose(person_caller(bob), project, number, content=TEXT.replace("Ship", "Send"))

    outcomes = at_once(
        lambda: approve(person_caller(carol), first),
        lambda: approve(person_caller(alice), second),
        lambda: change(person_caller(alice), project, number, append="The end."),
    )

    content = item_at(project, number).content
    assert outcomes in (["done"] * 3, ["conflict", "done", "done"])
    assert "The end." in content
    for ref, word in ((first, "Bake"), (second, "Send")):
        assert (proposal_at(ref).state == "approved") == (word in content)
