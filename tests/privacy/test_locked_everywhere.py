"""No way of reading shows a word of what is locked or erased, to whomever."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.management import get_commands
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, resolve

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Scope
from conderis.common.json import compact
from items.models import Item
from mcp_surface.dispatch import call_tool
from mcp_surface.tools import all_tools
from privacy.exporting import export_account
from projects.models import Project
from tests.administration.pages import addresses, admin_browser
from tests.administration.pages import crawl as crawl_admin
from tests.exchange.exports import exported, files_of, zipped
from tests.factories import agent_caller, person_caller
from tests.privacy import reading_paths as paths
from tests.privacy.locked_world import NO_WORD, WORD, LockedWorld, locked_world
from tests.privacy.reading_paths import ADDRESSES, CALLS, COMMANDS, NOT_WALKED, Call
from tests.surfaces.test_web_permission_table import routes
from tests.surfaces.web_permission_table import GET, ROWS
from tests.web.crawling import body, crawl
from tests.web.settings_pages import signed_in_now

INSIDE = ("alice", "carol", "bob", "rita")
PRINTING = {"serve", "mcp_stdio", "backup", "export_project", "replay_session"}


@pytest.fixture
def world(project: Project, alice: Person, bob: Person, carol: Person) -> LockedWorld:
    return locked_world(project, alice, bob, carol)


@contextmanager
def undone() -> Iterator[None]:
    """A block after which the database is as it was before."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def answer(world: LockedWorld, call: Call, caller: Caller, **instead: object) -> str:
    """What the tool says; `instead` are other values for the words of the row."""
    other = LockedWorld(world.project, {**world.names, **instead})
    arguments = other.filled(call.arguments)
    if call.in_project:
        arguments |= {"projectId": instead.get("project", world.project.path)}
    with undone():
        return call_tool(caller, call.tool, arguments).text


@pytest.mark.parametrize("handle", INSIDE)
@pytest.mark.parametrize("tool", [tool.name for tool in all_tools()])
def test_no_tool_shows_a_word_of_it_to_whoever_may_read_the_project(
    world: LockedWorld, tool: str, handle: str
) -> None:
    person = Person.objects.get(handle=handle)
    for caller in (person_caller(person), agent_caller(person)):
        for call in (each for each in CALLS if each.tool == tool):
            said = answer(world, call, caller)
            if paths.WORD in str(call.arguments):
                # What was asked for may be echoed, as that of any other word.
                other = _with_another_word(world, call, caller)
                assert _unnumbered(said.replace(WORD, NO_WORD)) == _unnumbered(other), call
            else:
                assert WORD not in said.lower(), call
            if call.tells and not _is_hidden(call, handle):
                assert "deletion:" in said or '"erased"' in said, call


def _with_another_word(world: LockedWorld, call: Call, caller: Caller) -> str:
    text = compact(call.arguments).replace(paths.WORD, NO_WORD)
    return answer(world, Call(call.tool, _read(text), in_project=call.in_project), caller)


def _unnumbered(text: str) -> str:
    """The answer without the id of a proposal that the call has made."""
    return re.sub(r'"proposal":"proposal:\w+"', "", text)


def _read(text: str) -> dict[str, object]:
    read: dict[str, object] = json.loads(text)
    return read


def _is_hidden(call: Call, handle: str) -> bool:
    is_private = paths.PRIVATE in call.arguments.values() and handle != "bob"
    return is_private or (call.tool == "item_store" and handle == "rita")


def test_to_a_stranger_every_answer_is_that_of_a_project_that_never_was(
    world: LockedWorld, mallory: Person
) -> None:
    for call in (each for each in CALLS if each.in_project):
        there = answer(world, call, agent_caller(mallory))
        never = answer(world, call, agent_caller(mallory), project="alice/ship")

        assert there.replace("alice/shop", "alice/ship") == never, call


def test_what_only_its_author_may_read_answers_like_a_number_never_given(
    world: LockedWorld, alice: Person, carol: Person, rita: Person
) -> None:
    number = world.names[paths.PRIVATE]
    for person in (alice, carol, rita):
        for call in (each for each in CALLS if paths.PRIVATE in each.arguments.values()):
            there = answer(world, call, agent_caller(person))
            never = answer(world, call, agent_caller(person), **{paths.PRIVATE: 9876})

            assert there == never.replace("9876", str(number)), (person, call)


def test_proposals_and_requests_of_others_answer_like_those_that_never_were(
    world: LockedWorld, rita: Person
) -> None:
    for name in (*paths.PROPOSALS, paths.REQUEST):
        ref = str(world.names[name])
        none = f"{ref.partition(':')[0]}:0123456789ab"
        for call in (each for each in CALLS if name in each.arguments.values()):
            there = answer(world, call, agent_caller(rita))
            never = answer(world, call, agent_caller(rita), **{name: none})

            assert there.replace(ref, none) == never, call


def _addresses(world: LockedWorld, word: str) -> list[str]:
    numbers = [world.names[name] for name in (*paths.HIDDEN, *paths.BESIDES)]
    proposals = [str(world.names[name]).partition(":")[2] for name in paths.PROPOSALS]
    requests = [ref.partition(":")[2] for ref in world.requests]
    personal = Item.objects.filter(project=None, organization=None)
    memories = list(personal.values_list("public_id", flat=True))
    return list(
        dict.fromkeys(
            address.format(
                shop=world.project.path, number=number, proposal=proposal, request=request,
                memory=memory, word=word,
            )
            for address in ADDRESSES
            for memory in (memories if "{memory}" in address else [""])
            for number in (numbers if "{number}" in address else [0])
            for proposal in (proposals if "{proposal}" in address else [""])
            for request in (requests if "{request}" in address else [""])
        )
    )  # fmt: skip


def _browser(handle: str) -> Client:
    person = Person.objects.filter(handle=handle).first()
    return signed_in_now(person) if person is not None else Client()


@pytest.mark.slow
@pytest.mark.parametrize("handle", [*INSIDE, "mallory", "nobody"])
def test_no_page_shows_a_word_of_it(world: LockedWorld, mallory: Person, handle: str) -> None:
    browser = _browser(handle)
    browser.raise_request_exception = False
    asked = _addresses(world, WORD)

    found = crawl(browser, "/", *(each for each in asked if WORD not in each))

    assert len(found) > (100 if handle in INSIDE else 5)
    holding = [each for each, got in found.items() if WORD.encode() in body(got).lower()]
    assert holding == []
    assert [each for each, got in found.items() if got.status_code >= 500] == []


@pytest.mark.parametrize("handle", INSIDE)
def test_searching_a_page_for_the_word_finds_what_searching_for_no_word_does(
    world: LockedWorld, handle: str
) -> None:
    browser = _browser(handle)
    for address in (each for each in _addresses(world, WORD) if WORD in each):
        found = body(browser.get(address)).decode().lower()
        none = body(browser.get(address.replace(WORD, NO_WORD))).decode().lower()

        assert found.count(WORD) == none.count(NO_WORD), address
        assert found.count("/items/") == none.count("/items/"), address


def test_no_page_of_the_admin_shows_a_word_of_it(world: LockedWorld) -> None:
    found = crawl_admin(admin_browser(), addresses())

    assert len(found) > 50
    assert [address for address, text in found.items() if WORD in text.lower()] == []


@pytest.mark.parametrize("handle", INSIDE)
def test_no_export_holds_a_word_of_it(world: LockedWorld, handle: str) -> None:
    person = Person.objects.get(handle=handle)

    whole = "".join(export_account(person_caller(person)))

    assert '"format"' in whole
    assert WORD not in whole.lower()


@pytest.mark.parametrize("handle", INSIDE)
def test_no_export_of_the_project_holds_a_word_of_it(world: LockedWorld, handle: str) -> None:
    person = Person.objects.get(handle=handle)
    for caller in (person_caller(person), agent_caller(person)):
        lines = exported(caller, world.project).decode()
        files = files_of(zipped(caller, world.project))

        assert '"type":"end"' in lines
        assert WORD not in lines.lower()
        assert [each for each in files.items() if WORD in "".join(each).lower()] == []


def test_a_key_that_reads_alone_gets_no_more_of_it(world: LockedWorld, alice: Person) -> None:
    caller = agent_caller(alice, "narrow", scopes=frozenset({Scope.READ}))
    for call in (each for each in CALLS if paths.WORD not in str(each.arguments)):
        assert WORD not in answer(world, call, caller).lower(), call


@pytest.mark.no_database
def test_every_tool_has_rows() -> None:
    assert {call.tool for call in CALLS} == {tool.name for tool in all_tools()}


@pytest.mark.slow
def test_every_address_is_walked_or_says_why_not(world: LockedWorld, alice: Person) -> None:
    browser = _browser("alice")
    found = crawl(browser, "/", *_addresses(world, WORD))
    walked = {name for each in found if (name := _name(each)) is not None}
    takes_forms = {name for name in routes() - walked if _takes_forms_alone(name)}

    assert routes() - walked - takes_forms == set(NOT_WALKED) - walked


def _name(address: str) -> str | None:
    try:
        return resolve(address.partition("?")[0]).url_name
    except Resolver404:
        return None


def _takes_forms_alone(name: str) -> bool:
    answers = [row.answers for row in ROWS if row.route == name and row.method == GET]
    return bool(answers) and all(set(each) == {"405"} for each in answers)


@pytest.mark.no_database
def test_every_command_that_prints_what_is_stored_is_named() -> None:
    ours = {name for name, app in get_commands().items() if app == "conderis.operations"}

    assert ours >= PRINTING
    assert set(COMMANDS) & ours >= PRINTING
