"""What a recall shows to whom; what a caller may not read shows in no line and no count."""

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Scope
from projects.capabilities import Role
from projects.models import Project
from tests.factories import agent_caller, join, make_project, person_caller
from tests.items.recall_rows import (
    headings,
    make_item,
    make_memory,
    make_organization,
    make_page,
    make_task,
    organization_project,
    recalled,
    section,
)

pytestmark = pytest.mark.django_db


def rights(text: str) -> str:
    return text.split("\n")[1].partition(" Guide")[0]


def fill(project: Project, alice: Person, bob: Person) -> None:
    """Something in every section, private memories of both."""
    project.upstream = make_project(alice, "upstream")
    project.save()
    make_memory(project.upstream, alice, "Upstream squashes")
    make_item(project, alice, "instructions", content="Run make test.")
    make_memory(project, alice, "Shared critical", weight="critical")
    make_memory(project, alice, "Shared")
    for author in (alice, bob):
        name = author.display_name
        bag = make_memory(project, author, f"Private bag of {name}", visibility="private")
        make_memory(project, author, f"Private {name}", visibility="private", parent=bag)
        make_memory(project, author, f"Critical {name}", visibility="private", weight="critical")
        make_memory(
            project, author, f"Gone {name}", visibility="private", category="session",
            expires_at=project.created,
        )  # fmt: skip
        make_memory(None, author, f"Personal of {name}")
    make_task(project, alice, "Do it")
    make_page(project, alice, "Read it")


def test_an_owner_may_do_everything(alice: Person, project: Project) -> None:
    assert rights(recalled(person_caller(alice), project)) == (
        "You may write, moderate and manage here."
    )


def test_others_are_told_what_of_theirs_needs_review(
    bob: Person, carol: Person, rita: Person, project: Project
) -> None:
    assert rights(recalled(person_caller(carol), project)) == (
        "You may write and moderate here; changes of instructions become proposals."
    )
    assert rights(recalled(person_caller(bob), project)) == (
        "You may write here; changes of shared memories, pages and instructions become proposals."
    )
    assert rights(recalled(person_caller(rita), project)) == "You may only read here."


def test_memories_without_review_are_told_of(bob: Person, project: Project) -> None:
    project.memories_unreviewed = True
    project.save()

    assert rights(recalled(person_caller(bob), project)) == (
        "You may write here; changes of pages and instructions become proposals."
    )


def test_a_key_narrows_what_its_person_may_do(alice: Person, project: Project) -> None:
    reviewed = agent_caller(alice, always_review=True)
    reading = agent_caller(alice, "reader", scopes=frozenset({Scope.READ}))

    assert rights(recalled(reviewed, project)) == (
        "You may write, moderate and manage here; changes of shared memories, pages and "
        "instructions become proposals."
    )
    assert rights(recalled(reading, project)) == "You may only read here."


def test_a_reader_of_an_empty_project_is_not_told_to_store(rita: Person, project: Project) -> None:
    assert "Nothing is stored" not in recalled(person_caller(rita), project)


def test_other_peoples_private_memories_show_in_no_section_and_no_count(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    fill(project, alice, bob)

    for caller in (person_caller(carol), agent_caller(carol)):
        text = recalled(caller, project)

        assert "Alice\n" not in text
        assert "Bob" not in text
        assert section(text, "Memories") == "Memories: all 1\n- #2 v1 Shared (by Alice)"
        assert section(text, "Critical memories").startswith("Critical memories: all 1\n")
        assert section(text, "Personal memories") == ""
        assert "expired" not in text


def test_own_private_memories_are_there_and_those_of_others_are_not(
    alice: Person, bob: Person, project: Project
) -> None:
    fill(project, alice, bob)

    text = recalled(agent_caller(bob), project)

    assert section(text, "Memories").startswith(
        "Memories: all 2 (1 session memory has expired)\n"
        "- #7 v1 Private bag of Bob (private, holds 1)\n  #8 v1 Private Bob\n"
    )
    assert section(text, "Critical memories").startswith("Critical memories: all 2\n")
    assert section(text, "Personal memories").endswith("v1 Personal of Bob")
    assert "of Alice" not in text


def test_a_reader_sees_all_that_is_shared(
    alice: Person, bob: Person, rita: Person, project: Project
) -> None:
    fill(project, alice, bob)

    assert headings(recalled(person_caller(rita), project)) == [
        "Instructions",
        "Critical memories",
        "Memories",
        "Tasks",
        "Pages",
    ]


def test_a_stranger_sees_what_is_shared_in_a_public_project(
    alice: Person, bob: Person, mallory: Person, project: Project
) -> None:
    fill(project, alice, bob)
    project.is_public = True
    project.save()

    text = recalled(person_caller(mallory), project)

    assert rights(text) == "You may only read here."
    assert section(text, "Memories") == "Memories: all 1\n- #2 v1 Shared (by Alice)"
    assert "upstream" not in text.lower()


def test_an_upstream_is_there_only_while_it_may_be_read(
    alice: Person, bob: Person, rita: Person, project: Project
) -> None:
    fill(project, alice, bob)
    upstream = project.upstream
    assert upstream is not None
    caller = person_caller(rita)
    without = recalled(caller, project)

    upstream.is_public = True
    upstream.save()
    while_public = recalled(caller, project)
    upstream.is_public = False
    upstream.save()
    after = recalled(caller, project)
    join(upstream, rita, Role.READER)
    as_reader = recalled(caller, project)

    assert "Upstream squashes" in while_public
    assert after == without
    assert "pstream" not in after
    assert as_reader == while_public


def test_a_deleted_upstream_and_one_outside_a_key_are_left_out(
    alice: Person, bob: Person, project: Project
) -> None:
    fill(project, alice, bob)
    chosen = agent_caller(alice, projects=[project])

    assert "pstream" in recalled(person_caller(alice), project)
    assert "pstream" not in recalled(chosen, project)

    assert project.upstream is not None
    project.upstream.deleted_at = project.created
    project.upstream.save()
    assert "pstream" not in recalled(person_caller(alice), project)


def test_a_key_with_chosen_projects_has_no_personal_memories(
    alice: Person, bob: Person, project: Project
) -> None:
    fill(project, alice, bob)
    other = make_project(alice, "other")
    caller = agent_caller(alice, projects=[project])

    here = recalled(caller, project)
    across = recalled(caller)

    assert "Personal" not in here
    assert "has no personal memories" in across
    assert headings(across) == ["Projects"]
    assert other.full_name not in across


def test_an_organizations_instructions_are_for_those_with_a_role(
    alice: Person, bob: Person, mallory: Person
) -> None:
    organization = make_organization(alice)
    project = organization_project(organization, "open", is_public=True)
    join(project, bob, Role.READER)
    make_item(None, alice, "instructions", organization=organization, content="House rules.")
    make_item(project, alice, "instructions", content="Project rules.")

    assert "House rules." in recalled(person_caller(alice), project)
    assert "House rules." in recalled(person_caller(bob), project)
    stranger = recalled(person_caller(mallory), project)
    assert "House rules." not in stranger
    assert section(stranger, "Instructions").startswith("Instructions: all 1\n")


def test_the_personal_recall_lists_only_projects_that_may_be_read(
    alice: Person, mallory: Person, project: Project
) -> None:
    make_project(alice, "open", is_public=True)
    make_memory(None, alice, "Hers")

    text = recalled(person_caller(mallory))

    assert "Hers" not in text
    assert section(text, "Projects") == "Projects: all 1\n- alice/open (public)"


def test_a_lost_role_ends_with_the_next_call(alice: Person, bob: Person, project: Project) -> None:
    project.is_public = True
    project.save()
    caller = agent_caller(bob)
    before = recalled(caller, project)
    project.members.filter(person=bob).delete()

    assert rights(before).startswith("You may write here")
    assert rights(recalled(caller, project)) == "You may only read here."
