"""Changing and replacing agent keys: what a key keeps, and who may."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish, MadeKey, revoke_key
from conderis.accounts.authentication import NotAuthenticated, caller_of_key
from conderis.accounts.models import AgentKey, AuditEvent, Person
from conderis.common.caller import Surface
from conderis.common.errors import Conflict, Denied, DomainError, Invalid, NotFound
from projects.access import visible_projects
from projects.keys import (
    change_agent_key,
    create_agent_key,
    reviewed_by_default,
    rotate_agent_key,
)
from projects.models import KeyProject, Project
from tests.factories import agent_caller, make_project, person_caller
from tests.projects.test_at_once import at_once

HOUR = timedelta(hours=1)


@pytest.fixture
def made(alice: Person, project: Project) -> MadeKey:
    """A key of alice for alice/shop."""
    wish = KeyWish(
        name="Codex",
        scopes=("read", "write"),
        always_review=True,
        expires_at=timezone.now() + timedelta(days=30),
    )
    return create_agent_key(Operator(), person=alice, wish=wish, projects=["alice/shop"])


def works(made: MadeKey) -> bool:
    try:
        caller_of_key(made.text, surface=Surface.MCP)
    except NotAuthenticated:
        return False
    return True


def seen_with(made: MadeKey) -> list[str]:
    caller = caller_of_key(made.text, surface=Surface.MCP)
    return sorted(visible_projects(caller).values_list("path", flat=True))


def change(made: MadeKey, person: Person, **fields: Any) -> AgentKey:
    return change_agent_key(person_caller(person), key_id=made.key.public_id, fields=fields)


def test_a_new_key_has_the_agent_and_the_limits_of_the_old_one_which_ends_now(
    alice: Person, made: MadeKey
) -> None:
    new = rotate_agent_key(person_caller(alice), key_id=made.key.public_id)

    assert works(new)
    assert not works(made)
    assert seen_with(new) == ["alice/shop"]
    for name in ("agent_id", "scopes", "all_projects", "always_review", "expires_at"):
        assert getattr(new.key, name) == getattr(made.key, name)
    assert new.text != made.text
    assert new.text not in repr(new)


def test_during_the_overlap_both_keys_work_and_then_the_new_one_alone(
    alice: Person, made: MadeKey
) -> None:
    new = rotate_agent_key(person_caller(alice), key_id=made.key.public_id, overlap=HOUR)
    both = works(made), works(new)

    old = AgentKey.objects.get(pk=made.key.pk)
    AgentKey.objects.filter(pk=old.pk).update(expires_at=timezone.now())

    assert both == (True, True)
    assert old.revoked_at is None
    assert old.expires_at is not None
    assert timedelta() < old.expires_at - timezone.now() <= HOUR
    assert (works(made), works(new)) == (False, True)


def test_an_overlap_makes_no_key_live_longer_than_it_would_have(
    alice: Person, made: MadeKey
) -> None:
    soon = timezone.now() + timedelta(minutes=5)
    AgentKey.objects.update(expires_at=soon)

    new = rotate_agent_key(person_caller(alice), key_id=made.key.public_id, overlap=HOUR)

    assert AgentKey.objects.get(pk=made.key.pk).expires_at == soon
    assert new.key.expires_at == soon


def test_a_rotation_leaves_one_audit_row_without_the_key(alice: Person, made: MadeKey) -> None:
    new = rotate_agent_key(person_caller(alice), key_id=made.key.public_id, overlap=HOUR)

    event = AuditEvent.objects.get(action="key.rotated")
    assert event.subject == f"key:{made.key.public_id}"
    assert event.detail == {"newKey": f"key:{new.key.public_id}", "overlapMinutes": 60}
    assert AuditEvent.objects.count() == 2


@pytest.mark.parametrize(
    "overlap", [timedelta(seconds=-1), timedelta(hours=24, seconds=1), timedelta(days=400)]
)
def test_an_overlap_out_of_bounds_is_refused_and_both_stay_as_they_were(
    alice: Person, made: MadeKey, overlap: timedelta
) -> None:
    with pytest.raises(Invalid) as refused:
        rotate_agent_key(person_caller(alice), key_id=made.key.public_id, overlap=overlap)

    assert refused.value.details["field"] == "overlap"
    assert AgentKey.objects.count() == 1
    assert works(made)


@pytest.mark.parametrize("end", ["revoked", "expired", "replaced"])
def test_a_key_that_has_ended_or_been_replaced_is_neither_rotated_nor_changed(
    alice: Person, made: MadeKey, end: str
) -> None:
    if end == "revoked":
        revoke_key(Operator(), key_id=made.key.public_id)
    elif end == "expired":
        AgentKey.objects.update(expires_at=timezone.now())
    else:
        rotate_agent_key(Operator(), key_id=made.key.public_id, overlap=HOUR)
    before, events = AgentKey.objects.count(), AuditEvent.objects.count()

    with pytest.raises(Conflict):
        rotate_agent_key(person_caller(alice), key_id=made.key.public_id)
    with pytest.raises(Conflict):
        change(made, alice, expires=None)

    assert AgentKey.objects.count() == before
    assert AuditEvent.objects.count() == events


def test_once_the_newer_key_is_revoked_the_older_one_can_be_kept(
    alice: Person, made: MadeKey
) -> None:
    new = rotate_agent_key(person_caller(alice), key_id=made.key.public_id, overlap=HOUR)
    revoke_key(person_caller(alice), key_id=new.key.public_id)

    kept = change(made, alice, expires=None)

    assert kept.expires_at is None
    assert works(made)


def test_scopes_review_expiry_and_projects_are_changed_for_the_very_next_call(
    alice: Person, made: MadeKey
) -> None:
    make_project(alice, "other")

    change(
        made,
        alice,
        scopes=["review", "read"],
        alwaysReview=False,
        expires="2099-01-31",
        projects=["alice/other"],
    )

    caller = caller_of_key(made.text, surface=Surface.MCP)
    event = AuditEvent.objects.get(action="key.changed")
    key = AgentKey.objects.get()
    assert caller.key is not None
    assert (sorted(caller.key.scopes), caller.always_reviewed) == (["read", "review"], False)
    assert seen_with(made) == ["alice/other"]
    assert key.expires_at is not None
    assert key.expires_at.isoformat() == "2099-02-01T00:00:00+00:00"
    assert event.subject == f"key:{made.key.public_id}"
    assert event.detail == {"fields": ["alwaysReview", "expires", "projects", "scopes"]}


def test_null_means_never_and_all_projects(alice: Person, made: MadeKey) -> None:
    make_project(alice, "other")

    change(made, alice, expires=None, projects=None)

    key = AgentKey.objects.get()
    assert (key.expires_at, key.all_projects) == (None, True)
    assert not KeyProject.objects.exists()
    assert seen_with(made) == ["alice/other", "alice/shop"]


def test_the_date_of_an_expiry_ends_in_the_persons_zone(alice: Person, made: MadeKey) -> None:
    Person.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")

    key = change(made, alice, expires="2099-01-31")

    assert key.expires_at is not None
    assert key.expires_at.isoformat() == "2099-01-31T15:00:00+00:00"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"scopes": ["write", "read"], "alwaysReview": True},
        {"projects": ["alice/shop", "ALICE/SHOP"]},
    ],
)
def test_what_stands_already_leaves_no_audit_row(
    alice: Person, made: MadeKey, fields: dict[str, Any]
) -> None:
    change(made, alice, **fields)

    assert not AuditEvent.objects.filter(action="key.changed").exists()


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("scopes", {"scopes": []}),
        ("scopes", {"scopes": ["write"]}),
        ("scopes", {"scopes": ["read", "all"]}),
        ("scopes", {"scopes": "read"}),
        ("scopes", {"scopes": None}),
        ("scopes", {"scopes": ["read", "review"]}),
        ("alwaysReview", {"alwaysReview": None}),
        ("alwaysReview", {"alwaysReview": "false"}),
        ("expires", {"expires": "soon"}),
        ("expires", {"expires": "2020-01-01"}),
        ("expires", {"expires": 7}),
        ("projects", {"projects": []}),
        ("projects", {"projects": "alice/shop"}),
        ("projects", {"alwaysReview": False, "projects": ["mallory/secret"]}),
        ("name", {"name": "Other"}),
        ("all_projects", {"all_projects": True}),
    ],
)
def test_a_bad_change_is_refused_with_its_field_and_changes_nothing(
    alice: Person, mallory: Person, made: MadeKey, field: str, fields: dict[str, Any]
) -> None:
    make_project(mallory, "secret")
    before = AgentKey.objects.values().get()

    with pytest.raises(DomainError) as refused:
        change(made, alice, **fields)

    assert refused.value.details["field"] == field
    assert AgentKey.objects.values().get() == before
    assert KeyProject.objects.count() == 1


def test_fields_that_are_no_object_are_refused(alice: Person, made: MadeKey) -> None:
    with pytest.raises(Invalid) as refused:
        change_agent_key(
            person_caller(alice),
            key_id=made.key.public_id,
            fields=["scopes"],  # type: ignore[arg-type]
        )

    assert refused.value.details["field"] == "fields"


@pytest.mark.parametrize(
    "service", [rotate_agent_key, partial(change_agent_key, fields={"projects": None})]
)
def test_a_key_of_somebody_else_is_answered_as_one_that_never_was(
    bob: Person, made: MadeKey, service: Callable[..., object]
) -> None:
    answers = []
    for key_id in (made.key.public_id, "0123456789ab"):
        with pytest.raises(NotFound) as refused:
            service(person_caller(bob), key_id=key_id)
        answers.append(str(refused.value.as_answer()).replace(key_id, "X"))

    assert answers[0] == answers[1]
    assert AgentKey.objects.count() == 1


def test_no_key_however_wide_rotates_or_changes_keys(alice: Person, made: MadeKey) -> None:
    robo = agent_caller(alice)

    with pytest.raises(Denied):
        rotate_agent_key(robo, key_id=made.key.public_id)
    with pytest.raises(Denied):
        change_agent_key(robo, key_id=made.key.public_id, fields={"projects": None})

    assert works(made)
    assert not AuditEvent.objects.exclude(action="key.created").exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("overlap", [timedelta(), HOUR])
def test_of_two_rotations_at_once_one_makes_a_key(
    alice: Person, made: MadeKey, overlap: timedelta
) -> None:
    def rotate() -> object:
        return rotate_agent_key(person_caller(alice), key_id=made.key.public_id, overlap=overlap)

    outcomes = at_once(rotate, rotate, rotate)

    assert outcomes == ["conflict", "conflict", "done"]
    assert AgentKey.objects.count() == 2
    assert works(made) == bool(overlap)


@pytest.mark.django_db(transaction=True)
def test_changes_of_different_fields_at_once_are_all_kept(alice: Person, made: MadeKey) -> None:
    def put(**fields: Any) -> Callable[[], object]:
        return lambda: change(made, alice, **fields)

    outcomes = at_once(put(scopes=["read"]), put(alwaysReview=False), put(projects=None))

    key = AgentKey.objects.get()
    assert outcomes == ["done"] * 3
    assert (key.scopes, key.always_review, key.all_projects) == (["read"], False, True)


@pytest.mark.django_db(transaction=True)
def test_a_rotation_and_a_revocation_at_once_leave_the_old_key_ended(
    alice: Person, made: MadeKey
) -> None:
    caller = person_caller(alice)

    outcomes = at_once(
        lambda: rotate_agent_key(caller, key_id=made.key.public_id, overlap=HOUR),
        lambda: revoke_key(caller, key_id=made.key.public_id),
    )

    assert outcomes in (["done", "done"], ["conflict", "done"])
    assert not works(made)


@pytest.mark.parametrize(
    ("handle", "reviewed"), [("alice", False), ("carol", False), ("bob", True), ("rita", False)]
)
def test_new_keys_are_reviewed_by_default_for_those_who_publish_nowhere(
    project: Project, handle: str, *, reviewed: bool
) -> None:
    person = Person.objects.get(handle=handle)

    assert reviewed_by_default(person_caller(person)) is reviewed

    make_project(person, "own")
    assert not reviewed_by_default(person_caller(person))
