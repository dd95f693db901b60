from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import DomainError, Invalid
from items.models import Item
from projects.models import Project
from tests.factories import agent_caller
from tests.items.calls import change, create, item_at


def test_an_omitted_field_is_kept_and_null_clears(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    create(caller, project, "task", title="T", content="c", tags=["a"], due="2026-12-31")

    answer = change(caller, project, 1, 1, tags=None, due=None, content=None)

    item = item_at(project, 1)
    assert set(answer["changed"]) == {"content", "tags", "due"}
    assert (item.title, item.content, item.tags, item.due) == ("T", "", [], None)
    assert item.tag_rows.count() == 0


def test_append_needs_no_version_and_overwrites_nothing(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    create(caller, project, "page", title="Log", content="first")
    change(caller, project, 1, 1, title="Journal")

    answer = change(caller, project, 1, append="second")

    assert answer["version"] == 3
    assert item_at(project, 1).content == "first\nsecond"


def test_edits_change_places_that_occur_once_all_or_none(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    create(caller, project, "page", title="P", content="one two three two")

    with pytest.raises(Invalid) as refusal:
        change(caller, project, 1, 1, edits=[
            {"find": "one", "replace": "1"},
            {"find": "two", "replace": "2"},
        ])  # fmt: skip
    kept = item_at(project, 1).content
    change(caller, project, 1, 1, edits=[
        {"find": "one two", "replace": "1 2"},
        {"find": "two", "replace": "deux"},
    ])  # fmt: skip

    assert refusal.value.as_answer()["field"] == "edits[1].find"
    assert kept == "one two three two"
    assert item_at(project, 1).content == "1 2 three deux"


def test_edits_need_the_version(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    create(caller, project, "page", title="P", content="one")

    with pytest.raises(Invalid) as refusal:
        change(caller, project, 1, edits=[{"find": "one", "replace": "1"}])

    assert refusal.value.as_answer()["field"] == "version"


def test_text_that_changes_without_naming_its_source_state_loses_it_and_says_so(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    sha = "a" * 40
    create(caller, project, "page", title="P", content="c", verifiedAgainst=sha)

    lost = change(caller, project, 1, 1, content="d")
    back = change(caller, project, 1, 2, verifiedAgainst=sha)
    kept = change(caller, project, 1, 3, content="e", verifiedAgainst=sha)
    tags = change(caller, project, 1, 4, tags=["x"])

    assert lost["changed"] == ["content", "verifiedAgainst"]
    assert "verifiedAgainst" in lost["warnings"][0]
    assert back["changed"] == ["verifiedAgainst"]
    assert kept["changed"] == ["content"]
    assert "warnings" not in tags
    assert item_at(project, 1).verified_against == {"commit": sha}


def test_commits_keep_the_repository_of_the_time_they_were_linked(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    one, two = "1" * 40, "2" * 64
    project.remote = "example.org/old/shop"
    project.save()
    create(caller, project, "task", title="T", commits=[one.upper()])
    project.remote = "example.org/new/shop"
    project.save()

    change(caller, project, 1, 1, commits=[one, two])
    same = change(caller, project, 1, 2, commits=[one, two])

    assert item_at(project, 1).commits == [
        {"sha": one, "repository": "example.org/old/shop"},
        {"sha": two, "repository": "example.org/new/shop"},
    ]
    assert same["outcome"] == "unchanged"


def test_a_secret_is_refused_wherever_it_would_be_stored(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"

    for fields in ({"title": token}, {"content": f"use {token}"}, {"tags": ["ok", token]}):
        with pytest.raises(Invalid) as refusal:
            create(caller, project, "task", **({"title": "T"} | fields))
        assert token not in str(refusal.value.as_answer())
    with pytest.raises(DomainError):
        create(caller, project, "task", title="T", status="blocked", reason=f"needs {token}")

    assert Item.objects.count() == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"content": None, "append": "tail"},
        {"content": "whole", "append": "tail"},
        {"content": None, "edits": [{"find": "keep", "replace": "lose"}]},
        {"append": "tail", "edits": [{"find": "keep", "replace": "lose"}]},
    ],
)
@pytest.mark.parametrize("version", [None, 1])
def test_a_text_is_changed_in_one_way_at_a_time_and_never_wiped_beside_another(
    alice: Person, project: Project, fields: dict[str, Any], version: int | None
) -> None:
    caller = agent_caller(alice)
    create(caller, project, "page", title="P", content="keep me")

    with pytest.raises(Invalid) as refusal:
        change(caller, project, 1, version, **fields)

    assert refusal.value.as_answer()["allowed"] == ["content", "append", "edits"]
    assert item_at(project, 1).content == "keep me"


def test_null_for_the_other_ways_is_absence(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    create(caller, project, "page", title="P", content="a", append=None, edits=None)

    change(caller, project, 1, append="b", edits=None)

    assert item_at(project, 1).content == "a\nb"


def test_an_edit_whose_places_overlap_occurs_more_than_once(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    create(caller, project, "page", title="P", content="aaa")

    with pytest.raises(Invalid):
        change(caller, project, 1, 1, edits=[{"find": "aa", "replace": "b"}])

    assert item_at(project, 1).content == "aaa"


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("1900-01-02", "1900-01-02T23:59:59Z"),
        ("2026-12-31", "2026-12-31T23:59:59Z"),
        ("2026-12-31T20:00:00+02:00", "2026-12-31T18:00:00Z"),
    ],
)
def test_moments_are_shown_in_iso_8601_whatever_the_year(
    alice: Person, project: Project, sent: str, shown: str
) -> None:
    create(agent_caller(alice), project, "memory", title="M", visibility="shared", expiresAt=sent)

    event = item_at(project, 1).events.get()
    assert (event.state or {})["expiresAt"] == shown


@pytest.mark.parametrize("sent", ["2026-W01-1", "20261231", "31.12.2026", "2026-12"])
def test_other_spellings_of_a_moment_are_refused(
    alice: Person, project: Project, sent: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        create(agent_caller(alice), project, "memory", title="M", visibility="shared",
               expiresAt=sent)  # fmt: skip

    assert refusal.value.as_answer()["field"] == "expiresAt"
