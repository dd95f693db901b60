"""An organization is deleted with its instructions."""

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import Conflict, Denied, NotFound
from items.models import Item
from privacy.ending_organizations import end_organization
from projects.models import Organization, OrganizationMember
from proposals.organization_instructions import store_organization_instructions
from tests.factories import person_caller
from tests.items.recall_rows import make_organization, organization_project
from tests.privacy.tables import places_of

MARKER = "zanzibarqx"


@pytest.fixture
def acme(alice: Person, bob: Person) -> Organization:
    """Alice owns it, bob is a member; it has instructions of two versions."""
    made = make_organization(alice)
    OrganizationMember.objects.create(organization=made, person=bob, role="member")
    owner = person_caller(alice)
    for version, text in enumerate([MARKER, f"{MARKER} again"]):
        store_organization_instructions(owner, handle="acme", content=text, version=version)
    return made


def test_its_instructions_are_in_no_column_of_any_table(alice: Person, acme: Organization) -> None:
    before = places_of(MARKER)

    end_organization(person_caller(alice), handle="acme")

    assert {"items_item.content", "items_itemevent.state"} <= before
    assert places_of(MARKER) == set()
    assert not Organization.objects.exists()


def test_a_refused_deletion_leaves_everything(
    alice: Person, bob: Person, mallory: Person, acme: Organization
) -> None:
    organization_project(acme, "app")

    with pytest.raises(Conflict):
        end_organization(person_caller(alice), handle="acme")
    with pytest.raises(Denied):
        end_organization(person_caller(bob), handle="acme")
    with pytest.raises(NotFound):
        end_organization(person_caller(mallory), handle="acme")

    assert Item.objects.get(organization=acme).events.count() == 2
