"""Another handle for a person."""

import pytest

from conderis.accounts.actors import Operator
from conderis.accounts.models import AuditEvent, Handle, Person
from conderis.accounts.people import create_owner
from conderis.accounts.renaming import rename_person
from conderis.common.errors import Conflict, Denied, Invalid
from tests.factories import agent_caller, person_caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> Person:
    return create_owner(Operator(), handle="ada")


def test_a_former_handle_stays_its_persons(ada: Person) -> None:
    former = rename_person(person_caller(ada), person=ada, handle="ada-l")

    ada.refresh_from_db()
    assert (former, ada.handle) == ("ada", "ada-l")
    assert Handle.objects.get(name="ada").holder == ada.ref
    with pytest.raises(Conflict):
        create_owner(Operator(), handle="ada")
    assert rename_person(person_caller(ada), person=ada, handle="ada") == "ada-l"


def test_a_renaming_leaves_one_audit_row_without_handles(ada: Person) -> None:
    rename_person(person_caller(ada), person=ada, handle="ada-l")
    rename_person(person_caller(ada), person=ada, handle="ada-l")

    event = AuditEvent.objects.get(action="person.renamed")
    assert (event.subject, event.person_id, event.detail) == (ada.ref, ada.pk, {})


def test_the_same_handle_is_no_renaming(ada: Person) -> None:
    assert rename_person(person_caller(ada), person=ada, handle=" ada ") is None
    assert not AuditEvent.objects.filter(action="person.renamed").exists()


@pytest.mark.parametrize("handle", ["Ada", "a", "admin", None, "bob"])
def test_a_handle_that_is_not_free_is_refused_and_nothing_changes(
    ada: Person, bob: Person, handle: str | None
) -> None:
    with pytest.raises((Invalid, Conflict)):
        rename_person(person_caller(ada), person=ada, handle=handle)

    ada.refresh_from_db()
    assert ada.handle == "ada"


def test_people_rename_themselves_alone_and_agents_nobody(ada: Person, bob: Person) -> None:
    for caller in (person_caller(bob), agent_caller(ada)):
        with pytest.raises(Denied) as refused:
            rename_person(caller, person=ada, handle="other")
        assert refused.value.details["missing"] == "person"

    assert not Handle.objects.filter(name="other").exists()
    assert rename_person(Operator(), person=ada, handle="other") == "ada"
