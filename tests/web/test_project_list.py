"""The list of projects in the browser, and a new one."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from projects.models import Project
from tests.factories import make_project
from tests.projects.making import make_organization

BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def browser(client: Client, alice: Person) -> Client:
    """A browser in which alice is signed in."""
    client.force_login(alice, backend=BACKEND)
    return client


def text_of(client: Client, path: str = "/projects/") -> str:
    return client.get(path).content.decode()


@pytest.mark.parametrize("path", ["/projects/", "/projects/new/"])
def test_who_is_not_signed_in_is_led_to_the_sign_in(client: Client, db: None, path: str) -> None:
    assert client.get(path)["Location"] == f"/sign-in/?next={path}"
    assert client.post("/projects/restore/", {"project": "x"}).status_code == 302


def test_the_list_holds_what_the_person_may_read_and_nothing_else(
    browser: Client, alice: Person, mallory: Person
) -> None:
    make_project(alice, "mine")
    make_project(mallory, "theirs")
    make_project(mallory, "open", is_public=True)

    page = text_of(browser)

    assert 'href="/alice/mine/"' in page
    assert 'href="/mallory/open/"' in page
    assert "theirs" not in page


def test_a_search_finds_words_and_says_when_it_finds_nothing(
    browser: Client, alice: Person
) -> None:
    make_project(alice, "shop", description="sells honey")
    make_project(alice, "other")

    found = text_of(browser, "/projects/?q=honey")
    nothing = text_of(browser, '/projects/?q=<b>"x')

    assert "/alice/shop/" in found
    assert "/alice/other/" not in found
    assert "fits “&lt;b&gt;&quot;x”" in nothing
    assert "<b>" not in nothing


def test_a_long_list_goes_on_page_by_page(browser: Client, alice: Person) -> None:
    for number in range(23):
        make_project(alice, f"p{number:02}")

    first = browser.get("/projects/")
    cursor = first.context["found"]["nextCursor"]
    second = browser.get("/projects/", {"cursor": cursor}).content.decode()

    names = [f"/alice/p{number:02}/" for number in range(23)]
    shown = [sum(name in page for name in names) for page in (first.content.decode(), second)]
    assert shown == [20, 3]
    assert "To the beginning" in second
    assert browser.get("/projects/", {"cursor": "nonsense"}).status_code == 400


def test_the_list_costs_the_same_for_two_and_for_twelve_projects(
    browser: Client, alice: Person
) -> None:
    counts = []
    for wanted in (2, 12):
        for number in range(Project.objects.count(), wanted):
            make_project(alice, f"p{number}")
        with CaptureQueriesContext(connection) as found:
            assert browser.get("/projects/").status_code == 200
        counts.append(len(found))

    assert counts[0] == counts[1]


def test_a_new_project_is_private_and_its_makers(browser: Client, alice: Person) -> None:
    answer = browser.post(
        "/projects/new/", {"owner": "alice", "name": "Shop", "description": "Sells"}, follow=True
    )
    made = Project.objects.get()

    assert answer.redirect_chain == [("/alice/Shop/", 302)]
    assert (made.owner_person, made.is_public, made.description) == (alice, False, "Sells")
    assert "Project alice/Shop created. It is private." in answer.content.decode()


def test_only_owners_of_an_organization_are_offered_to_make_projects_in_it(
    browser: Client, alice: Person, bob: Person
) -> None:
    make_organization(alice, "acme")
    make_organization(bob, "other", members=(alice,))

    page = text_of(browser, "/projects/new/?owner=acme")
    refused = browser.post("/projects/new/", {"owner": "other", "name": "x"})
    browser.post("/projects/new/", {"owner": "acme", "name": "site"})

    assert '<option value="acme" selected>' in page
    assert 'value="other"' not in page
    assert refused.status_code == 400
    assert [each.path for each in Project.objects.all()] == ["acme/site"]


def test_a_name_that_is_taken_or_wrong_is_said_beside_it(browser: Client, alice: Person) -> None:
    make_project(alice, "shop")

    taken = browser.post("/projects/new/", {"owner": "alice", "name": "SHOP"})
    wrong = browser.post("/projects/new/", {"owner": "alice", "name": "a b"})

    assert (taken.status_code, wrong.status_code) == (409, 400)
    for page in (taken.content.decode(), wrong.content.decode()):
        assert 'id="id_name_error"' in page
    assert 'value="SHOP"' in taken.content.decode()
