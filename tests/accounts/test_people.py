"""Making people: handles, names, email addresses."""

import pytest
from django.core.exceptions import ValidationError

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish
from conderis.accounts.handles import claim_handle
from conderis.accounts.models import AuditEvent, Handle, Person
from conderis.accounts.people import (
    EmailTaken,
    clean_display_name,
    create_owner,
    create_person,
    find_person,
    lock_present_person,
    sign_up,
)
from conderis.common.caller import Surface
from conderis.common.errors import Conflict, DomainError, Invalid, NotFound
from projects.keys import create_agent_key
from tests.factories import person_caller

pytestmark = pytest.mark.django_db


def create(
    handle: str = "ada", *, email: str = "ada.l@example.org", display_name: str = ""
) -> Person:
    return create_person(Operator(), handle=handle, email=email, display_name=display_name)


def join(
    handle: str = "ada", *, email: str = "ada.l@example.org", display_name: str = ""
) -> Person:
    return sign_up(
        handle=handle,
        email=email,
        display_name=display_name,
        password="long-enough-7391",
        surface=Surface.WEB,
    )


def test_a_person_is_made_with_handle_and_audit_row() -> None:
    person = create()

    event = AuditEvent.objects.get()
    assert Handle.objects.get(name="ada").holder == person.ref
    assert (event.action, event.subject, event.surface) == (
        "person.created",
        person.ref,
        "command",
    )
    assert event.person_id is None
    assert "example" not in str(event.detail)
    assert not person.has_usable_password()
    assert not person.is_superuser


@pytest.mark.parametrize(
    ("name", "shown"),
    [("", "ada.l"), ("  Ada Lovelace ", "Ada Lovelace"), ("Cafe\u0301", "Caf\u00e9")],
)
def test_the_display_name_is_the_given_one_else_of_the_email_address(name: str, shown: str) -> None:
    assert create(display_name=name).display_name == shown


@pytest.mark.parametrize("handle", ["ab", "a" * 39, "7seas", "data-team", "a--b", " ada "])
def test_handles_of_small_letters_digits_and_hyphens_are_taken(handle: str) -> None:
    assert create(handle).handle == handle.strip()


@pytest.mark.parametrize(
    "handle",
    ["", "a", "a" * 40, "Ada", "a_b", "a.b", "a b", "-a", "a-", "ä", "a/b", "a\nb", "a\x00b", "١٢"],
)
def test_other_handles_are_refused_and_nothing_is_stored(handle: str) -> None:
    with pytest.raises(Invalid) as refused:
        create(handle)

    assert refused.value.details["field"] == "handle"
    assert not Person.objects.exists()
    assert not Handle.objects.exists()


@pytest.mark.parametrize(
    "handle", ["mcp", "admin", "api", "static", "sign-in", "sign-out", "healthz", "settings"]
)
def test_words_of_addresses_are_no_handles(handle: str) -> None:
    with pytest.raises(Invalid, match="reserved"):
        create(handle)


def test_a_handle_is_taken_once_by_persons_and_organizations_together() -> None:
    claim_handle("acme", holder="organization:0123456789ab")

    with pytest.raises(Conflict, match="acme is taken"):
        create("acme")

    assert not Person.objects.exists()


def test_a_former_handle_is_taken_again_only_by_its_holder() -> None:
    claim_handle("acme", holder="organization:0123456789ab")

    assert claim_handle("acme", holder="organization:0123456789ab") == "acme"


def test_an_email_address_belongs_to_one_person_however_it_is_spelt() -> None:
    create(email="ada@example.org")

    with pytest.raises(Conflict) as refused:
        create("other", email="ADA@example.org")

    assert "example" not in str(refused.value.as_answer())
    assert not Handle.objects.filter(name="other").exists()


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("email", {"email": ""}),
        ("email", {"email": "ada"}),
        ("email", {"email": "a@b"}),
        ("email", {"email": "ada@example.org\nBcc: x@example.org"}),
        ("email", {"email": "a" * 250 + "@example.org"}),
        ("name", {"display_name": "two\nlines"}),
        ("name", {"display_name": "a" * 81}),
        ("name", {"display_name": "a\x00"}),
        ("name", {"display_name": "a\udcff"}),
    ],
)
def test_a_bad_name_or_email_address_is_refused_with_its_field(
    field: str, fields: dict[str, str]
) -> None:
    with pytest.raises(DomainError) as refused:
        create(**fields)

    assert refused.value.details["field"] == field
    assert not Person.objects.exists()


def test_the_first_owner_of_a_server_is_its_admin_and_nobody_after() -> None:
    first = create_owner(Operator(), handle="ada", display_name="Ada")
    second = create_owner(Operator(), handle="bob")

    assert (first.display_name, first.is_superuser, first.is_staff) == ("Ada", True, True)
    assert (second.display_name, second.is_superuser, second.is_staff) == ("bob", False, False)
    assert first.email == second.email == ""
    assert [event.detail for event in AuditEvent.objects.order_by("pk")] == [
        {"admin": True},
        {"admin": False},
    ]


def test_createsuperuser_obeys_the_same_rules_of_handles() -> None:
    person = Person(handle="Admin", display_name="Admin")

    with pytest.raises(ValidationError):
        person.clean_fields(exclude=["password"])


@pytest.mark.parametrize("handle", ["nobody-here", "", "\udcff", "a" * 100, "x\ny"])
def test_a_person_who_is_not_there_is_a_clear_refusal(handle: str) -> None:
    with pytest.raises(DomainError) as refused:
        find_person(handle)

    assert refused.value.code in {NotFound.code, "invalid", "too_large"}
    assert refused.value.details["field"] == "handle"


def test_an_email_address_is_no_name_to_show_to_others() -> None:
    with pytest.raises(Invalid) as refused:
        create(display_name="ada.l@example.org")

    assert refused.value.details["field"] == "name"


def test_a_person_who_signs_up_has_a_password_and_is_the_actor_of_the_audit_row() -> None:
    person = join()

    person.refresh_from_db()
    event = AuditEvent.objects.get()
    assert person.check_password("long-enough-7391")
    assert person.display_name == "ada.l"
    assert (event.action, event.subject, event.surface) == (
        "person.signed_up",
        person.ref,
        "web",
    )
    assert (event.person_id, event.detail) == (person.pk, {})
    assert Handle.objects.get(name="ada").holder == person.ref


def test_who_signs_up_first_is_no_admin() -> None:
    person = join()

    assert not person.is_superuser
    assert not person.is_staff


def test_without_an_email_address_the_display_name_is_the_handle() -> None:
    first, second = join("ada", email=""), join("bob", email="")

    assert (first.email, second.email) == ("", "")
    assert (first.display_name, second.display_name) == ("ada", "bob")


def test_signing_up_with_a_taken_email_address_tells_nothing_of_it_and_stores_nothing() -> None:
    join(email="ada@example.org")

    with pytest.raises(EmailTaken) as refused:
        join("other", email="ADA@Example.org")

    assert "mail" not in str(refused.value.as_answer())
    assert Person.objects.count() == Handle.objects.count() == AuditEvent.objects.count() == 1


def test_signing_up_with_a_taken_handle_says_so() -> None:
    join()

    with pytest.raises(Conflict, match="ada is taken") as refused:
        join(email="other@example.org")

    assert not isinstance(refused.value, EmailTaken)
    assert refused.value.details["field"] == "handle"


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("handle", {"handle": "Ada"}),
        ("handle", {"handle": "admin"}),
        ("email", {"email": "ada"}),
        ("email", {"email": " "}),
        ("name", {"display_name": "ada.l@example.org"}),
        ("name", {"display_name": "a" * 81}),
    ],
)
def test_signing_up_obeys_the_rules_of_creating_people(field: str, fields: dict[str, str]) -> None:
    with pytest.raises(DomainError) as refused:
        join(**fields)

    assert refused.value.details["field"] == field
    assert not Person.objects.exists()
    assert not Handle.objects.exists()


@pytest.mark.parametrize("written", ["ada", "ADA", " Ada "])
def test_people_are_found_by_their_handle_in_any_case(written: str) -> None:
    person = create(handle="ada")

    assert find_person(written) == person
    assert lock_present_person(written) == person


def test_who_has_deleted_the_account_is_found_and_is_not_present() -> None:
    person = create(handle="ada")
    Person.objects.filter(pk=person.pk).update(is_active=False, left_at=person.created)

    with pytest.raises(NotFound) as gone:
        lock_present_person("ada")

    assert find_person("ada") == person
    assert gone.value.message == "There is no person ada."


@pytest.mark.parametrize("name", ["ada@example.org", "\u202eada", "\u200b"])
def test_neither_a_person_nor_an_agent_is_named_so_that_others_are_misled(
    alice: Person, name: str
) -> None:
    with pytest.raises(Invalid):
        create_agent_key(person_caller(alice), person=alice, wish=KeyWish(name=name))
    with pytest.raises(Invalid):
        clean_display_name(name)
