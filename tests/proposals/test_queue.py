"""The list of proposals: who sees what, filters, search, orders, pages."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Scope
from conderis.common.errors import Denied, DomainError, Invalid, NotFound
from conderis.common.json import Json, JsonObject
from items.kinds.registry import all_kinds
from items.requests import Address, DeletionCall, ListRequest
from privacy.requesting import request_deletion
from projects.models import Project
from proposals.queue import list_proposals
from tests.factories import agent_caller, make_project, person_caller
from tests.items.calls import act, create
from tests.proposals.reviews import page, propose, propose_act, propose_new, robo

EMPTY = {"items": [], "total": 0, "hasMore": False}


def listed(caller: Caller, project: Project | None = None, **asked: Json) -> JsonObject:
    path = project.path if project is not None else None
    return list_proposals(caller, ListRequest("proposal", path, **asked))


def refs(answer: JsonObject) -> list[str]:
    return [entry["proposal"] for entry in answer["items"]]


@pytest.mark.parametrize("project_id", ["alice/shop", None])
@pytest.mark.parametrize(
    "filters",
    [{}, {"state": "pending"}, {"state": "withdrawn"}, {"author": "me"}]
    + [{"targetKind": kind.name} for kind in all_kinds()],
)
def test_a_queue_without_any_is_empty(
    project: Project, alice: Person, project_id: str | None, filters: JsonObject
) -> None:
    request = ListRequest("proposal", project_id, filters=filters, sort="created", limit=5)

    assert list_proposals(agent_caller(alice), request) == EMPTY


def test_an_entry_says_what_it_is_of_and_by_whom_and_never_its_content(
    alice: Person, bob: Person, project: Project
) -> None:
    number = page(project, alice)
    changed = propose(robo(bob), project, number, title="Releasing", content="Zanzibar")
    made = propose_new(person_caller(bob), project, "instructions", content="Zanzibar")

    answer = listed(person_caller(alice), project)

    assert (answer["total"], answer["hasMore"]) == (2, False)
    assert answer["items"] == [
        {
            "proposal": made,
            "action": "create",
            "kind": "instructions",
            "author": {"name": "Bob"},
            "state": "pending",
            "age": "today",
        },
        {
            "proposal": changed,
            "action": "change",
            "kind": "page",
            "number": number,
            "title": "Releasing",
            "author": {"name": "Bob", "agent": "robo"},
            "state": "pending",
            "baseVersion": 1,
            "age": "today",
        },
    ]


def test_across_projects_entries_carry_the_project_and_long_references(
    alice: Person, bob: Person, project: Project
) -> None:
    number = page(project, alice)
    propose(robo(bob), project, number, content="Other")
    other = make_project(bob, "other")
    create(robo(bob), other, "page", title="P", propose=True)

    mine = listed(robo(bob))
    hers = listed(robo(alice))

    assert [(each["projectId"], each.get("ref")) for each in mine["items"]] == [
        ("bob/other", None),
        ("alice/shop", f"alice/shop#{number}"),
    ]
    assert [each["projectId"] for each in hers["items"]] == ["alice/shop"]


def test_other_peoples_show_in_no_entry_no_total_and_no_search(
    alice: Person, bob: Person, rita: Person, mallory: Person, project: Project
) -> None:
    project.is_public = True
    project.save()
    propose_new(robo(bob), project, "page", title="Zanzibar")

    for person in (rita, mallory):
        for place in (project, None):
            assert listed(robo(person), place) == EMPTY
            assert listed(robo(person), place, query="zanzibar") == EMPTY
            assert listed(robo(person), place, filters={"author": bob.ref}) == EMPTY


def test_filters_choose_state_author_and_kind(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    number = page(project, alice)
    first = agent_caller(bob, "first")
    by_first = propose_new(first, project, "memory", title="M", visibility="shared")
    by_person = propose_new(person_caller(bob), project, "page", title="P")
    by_carol = create(robo(carol), project, "page", title="C", propose=True)["proposal"]
    gone = propose_act(person_caller(bob), project, number, "archive")
    act(person_caller(bob), project, gone, "withdraw")
    owner = person_caller(alice)

    chosen: dict[str, list[str]] = {
        name: refs(listed(owner, project, filters=filters))
        for name, filters in {
            "pending": {},
            "withdrawn": {"state": "withdrawn"},
            "pages": {"targetKind": "page"},
            "bob": {"author": bob.ref},
            "first": {"author": first.agent_ref},
            "both": {"author": bob.ref, "targetKind": "page"},
        }.items()
    }

    assert chosen == {
        "pending": [by_carol, by_person, by_first],
        "withdrawn": [gone],
        "pages": [by_carol, by_person],
        "bob": [by_person, by_first],
        "first": [by_first],
        "both": [by_person],
    }
    assert refs(listed(first, project, filters={"author": "me"})) == [by_first]
    assert refs(listed(person_caller(bob), project, filters={"author": "me"})) == [
        by_person, by_first,
    ]  # fmt: skip


def test_a_query_finds_words_of_other_letters_as_they_stand(
    alice: Person, bob: Person, project: Project
) -> None:
    ref = propose_new(robo(bob), project, "page", title="Äpfel", content="Über ÖL.")

    for query in ("Äpfel", "ÄPFEL", "Über", "ÖL", "Öl"):
        assert refs(listed(person_caller(alice), project, query=query)) == [ref], query


def test_a_query_finds_each_word_in_title_summary_content_or_reason(
    alice: Person, bob: Person, project: Project
) -> None:
    in_text = propose_new(robo(bob), project, "page", title="Setup", content="Uses ZEBRA 100%.")
    in_title = propose_new(robo(bob), project, "page", title="Zebra", reason="Asked twice")
    in_gist = propose_new(robo(bob), project, "memory", title="M", summary="a zebra",
                          visibility="shared")  # fmt: skip
    owner = person_caller(alice)

    found = {query: refs(listed(owner, project, query=query))
             for query in ("zebra", "zebra twice", "100%", "100_", "giraffe", "")}  # fmt: skip

    assert found["zebra"] == [in_title, in_gist, in_text]
    assert found["zebra twice"] == [in_title]
    assert found["100%"] == [in_text]
    assert found["100_"] == found["giraffe"] == []
    assert len(found[""]) == 3
    assert refs(listed(owner, project, query="zebra", sort="created")) == [
        in_gist, in_title, in_text,
    ]  # fmt: skip


def test_a_locked_one_is_listed_without_a_title_and_found_by_no_word(
    alice: Person, bob: Person, project: Project
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="Zanzibar", reason="secretly")
    call = DeletionCall(Address(project.path, number=number), reason="private")
    request = request_deletion(person_caller(alice), call)["request"]

    for caller in (person_caller(alice), robo(bob)):
        [entry] = listed(caller, project)["items"]
        assert (entry["proposal"], entry["locked"]["request"]) == (ref, request)
        assert "title" not in entry
        for query in ("zanzibar", "secretly"):
            assert listed(caller, project, query=query) == EMPTY


@pytest.mark.parametrize("sort", ["created", "updated", None])
def test_a_walk_shows_every_one_once_while_new_ones_come(
    alice: Person, bob: Person, project: Project, sort: str | None
) -> None:
    made = [propose_new(robo(bob), project, "page", title=f"P{number}") for number in range(5)]
    owner = person_caller(alice)

    walked: list[str] = []
    cursor = None
    while True:
        answer = listed(owner, project, sort=sort, limit=2, cursor=cursor)
        walked += refs(answer)
        cursor = answer.get("nextCursor")
        propose_new(robo(bob), project, "page", title=f"New {len(walked)}")
        if cursor is None:
            break

    assert walked == made[::-1]


def test_by_update_the_latest_decision_comes_first(
    alice: Person, bob: Person, project: Project
) -> None:
    made = [propose_new(robo(bob), project, "page", title=f"P{number}") for number in range(3)]
    for ref in (made[2], made[0]):
        act(robo(bob), project, ref, "withdraw")

    answer = listed(robo(bob), project, filters={"state": "withdrawn"}, sort="updated")

    assert refs(answer) == [made[0], made[2]]


def test_a_cursor_belongs_to_its_caller_and_its_list(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    for number in range(3):
        propose_new(robo(bob), project, "page", title=f"P{number}")
    cursor = listed(person_caller(alice), project, limit=1)["nextCursor"]

    for caller, asked in (
        (person_caller(carol), {}),
        (person_caller(alice), {"filters": {"state": "rejected"}}),
        (person_caller(alice), {"sort": "updated"}),
    ):
        with pytest.raises(Invalid):
            listed(caller, project, cursor=cursor, **asked)


@pytest.mark.parametrize("across", [True, False])
def test_the_number_of_queries_does_not_depend_on_how_many_there_are(
    alice: Person, bob: Person, project: Project, *, across: bool
) -> None:
    counts = []
    for many in (2, 12):
        for number in range(many):
            item = page(project, alice, f"Page {many}-{number}")
            propose(robo(bob), project, item, content="Other")
        with CaptureQueriesContext(connection) as queries:
            listed(person_caller(alice), None if across else project, limit=100, query="page")
        counts.append(len(queries))

    assert counts[0] == counts[1] <= 2


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"filters": {"status": "pending"}}, "filter"),
        ({"filters": {"state": "open"}}, "state"),
        ({"filters": {"author": "bob"}}, "author"),
        ({"filters": {"targetKind": "project"}}, "targetKind"),
        ({"sort": "title"}, "sort"),
        ({"sort": "relevance"}, "sort"),
        ({"limit": 101}, "limit"),
        ({"cursor": "made-up"}, "cursor"),
        ({"query": "bad \ud83d"}, "query"),
        ({"query": "x" * 5001}, "query"),
    ],
)
def test_what_is_no_parameter_of_the_queue_is_refused_by_name(
    project: Project, alice: Person, asked: dict[str, Json], field: str
) -> None:
    with pytest.raises(DomainError) as caught:
        list_proposals(person_caller(alice), ListRequest("proposal", "alice/shop", **asked))

    assert caught.value.details["field"] == field


def test_the_queue_of_a_hidden_project_does_not_exist(project: Project, mallory: Person) -> None:
    with pytest.raises(NotFound):
        list_proposals(person_caller(mallory), ListRequest("proposal", "alice/shop"))


def test_a_key_without_the_scope_read_sees_no_queue(alice: Person) -> None:
    writer = agent_caller(alice, scopes=frozenset({Scope.WRITE}))

    with pytest.raises(Denied):
        list_proposals(writer, ListRequest("proposal"))
