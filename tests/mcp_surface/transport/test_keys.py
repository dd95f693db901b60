"""Who is let in: the very next call, without sessions, without a word about what is there."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conderis.accounts.keys import mint_key
from conderis.accounts.models import AgentKey, Person
from tests.mcp_surface.transport.wire import (
    ERAS,
    LEGACY,
    MODERN,
    Heard,
    ask,
    call,
    headers_for,
    raw_call,
    request,
    rpc,
)

METHODS = [
    "initialize",
    "ping",
    "tools/list",
    "server/discover",
    "no/such",
    "notifications/initialized",
]


def assert_unauthorized(heard: Heard, *, challenge: str) -> None:
    assert heard.status == 401
    assert heard.headers["www-authenticate"] == challenge
    assert heard.headers["content-type"] == "application/json"
    assert set(heard.json) == {"error", "error_description"}
    assert heard.json["error"] == "invalid_token"


def refused_key(heard: Heard) -> str:
    assert_unauthorized(heard, challenge='Bearer error="invalid_token"')
    reason: str = heard.json["error_description"]
    return reason


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("authorization", [None, "", "Bearer", "Bearer  ", "Basic YTpi", "cndr_x"])
def test_without_a_token_every_call_is_401_and_asks_for_one(
    era: str, authorization: str | None
) -> None:
    headers = headers_for(None, era=era)
    if authorization is not None:
        headers["authorization"] = authorization

    for method in [*METHODS, "tools/call"]:
        heard = ask(rpc(method, {"name": "recall"}, era=era), headers=headers)

        assert_unauthorized(heard, challenge="Bearer")
        assert "Authorization: Bearer" in heard.json["error_description"]


@pytest.mark.django_db
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("method", [*METHODS, "tools/call"])
def test_with_an_unknown_key_every_call_is_401_and_says_why(era: str, method: str) -> None:
    headers = headers_for(mint_key().text, era=era, mcp_method=method, mcp_name="recall")

    heard = ask(rpc(method, {"name": "recall"}, era=era), headers=headers)

    assert "no such agent key" in refused_key(heard)


def test_a_mistyped_key_is_refused_without_a_query() -> None:
    # No database is allowed in this test.
    assert "mistyped" in refused_key(call("cndr_0123", "recall"))


@pytest.mark.django_db
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"",
        b"[]",
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "no_such"}}',
        b'{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "recall"}}',
        b'{"jsonrpc": "2.0", "id": null, "method": "tools/call", "params": {"name": "recall"}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "a", "_meta": 5}}',
        b'{"jsonrpc": "2.0", "id": 1, "result": {}}',
    ],
    ids=repr,
)
def test_a_broken_request_with_an_unknown_key_is_401_too(era: str, body: bytes) -> None:
    refused_key(ask(body, headers=headers_for(mint_key().text, era=era)))


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "beaReR"])
def test_the_scheme_is_read_without_case(key: str, scheme: str) -> None:
    headers = headers_for(None) | {"authorization": f"{scheme}  {key} "}

    assert ask(rpc("ping"), headers=headers).result == {}


def test_several_authorization_headers_are_refused(key: str) -> None:
    pairs = [*headers_for(key).items(), ("Authorization", f"Bearer {key}")]

    heard = ask(rpc("ping"), headers=pairs)

    assert heard.status == 400
    assert heard.json["error"] == "invalid_request"
    assert heard.headers["www-authenticate"] == 'Bearer error="invalid_request"'


def test_the_refusal_of_a_key_starts_no_oauth(key: str) -> None:
    heard = [call(None, "recall"), call("cndr_0123", "recall")]

    assert all(b"resource_metadata" not in each.body for each in heard)
    assert all("resource_metadata" not in each.headers["www-authenticate"] for each in heard)


def revoke(row: AgentKey) -> None:
    AgentKey.objects.filter(pk=row.pk).update(revoked_at=timezone.now())


def expire(row: AgentKey) -> None:
    AgentKey.objects.filter(pk=row.pk).update(expires_at=timezone.now() - timedelta(seconds=1))


def deactivate(row: AgentKey) -> None:
    Person.objects.filter(pk=row.agent.person_id).update(is_active=False)


def delete(row: AgentKey) -> None:
    row.delete()


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("end", [revoke, expire, deactivate, delete])
def test_a_key_that_has_ended_is_refused_on_the_very_next_call(
    stored_key: tuple[AgentKey, str], era: str, end: Callable[[AgentKey], None]
) -> None:
    row, key = stored_key
    assert call(key, "project_get", era=era).result["isError"] is False

    end(row)

    refused_key(call(key, "project_get", era=era))
    refused_key(request(key, "tools/list", era=era))


def test_a_browser_session_opens_nothing(alice: Person) -> None:
    session = SessionStore()
    session["_auth_user_id"] = str(alice.pk)
    session.save()
    headers = headers_for(None) | {"cookie": f"conderis_session={session.session_key}"}

    assert_unauthorized(ask(rpc("ping"), headers=headers), challenge="Bearer")


def test_a_call_asks_for_its_key_with_one_query(key: str) -> None:
    with CaptureQueriesContext(connection) as pinged:
        request(key, "ping")

    assert len(pinged) == 1


@pytest.mark.parametrize("era", ERAS)
def test_a_call_checks_its_key_once(key: str, era: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        call(key, "project_get", era=era)

    asked = [query["sql"] for query in queries if "accounts_agentkey" in query["sql"]]
    assert len(asked) == 1


def test_a_refused_tool_call_runs_nothing(alice: Person) -> None:
    with CaptureQueriesContext(connection) as queries:
        refused_key(call(mint_key().text, "project_get"))

    assert len(queries) == 1


def test_refused_arguments_are_shown_to_nobody_without_a_key() -> None:
    refused_key(raw_call("cndr_0123", b'"not json"'))


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_headers_that_name_another_method_open_nothing(era: str) -> None:
    headers = headers_for("cndr_0123", era=era, mcp_method="tools/call", mcp_name="recall")

    refused_key(ask(rpc("tools/list", era=era), headers=headers))
