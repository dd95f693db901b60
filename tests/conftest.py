"""The people of the tests: alice owns, carol moderates, bob contributes, rita reads,
mallory is a stranger.
"""

from collections.abc import Iterator
from importlib import import_module

import pytest
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker, Settings

from conderis.accounts.models import Person
from exchange import running as importing
from items.search import rebuild
from items.search.backends import backend
from projects.capabilities import Role
from projects.models import Project
from tests.factories import join, make_person, make_project


@pytest.fixture(scope="session", autouse=True)
def application_loaded() -> None:
    """`conderis.asgi` sets Django up once more, and its logging with it. Where a test was the
    first to import it, that took the handler of `caplog` away in its midst.
    """
    import_module("conderis.asgi")


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """The hash of a password that the product takes is slow on purpose. No test is about it."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(autouse=True)
def no_background_writer(settings: Settings) -> None:
    """The thread that writes last uses would outlive the test's database."""
    settings.LAST_USE_IN_BACKGROUND = False
    settings.CLEAR_IN_BACKGROUND = False
    settings.IMPORT_IN_BACKGROUND = False
    importing._ending.clear()  # set where a test has ended a server in this process


@pytest.fixture(autouse=True)
def no_left_over_index(
    request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Emptying all tables after a test that committed does not know the search index."""
    yield
    marker = request.node.get_closest_marker("django_db")
    if marker is not None and marker.kwargs.get("transaction"):
        with django_db_blocker.unblock():
            rebuild()  # some tests take the table away
            with transaction.atomic():
                backend().clear()


@pytest.fixture
def alice(db: None) -> Person:
    return make_person("alice")


@pytest.fixture
def bob(db: None) -> Person:
    return make_person("bob")


@pytest.fixture
def carol(db: None) -> Person:
    return make_person("carol")


@pytest.fixture
def rita(db: None) -> Person:
    return make_person("rita")


@pytest.fixture
def mallory(db: None) -> Person:
    return make_person("mallory")


@pytest.fixture
def project(alice: Person, bob: Person, carol: Person, rita: Person) -> Project:
    """alice/shop with everybody but mallory."""
    made = make_project(alice)
    join(made, bob, Role.CONTRIBUTOR)
    join(made, carol, Role.MODERATOR)
    join(made, rita, Role.READER)
    return made
