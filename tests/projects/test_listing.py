"""The lists of projects that a caller may read."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Scope
from conderis.common.errors import Denied, DomainError, Invalid
from projects.capabilities import Role
from projects.models import Project
from projects.selectors import latest_projects, list_projects
from tests.factories import agent_caller, join, make_project, person_caller
from tests.projects.making import make_organization, make_organization_project

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def ago(**time: float) -> datetime:
    return NOW - timedelta(**time)


def names(caller: Caller, *, query: str | None = None, sort: str | None = None) -> list[str]:
    answer = list_projects(caller, query=query, sort=sort)
    assert answer["total"] >= len(answer["items"])
    return [entry["name"] for entry in answer["items"]]


def walked(caller: Caller, *, query: str | None = None, sort: str | None = None) -> list[str]:
    seen: list[str] = []
    cursor = None
    while True:
        answer = list_projects(caller, query=query, sort=sort, limit=3, cursor=cursor)
        seen += [entry["name"] for entry in answer["items"]]
        cursor = answer.get("nextCursor")
        if cursor is None:
            return seen


def test_an_entry_identifies_a_project_and_says_what_the_caller_is_there(
    alice: Person, mallory: Person
) -> None:
    made = make_project(
        alice, "Shop", description="Sells\n" + "things " * 60, is_public=True, changed=ago(days=3)
    )

    [own] = list_projects(person_caller(alice))["items"]
    [public] = list_projects(person_caller(mallory))["items"]

    assert own["projectId"] == made.public_id
    assert own["description"].startswith("Sells things things")
    assert len(own["description"]) <= 160
    assert (own["name"], own["visibility"], own["role"]) == ("alice/Shop", "public", "owner")
    assert own["age"] == "3d"
    assert public == {name: value for name, value in own.items() if name != "role"}


def test_the_list_holds_what_the_caller_may_read_and_counts_nothing_else(
    project: Project, alice: Person, bob: Person, mallory: Person
) -> None:
    make_project(alice, "hidden")
    make_project(alice, "gone", deleted_at=NOW)
    make_project(alice, "public", is_public=True)
    acme = make_organization(alice, members=(bob,))
    make_organization_project(acme)

    assert list_projects(person_caller(mallory))["total"] == 1
    assert set(names(person_caller(mallory))) == {"alice/public"}
    assert set(names(person_caller(bob))) == {"alice/shop", "alice/public", "acme/site"}
    assert names(agent_caller(bob, projects=[project])) == ["alice/shop"]


def test_the_latest_change_comes_first_unless_another_sort_is_asked_for(alice: Person) -> None:
    make_project(alice, "b", changed=ago(days=1), created=ago(days=9))
    make_project(alice, "C", changed=ago(days=2), created=ago(days=7))
    make_project(alice, "a", changed=ago(days=3), created=ago(days=8))
    caller = person_caller(alice)

    assert names(caller) == ["alice/b", "alice/C", "alice/a"]
    assert names(caller, sort="updated") == ["alice/b", "alice/C", "alice/a"]
    assert names(caller, sort="created") == ["alice/C", "alice/a", "alice/b"]
    assert names(caller, sort="title") == ["alice/a", "alice/b", "alice/C"]


def test_a_query_finds_words_in_name_description_and_remote_best_first(alice: Person) -> None:
    make_project(alice, "billing", description="Money of the Shop", changed=ago(days=1))
    make_project(alice, "shop-tools", changed=ago(days=2))
    make_project(alice, "Shop", changed=ago(days=3))
    make_project(alice, "mirror", remote="git.example/acme/shop", changed=ago(days=4))
    make_project(alice, "other")
    caller = person_caller(alice)

    found = ["alice/Shop", "alice/shop-tools", "alice/billing", "alice/mirror"]
    assert names(caller, query="shop") == found
    assert names(caller, query=" SHOP ") == found
    assert names(caller, query="alice/shop")[0] == "alice/Shop"
    assert names(caller, query="shop money") == ["alice/billing"]
    assert names(caller, query="shop", sort="title")[0] == "alice/billing"
    assert walked(caller, query="shop") == found


@pytest.mark.parametrize(
    "query",
    [
        *["%", "_", "multi-agent", "don't", 'a"b', '"', "foo OR", "NEAR(", "*", "^x", "(", "-x"],
        *["{}", "…", "x" * 5000, "word " * 1000, "a'; drop table projects_project; --", "[a]"],
        "\\",
    ],
)
def test_a_query_is_taken_as_it_stands(project: Project, alice: Person, query: str) -> None:
    assert names(person_caller(alice), query=query) == []


def test_wildcards_in_a_query_are_letters(alice: Person) -> None:
    make_project(alice, "my_shop", description="100% wool")
    make_project(alice, "myxshop", description="1000 wool")
    caller = person_caller(alice)

    assert names(caller, query="my_shop") == ["alice/my_shop"]
    assert names(caller, query="100%") == ["alice/my_shop"]


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_a_query_without_a_word_is_none(project: Project, alice: Person, query: str) -> None:
    assert names(person_caller(alice), query=query) == ["alice/shop"]
    with pytest.raises(Invalid):
        list_projects(person_caller(alice), query=query, sort="relevance")


@pytest.mark.parametrize("sort", ["relevance", "due", "", "name", "Updated"])
def test_another_sort_is_refused_naming_the_allowed_ones(alice: Person, sort: str) -> None:
    with pytest.raises(Invalid) as refused:
        list_projects(person_caller(alice), sort=sort)

    assert refused.value.details["allowed"] == ["updated", "created", "title"]
    with pytest.raises(Invalid) as searching:
        list_projects(person_caller(alice), query="x", sort="due")
    assert searching.value.details["allowed"] == ["relevance", "updated", "created", "title"]


@pytest.mark.parametrize("sort", [None, "updated", "created", "title"])
def test_many_projects_of_one_moment_are_each_shown_once(alice: Person, sort: str | None) -> None:
    for place in range(50):
        make_project(alice, "x" * 95 + f"{place:05}", changed=NOW, created=NOW)

    seen = walked(person_caller(alice), sort=sort)

    assert sorted(seen) == [f"alice/{'x' * 95}{place:05}" for place in range(50)]


def test_a_cursor_is_good_for_its_caller_and_parameters_alone(
    project: Project, alice: Person, bob: Person
) -> None:
    for place in range(4):
        join(make_project(alice, f"p{place}"), bob, Role.READER)
    cursor = list_projects(person_caller(alice), limit=2)["nextCursor"]

    assert list_projects(person_caller(alice), sort="updated", limit=3, cursor=cursor)["items"]
    for other, query, sort in ((bob, None, None), (alice, None, "title"), (alice, "p", None)):
        with pytest.raises(Invalid) as refused:
            list_projects(person_caller(other), query=query, sort=sort, cursor=cursor)
        assert refused.value.details["field"] == "cursor"


def test_a_project_that_turns_private_on_the_way_is_left_out(
    alice: Person, mallory: Person
) -> None:
    for place in range(4):
        make_project(alice, f"p{place}", is_public=True, changed=ago(days=place))
    caller = person_caller(mallory)
    first = list_projects(caller, limit=2)

    Project.objects.filter(name="p2").update(is_public=False)

    rest = list_projects(caller, limit=2, cursor=first["nextCursor"])
    assert [entry["name"] for entry in rest["items"]] == ["alice/p3"]
    assert rest["total"] == 3


def test_the_latest_projects_are_fifty_and_their_cursor_goes_on_in_the_list(
    alice: Person,
) -> None:
    for place in range(53):
        make_project(alice, f"p{place}", changed=ago(minutes=place))
    caller = person_caller(alice)

    latest = latest_projects(caller)
    rest = list_projects(caller, cursor=latest["nextCursor"])

    assert (len(latest["items"]), latest["total"], latest["hasMore"]) == (50, 53, True)
    assert latest["items"][0]["name"] == "alice/p0"
    assert [entry["name"] for entry in rest["items"]] == [f"alice/p{n}" for n in (50, 51, 52)]


def test_somebody_without_projects_gets_an_empty_list(mallory: Person) -> None:
    assert latest_projects(person_caller(mallory)) == {"items": [], "total": 0, "hasMore": False}


def test_a_key_without_read_lists_nothing(alice: Person) -> None:
    robo = agent_caller(alice, scopes=frozenset({Scope.WRITE}))
    for call in (list_projects, latest_projects):
        with pytest.raises(Denied) as refused:
            call(robo)
        assert refused.value.details["missing"] == "read"


def test_broken_text_in_a_query_is_refused(alice: Person) -> None:
    for query in ("a\x00", "\ud800"):
        with pytest.raises(DomainError) as refused:
            list_projects(person_caller(alice), query=query)
        assert refused.value.details["field"] == "query"


def test_a_list_takes_two_queries_however_long_it_is(
    alice: Person, bob: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    acme = make_organization(alice, members=(bob,))
    for place in range(12):
        join(make_project(alice, f"p{place}"), bob, Role.MODERATOR)
        make_organization_project(acme, f"s{place}")
        if place in (2, 11):
            with django_assert_num_queries(2):
                list_projects(person_caller(bob), limit=place)
