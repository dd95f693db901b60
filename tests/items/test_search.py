"""Searching lists: what is found, by whom, and what an entry says of it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from conderis.accounts.models import Person
from conderis.common.errors import Invalid, TooLarge
from items.access import visible_items
from items.kinds.base import Field, Kind
from items.kinds.registry import one_more
from items.kinds.values import Line, Text
from items.search import (
    Hit,
    forget_item,
    index_item,
    matching,
    ranked,
    rebuild,
)
from projects.models import Project
from tests.factories import person_caller
from tests.items.listed import listed, titles
from tests.items.rows import make_item

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SYNTAX = [
    "multi-agent", "don't", "GB/s", "grammar::fa", "col:val", 'a"b', '"unbalanced', "foo OR",
    "NEAR(", "*", "^x", "(", "-x", "AND", "{}", "…", "foo* AND bar", "heading:foo",
    "scope:p1memory", "foo & !bar | <-> baz", "'foo'", "foo:*", "\\", "%s", "foo' OR '1'='1",
    "{heading} : x", "a + b", "NOT foo", "😀", "\u202efoo", "e\u0301", "'", '"""', "?", "foo?",
    "\n\t", "foo\nbar",
]  # fmt: skip


@pytest.fixture
def found(project: Project, bob: Person) -> Any:
    """Titles that a query finds among the project's memories."""
    return lambda query, **more: titles(person_caller(bob), project, "memory", query=query, **more)


@pytest.mark.parametrize("query", SYNTAX)
@pytest.mark.parametrize("sort", ["relevance", "updated"])
def test_whatever_is_searched_for_is_text_and_never_syntax(
    project: Project, bob: Person, query: str, sort: str
) -> None:
    make_item(project, title="bystander", content="Nothing to see.")
    make_item(project, title="literal", content=f"Here {query} stands.")

    if query.strip():
        page = listed(person_caller(bob), project, "memory", query=query, sort=sort)
        assert {entry["title"] for entry in page["items"]} <= {"literal"}
        assert page["total"] == len(page["items"])


@pytest.mark.parametrize("query", [query for query in SYNTAX if any(c.isalpha() for c in query)])
def test_a_text_with_signs_of_query_languages_is_found_by_itself(
    project: Project, found: Any, query: str
) -> None:
    make_item(project, title="literal", content=f"Here {query} stands.")

    assert found(query) == ["literal"]


@pytest.mark.parametrize("query", ["", "   ", "\n\t", None])
def test_a_query_of_blanks_is_none(project: Project, found: Any, query: str | None) -> None:
    make_item(project, title="one")

    assert found(query) == ["one"]


def test_a_query_of_5000_characters_is_taken_and_a_longer_one_refused_with_the_limit(
    project: Project, found: Any
) -> None:
    make_item(project, title="one", content="needle")
    filler = "needle " + "w" * 50 + " "

    assert found((filler * 100)[:5000]) == ["one"]
    assert found("x" * 5000) == []
    with pytest.raises(TooLarge) as refused:
        found("x" * 5001)
    assert refused.value.details == {"field": "query", "limit": 5000}


@pytest.mark.parametrize("query", ["a\0b", "\ud800"])
def test_a_query_that_no_database_takes_is_refused(found: Any, query: str) -> None:
    with pytest.raises(Invalid) as refused:
        found(query)

    assert refused.value.details["field"] == "query"


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("サンドボックス", "サンドボックス修正テスト"),
        ("修正", "サンドボックス修正テスト"),
        ("设备", "设备清单"),
        ("끝말잇기", "오늘 끝말잇기 게임을 했다"),
        ("게임", "오늘 끝말잇기 게임을 했다"),
        ("itgc", "步2 重跑gen-itgc后50条"),
        ("重跑", "步2 重跑gen-itgc后50条"),
        ("悬空", None),
    ],
)
def test_scripts_without_blanks_are_found_inside(
    project: Project, found: Any, query: str, title: str | None
) -> None:
    for text in (
        "サンドボックス修正テスト",
        "设备清单",
        "오늘 끝말잇기 게임을 했다",
        "步2 重跑gen-itgc后50条",
    ):
        make_item(project, title=text)

    assert found(query)[:1] == ([title] if title is not None else [])


def test_not_every_word_has_to_match_and_the_one_with_most_comes_first(
    project: Project, found: Any
) -> None:
    for place in range(200):
        make_item(project, title=f"Note {place}", content="A summary of the region's weather.")
    make_item(project, title="wanted", content="Quarterly region report ids live in table rpt_q")

    assert found("what is the id of the quarterly summary report by region?")[0] == "wanted"


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("http_client", "in src/api/http_client.py"),
        ("client", "in src/api/http_client.py"),
        ("getUserById", "calls getUserById twice"),
        ("user", "calls getUserById twice"),
        ("ECONNREFUSED", "fails with ECONNREFUSED"),
        ("C++", "written in C++"),
        ("resume", "Résumé of the talk"),
        ("Re\u0301sume\u0301", "Résumé of the talk"),
        ("migrations", "a migration"),
        ("3.11", "Python 3.11"),
    ],
)
def test_names_and_words_are_found_in_other_spellings(
    project: Project, found: Any, query: str, title: str
) -> None:
    for text in (
        "in src/api/http_client.py",
        "calls getUserById twice",
        "fails with ECONNREFUSED",
        "written in C++",
        "Résumé of the talk",
        "a migration",
        "Python 3.11",
        "plan c of 311",
    ):
        make_item(project, title=text)

    assert found(query) == [title]


def test_title_and_tags_say_more_than_the_summary_and_that_more_than_the_content(
    project: Project, found: Any
) -> None:
    make_item(project, title="body", content="deploy")
    make_item(project, title="gist", summary="deploy")
    make_item(project, title="tagged", tags=["deploy"])
    make_item(project, title="deploy")

    *headings, gist, body = found("deploy")
    assert (sorted(headings), gist, body) == (["deploy", "tagged"], "gist", "body")


def test_a_rare_word_says_more_than_a_common_one(project: Project, found: Any) -> None:
    for place in range(30):
        make_item(project, title=f"common {place}", content="deploy deploy")
    make_item(project, title="rare", content="ECONNREFUSED")

    assert found("deploy ECONNREFUSED")[0] == "rare"


def test_an_item_is_found_by_what_it_now_says_until_it_is_forgotten(
    project: Project, found: Any
) -> None:
    item = make_item(project, title="one", content="before")
    item.content = "after"
    item.save()

    index_item(item)
    assert (found("before"), found("after")) == ([], ["one"])

    forget_item(item.pk)
    assert found("after") == []


def test_a_rebuilt_index_finds_the_same_and_holds_nothing_locked(
    project: Project, found: Any
) -> None:
    for place in range(5):
        make_item(project, title=f"needle {place}", content="needle " * place)
    make_item(project, title="locked", content="needle", locked_at=NOW, locked_by="x")
    expected = found("needle")

    count = rebuild()

    assert count == 5
    assert found("needle") == expected
    table = "items_search" if connection.vendor == "sqlite" else "items_searchdocument"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {table}")  # noqa: S608 - a fixed name
        assert cursor.fetchone() == (5,)


def test_the_index_holds_the_longest_text_there_can_be(project: Project, bob: Person) -> None:
    signs = "".join(
        chr(0x4E00 + place % 20_000) + chr(0x4E00 + place % 19_997) for place in range(250_000)
    )
    make_item(project, "page", title="long", content=signs)

    assert titles(person_caller(bob), project, "page", query="long") == ["long"]
    assert titles(person_caller(bob), project, "page", query=signs[100:103]) == ["long"]


def test_a_later_kind_is_found_by_the_fields_that_it_has_searched(
    project: Project, bob: Person
) -> None:
    note = Kind(
        name="note",
        plural="notes",
        fields=(
            Field("title", Line(80), "title", required=True, searched=True),
            Field("remark", Text(500), searched=True),
            Field("hidden", Text(500)),
        ),
        entry=("remark",),
        sorts=("updated",),
    )
    with one_more(note):
        make_item(project, "note", title="one", data={"remark": "a needle", "hidden": "secret"})
        caller = person_caller(bob)

        [entry] = listed(caller, project, "note", query="needle")["items"]
        assert (entry["remark"], entry["match"]) == ("a needle", "a needle")
        assert titles(caller, project, "note", query="secret") == []
        assert titles(caller, project, "note") == ["one"]


def test_rows_are_searched_without_a_list_best_first(project: Project, bob: Person) -> None:
    first = make_item(project, title="deploy")
    second = make_item(project, "page", title="other", content="deploy")
    rows = visible_items(person_caller(bob), project)

    found = ranked(rows, "deploying", None)

    assert [hit.item_id for hit in found] == [first.pk, second.pk]
    assert found[0].score > found[1].score > 0
    assert ranked(rows, "nothing", None) == ranked(rows, "…", None)
    assert isinstance(found[0], Hit)
    assert set(matching(rows, "deploy", None)) == {first, second}
    assert not matching(rows, "…", None).exists()
