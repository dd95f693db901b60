"""What the sections of a recall say, for whoever may read all of them."""

from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import Denied, Invalid, NotFound, TooLarge
from items.guide import GUIDE, GUIDE_VERSION
from projects.models import Project
from tests.factories import agent_caller, make_project, person_caller
from tests.items.recall_rows import (
    days_ago,
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


def test_a_new_project_says_so_and_what_to_store(alice: Person, project: Project) -> None:
    text = recalled(person_caller(alice), project)

    assert text == (
        "# alice/shop\n"
        "You may write, moderate and manage here. "
        f"Guide v{GUIDE_VERSION}: recall guide=true.\n"
        "Nothing is stored here yet. Store with item_store: what later sessions should know as "
        "kind=memory (title, summary, visibility), work as kind=task, documentation as "
        "kind=page.\n\n"
        "## Memories: all 0\n\n## Tasks: all 0\n\n## Pages: all 0"
    )


def test_the_sections_stand_in_one_order(alice: Person, project: Project) -> None:
    project.upstream = make_project(alice, "upstream")
    project.save()
    make_memory(project.upstream, alice, "Upstream squashes")
    make_item(project, alice, "instructions", content="Run make test.")
    make_memory(project, alice, "Critical", weight="critical")
    make_memory(project, alice, "Other")
    make_memory(None, alice, "Mine")
    make_task(project, alice, "Do it")
    make_page(project, alice, "Read it")

    text = recalled(person_caller(alice), project)

    assert headings(text) == [
        "Instructions",
        "Critical memories",
        "Personal memories",
        "Memories",
        "Tasks",
        "Pages",
        "Upstream alice/upstream",
    ]


def test_a_memory_is_its_number_version_title_and_summary(alice: Person, project: Project) -> None:
    make_memory(project, alice, "Deploy windows", summary="Only on Tuesdays.", version=2)

    text = recalled(person_caller(alice), project)

    assert section(text, "Memories") == (
        "Memories: all 1\n- #1 v2 Deploy windows: Only on Tuesdays."
    )


def test_without_a_summary_the_beginning_of_the_content_stands_there(
    alice: Person, project: Project
) -> None:
    make_memory(project, alice, "Long", content="# Why\n\nSome words " + "and more words " * 40)

    line = section(recalled(person_caller(alice), project), "Memories").split("\n")[1]

    assert line.startswith("- #1 v1 Long: # Why Some words and more words and")
    assert line.endswith("and…")
    assert len(line.removeprefix("- #1 v1 Long: ")) <= 160


def test_authors_are_named_where_they_are_not_the_caller(
    alice: Person, bob: Person, project: Project
) -> None:
    make_memory(project, alice, "Hers")
    make_memory(project, bob, "His")

    assert "- #1 v1 Hers\n" in recalled(person_caller(alice), project) + "\n"
    assert "- #2 v1 His (by Bob)" in recalled(person_caller(alice), project)
    assert "- #1 v1 Hers (by Alice)" in recalled(agent_caller(bob), project)
    assert "- #2 v1 His\n" in recalled(agent_caller(bob), project)


def test_the_callers_own_private_memories_are_marked(alice: Person, project: Project) -> None:
    make_memory(project, alice, "Only mine", visibility="private", summary="Not for others.")

    text = recalled(person_caller(alice), project)

    assert "- #1 v1 Only mine (private): Not for others." in text


def test_a_bag_is_shown_with_the_titles_of_its_children(alice: Person, project: Project) -> None:
    bag = make_memory(project, alice, "Checkout", summary="How it works.")
    make_memory(project, alice, "Cart", parent=bag, version=3)
    make_memory(project, alice, "Payment", parent=bag)

    text = recalled(person_caller(alice), project)

    assert section(text, "Memories") == (
        "Memories: all 1\n- #1 v1 Checkout (holds 2): How it works.\n  #2 v3 Cart; #3 v1 Payment"
    )


@pytest.mark.parametrize(
    "state",
    [
        {"expires_at": days_ago(1)},
        {"category": "session", "changed": days_ago(99)},
        {"locked_at": days_ago(1)},
        {"weight": "low"},
    ],
)
def test_children_of_a_bag_that_is_not_shown_stand_at_the_top(
    alice: Person, project: Project, state: dict[str, Any]
) -> None:
    bag = make_memory(project, alice, "Checkout", **state)
    make_memory(project, alice, "Cart", parent=bag)

    text = recalled(person_caller(alice), project)

    assert section(text, "Memories").split("\n")[1:] == ["- #2 v1 Cart"]
    assert "Checkout" not in text


def test_expired_archived_locked_and_low_memories_are_not_in_it(
    alice: Person, project: Project
) -> None:
    bag = make_memory(project, alice, "Bag")
    for parent in (None, bag):
        make_memory(project, alice, "Gone one", parent=parent, expires_at=days_ago(1))
        make_memory(project, alice, "Gone two", parent=parent, archived_at=days_ago(1))
        make_memory(project, alice, "Gone three", parent=parent, locked_at=days_ago(1))
        make_memory(project, alice, "Gone four", parent=parent, weight="low")

    text = recalled(person_caller(alice), project)

    assert "Gone" not in text
    assert section(text, "Memories") == "Memories: all 1\n- #1 v1 Bag"


def test_it_says_how_many_session_memories_went(alice: Person, project: Project) -> None:
    make_memory(project, alice, "Old", category="session", changed=days_ago(31))
    make_memory(project, alice, "Timely", category="session", changed=days_ago(29))
    make_memory(project, alice, "Ended", category="session", expires_at=days_ago(1))
    make_memory(project, alice, "No session", expires_at=days_ago(1))

    text = recalled(person_caller(alice), project)

    assert section(text, "Memories") == (
        "Memories: all 1 (2 session memories have expired)\n- #2 v1 Timely"
    )


def test_a_project_says_how_long_its_session_memories_last(alice: Person, project: Project) -> None:
    project.session_days = 5
    project.save()
    make_memory(project, alice, "Old", category="session", changed=days_ago(6))

    text = recalled(person_caller(alice), project)

    assert "all 0 (1 session memory has expired)" in text


def test_critical_memories_come_first_and_not_again_among_the_others(
    alice: Person, project: Project
) -> None:
    make_memory(project, alice, "Never force push", weight="critical")
    make_memory(project, alice, "Other")

    text = recalled(person_caller(alice), project)

    assert section(text, "Critical memories") == (
        "Critical memories: all 1\n- #1 v1 Never force push"
    )
    assert text.count("Never force push") == 1


def test_the_newest_change_comes_first(alice: Person, project: Project) -> None:
    make_memory(project, alice, "Older", changed=days_ago(3))
    make_memory(project, alice, "Newer", changed=days_ago(1))
    make_memory(project, alice, "Oldest", changed=days_ago(5))

    text = recalled(person_caller(alice), project)

    assert [line.split(" ")[-1] for line in section(text, "Memories").split("\n")[1:]] == [
        "Newer",
        "Older",
        "Oldest",
    ]


def test_personal_memories_are_addressed_by_their_id(alice: Person, project: Project) -> None:
    mine = make_memory(None, alice, "Short answers", summary="Five sentences.", weight="critical")

    text = recalled(person_caller(alice), project)

    assert section(text, "Personal memories") == (
        "Personal memories: all 1\n"
        f"- memory:{mine.public_id} v1 Short answers (critical): Five sentences."
    )


def test_an_upstreams_shared_memories_have_long_references(alice: Person, project: Project) -> None:
    project.upstream = make_project(alice, "upstream")
    project.save()
    bag = make_memory(project.upstream, alice, "Merging", weight="critical")
    make_memory(project.upstream, alice, "Squash", parent=bag)
    make_memory(project.upstream, alice, "Hers alone", visibility="private")

    text = recalled(person_caller(alice), project)

    assert section(text, "Upstream alice/upstream") == (
        "Upstream alice/upstream: all 1\n"
        "- alice/upstream#1 v1 Merging (critical, holds 1)\n"
        "  alice/upstream#2 v1 Squash"
    )
    assert "Hers alone" not in text


def test_the_upstream_of_the_upstream_is_not_in_it(alice: Person, project: Project) -> None:
    project.upstream = make_project(alice, "near", upstream=make_project(alice, "far"))
    project.save()
    make_memory(project.upstream, alice, "Near one")
    make_memory(project.upstream.upstream, alice, "Far one")

    text = recalled(person_caller(alice), project)

    assert "Near one" in text
    assert "Far one" not in text


def test_instructions_of_organization_and_project_are_quoted(alice: Person) -> None:
    organization = make_organization(alice)
    project = organization_project(organization, "shop")
    make_item(None, alice, "instructions", organization=organization, content="House.", version=3)
    make_item(project, alice, "instructions", content="# Here\n\nRun make test.", version=2)

    text = recalled(person_caller(alice), project)

    assert section(text, "Instructions") == (
        "Instructions: all 2\n"
        "instructions v3 of the organization acme:\n> House.\n"
        "instructions v2:\n> # Here\n>\n> Run make test."
    )


def test_locked_and_empty_instructions_are_left_out(alice: Person, project: Project) -> None:
    make_item(project, alice, "instructions", content="Secret words.", locked_at=days_ago(1))

    assert "nstructions" not in recalled(person_caller(alice), project)


def test_the_personal_recall_has_memories_and_projects(alice: Person, project: Project) -> None:
    project.description = "A shop\nfor tests."
    project.save()
    make_project(alice, "open", is_public=True, changed=days_ago(3))
    mine = make_memory(None, alice, "Short answers")

    text = recalled(person_caller(alice))

    assert text == (
        "# Your own, across projects\n"
        "With projectId: what that project knows and what it has to do.\n"
        f"Guide v{GUIDE_VERSION}: recall guide=true.\n\n"
        f"## Personal memories: all 1\n- memory:{mine.public_id} v1 Short answers\n\n"
        "## Projects: all 2\n- alice/shop: A shop for tests.\n- alice/open (public)"
    )


def test_the_guide_is_returned_instead_when_asked_for(alice: Person, project: Project) -> None:
    caller = person_caller(alice)

    assert recalled(caller, project, guide=True) == GUIDE.strip()
    assert recalled(caller, guide=True) == GUIDE.strip()


def test_a_guide_that_does_not_fit_is_cut_at_a_heading(alice: Person) -> None:
    text = recalled(person_caller(alice), guide=True, max_chars=1_500)

    shown, _, word = text.rpartition("\n\n")
    assert len(text) <= 1_500
    assert GUIDE.startswith(shown)
    assert GUIDE[len(shown) :].startswith("\n\n## ")
    assert word == (
        f"Cut here: the whole guide has {len(GUIDE.strip())} characters, send a larger maxChars."
    )


@pytest.mark.parametrize("sent", [999, 60_001, 0, -1, True, "8000", 8000.0])
def test_a_length_out_of_range_is_refused_naming_the_range(alice: Person, sent: object) -> None:
    with pytest.raises(Invalid) as refusal:
        recalled(person_caller(alice), max_chars=sent)

    assert refusal.value.details == {"field": "maxChars", "allowed": ["1000 to 60000"]}


def test_a_focus_that_is_no_text_or_too_long_is_refused(alice: Person) -> None:
    with pytest.raises(Invalid):
        recalled(person_caller(alice), focus=7)
    with pytest.raises(TooLarge):
        recalled(person_caller(alice), focus="x" * 5_001)


def test_a_project_that_may_not_be_read_is_not_found(mallory: Person, project: Project) -> None:
    with pytest.raises(NotFound) as hidden:
        recalled(person_caller(mallory), project)
    project.path = "nobody/nothing"
    with pytest.raises(NotFound) as missing:
        recalled(person_caller(mallory), project)

    assert hidden.value.as_answer() == missing.value.as_answer()


def test_a_key_without_the_scope_to_read_gets_nothing(alice: Person, project: Project) -> None:
    caller = agent_caller(alice, scopes=frozenset())

    for guide in (False, True):
        with pytest.raises(Denied):
            recalled(caller, project, guide=guide)
        with pytest.raises(Denied):
            recalled(caller, guide=guide)
