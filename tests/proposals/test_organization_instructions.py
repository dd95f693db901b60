"""An organization's instructions: owners change them, members read them, agents recall."""

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.errors import Conflict, Denied, Invalid, NotFound, TooLarge
from items.models import Item
from projects.models import Organization, OrganizationMember, Project
from proposals.organization_instructions import (
    organization_instructions_history,
    read_organization_instructions,
    store_organization_instructions,
)
from tests.factories import agent_caller, person_caller
from tests.items.recall_rows import recalled


@pytest.fixture
def acme(alice: Person, bob: Person) -> Organization:
    """Alice owns it, bob is a member."""
    made = Organization.objects.create(handle="acme", name="Acme")
    OrganizationMember.objects.create(organization=made, person=alice, role="owner")
    OrganizationMember.objects.create(organization=made, person=bob, role="member")
    return made


def store(person: Person, content: str, version: int | None = None) -> dict[str, object]:
    return store_organization_instructions(
        person_caller(person), handle="acme", content=content, version=version
    )


def test_an_owner_stores_versions_and_members_read_each_of_them(
    alice: Person, bob: Person, acme: Organization
) -> None:
    first = store(alice, "Test first.\r\nThen write.", 0)
    second = store(alice, "Write small.", 1)
    reader = person_caller(bob)

    now = read_organization_instructions(reader, handle="acme")
    before = read_organization_instructions(reader, handle="acme", version=1)
    history = organization_instructions_history(reader, handle="acme")

    assert first == {"outcome": "published", "ref": "instructions", "version": 1}
    assert second == {
        "outcome": "published", "ref": "instructions", "version": 2, "changed": ["content"],
    }  # fmt: skip
    assert (now["version"], now["content"], now["author"]) == (2, "Write small.", {"name": "Alice"})
    assert before["content"] == "Test first.\nThen write."
    assert (before["version"], before["currentVersion"]) == (1, 2)
    assert [(event["event"], event["version"]) for event in history["events"]] == [
        ("changed", 2),
        ("created", 1),
    ]


def test_before_the_first_they_are_empty_and_at_version_0(
    alice: Person, acme: Organization
) -> None:
    caller = person_caller(alice)

    shown = read_organization_instructions(caller, handle="acme")
    history = organization_instructions_history(caller, handle="acme")

    assert (shown["version"], shown["content"]) == (0, "")
    assert (history["version"], history["events"], history["hasMore"]) == (0, [], False)


def test_the_same_text_again_is_unchanged_whatever_version_is_sent(
    alice: Person, acme: Organization
) -> None:
    store(alice, "One")
    store(alice, "Two", 1)

    again = store(alice, "Two", 1)

    assert again == {"outcome": "unchanged", "ref": "instructions", "version": 2}
    assert Item.objects.get(organization=acme).events.count() == 2


def test_an_older_version_is_a_conflict_that_says_who_changed_what(
    alice: Person, acme: Organization
) -> None:
    store(alice, "One", 0)

    with pytest.raises(Conflict) as first:
        store(alice, "Mine", 0)
    store(alice, "Two", 1)
    with pytest.raises(Conflict) as later:
        store(alice, "Mine", 1)
    with pytest.raises(Invalid) as missing:
        store(alice, "Mine")

    assert first.value.as_answer()["currentVersion"] == 1
    assert later.value.as_answer()["changed"] == [
        {"version": 2, "by": "Alice", "event": "changed", "fields": ["content"]}
    ]
    assert missing.value.as_answer()["field"] == "version"
    assert Item.objects.get(organization=acme).content == "Two"


def test_who_may_not_change_them_is_told_what_is_missing(
    alice: Person, bob: Person, mallory: Person, acme: Organization
) -> None:
    with pytest.raises(Denied) as agent:
        store_organization_instructions(
            agent_caller(alice), handle="acme", content="x", version=None
        )
    with pytest.raises(Denied) as member:
        store(bob, "x")
    with pytest.raises(NotFound) as stranger:
        store(mallory, "x")
    with pytest.raises(NotFound) as nowhere:
        store_organization_instructions(
            person_caller(alice), handle="nowhere", content="x", version=None
        )

    assert agent.value.as_answer()["missing"] == "person"
    assert member.value.as_answer()["missing"] == "manage"
    assert stranger.value.as_answer() == nowhere.value.as_answer()
    assert not Item.objects.exists()


def test_strangers_and_agents_read_neither_text_nor_history(
    alice: Person, mallory: Person, acme: Organization
) -> None:
    store(alice, "One")

    for read in (read_organization_instructions, organization_instructions_history):
        with pytest.raises(NotFound):
            read(person_caller(mallory), handle="acme")
        with pytest.raises(Denied):
            read(agent_caller(alice), handle="acme")
        with pytest.raises(Invalid):
            read(person_caller(alice), handle="acme", version=9)


def test_limit_and_secrets_are_those_of_the_kind(alice: Person, acme: Organization) -> None:
    with pytest.raises(TooLarge):
        store(alice, "x" * 50_001)
    with pytest.raises(Invalid) as secret:
        store(alice, f"Use ghp_{'a1B2c3' * 6}")

    assert secret.value.as_answer()["field"] == "content"
    assert not Item.objects.exists()


def test_a_long_text_may_be_cut_since_the_whole_was_read(alice: Person, acme: Organization) -> None:
    lines = [f"Rule {number} of the house" for number in range(900)]
    store(alice, "\n".join(lines))

    shorter = store(alice, "\n".join(lines[:400]), 1)

    assert shorter["outcome"] == "published"


def test_a_change_is_in_the_organizations_audit_log_without_text(
    alice: Person, acme: Organization
) -> None:
    store(alice, "Zanzibar")

    event = AuditEvent.objects.get(organization_id=acme.pk)

    assert (event.action, event.subject) == ("item.created", "instructions")
    assert event.detail == {"fields": ["content"], "version": 1}


def test_agents_get_them_through_recall(alice: Person, acme: Organization) -> None:
    project = Project.objects.create(owner_organization=acme, name="app", path="acme/app")
    project.paths.create(path="acme/app")
    store(alice, "Never on Fridays.")

    text = recalled(agent_caller(alice), project)

    assert "instructions v1 of the organization acme" in text
    assert "Never on Fridays." in text
