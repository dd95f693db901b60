"""Who is let in, and what is refused before anything is looked up."""

import json

import pytest
from django.middleware.csrf import get_token
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import Settings

from conderis.accounts.models import AgentKey, Person
from conderis.common.caller import Scope
from conderis.common.json_reading import NESTING_LIMIT
from items.models import Item
from projects.models import Project, ProjectMember
from tests.api.calling import BACKEND, Api, by_key, by_session

ITEMS = "/projects/alice/shop/items"
TASK = {"kind": "task", "fields": {"title": "Ship"}}


def test_without_a_key_the_answer_is_401_with_a_challenge() -> None:
    heard = Api().get("/me")

    assert heard.status == 401
    assert heard.is_problem
    assert heard.headers["www-authenticate"] == "Bearer"


@pytest.mark.django_db
@pytest.mark.parametrize("sent", ["Bearer cndr_nothing", "Bearer ", "Basic YTpi", "Bearer a, b"])
def test_what_is_no_key_is_refused_and_not_repeated(sent: str) -> None:
    heard = Api()("GET", "/me", headers={"Authorization": sent})

    assert heard.status == 401
    assert heard.json["error"] == "invalid_token"
    assert heard.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    assert "nothing" not in json.dumps(heard.json)


def test_a_revoked_key_is_refused_on_the_very_next_call(owner: Api) -> None:
    assert owner.get("/me").status == 200

    AgentKey.objects.update(revoked_at=timezone.now())

    assert owner.get("/me").status == 401


def test_a_lost_role_ends_on_the_very_next_call(bob: Person, project: Project) -> None:
    key = by_key(bob)
    assert key.get("/projects/alice/shop").status == 200

    ProjectMember.objects.filter(person=bob).delete()

    assert key.get("/projects/alice/shop").status == 404


def test_a_key_lets_through_what_its_scopes_say(alice: Person, project: Project) -> None:
    reads = by_key(alice, scopes=(Scope.READ,))

    refused = reads.post(ITEMS, TASK)

    assert (refused.status, refused.json["missing"]) == (403, "write")
    assert reads.get(f"{ITEMS}?kind=task").status == 200


def test_a_session_reads_and_changes_with_the_token_of_a_form(
    alice: Person, project: Project
) -> None:
    session = by_session(alice, checks=True)
    assert session.get("/me").json["name"] == "Alice"

    without = session.post(ITEMS, TASK)
    assert (without.status, without.json["missing"]) == (403, "X-CSRFToken")
    assert not Item.objects.exists()

    request = RequestFactory().get("/")
    token = get_token(request)
    session.client.cookies["conderis_csrf"] = request.META["CSRF_COOKIE"]
    done = session("POST", ITEMS, TASK, headers={"X-CSRFToken": token})
    assert done.status == 201


def test_a_session_adds_nothing_to_a_key(alice: Person, mallory: Person, project: Project) -> None:
    client = Client()
    client.force_login(alice, backend=BACKEND)
    both = Api(by_key(mallory).key, client)

    assert both.get("/projects/alice/shop").status == 404
    assert Api("cndr_nothing", client).get("/me").status == 401


def test_a_deactivated_person_is_not_let_in_by_either_way(alice: Person, project: Project) -> None:
    key, session = by_key(alice), by_session(alice)
    Person.objects.filter(pk=alice.pk).update(is_active=False)

    assert key.get("/me").status == session.get("/me").status == 401


def test_another_host_is_421_and_another_page_403(owner: Api, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "testserver"]

    wrong = owner("GET", "/me", headers={"Host": "evil.example"})
    foreign = owner("GET", "/me", headers={"Origin": "https://app.example.com"})
    own = owner("GET", "/me", headers={"Origin": "http://testserver"})

    assert (wrong.status, wrong.is_problem) == (421, True)
    assert (foreign.status, foreign.json["error"]) == (403, "denied")
    assert own.status == 200
    settings.MCP_ALLOWED_ORIGINS = ["https://app.example.com"]
    assert owner("GET", "/me", headers={"Origin": "https://app.example.com"}).status == 200


def test_no_answer_is_kept_by_a_cache(owner: Api) -> None:
    for path in ("/me", "/nothing", f"{ITEMS}/4711", "/openapi.json"):
        assert owner.get(path).headers["cache-control"] == "no-store", path


@pytest.mark.parametrize("path", ["/nothing", "/projects/a/b/c/d", "/", "/me/x", "/me\0"])
def test_an_address_without_anything_is_a_problem(owner: Api, path: str) -> None:
    heard = owner.get(path)

    assert heard.status == 404
    assert heard.is_problem


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE"])
def test_a_wrong_method_names_the_right_ones(owner: Api, method: str) -> None:
    heard = owner(method, f"{ITEMS}/1")

    assert (heard.status, heard.is_problem) == (405, True)
    assert set(heard.headers["allow"].split(", ")) == {"GET", "PATCH"}


def test_a_head_is_a_get_without_the_body(owner: Api) -> None:
    heard = owner("HEAD", "/me")

    assert (heard.status, heard.json) == (200, None)


@pytest.mark.parametrize("media", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_another_media_type_is_415(owner: Api, media: str) -> None:
    response = owner.client.generic(
        "POST", f"/api/v1{ITEMS}", b"{}", media, headers={"Authorization": f"Bearer {owner.key}"}
    )

    assert response.status_code == 415
    assert response["Content-Type"] == "application/problem+json"


BAD_BODIES = {
    b"": "body",
    b"[]": "body",
    b"{": "body",
    b"\xff": "body",
    b"null": "body",
    b'{"kind": "task", "fields": {"title": 1e999}}': "body",
    b'{"kind": "task", "fields": {"title": NaN}}': "body",
    b'{"kind": "task", "fields": {"title": "\\ud800"}}': "fields.title",
    b'{"kind": "task", "fields": {"title": "a\\u0000"}}': "title",
    b'{"kind": "task", "reason": "a\\u0000", "fields": {"title": "a"}}': "reason",
    b'{"fields": {"title": "a"}}': "kind",
    b'{"kind": 3, "fields": {"title": "a"}}': "kind",
    b'{"kind": "task", "fields": []}': "fields",
    b'{"kind": "task", "title": "a"}': "title",
    b'{"kind": "task", "number": 1, "fields": {"title": "a"}}': "number",
    b'{"kind": "task", "fields": {"titel": "a"}}': "titel",
    b'{"kind": "task", "propose": "maybe", "fields": {"title": "a"}}': "propose",
}


@pytest.mark.parametrize(("body", "field"), BAD_BODIES.items(), ids=repr)
def test_a_body_that_cannot_be_taken_is_400_and_names_the_field(
    owner: Api, body: bytes, field: str
) -> None:
    heard = owner("POST", ITEMS, body)

    assert heard.status == 400
    assert heard.is_problem
    assert field in (heard.json["field"], heard.json["field"].split(".")[0])
    assert not Item.objects.exists()


def test_a_field_at_the_wrong_place_is_told_where_it_belongs(owner: Api) -> None:
    heard = owner.post(ITEMS, {"kind": "task", "title": "a"})

    assert "inside fields" in heard.json["message"]
    assert heard.json["allowed"] == ["kind", "fields", "reason", "propose"]


def test_a_body_that_is_nested_too_deeply_is_413(owner: Api) -> None:
    for depth in (NESTING_LIMIT, 100_000):
        heard = owner("POST", ITEMS, b'{"fields":' + b"[" * depth + b"]" * depth + b"}")

        assert (heard.status, heard.json["error"]) == (413, "too_large")


def test_a_body_of_more_than_4_mb_is_413(owner: Api) -> None:
    heard = owner.post(ITEMS, {"kind": "task", "fields": {"title": "a" * (4 * 1024 * 1024)}})

    assert (heard.status, heard.is_problem) == (413, True)


@pytest.mark.parametrize("query", [
    "kind=task&limt=3", "kind=task&limit=many", "kind=task&limit=1&limit=2", "kind=task&limit=0",
    "kind=nothing", "kind=instructions", "kind=task&priority=soon", "kind=page&priority=high", "",
    "kind=task&query=a%00", "kind=task&a%00=1", "kind=task&cursor=abc", "kind=task&sort=luck",
    "kind=task&ready=maybe",
])  # fmt: skip
def test_a_parameter_that_cannot_be_taken_is_400(owner: Api, query: str) -> None:
    heard = owner.get(f"{ITEMS}?{query}")

    assert (heard.status, heard.is_problem) == (400, True)
    assert heard.json["field"]


def test_an_unknown_parameter_is_refused_with_those_that_there_are(owner: Api) -> None:
    heard = owner.get("/me?all=true")

    assert heard.status == 400
    assert heard.json["field"] == "all"
    assert owner.get("/recall?all=true").json["allowed"] == ["focus", "maxChars", "guide"]


def test_what_breaks_in_the_server_is_a_problem_without_its_words(
    owner: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret words")

    monkeypatch.setattr("conderis.api.routers.recalling.introduce", broken)

    heard = owner.get("/me")

    assert (heard.status, heard.json["error"]) == (503, "unavailable")
    assert "secret words" not in json.dumps(heard.json) + caplog.text
