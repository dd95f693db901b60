"""Steps that the tests of the admin share."""

from collections.abc import Iterator

from django.db.models import Model
from django.test import Client
from django.urls import reverse

from conderis.accounts.models import Person
from conderis.administration.deeds import DoingAdmin
from conderis.administration.site import site
from tests.factories import make_person
from tests.web.settings_pages import signed_in_now

HIDDEN_ROW = 987_654_321


def make_admin(handle: str = "ada") -> Person:
    """An admin of the server."""
    return make_person(handle, is_staff=True, is_superuser=True)


def admin_browser(handle: str = "ada") -> Client:
    """A browser in which an admin has just signed in."""
    return signed_in_now(make_admin(handle))


def list_of(model: type[Model]) -> str:
    """The address of a model's list."""
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def page_of(row: Model) -> str:
    """The address of a row's page."""
    return page_at(type(row), row.pk)


def page_at(model: type[Model], pk: object) -> str:
    """The address of the page that a row of this key has or would have."""
    return f"{list_of(model)}{pk}/change/"


def deed_on(row: Model, name: str) -> str:
    """The address of a deed on a row."""
    return f"{list_of(type(row))}{row.pk}/deeds/{name}/"


def deed_of(model: type[Model], name: str) -> str:
    """The address of a deed of a list."""
    return f"{list_of(model)}deeds/{name}/"


def models() -> list[type[Model]]:
    """Every model that the admin shows."""
    return list(site._registry)


def addresses() -> Iterator[str]:
    """Every list, every page of a row that there is, and every deed, of every model."""
    yield reverse("admin:index")
    yield reverse("admin:jsi18n")
    for label in sorted({model._meta.app_label for model in models()}):
        yield reverse("admin:app_list", args=[label])
    for model, admin in site._registry.items():
        yield list_of(model)
        rows = list(model._default_manager.all())
        yield from map(page_of, rows)
        if isinstance(admin, DoingAdmin):
            yield from (deed_of(model, deed.name) for deed in admin.list_deeds)
            yield from (deed_on(row, deed.name) for row in rows for deed in admin.deeds)


def crawl(client: Client, addresses: Iterator[str]) -> dict[str, str]:
    """The text of every page that answers 200."""
    answers = {address: client.get(address) for address in addresses}
    return {
        address: answer.content.decode()
        for address, answer in answers.items()
        if answer.status_code == 200
    }
