"""The pages of items: lists by kind, one item, its history and versions."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from conderis.accounts.models import Person
from items.requests import Address, DeletionCall
from privacy.deciding import erase
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at
from tests.web.signing_in_steps import BACKEND


def page(client: Client, person: Person, path: str, status: int = 200) -> str:
    client.force_login(person, backend=BACKEND)
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


def at(route: str, **more: int | str) -> str:
    return reverse(route, kwargs={"owner": "alice", "name": "shop", **more})


@pytest.mark.parametrize(
    ("route", "kind"), [("project-tasks", "task"), ("project-memories", "memory"),
                        ("project-docs", "page")],
)  # fmt: skip
def test_each_kind_has_a_list_that_is_searched_and_says_when_it_is_empty(
    client: Client, rita: Person, alice: Person, project: Project, *, route: str, kind: str
) -> None:
    empty = page(client, rita, at(route))
    fields = {"visibility": "shared"} if kind == "memory" else {}
    create(person_caller(alice), project, kind, title="Walrus shelf", content="zebra", **fields)
    create(person_caller(alice), project, kind, title="Other", content="quagga", **fields)

    everything = page(client, rita, at(route))
    found = page(client, rita, at(route) + "?q=zebra")
    nothing = page(client, rita, at(route) + "?q=unicorn")

    assert "Connect an agent" in empty
    assert "Walrus shelf" in everything
    assert "Other" in everything
    assert "Walrus shelf" in found
    assert ">Other<" not in found
    assert "Nothing fits" in nothing


def test_what_is_private_is_listed_for_its_author_alone(
    client: Client, rita: Person, alice: Person, bob: Person, project: Project
) -> None:
    create(person_caller(bob), project, "memory", title="Bobs own", visibility="private")

    for other in (alice, rita):
        assert "Bobs own" not in page(client, other, at("project-memories"))
        page(client, other, at("item", number=1), 404)
        page(client, other, at("item-history", number=1), 404)
    assert "Bobs own" in page(client, bob, at("project-memories"))
    assert "Bobs own" in page(client, bob, at("item", number=1))


def test_an_item_shows_its_text_fields_children_and_relations(
    client: Client, rita: Person, alice: Person, project: Project
) -> None:
    agent = agent_caller(alice, "robo")
    create(agent, project, "task", title="Parent", content="# Head\n\nsome *text*",
           tags=["red"], priority="high")  # fmt: skip
    create(agent, project, "task", title="Below it all", parent=1)
    create(agent, project, "page", title="Manual")
    act(agent, project, 1, "relate", relation="documentedBy", target=3)
    act(agent, project, 1, "block", 1, reason="no network")

    shown = page(client, rita, at("item", number=1))

    for text in ("Parent", "<em>text</em>", "red", "High", "Below it all", "Documented by",
                 "Manual", "no network", "robo", "Blocked"):  # fmt: skip
        assert text in shown, text


def test_a_version_and_the_history_say_what_was_and_when(
    client: Client, rita: Person, alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="first words")
    for version in range(1, 25):
        change(person_caller(alice), project, 1, version, content=f"words {version + 1}")

    history = page(client, rita, at("item-history", number=1))
    older = page(client, rita, at("item-history", number=1) + "?version=5")
    then = page(client, rita, at("item-version", number=1, version=1))

    assert "Older" in history
    assert at("item-version", number=1, version=25) in history
    assert at("item-version", number=1, version=1) in older
    assert "first words" in then
    assert "Version 25 stands" in then
    page(client, rita, at("item-version", number=1, version=26), 404)
    page(client, rita, at("item", number=2_000_000_001), 404)
    page(client, rita, at("item-history", number=1) + "?version=x", 400)


def test_a_locked_item_and_a_tombstone_say_so_and_nothing_else(
    client: Client, rita: Person, alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="zanzibar", content="zanzibar")
    call = DeletionCall(Address(project.path, number=1), reason="zanzibar")
    ref = str(request_deletion(owner, call)["request"])

    paths = [at("item", number=1), at("item-history", number=1), at("project-docs"),
             at("item-version", number=1, version=1)]  # fmt: skip
    locked = [page(client, rita, path) for path in paths]
    erase(owner, ref)
    erased = [page(client, rita, path) for path in paths]

    assert "zanzibar" not in "".join(locked + erased)
    assert ref in locked[0]
    assert "decided by Alice" in erased[0]


def test_a_stranger_finds_none_of_the_pages(
    client: Client, mallory: Person, alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "page", title="Guide")

    for route in ("project-tasks", "project-memories", "project-docs"):
        page(client, mallory, at(route), 404)
    page(client, mallory, at("item", number=1), 404)
    page(client, mallory, at("item-version", number=1, version=1), 404)


def post(client: Client, person: Person, path: str, **sent: object) -> Any:
    """Send a form as browsers do: with CRLF at line ends."""
    client.force_login(person, backend=BACKEND)
    typed = {name: str(value).replace("\n", "\r\n") for name, value in sent.items()}
    return client.post(path, typed, follow=True)


PAGE = {"title": "Guide", "content": "one\n\ntwo\n\nthree", "tags": "a, b", "parent": "",
        "verifiedAgainst": "", "reason": ""}  # fmt: skip


def test_a_page_is_made_and_changed_in_the_browser(
    client: Client, carol: Person, bob: Person, project: Project
) -> None:
    made = post(client, carol, at("item-new", kind="page"), **PAGE)
    changed = post(
        client, carol, at("item-edit", number=1), **{**PAGE, "title": "Guides", "version": 1}
    )
    same = post(
        client, carol, at("item-edit", number=1), **{**PAGE, "title": "Guides", "version": 2}
    )
    proposed = post(client, bob, at("item-edit", number=1),
                    **{**PAGE, "title": "Bobs", "version": 2})  # fmt: skip

    item = item_at(project, 1)
    assert (item.title, item.version, item.tags) == ("Guides", 2, ["a", "b"])
    assert "stored as version 1" in made.content.decode()
    assert "stored as version 2" in changed.content.decode()
    assert "Nothing was changed" in same.content.decode()
    assert "a moderator decides" in proposed.content.decode()


def test_of_two_who_save_the_slower_gets_both_texts_and_loses_none(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content=PAGE["content"],
           tags=["a", "b"])  # fmt: skip
    change(person_caller(alice), project, 1, 1, content="one\n\ntwo\n\nTHREE")

    apart = {**PAGE, "content": "ONE\n\ntwo\n\nthree", "version": 1}
    merged = post(client, carol, at("item-edit", number=1), **apart)
    clash = {**PAGE, "content": "one\n\ntwo\n\n3", "version": 1}
    both = post(client, carol, at("item-edit", number=1), **clash)

    assert merged.status_code == both.status_code == 409
    assert "ONE\n\ntwo\n\nTHREE" in merged.content.decode()
    assert "one\n\ntwo\n\n3<" in both.content.decode()
    assert "one\n\ntwo\n\nTHREE<" in both.content.decode()
    assert item_at(project, 1).version == 2


def test_a_task_is_claimed_blocked_and_done_in_the_browser(
    client: Client, bob: Person, rita: Person, project: Project
) -> None:
    task = {"title": "Pour", "content": "", "tags": "", "status": "open", "priority": "high",
            "assignee": "", "due": "", "parent": "", "dependsOn": "", "commits": ""}  # fmt: skip
    post(client, bob, at("item-new", kind="task"), **task)

    claimed = post(client, bob, at("item-act", number=1), action="claim", version=1)
    unsaid = post(client, bob, at("item-act", number=1), action="block", version=2)
    post(client, bob, at("item-act", number=1), action="block", version=2, reason="no cup")
    stale = post(client, bob, at("item-act", number=1), action="complete", version=2)
    post(client, bob, at("item-act", number=1), action="unblock", version=3)
    done = post(client, bob, at("item-act", number=1), action="complete", version=4)
    refused = post(client, rita, at("item-act", number=1), action="claim", version=5)

    item = item_at(project, 1)
    assert (item.status, item.version) == ("done", 5)
    assert "is yours" in claimed.content.decode()
    assert unsaid.status_code == 400
    assert stale.status_code == 409
    assert "is done" in done.content.decode()
    assert refused.status_code == 403


def test_a_source_state_does_not_outlive_its_text_in_the_form(
    client: Client, carol: Person, project: Project
) -> None:
    post(client, carol, at("item-new", kind="page"), **{**PAGE, "verifiedAgainst": "a" * 40})

    post(client, carol, at("item-edit", number=1),
         **{**PAGE, "content": "new", "verifiedAgainst": "a" * 40, "version": 1})  # fmt: skip

    assert item_at(project, 1).verified_against is None
