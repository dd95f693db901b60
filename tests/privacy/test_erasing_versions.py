"""Erasing one version: the others stay as they are, and an item never shows an erased one."""

from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import Conflict, Locked
from items import search
from privacy.showing import show_request
from projects.models import Project
from proposals.access import access_proposal
from proposals.applying import look_ahead
from proposals.reviewing import approve
from proposals.undoing import undo_run
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at
from tests.privacy.deletions import (
    ask,
    erase,
    erased,
    found,
    left_of,
    read,
    refuse,
    request_at,
    states,
)
from tests.proposals.reviews import page, proposal_at, propose
from tests.proposals.test_undoing import look


@pytest.fixture
def number(alice: Person, project: Project) -> int:
    """A page of three versions: clean, zanzibar, and what now stands."""
    number = page(project, alice, title="Deploying", content="clean")
    change(person_caller(alice), project, number, 1, content="with zanzibar", reason="zanzibar")
    change(person_caller(alice), project, number, 2, content="mended")
    return number


def test_an_old_version_is_emptied_and_the_others_stay(
    alice: Person, carol: Person, project: Project, *, number: int
) -> None:
    before = read(person_caller(carol), project, number)
    ref = erased(carol, project, number, 2)

    item = item_at(project, number)
    then = read(person_caller(carol), project, number, version=2)
    history = read(person_caller(carol), project, number, history=True)

    assert read(person_caller(carol), project, number) == before
    assert states(item) == {1: True, 2: False, 3: True}
    assert then["erased"] is True
    assert not {"content", "title"} & set(then)
    assert [event["event"] for event in history["events"]] == [
        "erased", "changed", "changed", "created",
    ]  # fmt: skip
    assert left_of("zanzibar") == set()
    assert request_at(ref).removed == {"versions": 1}
    assert found(agent_caller(alice), project, "page", "mended") == [number]


def test_in_place_of_the_current_version_the_newest_that_remains_stands_as_a_new_one(
    alice: Person, carol: Person, project: Project, *, number: int
) -> None:
    change(person_caller(alice), project, number, 3, title="zanzibar", tags=["zanzibar"])
    erased(carol, project, number, 4)

    item = item_at(project, number)
    shown = read(agent_caller(alice), project, number)

    assert (item.title, item.content, item.tags, item.version) == ("Deploying", "mended", [], 5)
    assert item.locked_at is None
    assert states(item) == {1: True, 2: True, 3: True, 4: False, 5: True}
    assert (shown["version"], shown["content"]) == (5, "mended")
    assert found(agent_caller(alice), project, "page", "mended") == [number]
    assert found(agent_caller(alice), project, "page", "zanzibar") == []
    assert search.is_complete()
    event = item.events.get(version=5)
    assert (event.event, event.author, event.changed) == ("erased", carol, ["title", "tags"])


def test_a_caller_that_read_the_erased_version_gets_the_conflict(
    alice: Person, carol: Person, project: Project, *, number: int
) -> None:
    erased(carol, project, number, 3)

    with pytest.raises(Conflict) as refused:
        change(agent_caller(alice), project, number, 3, content="mended further")

    said = refused.value.as_answer()
    assert said["currentVersion"] == 4
    assert "zanzibar" in item_at(project, number).content


@pytest.mark.parametrize(
    ("steps", "stands"),
    [
        (["claim"], {"status": "in_progress", "assignee": True, "blocked": ""}),
        (["claim", "block"], {"status": "blocked", "assignee": True, "blocked": "waits"}),
        (["complete"], {"status": "done", "assignee": False, "blocked": ""}),
        ([], {"status": "open", "assignee": False, "blocked": ""}),
    ],
)
def test_a_task_gets_the_status_the_holder_and_the_block_that_it_had(
    alice: Person, project: Project, *, steps: list[str], stands: dict[str, Any]
) -> None:
    robo = agent_caller(alice)
    create(robo, project, "task", title="Deploy", priority="high", due="2030-01-31", tags=["a"],
           commits=["a" * 40])  # fmt: skip
    for step in steps:
        more = {"reason": "waits"} if step == "block" else {}
        act(robo, project, 1, step, item_at(project, 1).version, **more)
    last = item_at(project, 1).version
    change(robo, project, 1, last, status="canceled", title="zanzibar", priority="low", due=None,
           commits=[], tags=[])  # fmt: skip
    erased(alice, project, 1, last + 1)

    item = item_at(project, 1)
    got = {
        "status": item.status,
        "assignee": item.assignee_agent_id is not None,
        "blocked": item.blocked_reason,
    }

    assert got == stands
    assert (item.title, item.priority, str(item.due), item.tags) == (
        "Deploy", 1, "2030-01-31", ["a"],
    )  # fmt: skip
    assert len(item.commits) == 1
    assert (item.held_since is not None) == (item.status == "in_progress")
    assert states(item)[last + 1] is False
    assert left_of("zanzibar") == set()
    if item.status == "blocked":
        act(robo, project, 1, "unblock", item.version)
        assert item_at(project, 1).status in ("open", "in_progress")


def test_the_only_version_takes_the_item_with_it(alice: Person, project: Project) -> None:
    page(project, alice, title="zanzibar")
    ref = erased(alice, project, 1, 1)

    assert item_at(project, 1).erased_at is not None
    assert read(person_caller(alice), project, 1)["erased"]["by"] == "Alice"
    assert left_of("zanzibar") == set()
    assert request_at(ref).state == "erasing"


def test_one_version_after_the_other_erases_the_item_at_the_last(
    alice: Person, project: Project, *, number: int
) -> None:
    for version in (2, 1):
        erased(alice, project, number, version)
    assert item_at(project, number).erased_at is None

    erased(alice, project, number, 3)

    assert item_at(project, number).erased_at is not None
    assert not any(states(item_at(project, number)).values())


def test_the_current_version_waits_while_every_other_one_waits_for_a_decision(
    alice: Person, project: Project, *, number: int
) -> None:
    caller = person_caller(alice)
    refs = {version: ask(caller, project, number, version) for version in (1, 2, 3)}

    with pytest.raises(Conflict):
        erase(alice, refs[3])
    refuse(alice, refs[1])
    still = item_at(project, number).locked_by
    erase(alice, refs[3])

    item = item_at(project, number)
    assert still == refs[3].removeprefix("deletion:")
    assert (item.content, item.version, item.locked_at) == ("clean", 4, None)
    erase(alice, refs[2])
    assert states(item_at(project, number)) == {1: True, 2: False, 3: False, 4: True}


def test_of_two_requests_on_one_item_the_other_one_keeps_its_lock(
    alice: Person, project: Project, *, number: int
) -> None:
    caller = person_caller(alice)
    version = ask(caller, project, number, 3)
    whole = ask(caller, project, number)

    refuse(alice, version)
    locked = item_at(project, number)
    with pytest.raises(Locked):
        change(caller, project, number, 3, content="x")
    refuse(alice, whole)

    assert locked.locked_by == whole.removeprefix("deletion:")
    assert item_at(project, number).locked_at is None
    assert read(caller, project, number)["content"] == "mended"


def test_erasing_the_version_leaves_the_item_locked_by_the_request_for_all_of_it(
    alice: Person, project: Project, *, number: int
) -> None:
    caller = person_caller(alice)
    version = ask(caller, project, number, 3)
    whole = ask(caller, project, number)

    erase(alice, version)
    item = item_at(project, number)

    assert item.locked_by == whole.removeprefix("deletion:")
    assert "content" not in read(caller, project, number)
    assert search.is_complete()
    refuse(alice, whole)
    assert item_at(project, number).content == "with zanzibar"
    assert found(caller, project, "page", "zanzibar") == [number]


def test_erasing_the_item_decides_the_requests_for_its_versions(
    alice: Person, project: Project, *, number: int
) -> None:
    caller = person_caller(alice)
    version = ask(caller, project, number, 2, "holds zanzibar")
    whole = ask(caller, project, number)

    erase(alice, whole)

    other = request_at(version)
    assert (other.state, other.reason) == ("erasing", "")
    assert erase(alice, version)["outcome"] == "unchanged"
    assert left_of("zanzibar") == set()


def test_a_request_that_quotes_the_erased_version_is_emptied(
    alice: Person, bob: Person, project: Project, *, number: int
) -> None:
    first = ask(person_caller(bob), project, number, 1, "beside zanzibar")
    refuse(alice, first, "zanzibar is another version")
    proposal = propose(agent_caller(bob), project, number, content="bobs")
    other = ask(agent_caller(bob), None, proposal, reason="as zanzibar")
    erased(alice, project, number, 2)

    assert (request_at(first).state, request_at(first).reason) == ("refused", "")
    assert (request_at(other).state, request_at(other).reason) == ("pending", "")
    assert left_of("zanzibar") == set()


def test_a_proposal_on_the_erased_version_is_taken_in_the_browser_alone(
    alice: Person, bob: Person, carol: Person, project: Project, *, number: int
) -> None:
    ref = propose(agent_caller(bob), project, number, content="Bobs own text.")
    ask_ref = ask(person_caller(alice), project, number, 3)
    with pytest.raises(Locked):
        approve(person_caller(carol), ref)
    erase(alice, ask_ref)

    with pytest.raises(Conflict) as over_mcp:
        approve(agent_caller(carol), ref)
    outlook = look_ahead(access_proposal(person_caller(carol), ref))
    done = approve(person_caller(carol), ref, version=4)

    assert "erased" in str(over_mcp.value)
    assert outlook.base_erased
    assert outlook.result is not None
    assert outlook.result["content"] == "Bobs own text."
    assert done["outcome"] == "done"
    assert item_at(project, number).content == "Bobs own text."


def test_a_proposal_with_a_word_that_only_the_erased_version_had_goes_with_it(
    alice: Person, bob: Person, project: Project, *, number: int
) -> None:
    quoting = propose(agent_caller(bob), project, number, content="mended, no zanzibar")
    other = propose(agent_caller(bob), project, number, content="mended well")
    erased(alice, project, number, 2)

    gone, stays = proposal_at(quoting), proposal_at(other)
    assert (gone.state, gone.fields, gone.erased_at is None) == ("rejected", {}, False)
    assert (stays.state, stays.fields) == ("pending", {"content": "mended well"})
    assert left_of("zanzibar") == set()


def test_undoing_an_agents_run_does_not_bring_it_back(
    alice: Person, carol: Person, project: Project
) -> None:
    rogue = agent_caller(alice, "rogue")
    page(project, alice, title="Deploying", content="zanzibar")
    change(rogue, project, 1, 1, content="rewritten")
    erased(carol, project, 1, 1)

    run = look(person_caller(carol), project, rogue)
    undo_run(person_caller(carol), project.path, agent_ref=str(rogue.agent_ref), since=run.since,
             until=run.until, seen=run.digest)  # fmt: skip

    assert "zanzibar" not in str(run)
    assert item_at(project, 1).content == "rewritten"
    assert left_of("zanzibar") == set()


def test_what_an_agents_run_lists_is_left_where_it_is_erased(
    alice: Person, carol: Person, project: Project
) -> None:
    rogue = agent_caller(alice, "rogue")
    create(rogue, project, "page", title="zanzibar")
    erased(carol, project, 1)

    run = look(person_caller(carol), project, rogue)

    assert [str(item.undo) for item in run.items] in ([], ["leave"])
    assert "zanzibar" not in str(run)


def test_a_page_says_which_other_versions_hold_the_same_text(
    alice: Person, project: Project
) -> None:
    text = "The password of the staging server is zanzibar, as ever."
    page(project, alice, content=text)
    change(person_caller(alice), project, 1, 1, tags=["a"])
    change(person_caller(alice), project, 1, 2, content="clean", complete=True)
    ref = ask(person_caller(alice), project, 1, 2)

    assert show_request(person_caller(alice), ref).affected.equal_versions == (1,)
