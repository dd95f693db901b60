"""The start page: what waits for a person, what has changed, their projects."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conderis.accounts.models import Person
from items.mine import active_work, recent_changes
from items.requests import Address, DeletionCall
from privacy.deciding import erase
from privacy.requesting import request_deletion
from privacy.waiting import waiting_requests
from projects.assignees import people_who_manage, people_who_moderate
from projects.capabilities import Role
from projects.mine import latest_own_projects
from projects.models import Project
from proposals.reviewing import reject
from proposals.waiting import waiting_proposals
from tests.factories import agent_caller, join, make_person, make_project, person_caller
from tests.items.calls import act, change, create
from tests.projects.making import make_organization, make_organization_project
from tests.proposals.batches import memory, send
from tests.web.signing_in_steps import BACKEND


def start_of(client: Client, person: Person) -> str:
    client.force_login(person, backend=BACKEND)
    answer = client.get("/")
    assert answer.status_code == 200
    return answer.content.decode()


def ask_to_erase(person: Person, project: Project, number: int) -> str:
    call = DeletionCall(Address(project.path, number=number), reason="a token")
    return str(request_deletion(person_caller(person), call)["request"])


def test_a_moderator_sees_the_proposals_deletions_and_tasks_that_wait_for_them(
    client: Client, project: Project, carol: Person, bob: Person
) -> None:
    create(agent_caller(bob, "Codex"), project, "page", title="How we brew")
    create(person_caller(carol), project, "page", title="Recipe")
    ask_to_erase(bob, project, 1)
    create(person_caller(bob), project, "task", title="Pour", assignee=carol.ref)

    page = start_of(client, carol)

    assert "1 deletion, 1 proposal, 1 task" in page
    for text in ("How we brew", "New page", "Codex", "Page #1", "Pour", "alice/shop"):
        assert text in page, text
    assert "Recipe" not in page


def test_nothing_waits_for_who_may_not_decide_it(
    client: Client, project: Project, *, rita: Person, bob: Person, alice: Person, mallory: Person
) -> None:
    create(person_caller(bob), project, "page", title="How we brew")
    create(person_caller(alice), project, "page", title="Recipe")
    ask_to_erase(bob, project, 1)
    create(person_caller(bob), project, "task", title="Pour", assignee=bob.ref)
    make_project(mallory, "open", is_public=True)

    for person in (rita, mallory):
        page = start_of(client, person)
        assert "Nothing waits for you." in page
        assert "How we brew" not in page
        assert "Deletions to decide" not in page
    contributors = start_of(client, bob)

    assert "1 task" in contributors
    assert "How we brew" not in contributors
    assert "Deletions to decide" not in contributors


def test_ones_own_proposal_waits_for_who_alone_could_decide_it(
    client: Client, alice: Person, carol: Person
) -> None:
    lone = make_project(alice, "lone")
    create(agent_caller(alice, "robo", always_review=True), lone, "page", title="Alone")

    alone = start_of(client, alice)
    join(lone, carol, Role.MODERATOR)
    together = start_of(client, alice)

    assert "1 proposal" in alone
    assert "nobody else can decide it" in alone
    assert "Nothing waits for you." in together
    assert "1 proposal" in start_of(client, carol)


@pytest.mark.parametrize("granted", list(Role))
@pytest.mark.parametrize("override", ["", *Role])
@pytest.mark.parametrize("kind", ["page", "instructions"])
def test_who_else_could_decide_is_asked_as_the_door_asks_it(
    alice: Person, bob: Person, granted: str, override: str, kind: str
) -> None:
    organization = make_organization(alice, members=(bob,))
    organization.member_role = granted
    organization.save()
    project = make_organization_project(organization, member_role=override)
    fields = {"title": "New"} if kind == "page" else {"content": "Test first."}
    create(agent_caller(alice, "robo", always_review=True), project, kind, **fields)
    people = people_who_moderate if kind == "page" else people_who_manage

    waiting = waiting_proposals(person_caller(alice), limit=5)
    others = people(project).exclude(pk=alice.pk).exists()
    bob.is_active = False
    bob.save()

    assert waiting.total == (0 if others else 1)
    assert waiting_proposals(person_caller(alice), limit=5).total == 1


def test_a_key_for_chosen_projects_finds_what_waits_there_alone(
    project: Project, alice: Person, bob: Person
) -> None:
    other = make_project(alice, "other")
    join(other, bob, Role.CONTRIBUTOR)
    for place in (project, other):
        create(person_caller(bob), place, "task", title="To do")
        create(person_caller(bob), place, "page", title="Proposed")
        made = create(person_caller(alice), place, "page", title="Standing")
        change(person_caller(bob), place, int(made["number"]), 1, title="Proposed too")
        bad = create(person_caller(alice), place, "page", title="Bad")
        ask_to_erase(bob, place, int(bad["number"]))
    key = agent_caller(alice, projects=[project])

    for caller, places in ((person_caller(alice), {"alice/shop", "alice/other"}),
                           (key, {"alice/shop"})):  # fmt: skip
        proposals, requests = waiting_proposals(caller, limit=9), waiting_requests(caller, limit=9)
        assert {row.project for row in proposals.items} == places
        assert {row.project for row in requests.items} == places
        assert (proposals.total, requests.total) == (2 * len(places), len(places))
        found = latest_own_projects(caller, limit=9).items
        assert {access.project.full_name for access in found} == places
        assert {change.project for change in recent_changes(caller, limit=9)} == places
        working = active_work(caller, [project.pk, other.pk])
        assert len(working) == len(places)


def test_a_proposed_batch_says_how_many_items_it_holds(
    client: Client, project: Project, alice: Person, bob: Person
) -> None:
    send(agent_caller(bob), project, memory("one"), memory("two"))

    page = start_of(client, alice)

    assert page.count("Batch of 2 new memories") == 2
    assert "Batch of new items" not in page


def test_what_is_decided_locked_or_in_a_deleted_project_waits_no_more(
    client: Client, project: Project, carol: Person, bob: Person, alice: Person
) -> None:
    made = create(person_caller(bob), project, "page", title="Rejected")
    reject(person_caller(carol), str(made["proposal"]), reason="no")
    create(person_caller(alice), project, "page", title="Stands")
    change(person_caller(bob), project, 1, 1, title="Locked with its page")
    ref = ask_to_erase(alice, project, 1)
    locked = start_of(client, carol)
    erase(person_caller(alice), ref)
    create(person_caller(bob), project, "page", title="Waits")
    waits = start_of(client, carol)
    Project.objects.filter(pk=project.pk).update(deleted_at=timezone.now())

    gone = start_of(client, carol)

    assert "Proposals to review" not in locked
    assert "1 deletion" in locked
    assert "1 proposal" in waits
    assert "Stands" not in locked + waits
    assert "Waits" not in gone
    assert "alice/shop" not in gone


def test_tasks_come_due_first_and_are_overdue_when_the_day_has_ended_for_the_reader(
    client: Client, project: Project, bob: Person
) -> None:
    for title, days in (("Later", 9), ("Soon", 1), ("Past", -3)):
        due = (timezone.now() + timedelta(days=days)).date().isoformat()
        create(person_caller(bob), project, "task", title=title, due=due, assignee="me")
    create(person_caller(bob), project, "task", title="Undated", assignee="me")
    create(person_caller(bob), project, "task", title="Finished", assignee="me")
    act(person_caller(bob), project, 5, "complete", 1)

    page = start_of(client, bob)
    listed = page[page.index("tasks-h") : page.index("changes-h")]

    assert sorted(["Past", "Soon", "Later", "Undated"], key=listed.index) == [
        "Past", "Soon", "Later", "Undated",
    ]  # fmt: skip
    assert listed.count("Overdue") == 1
    assert "Finished" not in listed


def test_recent_changes_say_who_and_what_and_leave_out_what_the_reader_may_not_see(
    client: Client, project: Project, *, bob: Person, rita: Person, alice: Person, mallory: Person
) -> None:
    create(agent_caller(alice, "Codex"), project, "page", title="Manual", content="one")
    change(person_caller(alice), project, 1, 1, content="two", reason="a secret reason")
    create(person_caller(bob), project, "memory", title="Bobs own", visibility="private")
    create(person_caller(alice), project, "page", title="Locked one")
    ask_to_erase(alice, project, 3)
    other = make_project(mallory, "open", is_public=True)
    create(person_caller(mallory), other, "page", title="Of a stranger")

    page = start_of(client, rita)

    assert page.count("Manual") == 1
    assert "Changed: Content" in page
    for hidden in ("Bobs own", "Locked one", "Of a stranger", "secret reason"):
        assert hidden not in page
    assert "Bobs own" in start_of(client, bob)


def test_projects_carry_what_waits_and_what_is_to_do_there(
    client: Client, project: Project, carol: Person, bob: Person
) -> None:
    for title in ("One", "Two", "Three"):
        create(person_caller(bob), project, "task", title=title)
    create(person_caller(bob), project, "page", title="Proposed")

    page = start_of(client, carol)

    row = page[page.index("<tbody") : page.index("</tbody>")]
    assert 'href="/alice/shop/moderation/">1<' in row
    assert '<span class="count">3</span>' in row
    assert "Moderator" in row


def test_empty_parts_say_what_to_do_next(client: Client, project: Project, alice: Person) -> None:
    page = start_of(client, alice)

    assert "Nothing waits for you." in page
    assert "No task is assigned to you." in page
    assert "Nothing has been stored in your projects yet." in page


def test_the_number_of_queries_is_the_same_with_fourteen_projects_and_with_fifty(
    client: Client, project: Project, carol: Person, bob: Person, alice: Person
) -> None:
    def fill(place: Project, *, members: bool) -> None:
        if members:
            join(place, carol, Role.MODERATOR)
            join(place, bob, Role.CONTRIBUTOR)
        create(person_caller(bob), place, "task", title="Pour", assignee=carol.ref)
        create(person_caller(bob), place, "page", title="Proposed")
        made = create(person_caller(alice), place, "page", title="Bad")
        ask_to_erase(bob, place, int(made["number"]))

    # More than is shown, of projects as of tasks: beyond that they are counted, once each.
    fill(project, members=False)
    for number in range(7):
        fill(make_project(alice, f"full{number}"), members=True)
    for number in range(6):
        join(make_project(alice, f"empty{number}"), carol, Role.MODERATOR)
    start_of(client, carol)
    with CaptureQueriesContext(connection) as fourteen:
        start_of(client, carol)
    for number in range(8):
        owner = make_person(f"owner{number}")
        join(make_project(owner, "theirs"), carol, Role.READER)
    for number in range(7, 9):
        fill(make_project(alice, f"full{number}"), members=True)
    for number in range(6, 32):
        join(make_project(alice, f"empty{number}"), carol, Role.MODERATOR)

    with CaptureQueriesContext(connection) as fifty:
        page = start_of(client, carol)

    assert "10 deletions, 10 proposals, 10 tasks" in page
    assert len(fifty) == len(fourteen)
