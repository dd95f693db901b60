import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller, Scope
from conderis.common.errors import Denied, Invalid, Locked, NotFound, RateLimited
from conderis.common.json import JsonObject
from items import search
from items.models import Item
from items.requests import Address, DeletionCall, ReadRequest
from privacy.models import DeletionRequest
from privacy.reading import read_at
from privacy.requesting import request_deletion
from projects.models import Project
from proposals.reviewing import approve
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at


@pytest.fixture
def robo(alice: Person) -> Caller:
    return agent_caller(alice)


def ask(
    caller: Caller, project: Project | None, where: int | str, version: int | None = None
) -> JsonObject:
    path = project.path if project else None
    address = Address(path, number=where) if isinstance(where, int) else Address(path, ref=where)
    return request_deletion(caller, DeletionCall(address, version, "holds a password"))


def test_a_request_locks_at_once_and_asking_again_is_harmless(
    robo: Caller, carol: Person, project: Project
) -> None:
    create(robo, project, "page", title="Secret page", content="c")

    first = ask(robo, project, 1)
    again = ask(agent_caller(carol), project, 1)

    assert (first["outcome"], first["number"]) == ("locked", 1)
    assert again == {"outcome": "unchanged", "request": first["request"], "number": 1}
    assert item_at(project, 1).locked_by == first["request"].removeprefix("deletion:")
    assert AuditEvent.objects.filter(action="deletion.requested").count() == 1


def test_a_locked_item_is_neither_changed_nor_acted_on(robo: Caller, project: Project) -> None:
    create(robo, project, "task", title="zanzibar", content="zanzibar")
    request = ask(robo, project, 1)["request"]

    with pytest.raises(Locked) as changed:
        change(robo, project, 1, 1, title="x")
    with pytest.raises(Locked) as acted:
        act(robo, project, 1, "claim", 1)

    assert changed.value.as_answer()["request"] == request
    assert "zanzibar" not in str([changed.value.as_answer(), acted.value.as_answer()])


def test_one_version_locks_the_item_only_when_it_is_the_current_one(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "page", title="P", content="old secret")
    change(robo, project, 1, 1, content="clean")

    ask(robo, project, 1, 1)
    free = item_at(project, 1).locked_at
    event = item_at(project, 1).events.get(version=1)
    ask(robo, project, 1, 2)

    assert free is None
    assert event.locked_by
    assert item_at(project, 1).locked_at is not None


def test_a_reason_is_required_and_a_version_must_exist(robo: Caller, project: Project) -> None:
    create(robo, project, "page", title="P")

    with pytest.raises(Invalid) as reason:
        request_deletion(robo, DeletionCall(Address(project.path, number=1), reason="  "))
    with pytest.raises(NotFound) as version:
        ask(robo, project, 1, 7)

    assert reason.value.as_answer()["field"] == "reason"
    assert version.value.as_answer()["currentVersion"] == 1
    assert not DeletionRequest.objects.exists()


def test_it_needs_write_and_the_scope_delete(
    alice: Person, rita: Person, robo: Caller, project: Project
) -> None:
    create(robo, project, "page", title="P")

    with pytest.raises(Denied) as role:
        ask(agent_caller(rita), project, 1)
    with pytest.raises(Denied) as scope:
        ask(agent_caller(alice, "narrow", scopes=frozenset({Scope.READ, Scope.WRITE})), project, 1)

    assert role.value.as_answer()["missing"] == "write"
    assert scope.value.as_answer()["missing"] == "delete"
    assert item_at(project, 1).locked_at is None


def test_a_private_memory_is_only_its_authors_to_delete(
    robo: Caller, bob: Person, project: Project
) -> None:
    create(agent_caller(bob), project, "memory", title="Mine", visibility="private")
    personal = create(agent_caller(bob), None, "memory", title="Mine too")["ref"]

    with pytest.raises(NotFound):
        ask(robo, project, 1)
    with pytest.raises(NotFound):
        ask(robo, None, personal)

    assert ask(agent_caller(bob), project, 1)["outcome"] == "locked"
    assert ask(agent_caller(bob), None, personal)["ref"] == personal


def test_requests_of_one_caller_are_limited(robo: Caller, project: Project) -> None:
    for number in range(21):
        create(robo, project, "task", title=f"T{number}")
    for number in range(1, 21):
        ask(robo, project, number)

    with pytest.raises(RateLimited) as refusal:
        ask(robo, project, 21)

    assert refusal.value.as_answer()["retryAfter"] > 0
    assert item_at(project, 21).locked_at is None


def test_a_locked_item_stays_out_of_the_index_whatever_happens_around_it(
    robo: Caller, project: Project
) -> None:
    create(robo, project, "page", title="Parent")
    create(robo, project, "page", title="Child", content="zanzibar", parent=1)
    assert search.matching(Item.objects.all(), "zanzibar", None).exists()
    ask(robo, project, 2)

    act(robo, project, 1, "archive", 1)
    act(robo, project, 1, "restore", 2)

    everything = Item.objects.all()
    assert not search.matching(everything, "zanzibar", None).exists()


def test_a_proposal_is_locked_by_a_request_of_who_may_see_it(
    bob: Person, carol: Person, rita: Person, mallory: Person, project: Project
) -> None:
    ref = create(agent_caller(bob), project, "page", title="Proposed zanzibar")["proposal"]

    answers = []
    for person, named in ((rita, ref), (mallory, ref), (bob, "proposal:0123456789ab")):
        with pytest.raises(NotFound) as hidden:
            ask(agent_caller(person), None, named)
        answers.append(str(hidden.value.as_answer()).replace(named, "it"))
    with pytest.raises(Denied) as scope:
        ask(agent_caller(bob, "narrow", scopes=frozenset({Scope.READ, Scope.WRITE})), None, ref)
    locked = ask(agent_caller(bob), None, ref)
    again = ask(agent_caller(carol), None, ref)
    shown = read_at(person_caller(carol), ReadRequest(Address(ref=ref)))

    assert len(set(answers)) == 1
    assert scope.value.as_answer()["missing"] == "delete"
    assert (locked["outcome"], again["outcome"]) == ("locked", "unchanged")
    assert locked["ref"] == ref
    assert shown["locked"] == {"request": locked["request"]}
    assert "zanzibar" not in str(shown)
    with pytest.raises(Locked):
        approve(person_caller(carol), str(ref))
