"""What recall, project_get and item_get say of proposals, and to whom."""

import pytest

from conderis.accounts.models import Person
from items.models import Item
from items.project_view import project_get
from items.reading import read_item
from items.requests import Address, DeletionCall, ReadRequest
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, create
from tests.items.recall_rows import recalled, section
from tests.proposals.reviews import page, propose, propose_new, robo

HEADING = "Pending proposals"


@pytest.fixture
def number(alice: Person, project: Project) -> int:
    return page(project, alice)


def test_recall_shows_what_waits_to_who_may_approve_it(
    alice: Person, bob: Person, carol: Person, rita: Person, project: Project, *, number: int
) -> None:
    changed = propose(robo(bob), project, number, title="Releasing")
    made = propose_new(person_caller(bob), project, "instructions", content="Rules")

    hers = section(recalled(robo(alice), project), HEADING)
    of_carol = section(recalled(robo(carol), project), HEADING)

    assert hers == (
        f"{HEADING}: all 2\n"
        f"- {made} instructions (create instructions, by Bob)\n"
        f"- {changed} Releasing (change page #{number} v1, by robo)"
    )
    assert of_carol == (
        f"{HEADING}: all 1\n- {changed} Releasing (change page #{number} v1, by robo)"
    )
    for person in (bob, rita):
        assert "roposals:" not in recalled(robo(person), project)


def test_recall_shows_no_decided_ones_and_no_section_without_any(
    alice: Person, bob: Person, project: Project
) -> None:
    ref = propose_new(robo(bob), project, "page", title="P")
    assert HEADING in recalled(robo(alice), project)
    act(robo(bob), project, ref, "withdraw")

    assert HEADING not in recalled(robo(alice), project)


def test_recall_counts_those_that_have_no_room_and_says_where_they_are_read(
    alice: Person, bob: Person, project: Project
) -> None:
    for each in range(40):
        propose_new(robo(bob), project, "page", title=f"Page {each} {'words ' * 20}")

    text = section(recalled(robo(alice), project, max_chars=1_500), HEADING)

    assert " of 40 (rest: item_list kind=proposal projectId=alice/shop" in text


def test_a_locked_one_is_in_recall_without_its_title(
    alice: Person, bob: Person, project: Project, number: int
) -> None:
    propose(robo(bob), project, number, title="Zanzibar")
    request_deletion(
        person_caller(alice), DeletionCall(Address(project.path, number=number), reason="r")
    )

    text = recalled(robo(alice), project)

    assert f"(locked) (change page #{number} v1, by robo)" in section(text, HEADING)
    assert "Zanzibar" not in text


def test_counts_are_of_those_that_the_caller_sees(
    alice: Person, bob: Person, carol: Person, rita: Person, project: Project
) -> None:
    propose_new(robo(bob), project, "page", title="P")
    propose_new(robo(carol), project, "instructions", content="I")

    counts = [
        project_get(robo(person), project.path)["counts"]["pendingProposals"]
        for person in (alice, bob, carol, rita)
    ]

    assert counts == [2, 1, 2, 0]


def test_an_item_says_how_many_of_its_own_wait(
    alice: Person, bob: Person, rita: Person, carol: Person, project: Project, *, number: int
) -> None:
    other = page(project, alice, "Other")
    propose(robo(bob), project, number, content="One")
    propose(robo(bob), project, number, content="Two")
    act(robo(bob), project, propose(robo(bob), project, number, content="Three"), "withdraw")

    def count(person: Person, where: int) -> int | None:
        answer = read_item(robo(person), ReadRequest(Address(project.path, number=where)))
        found: int | None = answer.get("pendingProposals")
        return found

    assert [count(person, number) for person in (alice, carol, bob, rita)] == [2, 2, 2, None]
    assert count(alice, other) is None


def test_the_instructions_say_theirs_to_owners_and_to_the_proposer(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    create(person_caller(alice), project, "instructions", content="Rules")
    propose(robo(bob), project, "instructions", content="Other", version=1)

    shown = [
        read_item(robo(person), ReadRequest(Address(project.path, ref="instructions")))
        for person in (alice, carol, bob)
    ]

    assert [answer.get("pendingProposals") for answer in shown] == [1, None, 1]


def test_permissions_say_that_agents_are_always_reviewed(alice: Person, project: Project) -> None:
    project.agents_reviewed = True
    project.save()

    by_agent = project_get(robo(alice), project.path)["permissions"]
    by_person = project_get(person_caller(alice), project.path)["permissions"]

    assert (by_agent["alwaysReviewed"], by_person["alwaysReviewed"]) == (True, False)
    assert "become proposals" in recalled(agent_caller(alice), project)
    assert "become proposals" not in recalled(person_caller(alice), project)


def test_search_and_lists_of_items_know_no_proposals(
    alice: Person, bob: Person, project: Project
) -> None:
    propose_new(robo(bob), project, "page", title="Zanzibar", content="zanzibar")

    assert not Item.objects.exists()
    counts = project_get(robo(alice), project.path)["counts"]
    assert counts["pages"] == 0
