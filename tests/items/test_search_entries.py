"""What an entry of a search says of where it matches."""

import pytest

from conderis.accounts.models import Person
from conderis.common.json import JsonObject
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.listed import listed
from tests.items.rows import make_item


def entry_of(project: Project, caller_of: Person, query: str, kind: str = "memory") -> JsonObject:
    [entry] = listed(person_caller(caller_of), project, kind, query=query)["items"]
    return dict(entry)


def test_an_entry_shows_where_it_matches_in_one_short_line_cut_at_words(
    project: Project, bob: Person
) -> None:
    make_item(project, content="before " * 60 + "the Deployment\n window  is " + "after " * 60)

    match = entry_of(project, bob, "deploy window")["match"]

    assert "the Deployment window is after" in match
    assert match.startswith("…before ")
    assert match.endswith("after…")
    assert len(match) <= 160
    assert "\n" not in match


def test_the_match_is_where_most_words_of_the_query_stand_together(
    project: Project, bob: Person
) -> None:
    make_item(project, content="A window. " + "Filler. " * 60 + "A deploy window. " + "End. " * 60)

    assert "A deploy window." in entry_of(project, bob, "window deploy")["match"]


def test_a_match_outside_the_content_is_shown_too(project: Project, bob: Person) -> None:
    make_item(project, title="In the title", content="Nothing.")
    make_item(project, title="two", summary="In the summary.", content="Nothing.")

    assert entry_of(project, bob, "title")["match"] == "In the title"
    assert entry_of(project, bob, "summary")["match"] == "In the summary."


@pytest.mark.parametrize(
    ("content", "query", "match"),
    [
        ("Das Café um die Ecke", "cafe", "Das Café um die Ecke"),
        ("calls getUserById now", "user", "calls getUserById now"),
        ("in http_client.py", "HttpClient", "in http_client.py"),
        ("大きな猫です", "猫", "大きな猫です"),
        ("sensibility counts", "sensible", "sensibility counts"),
        ("İ " * 3 + "needle", "needle", "İ İ İ needle"),
    ],
)
def test_matches_are_shown_in_the_spelling_of_the_text(
    project: Project, bob: Person, content: str, query: str, match: str
) -> None:
    make_item(project, title="one", content=content)

    assert entry_of(project, bob, query)["match"] == match


def test_a_match_in_a_long_text_names_the_section_it_stands_in(
    project: Project, bob: Person
) -> None:
    filler = "Some words that say nothing.\n" * 40
    make_item(
        project,
        "page",
        title="one",
        content=f"# Start\n{filler}## Deploy `windows`\n```\n# no heading\n```\n{filler}"
        f"The needle stands here.\n{filler}# End\n",
    )
    make_item(project, "page", title="short", content="# Start\nA pin.")
    make_item(project, "page", title="before any", content=f"A bolt.\n{filler}# Start\n")

    assert entry_of(project, bob, "needle", "page")["section"] == "Deploy `windows`"
    assert "section" not in entry_of(project, bob, "pin", "page")
    assert "section" not in entry_of(project, bob, "bolt", "page")


def test_entries_of_a_list_that_is_not_searched_show_no_match(
    project: Project, bob: Person
) -> None:
    make_item(project, content="needle")

    [entry] = listed(agent_caller(bob), project, "memory")["items"]

    assert "match" not in entry
