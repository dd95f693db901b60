"""Personal memories in the browser: their owner lists, reads, writes and erases them."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from items.models import Item
from privacy.deciding import erase
from projects.models import Project
from tests.factories import agent_caller, make_person, person_caller
from tests.items.calls import act, change, create
from tests.web.reading import without_tokens
from tests.web.signing_in_steps import BACKEND

TYPED = {"title": "Tabs", "summary": "", "content": "one\n\ntwo\n\nthree", "tags": "editor, go",
         "type": "preference", "expiresAt": "", "parent": "", "weight": "normal",
         "verifiedAgainst": "", "reason": ""}  # fmt: skip


@pytest.fixture
def browser(client: Client, alice: Person) -> Client:
    client.force_login(alice, backend=BACKEND)
    return client


def get(browser: Client, path: str, status: int = 200) -> str:
    answer = browser.get(path)
    assert answer.status_code == status, path
    return answer.content.decode()


def post(browser: Client, path: str, **sent: object) -> Any:
    typed = {name: str(value).replace("\n", "\r\n") for name, value in sent.items()}
    return browser.post(path, typed, follow=True)


def made(person: Person, title: str = "Tabs", **fields: Any) -> str:
    """The path of a personal memory."""
    ref = str(create(person_caller(person), None, "memory", title=title, **fields)["ref"])
    return f"/memories/{ref.removeprefix('memory:')}/"


def ref_of(path: str) -> str:
    return f"memory:{path.split('/')[2]}"


def test_a_memory_is_made_changed_archived_and_restored(browser: Client) -> None:
    answer = post(browser, "/memories/new/", **TYPED)
    path = answer.redirect_chain[-1][0]
    changed = post(browser, f"{path}edit/", **{**TYPED, "title": "Spaces", "version": 1})
    same = post(browser, f"{path}edit/", **{**TYPED, "title": "Spaces", "version": 2})
    archived = post(browser, f"{path}act/", action="archive", version=2, reason="moot")
    in_list, with_archived = (get(browser, f"/memories/{more}")
                              for more in ("", "?includeArchived=true"))  # fmt: skip
    restored = post(browser, f"{path}act/", action="restore", version=3)

    item = Item.objects.get()
    assert (item.title, item.version, item.visibility) == ("Spaces", 4, "private")
    assert (item.project, item.number, item.tags) == (None, None, ["editor", "go"])
    assert item.content == TYPED["content"]
    assert "stored as version 1" in answer.content.decode()
    assert "stored as version 2" in changed.content.decode()
    assert "Nothing was changed" in same.content.decode()
    assert "The memory is archived." in archived.content.decode()
    assert "Spaces" not in in_list
    assert "Spaces" in with_archived
    assert "The memory is restored." in restored.content.decode()


def test_nobody_but_its_owner_finds_any_page_of_it(
    client: Client, alice: Person, bob: Person
) -> None:
    path = made(alice, "Secret habit")
    root = make_person("root", is_staff=True, is_superuser=True)
    for other in (bob, root):
        client.force_login(other, backend=BACKEND)
        for more in ("", "edit/", "history/", "history/1/"):
            hidden = client.get(f"{path}{more}")
            missing = client.get(f"/memories/abcdefghijkm/{more}")
            assert hidden.status_code == missing.status_code == 404, more
            assert without_tokens(hidden.content.decode()) == without_tokens(
                missing.content.decode()
            ).replace("/memories/abcdefghijkm/", path)
        for more in ("edit/", "act/"):
            answer = client.post(f"{path}{more}", {**TYPED, "action": "archive", "version": 1})
            assert answer.status_code == 404, more
        for listed in ("/memories/", "/memories/?q=habit", "/search/?q=habit", "/"):
            assert "Secret habit" not in get(client, listed)
    assert Item.objects.get().version == 1


def test_a_memory_of_a_project_has_no_page_among_the_personal_ones(
    browser: Client, alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "memory", title="Shop", visibility="private")

    assert "Shop" not in get(browser, "/memories/").partition("<main")[2]
    get(browser, f"/memories/{Item.objects.get().public_id}/", 404)


@pytest.mark.parametrize("odd", ["ABC", "a-b", "0" * 30, "proposal"])
def test_what_is_no_id_answers_like_what_is_not_there(browser: Client, odd: str) -> None:
    get(browser, f"/memories/{odd}/", 404)


def test_the_list_is_searched_narrowed_and_sorted(browser: Client, alice: Person) -> None:
    bag = made(alice, "Editors", content="zebra")
    made(alice, "Vim", parent=ref_of(bag), tags=["editor"])
    made(alice, "Tea", type="preference", weight="critical")

    def main(query: str) -> str:
        return get(browser, f"/memories/?{query}").partition("<main")[2]

    assert all(title in main("") for title in ("Editors", "Vim", "Tea"))
    assert ">Tea<" not in main("q=zebra")
    assert "Editors" in main("q=zebra")
    assert ">Vim<" not in main("type=preference")
    assert ">Tea<" in main("weight=critical")
    assert ">Tea<" not in main("tags=editor")
    assert ">Tea<" not in main(f"parent={ref_of(bag)}")
    assert ">Vim<" in main(f"parent={ref_of(bag)}")
    assert "Nothing fits" in main("q=unicorn")
    assert main("sort=title").index("Editors") < main("sort=title").index("Vim")
    get(browser, "/memories/?sort=x", 400)
    get(browser, "/memories/?cursor=x", 400)


def test_an_empty_list_says_what_belongs_there(browser: Client) -> None:
    page = get(browser, "/memories/")

    assert "No personal memories yet" in page
    assert 'href="/memories/new/"' in page


def test_a_bag_shows_what_is_below_it_and_the_way_up(browser: Client, alice: Person) -> None:
    bag = made(alice, "Editors")
    answer = get(browser, f"/memories/new/?parent={ref_of(bag)}")
    assert f'value="{ref_of(bag)}"' in answer

    child = post(browser, "/memories/new/", **{**TYPED, "title": "Vim", "parent": ref_of(bag)})

    assert f'href="{bag}"' in child.content.decode()
    assert "Vim" in get(browser, bag)
    assert "1 below it" in get(browser, "/memories/")
    deeper = {**TYPED, "parent": ref_of(child.redirect_chain[-1][0])}
    refused = post(browser, "/memories/new/", **deeper)
    assert refused.status_code == 400
    assert 'aria-invalid="true"' in refused.content.decode()


def test_what_an_agent_changed_meanwhile_is_kept_and_so_is_what_was_typed(
    browser: Client, alice: Person
) -> None:
    path = made(alice, content=TYPED["content"], tags=["editor", "go"], type="preference")
    change(agent_caller(alice), None, ref_of(path), 1, content="one\n\ntwo\n\nTHREE")
    opened = {f"initial-{name}": value for name, value in TYPED.items() if name != "reason"}

    apart = {**TYPED, **opened, "content": "ONE\n\ntwo\n\nthree", "version": 1}
    merged = post(browser, f"{path}edit/", **apart)
    clash = {**TYPED, **opened, "content": "one\n\ntwo\n\n3", "version": 1}
    both = post(browser, f"{path}edit/", **clash)

    assert merged.status_code == both.status_code == 409
    assert "ONE\n\ntwo\n\nTHREE" in merged.content.decode()
    assert "one\n\ntwo\n\n3<" in both.content.decode()
    assert "one\n\ntwo\n\nTHREE<" in both.content.decode()
    assert Item.objects.get().version == 2


def test_the_history_names_the_agent_and_leads_to_each_version(
    browser: Client, alice: Person
) -> None:
    path = made(alice, content="first words")
    change(agent_caller(alice, "Codex"), None, ref_of(path), 1, content="second", reason="better")
    for version in range(2, 24):
        change(person_caller(alice), None, ref_of(path), version, content=f"text {version}")

    newest, older = (get(browser, f"{path}history/{more}") for more in ("", "?version=3"))
    then = get(browser, f"{path}history/1/")

    assert "Older" in newest
    assert f"{path}history/24/" in newest
    assert "Codex" in older
    assert "better" in older
    assert "first words" in then
    assert "Version 24 stands" in then
    get(browser, f"{path}history/25/", 404)
    get(browser, f"{path}history/99999999999/", 404)
    get(browser, f"{path}history/?version=x", 400)


def test_its_owner_asks_for_its_erasure_and_decides_it(browser: Client, alice: Person) -> None:
    path = made(alice, "zanzibar", content="zanzibar")
    asked = browser.post("/deletions/new/", {"what": ref_of(path), "reason": "a token"})
    assert asked.status_code == 302
    ref = f"deletion:{Item.objects.get().locked_by}"

    paths = (path, f"{path}history/", "/memories/", "/search/?q=zanzibar&all=true")
    locked = [get(browser, each) for each in paths]
    typed = post(browser, f"{path}edit/", **{**TYPED, "content": "typed text", "version": 1})
    acted = post(browser, f"{path}act/", action="archive", version=1)
    waiting = get(browser, "/")
    erase(person_caller(alice), ref)
    erased = [get(browser, each) for each in (path, f"{path}history/", "/memories/")]

    assert "zanzibar" not in "".join(locked[:3] + erased)
    assert f'href="/deletions/{ref.removeprefix("deletion:")}/"' in locked[0]
    assert 'count">0<' in locked[3]
    assert typed.status_code == 423
    assert "typed text" in typed.content.decode()
    assert acted.status_code == 423
    assert "1 deletion waits" in waiting
    assert "Erased for good" in erased[0]


def test_the_number_of_queries_does_not_grow_with_the_list(browser: Client, alice: Person) -> None:
    def fill(number: int) -> None:
        for each in range(number):
            bag = made(alice, f"Bag {each}", tags=["a", "b"])
            made(alice, f"Child {each}", parent=ref_of(bag))

    fill(2)
    get(browser, "/memories/")
    with CaptureQueriesContext(connection) as few:
        get(browser, "/memories/")
    fill(10)

    with CaptureQueriesContext(connection) as many:
        get(browser, "/memories/")

    assert len(many) == len(few)


def test_who_is_signed_out_is_led_to_the_door(client: Client, alice: Person) -> None:
    path = made(alice)

    for each in ("/memories/", "/memories/new/", path, f"{path}edit/", "/search/?q=x"):
        assert client.get(each)["Location"].startswith("/sign-in/")


def test_a_restored_version_number_that_is_stale_is_refused_on_the_page(
    browser: Client, alice: Person
) -> None:
    path = made(alice)
    act(person_caller(alice), None, ref_of(path), "archive", 1)

    stale = post(browser, f"{path}act/", action="restore", version=1)

    assert stale.status_code == 409
    assert "item_" not in stale.content.decode().partition("<main")[2]
    assert Item.objects.get().archived_at is not None


def test_what_was_typed_is_shown_again_when_the_sign_in_has_ended(
    client: Client, alice: Person
) -> None:
    path = made(alice)

    for to in ("/memories/new/", f"{path}edit/"):
        answer = client.post(to, {**TYPED, "content": "long typed text", "version": 1})
        assert answer.status_code == 403
        assert "long typed text" in answer.content.decode()
    assert Item.objects.get().version == 1


def test_a_list_that_is_asked_for_wrongly_says_so_and_keeps_what_was_asked(
    browser: Client, alice: Person
) -> None:
    made(alice, "Tea", type="preference")

    for asked in ("type=x", "sort=x", "cursor=x", "parent=x"):
        page = get(browser, f"/memories/?q=tea&{asked}", 400)
        assert "The list cannot be shown so" in page
        assert 'name="q" type="search" value="tea"' in page
        assert "item_" not in page.partition("<main")[2]


def test_archived_ones_are_listed_only_where_they_are_asked_for(
    browser: Client, alice: Person
) -> None:
    path = made(alice, "Tea")
    act(person_caller(alice), None, ref_of(path), "archive", 1)

    without, with_them = (get(browser, f"/memories/?includeArchived={word}")
                          for word in ("false", "true"))  # fmt: skip

    assert ">Tea<" not in without
    assert ">Tea<" in with_them


def test_what_was_typed_is_kept_where_it_was_archived_meanwhile(
    browser: Client, alice: Person
) -> None:
    path = made(alice)
    act(person_caller(alice), None, ref_of(path), "archive", 1)

    late, known = (post(browser, f"{path}edit/", **{**TYPED, "title": "Typed", "version": version})
                   for version in (1, 2))  # fmt: skip

    for answer in (late, known):
        assert answer.status_code == 409
        assert "It is archived" in answer.content.decode()
        assert "Restore it in a new tab" in answer.content.decode()
        assert 'value="Typed"' in answer.content.decode()
    assert Item.objects.get().title == "Tabs"
