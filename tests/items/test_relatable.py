"""Finding the other item of a relation."""

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import Denied, Invalid, Locked, NotFound
from items.kinds.registry import kind_named
from items.relatable import relatable_items, relations_for
from items.requests import Address, DeletionCall
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import make_project, person_caller
from tests.items.calls import act, create


def found(person: Person, project: Project, text: str, relation: str = "relates") -> list[int]:
    answer = relatable_items(person_caller(person), project.path, 1, relation=relation, text=text)
    return [each["number"] for each in answer]


@pytest.fixture
def shelf(alice: Person, project: Project) -> None:
    """#1 a task, #2 and #3 about deploying, #4 that says so in its text alone."""
    owner = person_caller(alice)
    create(owner, project, "task", title="Subject")
    create(owner, project, "page", title="Deploying the café")
    create(owner, project, "task", title="Deploy on Friday")
    create(owner, project, "page", title="Other", content="deploy deploy deploy")


@pytest.mark.no_database
def test_only_work_can_block() -> None:
    assert "blocks" in relations_for(kind_named("task"))
    assert "relates" in relations_for(kind_named("page"))
    assert not {"blocks", "blockedBy"} & set(relations_for(kind_named("page")))
    assert relations_for(kind_named("instructions")) == ()


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(("text", "numbers"), [
    ("deploying", [2, 3]), ("cafe", [2]), ("cafe\u0301", [2]), ("CAFÉ", [2]), ("epl", [2, 3]),
    ("2", [2]), ("#2", [2]), ("alice/shop#2", [2]), ("walrus", []), ("Subject", []), ("%", []),
])  # fmt: skip
def test_it_is_found_by_number_or_by_words_of_its_title(
    bob: Person, project: Project, text: str, numbers: list[int]
) -> None:
    assert sorted(found(bob, project, text)) == numbers


@pytest.mark.usefixtures("shelf")
def test_what_blocks_is_found_among_work_alone(bob: Person, project: Project) -> None:
    assert found(bob, project, "deploy", "blocks") == [3]
    assert found(bob, project, "deploy", "blockedBy") == [3]


@pytest.mark.usefixtures("shelf")
def test_a_number_may_be_a_word_of_a_title_where_nothing_has_it(
    alice: Person, bob: Person, project: Project
) -> None:
    create(person_caller(alice), project, "page", title="Plan of 2026")

    assert found(bob, project, "2026") == [5]
    with pytest.raises(NotFound) as refusal:
        found(bob, project, "#2026")
    assert refusal.value.details["field"] == "target"


@pytest.mark.usefixtures("shelf")
def test_a_hidden_item_or_project_answers_like_what_never_was(
    alice: Person, bob: Person, mallory: Person, project: Project
) -> None:
    create(person_caller(alice), project, "memory", title="Deploy key", visibility="private")
    create(person_caller(mallory), make_project(mallory, "den"), "page", title="Deploy")

    said = []
    for text in ("#5", "#999", "mallory/den#1", "mallory/none#1"):
        with pytest.raises(NotFound) as refusal:
            found(bob, project, text)
        said.append(refusal.value.message.replace(text, "N"))
    assert 5 not in found(bob, project, "deploy")
    assert set(said) == {"There is no N that you may read."}
    assert found(alice, project, "#5") == [5]


@pytest.mark.usefixtures("shelf")
def test_itself_and_an_item_of_another_project_are_refused_at_the_field(
    alice: Person, project: Project
) -> None:
    create(person_caller(alice), make_project(alice, "other"), "page", title="Elsewhere")

    for text, word in (("1", "itself"), ("alice/other#1", "another project")):
        with pytest.raises(Invalid, match=word) as refusal:
            found(alice, project, text)
        assert refusal.value.details["field"] == "target"
    with pytest.raises(Invalid) as refusal:
        found(alice, project, "2", "likes")
    assert refusal.value.details["field"] == "relation"


@pytest.mark.usefixtures("shelf")
def test_locked_ones_are_not_found_and_archived_ones_by_number_alone(
    alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    request_deletion(owner, DeletionCall(Address(project.path, number=3), reason="x"))
    act(owner, project, 2, "archive", 1)

    assert found(alice, project, "deploying") == []
    assert found(alice, project, "2") == [2]
    with pytest.raises(Locked):
        found(alice, project, "3")


@pytest.mark.usefixtures("shelf")
def test_a_reader_finds_none_to_relate(rita: Person, project: Project) -> None:
    with pytest.raises(Denied):
        found(rita, project, "deploy")
