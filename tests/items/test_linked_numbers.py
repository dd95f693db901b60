"""Items that texts name: who gets to know that they are there."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Scope
from conderis.common.errors import Denied
from items.linked_numbers import ItemName, linked_numbers
from items.models import Item
from projects.capabilities import Role
from projects.models import Project, ProjectPath
from tests.factories import agent_caller, join, make_project, person_caller
from tests.items.calls import act, create
from tests.items.recall_rows import make_page
from tests.privacy.deletions import ask, erased


def own(*numbers: int) -> list[ItemName]:
    return [ItemName("", number) for number in numbers]


def found(caller: Caller, project: Project | None, *names: ItemName) -> dict[ItemName, str]:
    return linked_numbers(caller, names, project_id=project.public_id if project else None)


def test_what_may_be_read_is_found_and_nothing_else(
    project: Project, alice: Person, bob: Person, rita: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Guide")  # 1
    create(owner, project, "task", title="Pour")  # 2
    create(person_caller(bob), project, "memory", title="Own", visibility="private")  # 3
    create(owner, project, "page", title="Locked")  # 4
    create(owner, project, "page", title="Erased")  # 5
    create(owner, project, "page", title="Away")  # 6
    act(owner, project, 6, "archive", 1)
    ask(owner, project, 4)
    erased(alice, project, 5)

    seen = {
        person.handle: sorted(
            name.number for name in found(person_caller(person), project, *own(*range(9)))
        )
        for person in (alice, bob, rita)
    }

    assert seen == {"alice": [1, 2, 6], "bob": [1, 2, 3, 6], "rita": [1, 2, 6]}


def test_a_stranger_finds_nothing_of_a_project_and_without_one_numbers_name_nothing(
    project: Project, alice: Person, mallory: Person
) -> None:
    create(person_caller(alice), project, "page", title="Guide")
    long = ItemName("alice/shop", 1)

    assert found(person_caller(mallory), project, *own(1), long) == {}
    assert found(person_caller(alice), None, *own(1), long) == {long: "alice/shop"}


def test_other_projects_are_found_by_their_names_and_former_ones(
    project: Project, alice: Person, rita: Person, mallory: Person
) -> None:
    other, hidden = make_project(alice, "Other"), make_project(mallory, "hidden")
    join(other, rita, Role.READER)
    ProjectPath.objects.create(path="alice/former", project=other)
    for each in (other, hidden):
        make_page(each, mallory, "There")
    names = [
        ItemName(path, 1)
        for path in ("alice/other", "alice/former", "mallory/hidden", "alice/never", "")
    ]

    assert found(person_caller(rita), project, *names) == {
        ItemName("alice/other", 1): "alice/Other",
        ItemName("alice/former", 1): "alice/Other",
    }


def test_a_key_finds_as_far_as_it_reaches(project: Project, alice: Person) -> None:
    other = make_project(alice, "other")
    for each in (project, other):
        make_page(each, alice, "There")
    names = [*own(1), ItemName("alice/other", 1)]

    narrow = agent_caller(alice, projects=[project])
    blind = agent_caller(alice, "blind", scopes=frozenset({Scope.WRITE}))

    assert found(narrow, project, *names) == {names[0]: "alice/shop"}
    with pytest.raises(Denied):
        found(blind, project, *names)


def test_five_hundred_names_cost_as_many_queries_as_one(project: Project, alice: Person) -> None:
    caller = person_caller(alice)
    make_page(project, alice, "There")
    many = [ItemName(f"alice/p{number}", 1) for number in range(250)]
    for name in many:
        make_page(make_project(alice, name.project.partition("/")[2]), alice, "There")
    many += own(*range(1, 251))

    def cost(*names: ItemName) -> tuple[int, int]:
        with CaptureQueriesContext(connection) as queries:
            return len(found(caller, project, *names)), len(queries)

    assert cost() == (0, 0)
    assert cost(*own(1)) == (1, 2)
    assert cost(*many) == (251, 2)


def test_a_deleted_project_is_none(project: Project, alice: Person) -> None:
    make_page(project, alice, "There")
    names = [*own(1), ItemName("alice/shop", 1)]
    assert len(found(person_caller(alice), project, *names)) == 2

    Project.objects.update(deleted_at=Item.objects.get().created)

    assert found(person_caller(alice), project, *names) == {}
