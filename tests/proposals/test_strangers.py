"""Limits of what waits, and proposals of people without a role on a public project."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, NotFound, RateLimited
from items.models import Item
from items.project_view import project_get
from items.requests import ListRequest
from projects.models import Project
from proposals import limits
from proposals.models import Proposal
from proposals.queue import list_proposals
from tests.factories import agent_caller, make_person, person_caller
from tests.items.calls import act, change, create
from tests.items.recall_rows import recalled
from tests.proposals.reviews import page, propose, propose_new, robo


@pytest.fixture
def opened(project: Project) -> Project:
    """Public, and everybody may propose."""
    project.is_public = project.open_proposals = True
    project.save()
    return project


def fill(project: Project, person: Person, many: int, *, hours: int = 0) -> None:
    """So many pending proposals of a person, made some hours ago."""
    made = timezone.now() - timedelta(hours=hours)
    Proposal.objects.bulk_create(
        Proposal(project=project, kind="page", action="create", digest=f"{person.pk}-{number}",
                 proposer=person, created=made)
        for number in range(many)
    )  # fmt: skip


def never_proposed(
    who: Caller, project: Project, number: int, task: int
) -> list[Callable[[], object]]:
    """The writes that are beyond a stranger."""
    return [
        lambda: create(who, project, "task", title="T"),
        lambda: create(who, project, "memory", title="M", visibility="private"),
        lambda: create(who, project, "instructions", content="I"),
        lambda: change(who, project, task, 1, title="x"),
        lambda: act(who, project, task, "claim", 1),
        lambda: act(who, project, number, "relate", target=task, relation="documents"),
    ]


def test_a_stranger_proposes_memories_and_pages_and_nothing_else(
    opened: Project, alice: Person, mallory: Person
) -> None:
    number = page(opened, alice)
    task = create(person_caller(alice), opened, "task", title="T")["number"]
    shared = {"title": "M", "visibility": "shared"}

    for through in (person_caller, agent_caller):
        stranger = through(mallory)
        assert create(stranger, opened, "page", title="P")["outcome"] == "proposed"
        assert create(stranger, opened, "memory", **shared)["outcome"] == "proposed"
        assert change(stranger, opened, number, 1, content="x")["outcome"] == "proposed"
        assert change(stranger, opened, number, position=1)["outcome"] == "unchanged"
        for refused in never_proposed(stranger, opened, number, task):
            with pytest.raises(Denied) as refusal:
                refused()
            assert refusal.value.as_answer()["missing"] == "write"

    assert Item.objects.count() == 2


@pytest.mark.parametrize(("public", "everyone"), [(True, False), (False, True), (False, False)])
def test_without_the_owners_leave_a_stranger_proposes_nothing(
    project: Project, mallory: Person, *, public: bool, everyone: bool
) -> None:
    Project.objects.update(is_public=public, open_proposals=everyone)

    with pytest.raises(Denied if public else NotFound):
        create(robo(mallory), project, "page", title="P")

    assert not Proposal.objects.exists()


def test_a_reader_may_there_propose_as_everybody_may(opened: Project, rita: Person) -> None:
    assert create(robo(rita), opened, "page", title="P")["outcome"] == "proposed"


def test_a_stranger_sees_and_withdraws_the_own_ones_alone(
    opened: Project, bob: Person, mallory: Person
) -> None:
    propose_new(robo(bob), opened, "page", title="Of bob")
    ref = propose_new(robo(mallory), opened, "page", title="Of mallory")

    listed = list_proposals(robo(mallory), ListRequest("proposal", opened.path))
    answer = project_get(robo(mallory), opened.path)

    assert [entry["title"] for entry in listed["items"]] == ["Of mallory"]
    assert answer["counts"]["pendingProposals"] == 1
    assert act(robo(mallory), opened, ref, "withdraw")["outcome"] == "done"


def test_recall_says_what_a_stranger_may_do(opened: Project, mallory: Person) -> None:
    assert "You may read here, and propose shared memories and pages." in recalled(
        robo(mallory), opened
    )


def test_when_the_leave_ends_pending_ones_stay_for_the_moderators(
    opened: Project, carol: Person, mallory: Person
) -> None:
    ref = propose_new(robo(mallory), opened, "page", title="P")
    Project.objects.update(is_public=False, open_proposals=False)

    with pytest.raises(NotFound):
        act(robo(mallory), opened, ref, "withdraw")

    assert act(person_caller(carol), opened, ref, "approve")["outcome"] == "done"


def test_a_stranger_makes_twenty_an_hour_and_is_told_when_to_go_on(
    opened: Project, mallory: Person
) -> None:
    fill(opened, mallory, limits.MOST_AN_HOUR - 1)
    assert create(robo(mallory), opened, "page", title="Last")["outcome"] == "proposed"

    with pytest.raises(RateLimited) as refusal:
        create(robo(mallory), opened, "page", title="Too many")

    assert 3500 <= refusal.value.as_answer()["retryAfter"] <= 3600
    Proposal.objects.update(created=timezone.now() - timedelta(hours=1))
    assert create(robo(mallory), opened, "page", title="Later")["outcome"] == "proposed"


def test_withdrawing_does_not_make_room_for_more_in_the_hour(
    opened: Project, mallory: Person
) -> None:
    fill(opened, mallory, limits.MOST_AN_HOUR)
    Proposal.objects.update(state="withdrawn")

    with pytest.raises(RateLimited):
        create(robo(mallory), opened, "page", title="Too many")


def test_strangers_fill_their_own_share_and_leave_members_theirs(
    opened: Project, bob: Person, mallory: Person
) -> None:
    others = [make_person(f"stranger{number}") for number in range(4)]
    for other in others:
        fill(opened, other, limits.MOST_OF_STRANGERS // 4, hours=2)
    fill(opened, bob, 10, hours=2)

    with pytest.raises(Conflict) as refusal:
        create(robo(mallory), opened, "page", title="P")

    assert "100" in refusal.value.message
    assert create(robo(bob), opened, "page", title="P")["outcome"] == "proposed"


def test_a_member_has_fifty_pending_in_a_project_all_agents_together(
    project: Project, bob: Person
) -> None:
    fill(project, bob, limits.MOST_IN_PROJECT - 1)
    last = propose_new(robo(bob), project, "page", title="Last")

    for caller in (robo(bob), agent_caller(bob, "second"), person_caller(bob)):
        with pytest.raises(Conflict) as refusal:
            create(caller, project, "page", title="Too many")
    assert propose_new(robo(bob), project, "page", title="Last") == last  # it waits already
    act(robo(bob), project, last, "withdraw")

    assert "50" in refusal.value.message
    assert create(robo(bob), project, "page", title="Again")["outcome"] == "proposed"


def test_a_member_has_twenty_pending_on_an_item(
    project: Project, alice: Person, bob: Person
) -> None:
    number = page(project, alice)
    for each in range(limits.MOST_ON_ITEM):
        propose(robo(bob), project, number, title=f"Title {each}")

    with pytest.raises(Conflict) as refusal:
        change(robo(bob), project, number, 1, title="One more")

    assert f"#{number}" in refusal.value.message
    assert create(robo(bob), project, "page", title="Elsewhere")["outcome"] == "proposed"


def test_limits_are_counted_by_project_and_by_person(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    fill(project, bob, limits.MOST_IN_PROJECT)

    of_carol = create(robo(carol), project, "page", title="P", propose=True)

    assert of_carol["outcome"] == "proposed"
