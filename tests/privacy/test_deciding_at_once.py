"""Decisions that meet at one moment, or meet a writer."""

from collections.abc import Callable
from functools import partial

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.errors import DomainError
from items import search
from privacy import deciding
from privacy.clearing import finish_erasures
from privacy.models import Erasure
from projects.models import Project
from proposals.reviewing import approve
from tests.factories import agent_caller, person_caller
from tests.items.calls import change, create, item_at
from tests.privacy.deletions import ask, erase, refuse, request_at, states
from tests.privacy.tables import places_of
from tests.projects.test_at_once import at_once
from tests.proposals.reviews import page, propose

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def empty_index(project: Project) -> None:
    """The index as it should be: what a test leaves in it is not flushed with the tables."""
    search.rebuild()


@pytest.fixture
def request_ref(alice: Person, project: Project) -> str:
    """A request for a page that holds `zanzibar`."""
    page(project, alice, title="Deploying", content="zanzibar")
    return ask(agent_caller(alice), project, 1)


def test_of_two_deciders_who_erase_at_once_one_does_and_the_other_changes_nothing(
    alice: Person, carol: Person, project: Project, *, request_ref: str
) -> None:
    outcomes = at_once(lambda: erase(alice, request_ref), lambda: erase(carol, request_ref))

    assert outcomes == ["done", "done"]
    assert AuditEvent.objects.filter(action="deletion.erased").count() == 1
    assert Erasure.objects.count() == 1
    assert places_of("zanzibar") == set()


def test_of_erasing_and_refusing_at_once_one_counts_and_the_other_gets_the_conflict(
    alice: Person, carol: Person, project: Project, *, request_ref: str
) -> None:
    outcomes = at_once(lambda: erase(alice, request_ref), lambda: refuse(carol, request_ref))

    item = item_at(project, 1)
    finish_erasures()
    state = request_at(request_ref).state
    assert outcomes == ["conflict", "done"]
    assert (item.erased_at is not None) == (state == "erased")
    assert (item.locked_at is None) == (state == "refused")
    assert search.is_complete()


def test_a_withdrawal_and_a_decision_at_once_do_not_both_count(
    alice: Person, carol: Person, project: Project, *, request_ref: str
) -> None:
    outcomes = at_once(
        lambda: deciding.withdraw(person_caller(alice), request_ref),
        lambda: erase(carol, request_ref),
    )

    assert outcomes == ["conflict", "done"]


def test_erasing_a_version_while_agents_write_and_approve_leaves_a_clean_history(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    page(project, alice, title="Deploying", content="zanzibar")
    change(person_caller(alice), project, 1, 1, content="mended", complete=True)
    proposal = propose(agent_caller(bob), project, 1, title="Releasing")
    ref = ask(agent_caller(alice), project, 1, 1)
    robo = agent_caller(alice, "writer")

    def write(number: int) -> Callable[[], object]:
        def run() -> object:
            for _ in range(5):
                try:
                    version = item_at(project, 1).version
                    change(robo, project, 1, version, tags=[f"t{number}"])
                except DomainError:
                    continue
            return create(robo, project, "page", title=f"P{number}")

        return run

    outcomes = at_once(
        write(1), write(2), lambda: erase(carol, ref),
        lambda: approve(person_caller(carol), proposal),
    )  # fmt: skip

    item = item_at(project, 1)
    assert outcomes == ["done"] * 4
    assert list(states(item)) == list(range(1, item.version + 1))
    assert [version for version, is_there in states(item).items() if not is_there] == [1]
    assert places_of("zanzibar") == set()
    assert search.is_complete()


def test_requests_decided_at_once_are_all_erased_and_cleared(
    alice: Person, carol: Person, project: Project
) -> None:
    refs = []
    for number in range(4):
        page(project, alice, title=f"zanzibar {number}")
        refs.append(ask(agent_caller(alice), project, number + 1))

    outcomes = at_once(*(partial(erase, carol, ref) for ref in refs))
    finish_erasures()

    assert outcomes == ["done"] * 4
    assert {request_at(ref).state for ref in refs} == {"erased"}
    assert places_of("zanzibar") == set()


def test_a_request_while_it_is_being_changed_is_of_what_then_stands(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    page(project, alice, title="Deploying", content="zanzibar")
    outcomes = at_once(
        lambda: ask(agent_caller(bob), project, 1),
        lambda: change(person_caller(alice), project, 1, 1, content="zanzibar too"),
    )

    item = item_at(project, 1)
    assert outcomes in (["done", "done"], ["done", "locked"])
    assert item.locked_at is not None
    erase(carol, f"deletion:{item.locked_by}")
    finish_erasures()
    assert places_of("zanzibar") == set()
