"""What has happened to items: every deed, in whose name, and nothing of what is hidden."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller, Surface, nobody
from conderis.common.errors import Denied, Invalid, NotFound
from items import activity
from items.activity import Activity, By, Happening, Wanted, project_activity, recent_doers
from items.models import Item
from projects.models import Project
from proposals.reviewing import approve
from tests.factories import agent_caller, make_person, make_project, person_caller
from tests.items.calls import act, change, create
from tests.privacy.deletions import ask, erase
from tests.proposals.reviews import propose


def happened(caller: Caller, project: Project, **wanted: Any) -> list[Happening]:
    """What the caller is told, oldest first."""
    found = project_activity(caller, project.path, wanted=Wanted(**wanted), limit=100)
    return found.items[::-1]


def said(caller: Caller, project: Project, **wanted: Any) -> list[tuple[str, int | None]]:
    return [(each.event, each.number) for each in happened(caller, project, **wanted)]


def test_every_deed_is_told_with_whose_it_is_and_what_it_changed(
    project: Project, alice: Person, bob: Person, rita: Person
) -> None:
    owner, robo = person_caller(alice), agent_caller(bob)
    create(owner, project, "task", title="Ship")
    create(owner, project, "task", title="Build")
    change(owner, project, 2, parent=1)
    act(robo, project, 1, "claim", 1)
    act(robo, project, 1, "block", 2, reason="Rain")
    act(owner, project, 1, "unblock", 3)
    act(owner, project, 1, "complete", 4)
    change(owner, project, 2, 1, title="Bake", priority="high")
    act(owner, project, 2, "relate", target=1, relation="relates")
    create(owner, project, "instructions", content="Test first.")

    found = happened(person_caller(rita), project)

    assert [(each.event, each.number, each.version, each.fields) for each in found] == [
        ("created", 1, 1, ()),
        ("created", 2, 1, ()),
        ("moved", 2, None, ("parent",)),
        ("claimed", 1, 2, ("status", "assignee")),
        ("blocked", 1, 3, ("status",)),
        ("unblocked", 1, 4, ("status",)),
        ("completed", 1, 5, ("status",)),
        ("changed", 2, 2, ("title", "priority")),
        ("relate", 2, None, ()),
        ("created", None, 1, ()),
    ]
    assert [(each.by.name, each.agent) for each in found if each.by][3:5] == [("Bob", "robo")] * 2
    assert (found[8].relation, found[8].target) == ("relates", 1)
    assert (found[9].ref, found[9].kind) == ("instructions", "instructions")
    assert {each.title for each in found} == {"Ship", "Bake", ""}


def test_what_was_approved_is_its_proposers_and_names_the_approver(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="x")
    approve(person_caller(carol), propose(agent_caller(bob), project, 1, title="The guide"))

    newest = happened(person_caller(alice), project)[-1]

    assert newest.by is not None
    assert (newest.by.name, newest.agent, newest.approver) == ("Bob", "robo", "Carol")
    for wanted, number in (({"person": bob.ref}, 1), ({"person": carol.ref}, 0),
                           ({"by": By.AGENTS}, 1), ({"by": By.PEOPLE}, 1)):  # fmt: skip
        assert len(happened(person_caller(alice), project, **wanted)) == number, wanted


def test_filters_narrow_and_go_together(project: Project, alice: Person, bob: Person) -> None:
    owner, robo = person_caller(alice), agent_caller(bob)
    create(owner, project, "page", title="Guide")
    create(robo, project, "task", title="Ship")
    create(person_caller(bob), project, "task", title="Build")

    assert said(owner, project, kind="task") == [("created", 2), ("created", 3)]
    assert said(owner, project, person=bob.ref, by=By.AGENTS) == [("created", 2)]
    assert said(owner, project, by=By.PEOPLE) == [("created", 1), ("created", 3)]
    assert said(owner, project, person="person:none") == []
    assert [each.name for each in recent_doers(owner, project.path)] == ["Alice", "Bob"]
    with pytest.raises(Invalid):
        happened(owner, project, kind="proposal")


def test_others_private_memories_leave_no_trace(
    project: Project, alice: Person, bob: Person
) -> None:
    owner, robo = person_caller(alice), agent_caller(bob)
    create(robo, project, "memory", title="Mine", visibility="private")
    create(robo, project, "memory", title="Mine, too", visibility="private")
    act(robo, project, 1, "relate", target=2, relation="relates")
    change(robo, project, 1, 1, title="Still mine")

    assert said(owner, project) == []
    assert recent_doers(owner, project.path) == []
    assert said(robo, project) == [("created", 1), ("created", 2), ("relate", 1), ("changed", 1)]


def test_a_relation_to_what_the_reader_may_not_read_is_not_told(
    project: Project, alice: Person, bob: Person
) -> None:
    robo = agent_caller(bob)
    create(robo, project, "task", title="Ship")
    create(robo, project, "memory", title="Mine", visibility="private")
    act(robo, project, 1, "relate", target=2, relation="relates")

    assert said(person_caller(alice), project) == [("created", 1)]
    assert ("relate", 1) in said(robo, project)


def test_what_is_locked_or_erased_vanishes_and_a_locked_version_too(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    owner, robo = person_caller(alice), agent_caller(bob)
    for title in ("Locked", "Gone", "Kept"):
        create(owner, project, "page", title=title, content="x")
    change(owner, project, 3, 1, title="Kept on")
    act(owner, project, 3, "relate", target=1, relation="relates")
    everything = said(owner, project)

    ask(robo, project, 1)
    erase(carol, ask(owner, project, 2))
    ask(robo, project, 3, 1)

    assert len(everything) == 5
    assert said(owner, project) == [("changed", 3)]


def test_nobody_is_told_of_public_projects_alone(alice: Person) -> None:
    private, public = make_project(alice), make_project(alice, "commons", is_public=True)
    for project in (private, public):
        create(person_caller(alice), project, "page", title="Guide")
        create(person_caller(alice), project, "memory", title="Mine", visibility="private")
    reader = nobody(Surface.WEB)

    assert said(reader, public) == [("created", 1)]
    with pytest.raises(NotFound):
        said(reader, private)
    with pytest.raises(Denied):
        create(reader, public, "page", title="Spam")


def test_250_events_of_one_moment_are_each_shown_once(project: Project, alice: Person) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Guide")
    first = AuditEvent.objects.get(action="item.created")
    AuditEvent.objects.bulk_create(
        AuditEvent(action="item.moved", subject="#1", project_id=project.pk, at=first.at,
                   person_id=alice.pk, surface="web", detail={"moved": ["position"]})
        for _ in range(250)
    )  # fmt: skip
    seen, cursor = [], None
    while True:
        page = project_activity(owner, project.path, cursor=cursor)
        seen += [each.id for each in page.items]
        if page.next_cursor is None:
            break
        cursor = page.next_cursor

    assert len(seen) == len(set(seen)) == 251


@pytest.mark.parametrize("size", [1, 2, 20])
def test_a_page_looks_through_a_stretch_of_the_log_and_the_pages_together_through_all(
    project: Project, alice: Person, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Oldest")
    for number in range(9):
        create(owner, project, "task", title=f"Task {number}")
    create(owner, project, "page", title="Newest")
    log = AuditEvent.objects.filter(project_id=project.pk).count()
    monkeypatch.setattr(activity, "WINDOW", 4)
    wanted, cursor = Wanted(kind="page"), None
    pages: list[Activity] = []
    while not pages or cursor is not None:
        pages.append(
            project_activity(owner, project.path, wanted=wanted, cursor=cursor, limit=size)
        )
        cursor = pages[-1].next_cursor

    told = [each.title for page in pages for each in page.items]

    assert told == ["Newest", "Oldest"]
    assert len(pages) >= -(-log // 4)
    assert [] in [page.items for page in pages]
    assert all(page.is_partial for page in pages[:-1] if len(page.items) < size)
    assert not pages[-1].is_partial


def test_a_log_that_ends_with_its_stretch_leads_nowhere(
    project: Project, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person_caller(alice)
    create(owner, project, "task", title="Ship")
    create(owner, project, "task", title="Build")
    log = AuditEvent.objects.filter(project_id=project.pk).count()

    monkeypatch.setattr(activity, "WINDOW", log)
    page = project_activity(owner, project.path, wanted=Wanted(kind="page"))
    assert (page.items, page.next_cursor, page.is_partial) == ([], None, False)

    monkeypatch.setattr(activity, "WINDOW", log - 1)
    page = project_activity(owner, project.path, wanted=Wanted(kind="page"))
    assert page.is_partial
    assert page.next_cursor is not None


def test_the_people_to_choose_among_are_those_of_the_latest_stretch(
    project: Project, alice: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(person_caller(alice), project, "task", title="Ship")
    create(person_caller(bob), project, "task", title="Build")
    monkeypatch.setattr(activity, "WINDOW", 1)

    assert [each.name for each in recent_doers(person_caller(alice), project.path)] == ["Bob"]


def test_a_cursor_fits_its_own_list_and_reader_alone(
    project: Project, alice: Person, bob: Person
) -> None:
    owner = person_caller(alice)
    for number in range(3):
        create(owner, project, "page", title=f"Page {number}")
    cursor = project_activity(owner, project.path, limit=1).next_cursor

    for caller, wanted in ((person_caller(bob), Wanted()), (owner, Wanted(kind="page"))):
        with pytest.raises(Invalid):
            project_activity(caller, project.path, wanted=wanted, cursor=cursor)


def test_it_costs_the_same_for_two_events_and_for_forty(project: Project, alice: Person) -> None:
    owner = person_caller(alice)

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as caught:
            project_activity(owner, project.path, limit=100)
        return len(caught)

    create(owner, project, "page", title="Page")
    create(owner, project, "page", title="Other")
    act(owner, project, 1, "relate", target=2, relation="relates")
    few = queries()
    for number in range(20):
        person = make_person(f"writer{number}")
        project.members.create(person=person, role="moderator")
        create(agent_caller(person, f"agent{number}"), project, "page", title=f"Page {number}")
        act(person_caller(person), project, number + 3, "relate", target=1, relation="relates")

    assert queries() == few <= 8
    assert Item.objects.count() == 22
