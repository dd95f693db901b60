"""Public and private: a person's decision, with the name typed, that counts at once."""

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Invalid, NotFound
from conderis.common.json import Json
from projects.access import access_project
from projects.models import Project
from projects.selectors import project_summary
from projects.visibility import set_visibility
from tests.factories import agent_caller, make_project, person_caller
from tests.projects.refused import NO_OWNERS, answer_to_strangers, refusals

pytestmark = pytest.mark.django_db


def publish(caller: Caller, project_id: str = "alice/shop", typed: Json = "alice/shop") -> object:
    return set_visibility(caller, project_id, visibility="public", typed_name=typed)


def hide(caller: Caller, project_id: str = "alice/shop") -> object:
    return set_visibility(caller, project_id, visibility="private")


def test_a_public_project_is_read_by_strangers_and_a_private_one_is_not_there(
    project: Project, alice: Person, mallory: Person
) -> None:
    callers = (person_caller(mallory), agent_caller(mallory))

    publish(person_caller(alice))
    for caller in callers:
        assert access_project(caller, "alice/shop").role is None
    hide(person_caller(alice))
    for caller in callers:
        with pytest.raises(NotFound):
            access_project(caller, "alice/shop")

    events = AuditEvent.objects.order_by("pk")
    assert [(event.action, event.detail, event.project_id) for event in events] == [
        ("visibility.changed", {"visibility": "public"}, project.pk),
        ("visibility.changed", {"visibility": "private"}, project.pk),
    ]


@pytest.mark.parametrize("typed", [None, "", "shop", "alice/shops", "alice/ shop", 1, True])
def test_without_the_name_typed_it_stays_private(
    project: Project, alice: Person, typed: Json
) -> None:
    with pytest.raises(Invalid) as refused:
        publish(person_caller(alice), typed=typed)

    project.refresh_from_db()
    assert refused.value.details["allowed"] == ["alice/shop"]
    assert not project.is_public
    assert not AuditEvent.objects.exists()


def test_the_name_is_typed_in_any_case_and_is_the_current_one(alice: Person) -> None:
    project = make_project(alice, "Shop")

    publish(person_caller(alice), project.public_id, " Alice/SHOP ")

    project.refresh_from_db()
    assert project.is_public


def test_what_is_already_so_needs_no_name_and_leaves_no_event(
    project: Project, alice: Person
) -> None:
    hide(person_caller(alice))
    Project.objects.update(is_public=True)
    publish(person_caller(alice), typed=None)

    assert not AuditEvent.objects.exists()


@pytest.mark.parametrize("visibility", ["", "Public", "everyone"])
def test_another_visibility_is_refused(project: Project, alice: Person, visibility: str) -> None:
    with pytest.raises(Invalid) as refused:
        set_visibility(
            person_caller(alice), "alice/shop", visibility=visibility, typed_name="alice/shop"
        )

    assert refused.value.details["allowed"] == ["public", "private"]


@pytest.mark.usefixtures("mallory")
def test_only_owners_decide_and_no_agent_does(project: Project) -> None:
    assert refusals(publish) == NO_OWNERS
    answer_to_strangers(publish, project)
    Project.objects.update(is_public=True)
    assert refusals(hide) == NO_OWNERS | {"mallory": "denied manage"}


def test_forks_of_strangers_stop_seeing_a_project_that_becomes_private(
    project: Project, alice: Person, mallory: Person
) -> None:
    Project.objects.update(is_public=True)
    make_project(mallory, "fork", upstream=project)
    caller = person_caller(mallory)
    assert project_summary(access_project(caller, "mallory/fork"))["upstream"] == "alice/shop"

    hide(person_caller(alice))

    assert "upstream" not in project_summary(access_project(caller, "mallory/fork"))
