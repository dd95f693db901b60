"""The frame of every page: headers, theme, refusals, static files, addresses."""

import re

import pytest
from django.http import Http404, HttpRequest
from django.test import Client, RequestFactory
from django.urls import Resolver404, resolve, reverse

from conderis.accounts.models import Person
from conderis.common.errors import (
    Conflict,
    Denied,
    DomainError,
    Invalid,
    Locked,
    NotFound,
    RateLimited,
    TooLarge,
    Unavailable,
)
from conderis.web.callers import caller_of
from conderis.web.faults import FaultsMiddleware, refusal_page
from tests.web.reading import without_tokens

BACKEND = "django.contrib.auth.backends.ModelBackend"
REFUSALS = [
    (Invalid("That is no name.", field="name"), 400),
    (Denied("Owners do this.", missing="manage"), 403),
    (NotFound("There is no project alice/secret."), 404),
    (Conflict("Bob has changed it."), 409),
    (TooLarge("At most 300 characters."), 413),
    (Locked("A deletion request locks it."), 423),
    (RateLimited("Too many.", retry_after=30), 429),
    (Unavailable("Not now."), 503),
]


def asked(path: str = "/") -> HttpRequest:
    return RequestFactory().get(path)


def directives(header: str) -> dict[str, list[str]]:
    parts = [part.split() for part in header.split(";")]
    return {words[0]: words[1:] for words in parts if words}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/sign-in/", "/nothing/at/all", "/shortcuts/", "/healthz"])
def test_every_page_has_the_whole_set_of_headers(client: Client, path: str) -> None:
    answer = client.get(path)

    policy = directives(answer["Content-Security-Policy"])
    assert policy["default-src"] == ["'none'"]
    assert policy["style-src"] == ["'self'"]
    assert {"'unsafe-inline'", "'unsafe-eval'", "*"}.isdisjoint(policy["script-src"])
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == ["'none'"]
    assert "camera=()" in answer["Permissions-Policy"]
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"


def test_each_response_has_a_nonce_of_its_own(client: Client) -> None:
    first, second = (client.get("/") for _ in range(2))

    nonces = [re.findall(r'nonce="([^"]+)"', answer.content.decode()) for answer in (first, second)]
    assert set(nonces[0]).isdisjoint(nonces[1])
    assert f"'nonce-{nonces[0][0]}'" in first["Content-Security-Policy"]


def test_htmx_runs_neither_eval_nor_scripts_in_what_it_loads(client: Client) -> None:
    shown = client.get("/").content.decode()

    assert "&quot;allowEval&quot;: false" in shown
    assert "&quot;allowScriptTags&quot;: false" in shown
    assert "&quot;selfRequestsOnly&quot;: true" in shown


@pytest.mark.parametrize("wanted", ["light", "dark"])
def test_a_theme_is_kept_with_the_person_and_without_one_in_the_browser(
    client: Client, alice: Person, wanted: str
) -> None:
    client.post("/theme", {"theme": wanted, "next": "/shortcuts/"})
    assert f'data-theme="{wanted}"' in client.get("/").content.decode()

    client.force_login(alice, backend=BACKEND)
    assert "data-theme" not in client.get("/").content.decode()
    answer = client.post("/theme", {"theme": wanted, "next": "/shortcuts/"})

    assert answer["Location"] == "/shortcuts/"
    assert f'data-theme="{wanted}"' in client.get("/").content.decode()
    assert Person.objects.get(pk=alice.pk).theme == wanted


@pytest.mark.django_db
@pytest.mark.parametrize("elsewhere", ["https://evil.example.net/", "//evil.example.net", "x:y"])
def test_the_theme_form_leads_to_no_other_site_and_takes_no_other_word(
    client: Client, elsewhere: str
) -> None:
    answer = client.post("/theme", {"theme": '"><script>', "next": elsewhere})

    assert answer["Location"] == "/"
    assert "data-theme" not in client.get("/").content.decode()
    assert client.get("/theme").status_code == 405


@pytest.mark.no_database
@pytest.mark.parametrize(("refusal", "status"), REFUSALS)
def test_every_refusal_has_its_status_and_its_words(refusal: DomainError, status: int) -> None:
    answer = refusal_page(asked(), refusal)

    shown = answer.content.decode()
    assert answer.status_code == status
    assert "<h1>" in shown
    assert (refusal.message in shown) is (status != 404)
    assert answer.get("Retry-After") == ("30" if status == 429 else None)


@pytest.mark.no_database
def test_a_hidden_thing_and_a_missing_one_are_the_same_page(client: Client) -> None:
    hidden = refusal_page(asked(), NotFound("There is no project alice/secret."))
    missing = refusal_page(asked(), NotFound("There is no project."))

    assert without_tokens(hidden.content.decode()) == without_tokens(missing.content.decode())


@pytest.mark.no_database
def test_a_fault_of_ours_is_no_refusal() -> None:
    faults = FaultsMiddleware(lambda _request: None)  # type: ignore[arg-type,return-value]

    assert faults.process_exception(asked(), ValueError("secret")) is None
    assert faults.process_exception(asked(), Http404()) is None


@pytest.mark.no_database
def test_a_view_that_forgot_to_ask_who_is_there_fails_loudly() -> None:
    request = asked()
    request.user = None  # type: ignore[assignment]

    with pytest.raises(TypeError):
        caller_of(request)


@pytest.mark.parametrize("name", ["tokens.css", "components.css", "comfort.js", "icons.svg"])
def test_static_text_is_compressed_for_those_who_take_it(client: Client, name: str) -> None:
    plain = client.get(f"/static/{name}")
    small = client.get(f"/static/{name}", headers={"Accept-Encoding": "br, gzip"})

    assert plain.status_code == 200
    assert "Content-Encoding" not in plain
    assert small["Content-Encoding"] == "gzip"
    assert int(small["Content-Length"]) == len(small.content) < len(plain.content) / 2
    assert "Accept-Encoding" in small["Vary"]


@pytest.mark.no_database
@pytest.mark.parametrize("path", ["/admin/nothing/", "/static/nothing/", "/tools/x/", "/guide/x/"])
def test_no_reserved_word_is_taken_for_an_owner(path: str) -> None:
    try:
        match = resolve(path)
    except Resolver404:
        return
    assert match.url_name != "project"


@pytest.mark.no_database
def test_a_project_has_its_name_as_its_address() -> None:
    assert reverse("project", args=["alice", "Shop.v2"]) == "/alice/Shop.v2/"
    assert resolve("/alice/Shop.v2/").kwargs == {"owner": "alice", "name": "Shop.v2"}


@pytest.mark.django_db
def test_an_address_with_a_nul_is_one_that_is_not_there(client: Client) -> None:
    for path in ("/sign-in/%00", "/account/oidc/%00/login/", "/alice/%00/", "/%00"):
        assert client.get(path).status_code == 404


@pytest.mark.parametrize("value", ["\0" + "a" * 31, "é" * 32, "A" * 32, "a" * 500])
def test_a_session_cookie_that_cannot_be_ours_is_none(
    client: Client, alice: Person, value: str
) -> None:
    client.cookies["conderis_session"] = value

    assert client.get("/sign-in/").status_code == 200
    assert client.get("/settings/")["Location"] == "/sign-in/?next=/settings/"


def test_a_nul_in_a_form_or_a_query_is_refused_by_the_name_of_its_field(
    client: Client, alice: Person
) -> None:
    client.force_login(alice, backend=BACKEND)

    sent = client.post("/projects/restore/", {"project": "a\0b"})
    asked = client.get("/projects/?q=%00")

    for answer, field in ((sent, "Project"), (asked, "Search")):
        assert answer.status_code == 400
        assert f"{field} holds the character U+0000" in answer.content.decode()
