"""Undoing all that an agent did in a span of time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, Invalid, NotFound
from conderis.common.json import JsonObject
from items.models import Item
from projects.models import Project
from proposals.reviewing import approve
from proposals.undoing import Run, Undo, agent_run, undo_run
from tests.factories import agent_caller, make_project, person_caller
from tests.items.calls import act, change, create, item_at
from tests.proposals.reviews import TEXT, events_of, made, page, proposal_at, propose, robo

SINCE = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
def rogue(alice: Person) -> Caller:
    """An agent of alice, who owns the project."""
    return agent_caller(alice, "rogue")


def look(caller: Caller, project: Project, agent: Caller, since: datetime = SINCE) -> Run:
    return agent_run(
        caller, project.path, agent_ref=str(agent.agent_ref), since=since, until=_until()
    )


def _until() -> datetime:
    return timezone.now().replace(microsecond=0) + timedelta(minutes=1)


def undo(caller: Caller, project: Project, agent: Caller, **more: str) -> JsonObject:
    run = look(caller, project, agent)
    return undo_run(
        caller,
        project.path,
        agent_ref=str(agent.agent_ref),
        since=run.since,
        until=run.until,
        seen=more.pop("seen", run.digest),
        **more,
    )


def test_changes_go_back_as_a_new_version_of_who_undoes(
    project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    number = page(project, alice, tags=["a"], verifiedAgainst="a" * 40)
    change(rogue, project, number, 1, content="gone", complete=True)
    change(rogue, project, number, 2, title="Odd", tags=[])

    run = look(person_caller(carol), project, rogue)
    answer = undo(person_caller(carol), project, rogue, reason="Ran wild")

    (listed,) = run.items
    assert (listed.undo, listed.to_version, listed.versions) == (Undo.BACK, 1, (2, 3))
    assert set(listed.fields) == {"content", "title", "tags", "verifiedAgainst"}
    item = item_at(project, number)
    assert (item.title, item.content, item.tags) == ("Deploying", TEXT, ["a"])
    assert item.verified_against == {"commit": "a" * 40}
    assert answer["undone"] == [{"number": number, "version": 4}]
    assert made(item) == {
        "event": "changed",
        "version": 4,
        "author": "carol",
        "agent": None,
        "approver": None,
    }
    assert item.events.latest("id").reason == "Ran wild"
    assert [event.version for event in events_of(item)] == [1, 2, 3, 4]


def test_what_it_created_is_archived_and_its_tasks_are_canceled(
    project: Project, carol: Person, rogue: Caller
) -> None:
    parent = create(rogue, project, "page", title="P")["number"]
    child = create(rogue, project, "page", title="C", parent=parent)["number"]
    memory = create(rogue, project, "memory", title="M", visibility="shared")["number"]
    task = create(rogue, project, "task", title="T")["number"]
    create(rogue, project, "instructions", content="Obey")

    answer = undo(person_caller(carol), project, rogue)

    assert {each.get("number") for each in answer["undone"]} == {parent, child, memory, task}
    assert [(each["ref"], each["because"]) for each in answer["left"]] == [
        ("instructions", "changing it takes manage")
    ]
    assert item_at(project, child).archived_with == item_at(project, parent)
    assert item_at(project, memory).archived_at is not None
    assert item_at(project, task).status == "canceled"


def test_an_owner_also_undoes_the_instructions(
    project: Project, alice: Person, rogue: Caller
) -> None:
    create(rogue, project, "instructions", content="Obey")

    undo(person_caller(alice), project, rogue)

    assert Item.objects.get(kind="instructions").content == ""


def test_what_it_archived_comes_back_with_what_went_along(
    project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    parent = page(project, alice, "Parent")
    child = page(project, alice, "Child", parent=parent)
    hidden = page(project, alice, "Hidden")
    act(person_caller(alice), project, hidden, "archive", 1)
    act(rogue, project, parent, "archive", 1)
    act(rogue, project, hidden, "restore", 2)

    undo(person_caller(carol), project, rogue)

    archived = {n: item_at(project, n).archived_at is not None for n in (parent, child, hidden)}
    assert archived == {parent: False, child: False, hidden: True}


def test_work_on_tasks_is_reopened_and_text_goes_back(
    project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    owner = person_caller(alice)
    done, claimed, written = (
        create(owner, project, "task", title=f"T{n}", content="c")["number"] for n in range(3)
    )
    act(rogue, project, done, "complete", 1)
    act(rogue, project, claimed, "claim", 1)
    change(rogue, project, written, 1, content="x", priority="urgent")

    undo(person_caller(carol), project, rogue)

    assert [item_at(project, n).status for n in (done, claimed, written)] == ["open"] * 3
    assert (item_at(project, written).content, item_at(project, written).priority) == ("c", 2)


def test_what_others_touched_since_is_left_and_listed(
    project: Project, alice: Person, bob: Person, carol: Person, rogue: Caller
) -> None:
    mine, approved = page(project, alice, "Mine"), page(project, alice, "Approved")
    change(rogue, project, mine, 1, content="x")
    change(person_caller(alice), project, mine, 2, tags=["kept"])
    careful = agent_caller(bob, "careful")
    approve(person_caller(carol), propose(careful, project, approved, title="Other"))
    parent = create(rogue, project, "page", title="Parent")["number"]
    page(project, alice, "Child", parent=parent)

    answer = undo(person_caller(carol), project, rogue)
    others = look(person_caller(carol), project, careful)

    assert answer == {
        "outcome": "unchanged",
        "left": [
            {"number": mine, "because": "changed since by Alice (version 3)"},
            {"number": parent, "because": "active items of others stand below it"},
        ],
    }
    assert (others.items[0].undo, others.items[0].because) == (Undo.LEAVE, "approved by Carol")
    assert item_at(project, mine).version == 3
    assert item_at(project, parent).archived_at is None


def test_a_locked_item_is_left_and_its_title_not_shown(
    project: Project, carol: Person, rogue: Caller
) -> None:
    number = create(rogue, project, "page", title="Zanzibar")["number"]
    Item.objects.filter(number=number).update(locked_at=SINCE, locked_by="x1")

    (listed,) = look(person_caller(carol), project, rogue).items
    answer = undo(person_caller(carol), project, rogue)

    assert (listed.undo, listed.title) == (Undo.LEAVE, "")
    assert answer["left"] == [{"number": number, "because": "locked by a deletion request"}]


def test_too_many_items_at_once_are_refused(
    project: Project, carol: Person, rogue: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proposals.undo_plans.MAX_ITEMS", 1)
    for number in range(2):
        create(rogue, project, "task", title=f"T{number}")

    with pytest.raises(Invalid) as refused:
        look(person_caller(carol), project, rogue)

    assert refused.value.details["field"] == "since"


def test_titles_that_the_same_undoing_frees_go_back(
    project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    one, two = page(project, alice, "One"), page(project, alice, "Two")
    change(rogue, project, one, 1, title="One old")
    change(rogue, project, two, 1, title="One")
    made_new = create(rogue, project, "page", title="Two")["number"]

    run = look(person_caller(carol), project, rogue)
    answer = undo(person_caller(carol), project, rogue)

    assert [each.undo for each in run.items] == [Undo.BACK, Undo.BACK, Undo.ARCHIVE]
    assert [each.because for each in run.items] == [None, None, None]
    assert (item_at(project, one).title, item_at(project, two).title) == ("One", "Two")
    assert item_at(project, made_new).archived_at is not None
    assert answer["left"] == []


def test_swapped_titles_and_one_that_another_took_are_left_and_said(
    project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    one, two, three = (page(project, alice, title) for title in ("One", "Two", "Three"))
    change(rogue, project, one, 1, title="Between")
    change(rogue, project, two, 1, title="One")
    change(rogue, project, one, 2, title="Two")
    change(rogue, project, three, 1, title="Three old")
    taken = page(project, alice, "Three")

    run = look(person_caller(carol), project, rogue)
    answer = undo(person_caller(carol), project, rogue)

    said = [each.because or "" for each in run.items]
    assert [each.undo for each in run.items] == [Undo.LEAVE] * 3
    assert [f"#{number}" in words for number, words in zip((two, one, taken), said, strict=True)]
    assert "cannot go back first" in said[0]
    assert answer["outcome"] == "unchanged"


def test_its_pending_proposals_are_taken_back(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    bobs, carols = robo(bob), agent_caller(carol, "careful", always_review=True)
    refs = [propose(caller, project, number, title="New") for caller in (bobs, carols)]

    answers = [undo(person_caller(carol), project, caller) for caller in (bobs, carols)]

    assert [answer["proposals"] for answer in answers] == [[refs[0]], [refs[1]]]
    assert [proposal_at(ref).state for ref in refs] == ["rejected", "withdrawn"]
    assert proposal_at(refs[0]).decision_reason
    events = AuditEvent.objects.filter(action__in=("proposal.rejected", "proposal.withdrawn"))
    assert [
        (each.action, each.subject, each.person_id, each.detail["item"])
        for each in events.order_by("pk")
    ] == [
        ("proposal.rejected", refs[0], carol.pk, f"#{number}"),
        ("proposal.withdrawn", refs[1], carol.pk, f"#{number}"),
    ]


def test_a_list_that_has_changed_is_looked_at_again(
    project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    number = page(project, alice)
    change(rogue, project, number, 1, title="X")
    run = look(person_caller(carol), project, rogue)
    change(rogue, project, number, 2, title="Y")

    with pytest.raises(Conflict):
        undo(person_caller(carol), project, rogue, seen=run.digest)

    assert item_at(project, number).title == "Y"


def test_repeating_it_changes_nothing_and_it_is_in_the_audit_log_once(
    project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    number = page(project, alice)
    change(rogue, project, number, 1, title="Zanzibar")
    run = look(person_caller(carol), project, rogue)

    def undo_seen() -> JsonObject:
        return undo_run(
            person_caller(carol),
            project.path,
            agent_ref=str(rogue.agent_ref),
            since=run.since,
            until=run.until,
            seen=run.digest,
        )

    first, second = undo_seen(), undo_seen()

    assert (first["outcome"], second) == ("done", {"outcome": "unchanged"})
    event = AuditEvent.objects.get(action="run.undone")
    assert (event.subject, event.detail["items"]) == (rogue.agent_ref, [f"#{number}"])
    assert "Zanzibar" not in str(event.detail)
    assert item_at(project, number).version == 3


def test_moves_and_relations_are_named_as_not_undone(
    project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    parent, number = page(project, alice, "Parent"), page(project, alice)
    change(rogue, project, number, parent=parent)
    change(rogue, project, number, 1, title="New", parent=None)
    act(rogue, project, number, "relate", target=parent, relation="relates")

    run = look(person_caller(carol), project, rogue)

    assert [(each["action"], each["subject"]) for each in run.remaining] == [
        ("item.relate", f"#{number}"),
        ("item.changed", f"#{number}"),
        ("item.moved", f"#{number}"),
    ]


def test_only_the_span_counts(
    project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    number = page(project, alice)
    change(rogue, project, number, 1, title="X")
    item_at(project, number).events.filter(version=2).update(at=SINCE)
    change(rogue, project, number, 2, title="Y")

    later = look(person_caller(carol), project, rogue, SINCE + timedelta(days=1))

    assert [(each.versions, each.to_version) for each in later.items] == [((3,), 2)]


def test_other_peoples_private_memories_are_not_in_it(
    project: Project, carol: Person, bob: Person
) -> None:
    agent = agent_caller(bob)
    create(agent, project, "memory", title="Zanzibar", visibility="private")
    create(agent, project, "task", title="T")

    run = look(person_caller(carol), project, agent)

    assert [each.kind for each in run.items] == ["task"]


def test_ones_own_private_memory_is_undone_and_does_not_show_in_the_log(
    project: Project, alice: Person, rogue: Caller
) -> None:
    number = create(rogue, project, "memory", title="M", visibility="private")["number"]

    answer = undo(person_caller(alice), project, rogue)

    assert answer["undone"] == [{"number": number, "version": 2}]
    assert AuditEvent.objects.get(action="run.undone").detail["items"] == []


def test_only_people_who_moderate_see_or_undo_it(
    project: Project,
    alice: Person,
    request: pytest.FixtureRequest,
    rogue: Caller,
) -> None:
    bob, mallory = map(request.getfixturevalue, ("bob", "mallory"))
    number = page(project, alice)
    change(rogue, project, number, 1, title="X")

    refusals = []
    for caller in (rogue, person_caller(bob), person_caller(mallory)):
        with pytest.raises((Denied, NotFound)) as refused:
            look(caller, project, rogue)
        refusals.append(refused.value.details.get("missing", refused.value.code))

    assert refusals == ["person", "moderate", "not_found"]


def test_an_agent_without_a_trace_here_is_the_same_as_none(
    project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    create(rogue, make_project(alice, "other"), "task", title="T")

    def ask(ref: str) -> Callable[[], object]:
        return lambda: agent_run(
            person_caller(carol), project.path, agent_ref=ref, since=SINCE, until=timezone.now()
        )

    for ref in (str(rogue.agent_ref), "agent:nobody", "nobody"):
        with pytest.raises(NotFound):
            ask(ref)()


def test_a_span_that_is_none_is_refused(project: Project, carol: Person, rogue: Caller) -> None:
    create(rogue, project, "task", title="T")

    with pytest.raises(Invalid):
        agent_run(
            person_caller(carol),
            project.path,
            agent_ref=str(rogue.agent_ref),
            since=timezone.now(),
            until=SINCE,
        )
