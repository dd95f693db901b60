import pytest

from conderis.accounts.models import Person
from projects.models import Project
from tests.api.calling import Api, by_key


@pytest.fixture
def owner(alice: Person, project: Project) -> Api:
    """An agent of the owner, with a key that lets everything through."""
    return by_key(alice)


@pytest.fixture
def stranger(mallory: Person, project: Project) -> Api:
    return by_key(mallory)
