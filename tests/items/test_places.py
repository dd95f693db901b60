import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Invalid, Locked, NotFound
from items.models import Item, ItemEvent
from items.requests import Address, DeletionCall
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import agent_caller
from tests.items.calls import act, change, create, item_at


@pytest.fixture
def robo(alice: Person) -> Caller:
    return agent_caller(alice)


def order(project: Project, parent: int | None = None) -> list[str]:
    return list(
        Item.objects.filter(project=project, kind="page", parent__number=parent)
        .order_by("rank", "number")
        .values_list("title", flat=True)
    )


def test_a_move_needs_no_version_adds_none_and_is_in_the_activity_log(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "page", title="Guide")
    create(robo, project, "page", title="Setup")

    answer = change(robo, project, 2, parent=1)
    with_stale = change(robo, project, 2, 1, parent=None)

    assert (answer["version"], answer["parent"]) == (1, {"number": 1, "title": "Guide"})
    assert with_stale["parent"] == "none"
    assert ItemEvent.objects.count() == 2
    assert AuditEvent.objects.filter(action="item.moved", subject="#2").count() == 2


def test_a_text_change_is_not_refused_because_of_a_move(robo: Caller, project: Project) -> None:
    create(robo, project, "page", title="Guide")
    create(robo, project, "page", title="Setup")
    change(robo, project, 2, parent=1)

    assert change(robo, project, 2, 1, content="text")["version"] == 2


def test_content_and_structure_together_need_the_version(robo: Caller, project: Project) -> None:
    create(robo, project, "page", title="Guide")
    create(robo, project, "page", title="Setup")

    with pytest.raises(Invalid) as refusal:
        change(robo, project, 2, parent=1, content="text")

    assert refusal.value.as_answer()["field"] == "version"
    assert item_at(project, 2).parent_id is None


def test_positions_count_from_one_and_a_move_changes_one_row(
    robo: Caller, project: Project
) -> None:
    for title in "ABCD":
        create(robo, project, "page", title=title)

    change(robo, project, 4, position=1)
    first = order(project)
    change(robo, project, 1, position=3)
    second = order(project)
    same = change(robo, project, 1, position=3)
    change(robo, project, 4, position=99)

    assert first == ["D", "A", "B", "C"]
    assert second == ["D", "B", "A", "C"]
    assert same["outcome"] == "unchanged"
    assert order(project) == ["B", "A", "C", "D"]


def test_many_moves_to_one_place_keep_the_order(robo: Caller, project: Project) -> None:
    create(robo, project, "page", title="first")
    create(robo, project, "page", title="last")
    expected: list[str] = []
    for number in range(40):
        create(robo, project, "page", title=f"p{number}", position=2)
        expected.insert(0, f"p{number}")

    assert order(project) == ["first", *expected, "last"]


def test_a_page_cannot_stand_below_itself(robo: Caller, project: Project) -> None:
    create(robo, project, "page", title="A")
    create(robo, project, "page", title="B", parent=1)
    create(robo, project, "page", title="C", parent=2)

    for target in (1, 2, 3):
        with pytest.raises(Invalid) as refusal:
            change(robo, project, 1, parent=target)
        assert refusal.value.as_answer()["field"] == "parent"


@pytest.mark.parametrize(("kind", "deepest"), [("page", 10), ("task", 5)])
def test_trees_have_a_greatest_depth(
    robo: Caller, project: Project, kind: str, deepest: int
) -> None:
    create(robo, project, kind, title="1")
    for level in range(2, deepest + 1):
        create(robo, project, kind, title=str(level), parent=level - 1)

    with pytest.raises(Invalid) as too_deep:
        create(robo, project, kind, title="x", parent=deepest)
    create(robo, project, kind, title="top")
    with pytest.raises(Invalid) as moved:
        change(robo, project, 1, parent=deepest + 1)

    assert too_deep.value.as_answer()["field"] == "parent"
    assert str(deepest) in moved.value.message


def test_bags_have_one_level_and_no_flag(robo: Caller, project: Project) -> None:
    for title in ("Bag", "Child", "Other", "Other child"):
        create(robo, project, "memory", title=title, visibility="shared")
    change(robo, project, 2, parent=1)
    change(robo, project, 4, parent=3)

    for child, parent in ((3, 2), (1, 3)):
        with pytest.raises(Invalid) as refusal:
            change(robo, project, child, parent=parent)
        assert "2 levels" in refusal.value.message


def test_a_critical_memory_is_never_inside_a_bag(robo: Caller, project: Project) -> None:
    create(robo, project, "memory", title="Bag", visibility="shared")
    create(robo, project, "memory", title="Vital", visibility="shared", weight="critical")
    create(robo, project, "memory", title="Child", visibility="shared", parent=1)

    with pytest.raises(Invalid) as moved:
        change(robo, project, 2, parent=1)
    with pytest.raises(Invalid) as raised:
        change(robo, project, 3, 1, weight="critical")

    assert moved.value.as_answer()["field"] == "parent"
    assert raised.value.as_answer()["field"] == "weight"


def test_parent_and_child_have_the_same_kind_and_visibility(robo: Caller, project: Project) -> None:
    create(robo, project, "memory", title="Shared", visibility="shared")
    create(robo, project, "task", title="Task")

    with pytest.raises(Invalid) as visibility:
        create(robo, project, "memory", title="Secret", visibility="private", parent=1)
    with pytest.raises(Invalid) as kind:
        create(robo, project, "memory", title="x", visibility="shared", parent=2)

    assert "same visibility" in visibility.value.message
    assert "is a task" in kind.value.message

    assert Item.objects.count() == 2


def test_somebody_elses_private_memory_is_no_parent_and_no_target(
    robo: Caller, bob: Person, project: Project
) -> None:
    create(robo, project, "memory", title="Mine alone", visibility="private")
    theirs = agent_caller(bob)
    create(theirs, project, "task", title="T")

    messages = []
    for number in (1, 99):
        with pytest.raises(NotFound) as parent:
            create(theirs, project, "memory", title="x", visibility="private", parent=number)
        with pytest.raises(NotFound) as target:
            act(theirs, project, 2, "relate", target=number, relation="relates")
        messages.append(
            [str(parent.value).replace(str(number), "N"), str(target.value).replace("99", "1")]
        )
    assert messages[0] == messages[1]


def test_two_active_siblings_never_have_the_same_title_in_either_spelling(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "page", title="R\u00e9sum\u00e9")
    create(robo, project, "page", title="Setup")

    with pytest.raises(Conflict) as refusal:
        create(robo, project, "page", title="Re\u0301sume\u0301")
    create(robo, project, "page", title="setup")
    create(robo, project, "page", title="Resume")
    create(robo, project, "page", title="R\u00e9sum\u00e9", parent=2)
    with pytest.raises(Conflict) as moved:
        change(robo, project, 5, parent=None)
    with pytest.raises(Conflict):
        change(robo, project, 3, 1, title="Setup")

    assert refusal.value.as_answer()["number"] == 1
    assert moved.value.as_answer()["number"] == 1


def test_archiving_takes_active_descendants_along_and_restoring_brings_those_back(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "page", title="A")
    create(robo, project, "page", title="B", parent=1)
    create(robo, project, "page", title="C", parent=2)
    create(robo, project, "page", title="D", parent=1)
    act(robo, project, 4, "archive", 1)

    archived = act(robo, project, 1, "archive", 1, reason="old")
    with pytest.raises(Conflict) as under:
        act(robo, project, 3, "restore", 2)
    restored = act(robo, project, 1, "restore", 2)

    assert (archived["version"], archived["along"]) == (2, [2, 3])
    assert "#2" in under.value.message
    assert (restored["version"], restored["along"]) == (3, [2, 3])
    assert item_at(project, 3).archived_at is None
    assert item_at(project, 4).archived_at is not None


def test_archive_repeated_is_unchanged_for_its_caller_and_a_conflict_for_others(
    robo: Caller, carol: Person, project: Project
) -> None:
    create(robo, project, "page", title="A")
    act(robo, project, 1, "archive", 1)

    again = act(robo, project, 1, "archive", 1)
    with pytest.raises(Conflict) as refusal:
        act(agent_caller(carol), project, 1, "archive", 2)

    assert again["outcome"] == "unchanged"
    assert refusal.value.as_answer()["currentVersion"] == 2


def test_an_archived_item_is_not_changed_and_becomes_no_parent(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "page", title="A")
    create(robo, project, "page", title="B")
    act(robo, project, 1, "archive", 1)

    with pytest.raises(Conflict) as changed:
        change(robo, project, 1, 2, content="x")
    with pytest.raises(Conflict):
        change(robo, project, 2, parent=1)

    assert "Restore" in changed.value.message


def test_restoring_into_a_taken_title_is_refused_with_the_number(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "page", title="A")
    act(robo, project, 1, "archive", 1)
    create(robo, project, "page", title="A")

    with pytest.raises(Conflict) as refusal:
        act(robo, project, 1, "restore", 2)

    assert refusal.value.as_answer()["number"] == 2


def test_a_closed_task_and_a_locked_item_become_no_parent(robo: Caller, project: Project) -> None:
    create(robo, project, "task", title="Closed", status="done")
    create(robo, project, "task", title="Locked")
    request_deletion(robo, DeletionCall(Address(project.path, number=2), reason="personal data"))
    create(robo, project, "task", title="T")

    with pytest.raises(Conflict):
        change(robo, project, 3, parent=1)
    with pytest.raises(Locked):
        change(robo, project, 3, parent=2)
