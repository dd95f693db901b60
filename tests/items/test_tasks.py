from datetime import UTC, datetime

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Invalid, NotFound
from conderis.common.json import JsonObject
from items.models import ItemEvent
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at

NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
def robo(alice: Person) -> Caller:
    return agent_caller(alice)


@pytest.fixture
def other(bob: Person) -> Caller:
    return agent_caller(bob, "Codex on laptop")


@pytest.fixture
def task(robo: Caller, project: Project) -> JsonObject:
    return create(robo, project, "task", title="Ship it")


def test_claim_assigns_the_agent_and_says_since_when(
    robo: Caller, project: Project, task: JsonObject
) -> None:
    answer = act(robo, project, 1, "claim", 1)

    assert (answer["outcome"], answer["status"], answer["version"]) == ("done", "in_progress", 2)
    assert answer["holder"] == {"ref": robo.agent_ref, "name": "robo"}
    assert answer["since"].endswith("Z")
    assert answer["assignee"] == answer["holder"]


def test_claiming_what_waits_says_for_what(robo: Caller, project: Project) -> None:
    create(robo, project, "task", title="First")
    create(robo, project, "task", title="Then", dependsOn=[1])

    assert act(robo, project, 2, "claim", 1)["waitsFor"] == [1]


def test_repeating_a_claim_is_harmless_whatever_the_version(
    robo: Caller, project: Project, task: JsonObject
) -> None:
    act(robo, project, 1, "claim", 1)

    again = act(robo, project, 1, "claim", 1)

    assert (again["outcome"], again["version"]) == ("unchanged", 2)
    assert ItemEvent.objects.count() == 2


def test_a_claimed_task_names_its_holder_to_the_next_and_how_to_take_it_over(
    robo: Caller, other: Caller, project: Project, task: JsonObject
) -> None:
    act(robo, project, 1, "claim", 1)

    with pytest.raises(Conflict) as refusal:
        act(other, project, 1, "claim", 2)
    change(other, project, 1, 2, assignee="me")
    taken = act(other, project, 1, "claim", 3)

    answer = refusal.value.as_answer()
    assert answer["holder"]["name"] == "robo"
    assert answer["since"]
    assert '"assignee": "me"' in answer["message"]
    assert taken["holder"]["name"] == "Codex on laptop"


def test_a_task_assigned_to_the_agents_own_person_is_not_held_by_someone_else(
    alice: Person, robo: Caller, project: Project, task: JsonObject
) -> None:
    change(person_caller(alice), project, 1, 1, assignee="me")

    answer = act(robo, project, 1, "claim", 2)

    assert answer["holder"]["ref"] == robo.agent_ref


def test_another_agent_of_the_same_person_is_someone_else(
    alice: Person, robo: Caller, project: Project, task: JsonObject
) -> None:
    act(robo, project, 1, "claim", 1)

    with pytest.raises(Conflict):
        act(agent_caller(alice, "second"), project, 1, "claim", 2)


def test_claim_is_refused_on_a_blocked_and_on_a_closed_task(
    robo: Caller, project: Project, task: JsonObject
) -> None:
    act(robo, project, 1, "block", 1, reason="waits for the vendor")
    with pytest.raises(Conflict) as blocked:
        act(robo, project, 1, "claim", 2)
    act(robo, project, 1, "complete", 2)
    with pytest.raises(Conflict) as closed:
        act(robo, project, 1, "claim", 3)

    assert blocked.value.as_answer()["blockedReason"] == "waits for the vendor"
    assert '{"status": "open"}' in closed.value.message


def test_block_needs_a_reason_and_unblock_goes_back_to_the_status_before(
    robo: Caller, other: Caller, project: Project, task: JsonObject
) -> None:
    act(robo, project, 1, "claim", 1)

    with pytest.raises(Invalid) as refusal:
        act(other, project, 1, "block", 2)
    blocked = act(other, project, 1, "block", 2, reason="no access")
    unblocked = act(robo, project, 1, "unblock", 3)

    assert refusal.value.as_answer()["field"] == "reason"
    assert (blocked["status"], blocked["blockedReason"]) == ("blocked", "no access")
    assert (unblocked["status"], unblocked["assignee"]["name"]) == ("in_progress", "robo")
    assert [event.event for event in ItemEvent.objects.order_by("id")] == [
        "created", "claimed", "blocked", "unblocked",
    ]  # fmt: skip
    assert ItemEvent.objects.get(event="blocked").reason == "no access"


def test_complete_closes_keeps_the_summary_and_names_active_subtasks(
    robo: Caller, other: Caller, project: Project, task: JsonObject
) -> None:
    create(robo, project, "task", title="Part", parent=1)
    create(robo, project, "task", title="Finished part", parent=1, status="done")

    answer = act(other, project, 1, "complete", 1, fields={"summary": "Shipped as 1.2"})
    again = act(other, project, 1, "complete", 1)
    with pytest.raises(Conflict) as refusal:
        act(robo, project, 1, "complete", 1)

    assert (answer["status"], answer["activeSubtasks"]) == ("done", [2])
    assert ItemEvent.objects.get(event="completed", version=2).reason == "Shipped as 1.2"
    assert (again["outcome"], again["activeSubtasks"]) == ("unchanged", [2])
    assert refusal.value.as_answer()["currentVersion"] == 2
    assert item_at(project, 2).status == "open"


@pytest.mark.parametrize("action", ["claim", "complete", "block", "unblock"])
def test_an_action_needs_the_current_version(
    robo: Caller, project: Project, task: JsonObject, action: str
) -> None:
    change(robo, project, 1, 1, content="newer")
    if action == "unblock":
        act(robo, project, 1, "block", 2, reason="r")
    standing = item_at(project, 1).version

    with pytest.raises(Invalid) as missing:
        act(robo, project, 1, action, reason="r")
    with pytest.raises(Conflict) as stale:
        act(robo, project, 1, action, 1, reason="r")

    assert missing.value.as_answer()["currentVersion"] == standing
    assert stale.value.as_answer()["currentVersion"] == standing
    assert item_at(project, 1).version == standing


def test_an_action_of_another_kind_is_refused_with_those_that_fit(
    robo: Caller, project: Project, task: JsonObject
) -> None:
    create(robo, project, "page", title="P")

    with pytest.raises(Invalid) as on_task:
        act(robo, project, 1, "archive", 1)
    with pytest.raises(Invalid) as on_page:
        act(robo, project, 2, "complete", 1)

    assert on_task.value.as_answer()["allowed"] == [
        "claim", "complete", "block", "unblock", "relate", "unrelate",
    ]  # fmt: skip
    assert "archive" in on_page.value.as_answer()["allowed"]


def test_fields_of_an_action_are_its_own(robo: Caller, project: Project, task: JsonObject) -> None:
    with pytest.raises(Invalid) as unknown:
        act(robo, project, 1, "complete", 1, fields={"note": "x"})
    with pytest.raises(Invalid) as none:
        act(robo, project, 1, "claim", 1, fields={"summary": "x"})
    with pytest.raises(Invalid) as foreign:
        act(robo, project, 1, "claim", 1, target=2)

    assert unknown.value.as_answer()["allowed"] == ["summary"]
    assert none.value.as_answer()["allowed"] == []
    assert foreign.value.as_answer()["field"] == "target"
    assert item_at(project, 1).status == "open"


def test_status_in_progress_claims_for_the_caller(
    robo: Caller, project: Project, task: JsonObject
) -> None:
    answer = change(robo, project, 1, 1, status="in_progress")

    assert answer["assignee"]["ref"] == robo.agent_ref
    assert ItemEvent.objects.get(version=2).event == "claimed"


def test_status_in_progress_claims_for_who_is_assigned(
    alice: Person, robo: Caller, project: Project, task: JsonObject
) -> None:
    change(robo, project, 1, 1, assignee=alice.ref)

    answer = change(robo, project, 1, 2, status="in_progress")

    assert answer["assignee"]["ref"] == alice.ref


def test_status_open_gives_a_task_in_progress_back(
    robo: Caller, project: Project, task: JsonObject
) -> None:
    act(robo, project, 1, "claim", 1)

    answer = change(robo, project, 1, 2, status="open")

    assert answer["status"] == "open"
    assert "assignee" not in answer


def test_status_blocked_needs_the_reason_beside_the_fields(
    robo: Caller, project: Project, task: JsonObject
) -> None:
    with pytest.raises(Invalid):
        change(robo, project, 1, 1, status="blocked")
    answer = change(robo, project, 1, 1, status="blocked", reason="the key is missing")

    assert answer["blockedReason"] == "the key is missing"


def test_status_open_ends_a_block_and_reopens_what_is_closed(
    robo: Caller, project: Project, task: JsonObject
) -> None:
    change(robo, project, 1, 1, status="blocked", reason="r")
    unblocked = change(robo, project, 1, 2, status="open")
    change(robo, project, 1, 3, status="canceled")
    reopened = change(robo, project, 1, 4, status="open")

    assert "blockedReason" not in unblocked
    assert reopened["status"] == "open"
    assert item_at(project, 1).blocked_reason == ""


def test_an_assignee_must_be_somebody_who_may_work_here(
    rita: Person, mallory: Person, robo: Caller, project: Project, task: JsonObject
) -> None:
    messages = set()
    for ref in (rita.ref, mallory.ref, "person:0000000000", "agent:0000000000"):
        with pytest.raises(Invalid) as refusal:
            change(robo, project, 1, 1, assignee=ref)
        messages.add(refusal.value.message)

    assert len(messages) == 1


def test_sending_the_standing_assignee_back_keeps_it_even_when_its_key_has_ended(
    bob: Person, robo: Caller, other: Caller, project: Project, task: JsonObject
) -> None:
    act(other, project, 1, "claim", 1)
    bob.agents.get().keys.update(revoked_at=NOW)

    kept = change(robo, project, 1, 2, assignee=other.agent_ref, priority="high")
    freed = change(robo, project, 1, 3, assignee=None)
    with pytest.raises(Invalid):
        change(robo, project, 1, 4, assignee=other.agent_ref)

    assert kept["assignee"]["ref"] == other.agent_ref
    assert kept["changed"] == ["priority"]
    assert "assignee" not in freed


def test_dependencies_are_the_blocking_relations_and_need_no_version(
    robo: Caller, project: Project, task: JsonObject
) -> None:
    create(robo, project, "task", title="Before", status="done")
    create(robo, project, "task", title="Also before")

    answer = change(robo, project, 1, dependsOn=[2, 3])
    same = change(robo, project, 1, dependsOn=[3, 2])
    act(robo, project, 3, "unrelate", target=1, relation="blocks")

    assert (answer["version"], answer["dependsOn"], answer["waitsFor"]) == (1, [2, 3], [3])
    assert same["outcome"] == "unchanged"
    assert list(item_at(project, 1).relations_in.values_list("source__number", flat=True)) == [2]


def test_dependencies_form_no_circle(robo: Caller, project: Project, task: JsonObject) -> None:
    create(robo, project, "task", title="B", dependsOn=[1])
    create(robo, project, "task", title="C", dependsOn=[2])

    for wrong in ([3], [1]):
        with pytest.raises(Invalid) as refusal:
            change(robo, project, 1, dependsOn=wrong)
        assert refusal.value.as_answer()["field"] == "dependsOn"

    assert not item_at(project, 1).relations_in.exists()


def test_an_action_on_nothing_and_on_the_hidden_answers_alike(
    mallory: Person, robo: Caller, project: Project, task: JsonObject
) -> None:
    stranger = agent_caller(mallory)
    messages = []
    for number in (1, 999):
        with pytest.raises(NotFound) as refusal:
            act(stranger, project, number, "claim", 1)
        messages.append(refusal.value.message)

    assert messages[0] == messages[1]
    assert item_at(project, 1).status == "open"
