"""Whatever is searched for, the answer is right: found by its words, counted by its reader."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from conderis.accounts.models import Person
from conderis.common.json import JsonObject
from items.models import Item
from items.search.documents import document_of
from items.search.words import occurrences, query_terms
from mcp_surface.dispatch import call_tool
from projects.models import Project
from tests.factories import agent_caller
from tests.items.rows import make_item

# What has broken searches elsewhere, through syntax of FTS5, of tsquery, or of SQL.
HOSTILE = [
    "multi-agent", "don't", "GB/s", "grammar::fa", "col:val", 'a"b', '"unbalanced', "foo OR",
    "NEAR(", "*", "^x", "(", "-x", "AND", "{}", "…", "w " * 2500, "   ", "heading : x", "a & !b",
    "foo:*", "x <-> y", "'", "\\", "%s %(x)s", "'; DROP TABLE items_item; --", "NOT", "\u202e",
]  # fmt: skip
TEXTS = [
    "multi-agent runs", "don't stop", "900 GB/s", "grammar::fa", "col:val", 'a"b', "foo and bar",
    "near here", "x marks", "设备清单", "café", "and or not",
]  # fmt: skip
ANY = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60),
    st.text(st.sampled_from("aAxz09 \"'*^(){}:-+&|!<>~%\\/.#@_…設设备é\u0301"), max_size=40),
    st.lists(
        st.sampled_from([*TEXTS, "AND", "OR", "NOT", "NEAR", "(", ")", '"', "*"]), max_size=6
    ).map(" ".join),
)


@pytest.fixture
def store(project: Project, alice: Person) -> Project:
    """Memories of which bob may read all but three."""
    for text in TEXTS:
        make_item(project, title="one", content=text)
    secret = " ".join(TEXTS)
    make_item(project, title="private", content=secret, visibility="private", author=alice)
    make_item(project, title="locked", content=secret, locked_at="2026-01-01T00:00:00Z")
    make_item(project, title="away", content=secret, archived_at="2026-01-01T00:00:00Z")
    return project


def asked(bob: Person, project: Project, query: str, **more: object) -> JsonObject:
    """What the tool answers bob's agent."""
    arguments: JsonObject = {"kind": "memory", "projectId": project.path, "query": query, **more}
    answer = call_tool(agent_caller(bob), "item_list", arguments)
    assert not answer.is_error, answer.text
    found: JsonObject = json.loads(answer.text)
    return found


def expected(query: str) -> int:
    """How many of the memories that bob may read have a word of the query."""
    terms = query_terms(query)
    if not query.strip():
        return len(TEXTS)
    readable = Item.objects.filter(title="one").select_related("project")
    documents = [document_of(item) for item in readable]
    return sum(
        any(occurrences(term, f"{each.heading}{each.gist}{each.body}") for term in terms)
        for each in documents
    )


@pytest.mark.parametrize("query", HOSTILE)
@pytest.mark.parametrize("sort", ["relevance", "updated"])
def test_a_query_that_looks_like_syntax_is_answered_by_its_words(
    store: Project, bob: Person, query: str, sort: str
) -> None:
    if not query.strip() and sort == "relevance":
        sort = "updated"

    page = asked(bob, store, query, sort=sort)

    assert page["total"] == expected(query) == len(page["items"])
    assert "private" not in json.dumps(page)


@given(query=ANY)
@example(query="\u0130")
@example(query="a" * 5000)
@settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_any_text_is_answered_and_counted_among_what_its_reader_may_read(
    *, store: Project, bob: Person, query: str
) -> None:
    page = asked(bob, store, query, limit=100)

    assert page["total"] == expected(query) == len(page["items"])
    assert {entry["title"] for entry in page["items"]} <= {"one"}


@given(query=ANY)
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_any_text_is_a_focus_of_recall(*, store: Project, bob: Person, query: str) -> None:
    answer = call_tool(agent_caller(bob), "recall", {"projectId": store.path, "focus": query})

    assert not answer.is_error, answer.text
    assert "private" not in answer.text


def test_a_question_of_several_words_recalls_what_has_most_of_them(
    project: Project, bob: Person
) -> None:
    for place in range(200):
        make_item(project, title=f"Note {place}", summary="A summary of the region's weather.")
    text = "Quarterly region report ids live in table rpt_q"
    make_item(project, title="wanted", summary=text)
    focus = "what is the id of the quarterly summary report by region?"

    answer = call_tool(agent_caller(bob), "recall", {"projectId": project.path, "focus": focus})

    _, _, memories = answer.text.partition("## Memories")
    lines = [line for line in memories.splitlines()[1:] if line.strip()]
    assert any(text in line for line in lines[:3]), lines[:5]
