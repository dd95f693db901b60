"""Projects whose days of grace are over are erased whole, and nothing else is."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError
from django.db.models.signals import pre_delete
from django.utils import timezone

from conderis.accounts.models import AuditEvent, Person
from items import search
from items.models import Item
from items.requests import Address, DeletionCall
from privacy.ended_projects import erase_ended_projects
from privacy.requesting import request_deletion
from projects.capabilities import Role
from projects.models import KeyProject, Project, ProjectMember
from projects.services import store_project
from proposals.models import Proposal
from tests.factories import agent_caller, join, make_project, person_caller
from tests.items.calls import act, change, create
from tests.privacy.tables import places_of

MARKER = "zanzibarqx"
GRACE = timedelta(days=14)


def fill(person: Person, project: Project, marker: str) -> None:
    """Something in every table, with the marker in every field of content."""
    robo = agent_caller(person, projects=[project])
    create(robo, project, "page", title=f"{marker} page", content=marker, tags=[marker])
    create(robo, project, "page", title="Child", parent=1)
    change(robo, project, 1, 1, content="clean now", reason=marker)
    create(robo, project, "task", title="T", content=marker)
    create(robo, project, "task", title="T2", dependsOn=[3])
    act(robo, project, 3, "block", 1, reason=marker)
    create(robo, project, "memory", title=marker, summary=marker, visibility="private")
    create(robo, project, "memory", title="Child", visibility="private", parent=5)
    create(robo, project, "instructions", content=marker)
    act(robo, project, 1, "archive", 2)
    fill_proposals(person, project, marker)
    request_deletion(robo, DeletionCall(Address(project.path, number=3), reason=marker))


def fill_proposals(person: Person, project: Project, marker: str) -> None:
    """Proposals in every state, of a page and of new ones, with the marker in all texts."""
    careful = agent_caller(person, "careful", projects=[project], always_review=True)
    sole = person_caller(person)
    page = create(sole, project, "page", title="Proposed to")["number"]
    texts: dict[str, Any] = {"content": marker, "tags": [marker], "reason": marker}
    change(careful, project, page, 1, title=f"{marker} waits", **texts)
    create(careful, project, "page", title=f"{marker} waits", **texts)
    applied = create(careful, project, "page", title=f"{marker} applied", **texts)
    act(sole, project, applied["proposal"], "approve", reason=marker)
    back = [
        change(careful, project, page, 1, title=f"{marker} back", **texts),
        create(careful, project, "page", title=f"{marker} back", **texts),
    ]
    for answer in back:
        act(careful, project, answer["proposal"], "withdraw", reason=marker)
    turned_down = create(careful, project, "page", title=f"{marker} no", **texts)
    Proposal.objects.filter(public_id=turned_down["proposal"].partition(":")[2]).update(
        state=Proposal.State.REJECTED, decided_by=person, decision_reason=marker
    )


def end(project: Project, ago: timedelta) -> None:
    Project.objects.filter(pk=project.pk).update(deleted_at=timezone.now() - ago)


def test_nothing_of_an_ended_project_is_in_any_column_of_any_table(alice: Person) -> None:
    project = make_project(alice, MARKER, description=MARKER)
    fill(alice, project, MARKER)
    before = places_of(MARKER)
    end(project, GRACE + timedelta(minutes=1))

    erased = erase_ended_projects(timezone.now())

    assert erased == 1
    assert {
        "items_item.title", "items_item.summary", "items_item.content", "items_item.tags",
        "items_item.blocked_reason", "items_itemevent.state", "items_itemevent.reason",
        "items_itemtag.tag", "privacy_deletionrequest.reason", "projects_project.description",
        "projects_projectpath.path", "proposals_proposal.decision_reason",
        "proposals_proposal.fields", "proposals_proposal.reason", "proposals_proposal.title",
    } <= before  # fmt: skip
    assert any(place.startswith("items_search") for place in before)
    assert places_of(MARKER) == set()
    assert not Proposal.objects.exists()
    assert not Project.objects.exists()


def test_a_project_in_its_days_of_grace_and_one_that_is_there_stay_whole(
    alice: Person, bob: Person
) -> None:
    gone, waiting, there = (make_project(alice, name) for name in ("gone", "waiting", "there"))
    for project in (gone, waiting, there):
        join(project, bob, Role.CONTRIBUTOR)
        fill(alice, project, f"{MARKER}{project.name}")
    end(gone, GRACE + timedelta(minutes=1))
    end(waiting, GRACE - timedelta(minutes=1))
    before = {name: places_of(f"{MARKER}{name}") for name in ("waiting", "there")}

    erased = erase_ended_projects(timezone.now())

    assert erased == 1
    assert set(Project.objects.all()) == {waiting, there}
    assert {name: places_of(f"{MARKER}{name}") for name in ("waiting", "there")} == before
    assert search.matching(Item.objects.all(), f"{MARKER}there", None).exists()
    assert search.is_complete()
    assert ProjectMember.objects.count() == 2
    assert KeyProject.objects.count() == 4


def test_its_name_is_free_and_its_audit_events_stay(alice: Person) -> None:
    project = make_project(alice)
    fill(alice, project, MARKER)
    events = AuditEvent.objects.filter(project_id=project.pk).count()
    end(project, GRACE)

    erase_ended_projects(timezone.now())
    made = store_project(person_caller(alice), project_id=None, fields={"name": "shop"})

    assert made is not None
    assert AuditEvent.objects.filter(project_id=project.pk).count() == events + 1
    said = AuditEvent.objects.get(action="project.erased")
    assert (said.subject, said.person_id, said.detail) == (project.ref, None, {"items": 9})


def test_forks_lose_an_erased_upstream_and_nothing_else(alice: Person) -> None:
    upstream = make_project(alice, "upstream")
    fork = make_project(alice, "fork", upstream=upstream)
    create(agent_caller(alice), fork, "page", title="Stays")
    end(upstream, GRACE)

    erase_ended_projects(timezone.now())

    fork.refresh_from_db()
    assert fork.upstream_id is None
    assert Item.objects.filter(project=fork).count() == 1


def test_one_that_cannot_be_erased_is_logged_without_content_and_the_others_go(
    alice: Person, caplog: pytest.LogCaptureFixture
) -> None:
    first, bad, last = (make_project(alice, name) for name in ("first", MARKER, "last"))
    for project in (first, bad, last):
        fill(alice, project, MARKER)
        end(project, GRACE)

    def fail(instance: Project, **_: object) -> None:
        if instance.pk == bad.pk:
            raise IntegrityError(f"row with {instance.name}")

    pre_delete.connect(fail, sender=Project)
    try:
        erased = erase_ended_projects(timezone.now())
    finally:
        pre_delete.disconnect(fail, sender=Project)

    assert erased == 2
    assert list(Project.objects.all()) == [bad]
    assert Item.objects.filter(project=bad).count() == 9
    assert f"Project {bad.pk} could not be erased: IntegrityError" in caplog.text
    assert MARKER not in caplog.text
    assert erase_ended_projects(timezone.now()) == 1


@pytest.mark.usefixtures("db")
def test_without_ended_projects_nothing_happens() -> None:
    assert erase_ended_projects(timezone.now()) == 0
    assert not AuditEvent.objects.exists()
