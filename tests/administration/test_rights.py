"""Who sees and who does what in the admin."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from conderis.accounts.models import AuditEvent, Person
from items.models import Item
from projects.models import Project
from tests.administration.pages import (
    HIDDEN_ROW,
    addresses,
    admin_browser,
    deed_of,
    deed_on,
    list_of,
    models,
    page_at,
    page_of,
)
from tests.administration.world import World, fill
from tests.web.settings_pages import signed_in_long_ago, signed_in_now


@pytest.fixture
def world(alice: Person, project: Project) -> World:
    return fill(alice, project)


def writes() -> list[str]:
    """The addresses of all deeds."""
    return [address for address in addresses() if "/deeds/" in address]


def test_who_is_not_signed_in_is_led_to_the_sign_in_page_of_the_site(world: World) -> None:
    for address in addresses():
        response = Client().get(address, follow=True)

        last = response.redirect_chain[-1][0]
        assert last.startswith(f"{reverse('account_login')}?next="), address


def test_who_is_no_admin_is_refused_everywhere(world: World, bob: Person) -> None:
    client = signed_in_now(bob)
    before = AuditEvent.objects.count()

    for address in addresses():
        assert client.get(address, follow=True).status_code == 403, address
    for address in writes():
        assert client.post(address, {}, follow=True).status_code == 403, address
    assert AuditEvent.objects.count() == before


def test_staff_alone_see_an_empty_first_page_and_no_list(world: World, bob: Person) -> None:
    Person.objects.filter(pk=bob.pk).update(is_staff=True)
    client = signed_in_now(bob)

    index = client.get("/admin/")

    assert index.status_code == 200
    assert not any(list_of(model) in index.content.decode() for model in models())
    for model in models():
        assert client.get(list_of(model)).status_code == 403, model
    for address in writes():
        assert client.get(address).status_code == 403, address
        assert client.post(address, {}).status_code == 403, address


def test_staff_see_what_a_permission_names_and_do_nothing(world: World, bob: Person) -> None:
    Person.objects.filter(pk=bob.pk).update(is_staff=True)
    bob.user_permissions.add(Permission.objects.get(codename="view_person"))
    client = signed_in_now(bob)

    page = client.get(page_of(bob))

    assert client.get(list_of(Person)).status_code == 200
    assert page.status_code == 200
    assert "/deeds/" not in page.content.decode()
    assert client.get(list_of(Item)).status_code == 403
    assert client.post(deed_on(bob, "make-admin"), {}).status_code == 403


def test_an_admin_opens_every_page_and_no_page_takes_a_form_but_those_of_deeds(
    world: World,
) -> None:
    client = admin_browser()

    for address in addresses():
        hidden = client.get(address).status_code == 404
        assert hidden or client.get(address).status_code == 200, address
        if "/change/" in address and not hidden:
            assert client.post(address, {"handle": "other"}).status_code == 403, address


def test_what_djangos_admin_offers_beyond_reading_is_not_there(world: World) -> None:
    client = admin_browser()
    row = page_of(world.open_item).removesuffix("change/")

    for more in ("history/", "delete/"):
        assert client.get(f"{row}{more}").status_code == 404
        assert client.post(f"{row}{more}", {"post": "yes"}).status_code == 404
    for address in ("add/", "../../logout/", "../../password_change/", "../../autocomplete/"):
        assert client.get(f"/admin/items/item/{address}").status_code == 404
    deleting = {"action": "delete_selected", "_selected_action": [world.open_item.pk]}
    client.post(list_of(Item), deleting)
    assert Item.objects.filter(pk=world.open_item.pk).exists()


def test_a_write_needs_a_recent_sign_in(alice: Person, bob: Person) -> None:
    Person.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    alice.set_password("correct horse battery")
    Person.objects.filter(pk=alice.pk).update(password=alice.password)
    client = signed_in_long_ago(Person.objects.get(pk=alice.pk))

    assert client.get(deed_on(bob, "deactivate")).status_code == 200
    response = client.post(deed_on(bob, "deactivate"))

    assert response.status_code == 302
    assert "reauthenticate" in response["Location"]
    assert Person.objects.get(pk=bob.pk).is_active


def test_what_is_not_there_is_one_page_whatever_was_asked(world: World) -> None:
    client = admin_browser()

    assert client.get(page_at(Item, HIDDEN_ROW)).status_code == 404
    assert client.get(page_at(Item, "no-number")).status_code == 404
    assert client.get(deed_on(world.project, "erase")).status_code == 404
    assert client.get(deed_of(Person, "erase")).status_code == 404
    assert client.get(f"{list_of(Person)}{HIDDEN_ROW}/deeds/deactivate/").status_code == 404


def test_an_admin_without_a_second_factor_is_told_so_on_the_first_page(db: None) -> None:
    client = admin_browser()
    assert "no second factor" in client.get("/admin/").content.decode()

    ada = Person.objects.get(handle="ada")
    Authenticator.objects.create(user=ada, type="totp", data={"secret": "made-up"})

    assert "no second factor" not in client.get("/admin/").content.decode()
