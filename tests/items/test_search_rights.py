"""What a search looks at: nothing that the caller may not read, and nothing put away."""

from datetime import UTC, datetime

from conderis.accounts.models import Person
from items.access import visible_items
from items.kinds.memory import MEMORY
from items.models import Item
from items.search import project_scopes, ranked
from projects.models import Project
from tests.factories import make_project, person_caller
from tests.items.listed import listed, titles
from tests.items.rows import make_item, make_personal

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def test_private_memories_of_others_are_in_no_match_count_or_ranking(
    project: Project, alice: Person, bob: Person
) -> None:
    make_item(project, title="shared", content="needle and window")
    make_item(project, title="other", content="window")
    caller = person_caller(bob)
    before = listed(caller, project, "memory", query="needle window")
    scopes = project_scopes(caller, [project.pk], [MEMORY])
    rows = visible_items(caller, project)
    scored = ranked(rows, "needle window", scopes)
    for _ in range(20):
        make_item(project, title="own", content="needle", visibility="private")

    after = listed(caller, project, "memory", query="needle window")

    assert after == before
    assert listed(person_caller(alice), project, "memory", query="needle window")["total"] == 22
    assert ranked(rows, "needle window", scopes) == scored
    everywhere = ranked(rows, "needle", None)
    assert [hit.item_id for hit in everywhere] == [Item.objects.get(title="shared").pk]


def test_a_search_stays_in_its_place(project: Project, alice: Person) -> None:
    make_item(project, title="here", content="needle")
    make_item(make_project(alice, "other"), title="there", content="needle")
    make_personal(alice, title="mine", content="needle")
    make_item(project, "page", title="page", content="needle")
    caller = person_caller(alice)

    assert titles(caller, project, "memory", query="needle") == ["here"]
    assert titles(caller, project, "memory", query="needle", sort="title") == ["here"]
    assert titles(caller, None, "memory", query="needle") == ["mine"]
    assert titles(caller, project, "page", query="needle") == ["page"]


def test_a_search_without_any_project_finds_nothing(project: Project, mallory: Person) -> None:
    make_item(project, "task", title="needle")

    for sort in ("relevance", "updated"):
        page = listed(person_caller(mallory), None, "task", query="needle", sort=sort)
        assert page == {"items": [], "total": 0, "hasMore": False}


def test_a_search_across_very_many_projects_is_as_exact(alice: Person, bob: Person) -> None:
    for place in range(66):
        make_item(make_project(alice, f"p{place}"), "task", title=f"needle {place}")
    make_item(make_project(bob, "hidden"), "task", title="needle hidden")

    page = listed(person_caller(alice), None, "task", query="needle", limit=100)

    assert page["total"] == 66
    assert len({entry["ref"] for entry in page["items"]}) == 66


def test_archived_closed_expired_and_locked_items_are_not_found_unless_asked_for(
    project: Project, bob: Person
) -> None:
    make_item(project, title="archived", content="needle", archived_at=NOW)
    make_item(project, title="expired", content="needle", expires_at=NOW.replace(year=2020))
    make_item(project, title="locked", content="needle", locked_at=NOW, locked_by="x")
    make_item(project, "task", title="closed needle", status="done")
    caller = person_caller(bob)

    assert titles(caller, project, "memory", query="needle") == []
    assert titles(
        caller, project, "memory", query="needle", includeArchived=True, includeExpired=True
    ) == ["archived", "expired"]
    assert titles(caller, project, "task", query="needle") == []
    assert titles(caller, project, "task", query="needle", includeClosed=True) == ["closed needle"]
