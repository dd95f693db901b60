"""What search engines are told: robots.txt, and the header that keeps pages out of lists."""

import re

import pytest
from django.test import Client
from django.urls import get_resolver

from conderis.accounts.models import Person
from conderis.web.robots import LISTED, closed_places
from projects.models import Project
from tests.factories import make_project, person_caller
from tests.items.calls import create
from tests.privacy.deletions import ask
from tests.web.deletion_pages import opened

HERE = "/alice/commons/"
LISTED_PAGES = ("", "tasks/", "memories/", "docs/", "activity/", "items/1/")
OTHERS = (
    "items/1/history/", "items/1/history/1/", "hygiene/", "activity/feed/", "activity/log/",
    "settings/instructions/", "settings/", "moderation/", "docs/?q=x", "tasks/?cursor=",
)  # fmt: skip


@pytest.fixture
def commons(alice: Person) -> Project:
    made = make_project(alice, "commons", is_public=True)
    create(person_caller(alice), made, "page", title="Guide", content="First.")
    return made


def closed(path: str) -> bool:
    """Whether robots.txt keeps robots from this address (RFC 9309, 2.2.2 and 2.2.3)."""
    rules = [re.escape(each).replace(r"\*", ".*") for each in closed_places()]
    return any(re.match(rule, path) for rule in rules)


def test_robots_txt_is_for_everybody_and_names_no_project(commons: Project, client: Client) -> None:
    answer = client.get("/robots.txt")

    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode().startswith("User-agent: *\nDisallow: /")
    assert b"commons" not in answer.content
    assert not answer.cookies


def test_pages_of_projects_are_open_and_the_rest_is_closed(commons: Project) -> None:
    assert [page for page in LISTED_PAGES if closed(HERE + page)] == []
    assert [page for page in OTHERS if not closed(HERE + page)] == []
    for path in ("/", "/guide/", "/tools/"):
        assert not closed(path)
    for path in ("/admin/items/item/", "/settings/keys/", "/account/email/", "/mcp", "/sign-in/",
                 "/sign-in/secret", "/join/secret", "/deletions/", "/organizations/acme/",
                 "/search/?q=x", "/connect/"):  # fmt: skip
        assert closed(path), path


def test_every_listed_name_is_that_of_an_address() -> None:
    names = {name for name in get_resolver().reverse_dict if isinstance(name, str)}

    assert names >= LISTED


def test_public_pages_may_be_listed_and_nothing_else(
    commons: Project, alice: Person, client: Client
) -> None:
    def is_listed(path: str) -> bool:
        return "X-Robots-Tag" not in client.get(path)

    assert [page for page in LISTED_PAGES if not is_listed(HERE + page)] == []
    assert [page for page in OTHERS if is_listed(HERE + page)] == []
    for path in ("/sign-in/", "/robots.txt", "/healthz", "/nothing/here/", "/guide/?x=1"):
        assert not is_listed(path), path
    assert is_listed("/guide/")


def test_what_is_private_is_never_listed(commons: Project, alice: Person, client: Client) -> None:
    Project.objects.update(is_public=False)

    assert client.get(HERE)["X-Robots-Tag"] == "noindex"
    assert opened(alice, HERE)["X-Robots-Tag"] == "noindex"


def test_what_was_locked_leaves_the_lists(commons: Project, alice: Person, client: Client) -> None:
    page = f"{HERE}items/1/"
    assert b'name="robots"' not in client.get(page).content

    ask(person_caller(alice), commons, 1)

    assert b'<meta name="robots" content="noindex">' in client.get(page).content
