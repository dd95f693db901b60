"""The first web pages."""

import re
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.template.loader import render_to_string
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from conderis.accounts.actors import Operator
from conderis.accounts.models import Person, SignInLink
from conderis.accounts.sign_in import create_sign_in_link
from projects.models import Project
from tests.factories import make_project
from tests.web.reading import without_tokens


@pytest.fixture
def link(alice: Person) -> str:
    return f"/sign-in/{create_sign_in_link(Operator(), person=alice)}"


def page(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def test_health_answers_without_session_or_database(client: Client) -> None:
    answer = client.get("/healthz")

    assert answer.status_code == 200
    assert answer.json() == {"status": "ok"}
    assert not answer.cookies
    assert client.head("/healthz").status_code == 200
    assert client.post("/healthz").status_code == 405


@pytest.mark.no_database
@pytest.mark.parametrize("path", ["/", "/healthz", "/nothing", "/sign-in/x"])
def test_an_unknown_host_is_refused_on_every_page(client: Client, path: str) -> None:
    answer = client.get(path, headers={"Host": "evil.example.net"})

    assert answer.status_code == 400
    assert "CONDERIS_ALLOWED_HOSTS" in answer.content.decode()


def test_the_start_page_says_what_this_is_and_how_to_get_in(client: Client) -> None:
    shown = page(client, "/")

    assert "Sign in" in shown
    assert "sign_in_link" in shown
    assert "Sign out" not in shown


def test_looking_at_a_link_shows_a_button_and_does_not_use_it_up(client: Client, link: str) -> None:
    for _ in range(2):
        answer = client.get(link)
        assert answer.status_code == 200
        assert "Sign in as" in answer.content.decode()
        assert "no-store" in answer["Cache-Control"]
    assert client.head(link).status_code == 200

    assert client.post(link).headers["Location"] == "/"


def test_the_button_signs_in_and_the_start_page_shows_projects(
    client: Client, link: str, project: Project, mallory: Person
) -> None:
    make_project(mallory, "secret")

    client.post(link)
    shown = page(client, "/")

    assert "Alice" in shown
    assert "alice/shop" in shown
    assert "mallory/secret" not in shown
    assert "canary" not in shown


def test_used_expired_and_unknown_links_get_the_same_page(
    client: Client, link: str, alice: Person
) -> None:
    client.post(link)
    client.logout()
    expired = f"/sign-in/{create_sign_in_link(Operator(), person=alice)}"
    SignInLink.objects.filter(used_at=None).update(expires_at=alice.created)

    answers = [
        client.request(REQUEST_METHOD=method, PATH_INFO=path)
        for method in ("GET", "POST")
        for path in (link, expired, "/sign-in/unknown")
    ]

    assert {answer.status_code for answer in answers} == {404}
    assert len({without_tokens(answer.content.decode()) for answer in answers}) == 1
    assert "sign_in_link" in answers[0].content.decode()
    assert "_auth_user_id" not in client.session


def test_a_form_without_its_token_signs_nobody_in_and_keeps_the_link(link: str) -> None:
    strict = Client(enforce_csrf_checks=True)

    assert strict.post(link).status_code == 403
    shown = strict.get(link).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', shown)

    assert token is not None
    assert strict.post(link, {"csrfmiddlewaretoken": token.group(1)}).status_code == 302


def test_signing_out_needs_a_form_and_ends_the_session(client: Client, link: str) -> None:
    client.post(link)

    client.get("/sign-out/")
    assert "Sign out" in page(client, "/")
    client.post("/sign-out/")

    assert "Sign out" not in page(client, "/")


def test_a_session_of_a_deactivated_person_ends_with_the_next_page(
    client: Client, link: str, alice: Person
) -> None:
    client.post(link)
    assert "Sign out" in page(client, "/")

    Person.objects.filter(pk=alice.pk).update(is_active=False)

    assert "Sign out" not in page(client, "/")


def test_the_number_of_queries_of_the_start_page_does_not_grow_with_projects(
    client: Client, link: str, alice: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.post(link)
    make_project(alice, "first")
    with django_assert_num_queries(10):
        client.get("/")
    for number in range(10):
        make_project(alice, f"more-{number}")

    with django_assert_num_queries(10):
        client.get("/")


def test_stored_text_is_escaped(client: Client, link: str, alice: Person) -> None:
    make_project(alice, "first", description="<script>alert(1)</script>")
    client.post(link)

    assert "<script>" not in page(client, "/")


@pytest.mark.no_database
@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "500"])
def test_error_pages_stand_without_request_and_database(name: str) -> None:
    shown = render_to_string(f"{name}.html")

    assert "<h1>" in shown
    assert "/static/tokens.css" in shown


@pytest.mark.no_database
def test_no_page_loads_anything_from_elsewhere_or_holds_a_script_or_a_style() -> None:
    folders = [Path(configured.BASE_DIR, name) for name in ("templates", "static")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    texts = {path.name: path.read_text() for path in files if path.suffix in {".html", ".css"}}

    assert [name for name, text in texts.items() if re.search(r"(src|href)=.https?:", text)] == []
    assert [name for name, text in texts.items() if "@import" in text] == []
    assert [name for name, text in texts.items() if re.search(r"\sstyle=", text)] == []
    inline = r"<script(?![^>]*(src=|application/json))"
    assert [name for name, text in texts.items() if re.search(inline, text)] == []
    assert [name for name, text in texts.items() if re.search(r"\son\w+=", text)] == []


def test_static_files_are_served_whole_and_not_again_when_unchanged(client: Client) -> None:
    first = client.get("/static/tokens.css")

    again = client.get("/static/tokens.css", headers={"If-Modified-Since": first["Last-Modified"]})

    assert first.status_code == 200
    assert first["Content-Type"].startswith("text/css")
    assert not first.streaming
    assert b"light-dark" in first.content
    assert again.status_code == 304
    assert client.get("/static/nothing.css").status_code == 404
