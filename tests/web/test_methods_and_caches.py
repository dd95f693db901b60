"""Addresses that only take forms, and what caches keep of the pages of who is signed in."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from conderis.accounts.models import Person
from projects.models import Project
from tests.factories import person_caller
from tests.items.calls import act, create
from tests.web.moderation_pages import words_of
from tests.web.signing_in_steps import BACKEND
from tests.web.test_item_saving import at, opened, save

OWN = "http://testserver"
POST_ONLY = "/alice/shop/settings/delete/"
PAGE = "/alice/shop/settings/ending/"


@pytest.mark.usefixtures("project")
def test_a_method_that_is_not_taken_has_a_page_with_words(client: Client, alice: Person) -> None:
    client.force_login(alice, backend=BACKEND)

    opened_one, sent_one = client.get(POST_ONLY), client.post("/alice/shop/")

    assert opened_one.status_code == sent_one.status_code == 405
    assert "Only a form is sent to this address" in words_of(opened_one)
    assert "Nothing was changed" in words_of(sent_one)
    assert opened_one["Allow"] == "POST"
    assert "<h1>" in opened_one.content.decode()


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("sent_to", "came_from", "back"),
    [
        (POST_ONLY, f"{OWN}{PAGE}?a=b", f"{PAGE}?a=b"),
        (POST_ONLY, "", "/"),
        (POST_ONLY, f"https://evil.example{PAGE}", "/"),
        (POST_ONLY, f"{OWN}{POST_ONLY}", "/"),
        (POST_ONLY, f"{OWN}/no/such/page/here", "/"),
        (POST_ONLY, f"{OWN}//evil.example/", "/"),
        ("/alice/shop/settings/", "", "/alice/shop/settings/"),
        ("/alice/none/settings/delete/", f"{OWN}{PAGE}", PAGE),
    ],
)
def test_a_form_of_an_ended_sign_in_leads_back_to_a_page(
    client: Client, sent_to: str, came_from: str, back: str
) -> None:
    answer = client.post(sent_to, {"typed_name": "x"}, headers={"referer": came_from})

    assert answer.status_code == 302
    assert parse_qs(urlsplit(answer["Location"]).query)["next"] == [back]


@pytest.mark.usefixtures("project")
def test_pages_of_who_is_signed_in_are_kept_by_no_shared_cache(
    client: Client, alice: Person
) -> None:
    nobody = client.get("/guide/")
    client.force_login(alice, backend=BACKEND)

    for path in ("/", "/guide/", "/alice/shop/", "/alice/shop/tasks/", "/no/such/page/here"):
        kept = {word.strip() for word in client.get(path)["Cache-Control"].split(",")}
        assert kept == {"private", "no-cache"}, path
    assert "private" not in nobody.get("Cache-Control", "")
    assert "no-store" in client.get("/connect/").get("Cache-Control", "")


@pytest.fixture
def archived(project: Project, alice: Person) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="one")
    act(person_caller(alice), project, 1, "archive", 1)


@pytest.mark.usefixtures("archived")
def test_the_form_of_an_archived_item_offers_to_restore_it(client: Client, carol: Person) -> None:
    client.force_login(carol, backend=BACKEND)

    shown = client.get(at("item-edit", number=1))
    restored = client.post(
        at("item-act", number=1), {"version": "2", "action": "restore"}, follow=True
    )

    assert shown.status_code == 200
    assert "It is archived" in words_of(shown)
    assert 'name="action" value="restore"' in shown.content.decode()
    assert 'name="version" value="2"' in shown.content.decode()
    assert "<textarea" not in shown.content.decode()
    assert restored.status_code == 200
    assert client.get(at("item-edit", number=1)).content.decode().count("<textarea") > 0


def test_what_is_archived_while_it_is_edited_is_not_said_to_be_changed(
    client: Client, project: Project, alice: Person, carol: Person
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="one")
    form = opened(client, carol)
    act(person_caller(alice), project, 1, "archive", 1)

    answer = save(client, form, content="mine")

    assert answer.status_code == 409
    assert "It is archived" in words_of(answer)
    assert "Somebody else has changed it" not in words_of(answer)
    assert "mine</textarea>" in answer.content.decode()


@pytest.mark.usefixtures("archived")
def test_restoring_under_a_title_that_was_taken_names_and_links_the_other_one(
    client: Client, project: Project, alice: Person, carol: Person
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="two")
    client.force_login(carol, backend=BACKEND)

    answer = client.post(at("item-act", number=1), {"version": "2", "action": "restore"})

    said = words_of(answer)
    assert answer.status_code == 409
    assert "Rename #2, then restore this one." in said
    assert "Give this one another title" not in said
    assert f'<a class="btn" href="{at("item", number=2)}">Open #2</a>' in answer.content.decode()
