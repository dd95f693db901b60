"""Every use of a tool, asked over REST: the same answer, the same refusal, the same secrecy."""

import json
from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Scope
from mcp_surface.dispatch import call_tool
from privacy.models import DeletionRequest
from projects.models import Project
from tests.api.calling import Api, Heard, by_key, by_session
from tests.api.translating import Request, as_request
from tests.factories import agent_caller, make_project, person_caller
from tests.privacy import reading_paths as paths
from tests.privacy.locked_world import NO_WORD, WORD, LockedWorld, locked_world
from tests.privacy.reading_paths import CALLS, Call
from tests.privacy.test_locked_everywhere import undone
from tests.surfaces.permission_table import CALLERS, OWN_ROWS, ROWS, Row
from tests.surfaces.test_permission_table import filled, stocked

__all__ = ["stocked"]

STATUS = {
    "invalid": 400, "denied": 403, "not_found": 404, "conflict": 409, "too_large": 413,
    "locked": 423, "rate_limited": 429, "unavailable": 503,
}  # fmt: skip
# A proposal's version cannot be sent over REST, since it is no part of that address.
ONLY_TOOLS = ("change a proposal",)
INSIDE = ("alice", "carol", "bob", "rita")


@pytest.fixture
def apis(
    alice: Person, bob: Person, carol: Person, rita: Person, mallory: Person
) -> dict[str, Api]:
    other = make_project(alice, "other")
    return {
        "stranger": by_key(mallory),
        "visitor": by_key(mallory),
        "reader": by_key(rita),
        "contributor": by_key(bob),
        "moderator": by_key(carol),
        "owner": by_key(alice),
        "reading key": by_key(alice, "reads", scopes=(Scope.READ,)),
        "foreign key": by_key(alice, "elsewhere", projects=(other,)),
        "careful key": by_key(alice, "careful", always_review=True),
    }


def asked(api: Api, tool: str, arguments: dict[str, Any]) -> Heard:
    request: Request = as_request(tool, arguments)
    return api(request.method, request.path, request.body)


def word_of(heard: Heard) -> str:
    """An answer in the words of the table."""
    if heard.status < 400:
        return "proposed" if heard.json.get("outcome") == "proposed" else "ok"
    assert heard.is_problem
    word: str = heard.json["error"]
    assert heard.status == STATUS[word]
    return f"denied {heard.json['missing']}" if word == "denied" else word


@pytest.mark.parametrize("row", [row for row in (*ROWS, *OWN_ROWS) if row.use not in ONLY_TOOLS],
                         ids=lambda row: row.use)  # fmt: skip
def test_each_caller_gets_what_the_table_says(
    stocked: Project, apis: dict[str, Api], row: Row
) -> None:
    for name in CALLERS:
        Project.objects.filter(pk=stocked.pk).update(is_public=name == "visitor")
        with undone():
            heard = asked(apis[name], row.tool, filled(row.arguments, stocked.path))

        assert word_of(heard) == row.answers[CALLERS.index(name)], name
        assert (heard.status == 202) == (word_of(heard) == "proposed"), name


@pytest.mark.parametrize("row", [row for row in ROWS if row.use not in ONLY_TOOLS],
                         ids=lambda row: row.use)  # fmt: skip
def test_a_hidden_project_answers_as_one_that_never_was(
    stocked: Project, apis: dict[str, Api], row: Row
) -> None:
    hidden = asked(apis["stranger"], row.tool, filled(row.arguments, stocked.path))
    missing = asked(apis["stranger"], row.tool, filled(row.arguments, "alice/ship"))

    assert same(hidden, "alice/shop", "alice/ship") == same(missing)


def same(heard: Heard, old: str = "", new: str = "") -> tuple[Any, ...]:
    """All that a caller sees of an answer, but its length."""
    text = json.dumps(heard.json)
    headers = {name: value for name, value in heard.headers.items() if not name.startswith(
        ("content-length", "content-security-policy"))}  # fmt: skip
    return heard.status, headers, text.replace(old, new) if old else text


@pytest.fixture
def world(project: Project, alice: Person, bob: Person, carol: Person) -> LockedWorld:
    return locked_world(project, alice, bob, carol)


def arguments_of(world: LockedWorld, call: Call, **instead: Any) -> dict[str, Any]:
    other = LockedWorld(world.project, {**world.names, **instead})
    arguments: dict[str, Any] = other.filled(call.arguments)
    if call.in_project:
        arguments["projectId"] = instead.get("project", world.project.path)
    return arguments


def heard_of(world: LockedWorld, call: Call, api: Api, **instead: Any) -> Heard:
    with undone():
        return asked(api, call.tool, arguments_of(world, call, **instead))


def is_sayable(call: Call) -> bool:
    """Whether REST has an address for it: not for actions on proposals by other names."""
    return not (call.tool == "item_list" and call.arguments.get("kind") == "project" and (
        call.in_project))  # fmt: skip


@pytest.mark.parametrize("handle", INSIDE)
@pytest.mark.parametrize("way", [by_key, by_session])
def test_no_address_shows_a_word_of_what_is_locked_or_erased(
    world: LockedWorld, handle: str, way: Any
) -> None:
    api = way(Person.objects.get(handle=handle))
    for call in filter(is_sayable, CALLS):
        if paths.WORD in str(call.arguments):
            continue  # what was asked for may be echoed; the next test looks at those
        text = json.dumps(heard_of(world, call, api).json, ensure_ascii=False).lower()

        assert WORD not in text, call


def test_a_search_for_a_locked_word_answers_as_for_one_that_nothing_holds(
    world: LockedWorld, alice: Person
) -> None:
    api = by_key(alice)
    for call in (each for each in CALLS if each.tool in {"item_list", "recall"}):
        text = json.dumps(call.arguments)
        if paths.WORD not in text or not is_sayable(call):
            continue
        other = Call(call.tool, json.loads(text.replace(paths.WORD, NO_WORD)),
                     in_project=call.in_project)  # fmt: skip
        found, none = heard_of(world, call, api), heard_of(world, other, api)

        assert same(found, WORD, NO_WORD) == same(none), call


def test_to_a_stranger_every_address_is_that_of_a_project_that_never_was(
    world: LockedWorld, mallory: Person
) -> None:
    api = by_key(mallory)
    for call in (each for each in CALLS if each.in_project):
        there = heard_of(world, call, api)
        never = heard_of(world, call, api, project="alice/ship")

        assert same(there, "alice/shop", "alice/ship") == same(never), call


def test_what_is_hidden_from_others_answers_like_what_never_was(
    world: LockedWorld, rita: Person
) -> None:
    api = by_key(rita)
    names = {paths.PRIVATE: 9876, **dict.fromkeys(paths.PROPOSALS, "proposal:0123456789ab"),
             paths.REQUEST: "deletion:0123456789ab"}  # fmt: skip
    for name, none in names.items():
        for call in (each for each in CALLS if name in each.arguments.values()):
            there, never = heard_of(world, call, api), heard_of(world, call, api, **{name: none})

            assert same(there, str(world.names[name]), str(none)) == same(
                never, str(none), str(none)
            ), call


@pytest.mark.parametrize("tool", ["recall", "project_get", "item_get", "item_list"])
def test_an_address_answers_with_the_object_of_the_tool(
    world: LockedWorld, alice: Person, tool: str
) -> None:
    agent, api = agent_caller(alice, "robo"), by_key(alice, "robo")
    calls = [each for each in CALLS if each.tool == tool and is_sayable(each)]
    for call in calls:
        said = tool_said(agent, call, world)
        heard = heard_of(world, call, api)

        assert without_cursor(heard.json) == said, call


def tool_said(caller: Caller, call: Call, world: LockedWorld) -> Any:
    text = call_tool(caller, call.tool, arguments_of(world, call)).text
    if call.tool == "recall" and not text.startswith("{"):
        return {"mediaType": "text/markdown", "text": text}
    return without_cursor(json.loads(text))


def without_cursor(answer: Any) -> Any:
    """Without what is of one caller and one moment, or of HTTP."""
    return {name: value for name, value in answer.items() if name != "nextCursor" and not (
        name == "title" and "error" in answer)}  # fmt: skip


def test_a_person_decides_in_the_browser_alone(alice: Person, project: Project) -> None:
    session = by_session(alice)
    session.post("/projects/alice/shop/items", {"kind": "page", "fields": {"title": "P"}})
    asked_for = session.post(
        "/projects/alice/shop/items/1/deletion-requests", {"reason": "It names people."}
    )

    request = asked_for.json["request"].partition(":")[2]
    for method in ("POST", "PATCH", "DELETE"):
        assert session(method, f"/deletion-requests/{request}", {}).status == 405
    assert DeletionRequest.objects.get().state == "pending"
    assert person_caller(alice).key is None
