"""Forms of items that are sent when their sign-in has ended: nothing typed is lost."""

import re
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from conderis.accounts.models import Person
from items.models import Item, ItemEvent
from projects.models import Project
from tests.factories import person_caller
from tests.items.calls import change, create, item_at
from tests.web.signing_in_steps import BACKEND
from tests.web.test_item_saving import Fields, form_of

TYPED = 'one\n\n<b>"two"</b> & {{ 7 }}\n  three'
ORIGIN = "http://testserver"


def at(route: str, **more: int | str) -> str:
    return reverse(route, kwargs={"owner": "alice", "name": "shop", **more})


@pytest.fixture
def browser() -> Client:
    """One that checks tokens, as browsers are checked."""
    return Client(enforce_csrf_checks=True)


@pytest.fixture
def guide(alice: Person, project: Project) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="one", tags=["a"])


def sign_in(browser: Client, person: Person) -> None:
    """As the sign-in page does it: the token is another one afterwards."""
    browser.force_login(person, backend=BACKEND)
    browser.cookies.pop("conderis_csrf", None)
    browser.get("/settings/")


def opened(browser: Client, path: str) -> dict[str, str]:
    answer = browser.get(path)
    assert answer.status_code == 200
    return Fields(answer.content.decode()).found


def send(browser: Client, path: str, form: dict[str, str], **typed: str) -> Any:
    """Send a form as browsers do: with CRLF at line ends, and naming where it comes from."""
    sent = {name: value.replace("\n", "\r\n") for name, value in {**form, **typed}.items()}
    return browser.post(path, sent, follow=True, headers={"origin": ORIGIN})


def again(browser: Client, path: str, answer: Any) -> Any:
    """Send what the page shows, untouched."""
    return send(browser, path, form_of(answer))


def rows() -> tuple[int, int, int]:
    return Item.objects.count(), ItemEvent.objects.count(), Session.objects.count()


@pytest.mark.usefixtures("project")
def test_a_new_item_is_stored_after_signing_in_again_and_sending_what_was_typed(
    browser: Client, carol: Person, project: Project
) -> None:
    sign_in(browser, carol)
    path = at("item-new", kind="page")
    form = opened(browser, path)
    browser.logout()
    before = rows()

    out = send(browser, path, form, title="Guide", content=TYPED, tags="a, b")
    after = rows()
    sign_in(browser, carol)
    old = again(browser, path, out)
    stored = again(browser, path, old)

    assert (out.status_code, old.status_code, stored.status_code) == (403, 403, 200)
    assert "Your sign-in has ended" in out.content.decode()
    assert "Send it once more" in old.content.decode()
    for shown in (out, old):
        assert form_of(shown)["content"].replace("\r\n", "\n") == TYPED
        assert "<b>" not in shown.content.decode()
        assert "no-store" in shown["Cache-Control"]
    assert after == before
    item = item_at(project, 1)
    assert (item.title, item.content, item.tags) == ("Guide", TYPED, ["a", "b"])


@pytest.mark.usefixtures("guide")
def test_a_change_is_merged_with_what_others_stored_meanwhile(
    browser: Client, carol: Person, alice: Person, project: Project
) -> None:
    sign_in(browser, carol)
    path = at("item-edit", number=1)
    form = opened(browser, path)
    browser.logout()
    change(person_caller(alice), project, 1, 1, tags=["a", "b"])

    out = send(browser, path, form, content=TYPED)
    sign_in(browser, carol)
    old = again(browser, path, out)
    conflict = again(browser, path, old)
    stored = again(browser, path, conflict)

    assert conflict.status_code == 409
    assert stored.status_code == 200
    assert (item_at(project, 1).content, item_at(project, 1).tags) == (TYPED, ["a", "b"])


@pytest.mark.usefixtures("guide")
def test_an_action_with_its_reason_is_sent_again_by_the_same_button(
    browser: Client, carol: Person, project: Project
) -> None:
    sign_in(browser, carol)
    form = opened(browser, at("item", number=1))
    browser.logout()
    path = at("item-act", number=1)

    out = send(browser, path, form, action="archive", reason="too old")
    sign_in(browser, carol)
    old = send(browser, path, form_of(out), action="archive")
    stored = send(browser, path, form_of(old), action="archive")

    for shown in (out, old):
        assert '<button class="btn btn-main" type="submit" name="action" value="archive">' in (
            shown.content.decode()
        )
        assert form_of(shown)["reason"] == "too old"
    assert stored.status_code == 200
    assert item_at(project, 1).archived_at is not None
    assert ItemEvent.objects.latest("pk").reason == "too old"


@pytest.mark.usefixtures("guide")
def test_the_conflict_page_and_the_other_forms_keep_what_was_typed_too(
    browser: Client, carol: Person, alice: Person, project: Project
) -> None:
    create(person_caller(carol), project, "memory", title="Mine", visibility="private")
    sign_in(browser, carol)
    edit, share = at("item-edit", number=1), at("item-share", number=2)
    relate = at("item-relate", number=1)
    form, copy = opened(browser, edit), opened(browser, share)
    change(person_caller(alice), project, 1, 1, content="theirs")
    conflict = send(browser, edit, form, content="mine")
    browser.logout()

    kept = again(browser, edit, conflict)
    shared = send(browser, share, copy, content="typed at length")
    related = send(browser, relate, form, relation="relates", target="2", action="relate")

    assert conflict.status_code == 409
    assert form_of(kept)["content"] == "mine"
    assert form_of(kept)["initial-content"] == "theirs"
    assert form_of(shared)["content"] == "typed at length"
    assert (form_of(related)["relation"], form_of(related)["target"]) == ("relates", "2")


@pytest.mark.usefixtures("guide")
def test_words_of_another_site_are_never_shown(browser: Client, carol: Person) -> None:
    sign_in(browser, carol)
    path = at("item-new", kind="page")
    form = {"title": "Buy", "content": "this", "csrfmiddlewaretoken": "x" * 64}

    for origin in ("https://evil.example", "null"):
        answer = browser.post(path, form, headers={"origin": origin})
        assert answer.status_code == 403
        assert "This form is too old" in answer.content.decode()
        assert "Buy" not in answer.content.decode()
    assert Item.objects.count() == 1


@pytest.mark.usefixtures("guide")
def test_only_fields_of_these_forms_and_only_these_addresses_are_taken(
    browser: Client, carol: Person
) -> None:
    odd = {"title": "Guide", "evil": "1", "initial-evil": "1", "next": "//evil.example",
           "action": "explode", "csrfmiddlewaretoken": "x" * 64}  # fmt: skip

    shown = send(browser, at("item-new", kind="page"), odd)
    elsewhere = send(browser, "/projects/new/", {"name": "Walrus"})

    form = shown.content.decode().partition('enctype="multipart')[2].partition("</form>")[0]
    names = set(re.findall(r'name="([^"]+)"', form))
    assert {"evil", "initial-evil", "next", "action"} & names == set()
    assert {"title", "csrfmiddlewaretoken"} <= names
    assert "Walrus" not in elsewhere.content.decode()


@pytest.mark.usefixtures("guide")
def test_nobody_learns_from_it_what_there_is(browser: Client) -> None:
    form = {"title": "Guide"}

    there = send(browser, at("item-edit", number=1), form)
    missing = send(browser, "/alice/none/items/1/edit/", form)

    def plain(answer: Any) -> str:
        shown = re.sub(r'(nonce|value|action|content)="[^"]*"|"X-CSRFToken": "[^"]*"', "",
                       answer.content.decode())  # fmt: skip
        return shown.replace("/alice/none/", "/alice/shop/")

    assert there.status_code == missing.status_code == 403
    assert plain(there) == plain(missing)


def test_more_than_is_taken_is_refused(browser: Client) -> None:
    form = {"title": "Guide", "content": "x" * 5_000_000}

    answer = send(browser, at("item-new", kind="page"), form)

    assert answer.status_code in {400, 413}
    assert "xxxx" not in answer.content.decode()


@pytest.mark.usefixtures("guide")
def test_the_reason_for_restoring_a_version_is_kept_and_sent_again(
    browser: Client, carol: Person, alice: Person, project: Project
) -> None:
    change(person_caller(alice), project, 1, 1, content="two", complete=True)
    sign_in(browser, carol)
    path = at("item-version-restore", number=1, version=1)
    form = opened(browser, path)
    browser.logout()

    out = send(browser, path, form, reason="was right")
    sign_in(browser, carol)
    old = again(browser, path, out)
    stored = again(browser, path, old)

    assert (out.status_code, old.status_code, stored.status_code) == (403, 403, 200)
    assert item_at(project, 1).content == "one"
    assert ItemEvent.objects.latest("pk").reason == "Version 1 restored: was right"
