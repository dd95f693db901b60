import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from items.access import Place
from items.kinds.relations import INVERSE
from items.models import Relation
from items.relations import relations_shown
from projects.access import access_project
from projects.models import Project
from tests.factories import agent_caller
from tests.items.calls import act, create, item_at


@pytest.fixture
def robo(alice: Person) -> Caller:
    return agent_caller(alice)


def shown(caller: Caller, project: Project, number: int) -> list[tuple[str, int]]:
    place = Place(caller, access_project(caller, project.path))
    entries = relations_shown(place, item_at(project, number))
    return [(entry["relation"], entry["number"]) for entry in entries]


@pytest.mark.parametrize("relation", list(INVERSE))
def test_a_relation_is_shown_from_both_sides_and_accepted_by_both_names(
    robo: Caller, project: Project, relation: str
) -> None:
    create(robo, project, "task", title="One")
    create(robo, project, "task", title="Two")

    first = act(robo, project, 1, "relate", target=2, relation=relation)
    again = act(robo, project, 2, "relate", target=1, relation=INVERSE[relation])

    assert (first["outcome"], again["outcome"]) == ("done", "unchanged")
    assert shown(robo, project, 1) == [(relation, 2)]
    assert shown(robo, project, 2) == [(INVERSE[relation], 1)]
    assert AuditEvent.objects.filter(action="item.relate").count() == 1


def test_unrelating_takes_it_away_once(robo: Caller, project: Project) -> None:
    create(robo, project, "task", title="One")
    create(robo, project, "page", title="Two")
    act(robo, project, 2, "relate", target=1, relation="documents")

    done = act(robo, project, 1, "unrelate", target=2, relation="documentedBy")
    again = act(robo, project, 1, "unrelate", target=2, relation="documentedBy")

    assert (done["outcome"], again["outcome"]) == ("done", "unchanged")
    assert not Relation.objects.exists()


def test_blocks_joins_tasks_only(robo: Caller, project: Project) -> None:
    create(robo, project, "task", title="T")
    create(robo, project, "page", title="P")

    with pytest.raises(Invalid) as refusal:
        act(robo, project, 1, "relate", target=2, relation="blocks")

    assert "relates" in refusal.value.as_answer()["allowed"]


def test_blocks_forms_no_circle_and_nothing_is_related_to_itself(
    robo: Caller, project: Project
) -> None:
    for title in "ABC":
        create(robo, project, "task", title=title)
    act(robo, project, 1, "relate", target=2, relation="blocks")
    act(robo, project, 2, "relate", target=3, relation="blocks")

    with pytest.raises(Invalid) as circle:
        act(robo, project, 3, "relate", target=1, relation="blocks")
    with pytest.raises(Invalid) as itself:
        act(robo, project, 1, "relate", target=1, relation="relates")

    assert "already blocks" in circle.value.message
    assert "itself" in itself.value.message


def test_an_unknown_relation_is_refused_with_those_that_there_are(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "task", title="A")
    create(robo, project, "task", title="B")

    with pytest.raises(Invalid) as refusal:
        act(robo, project, 1, "relate", target=2, relation="owns")

    assert set(INVERSE) <= set(refusal.value.as_answer()["allowed"])


def test_a_relation_to_a_private_memory_is_seen_by_its_author_alone(
    robo: Caller, bob: Person, project: Project
) -> None:
    create(robo, project, "task", title="T")
    create(robo, project, "memory", title="Mine", visibility="private")
    act(robo, project, 1, "relate", target=2, relation="relates")

    assert shown(robo, project, 1) == [("relates", 2)]
    assert shown(agent_caller(bob), project, 1) == []
