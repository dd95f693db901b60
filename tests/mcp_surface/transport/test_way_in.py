"""Host, origin, CORS, method and content type: what is decided before the body is read."""

import pytest
from pytest_django import Settings

from tests.mcp_surface.transport.wire import ask, call, headers_for, request, rpc

FOREIGN = "https://app.example.com"


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_every_method_but_post_is_405_and_says_so(method: str, path: str) -> None:
    heard = ask(method=method, path=path, headers={"Accept": "text/event-stream"})

    assert heard.status == 405
    assert heard.headers["allow"] == "POST"
    assert heard.json["error"] == "invalid"


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_both_spellings_of_the_address_serve_without_a_redirect(key: str, path: str) -> None:
    heard = ask(rpc("ping"), path=path, headers=headers_for(key))

    assert heard.result == {}


def test_the_endpoint_answers_under_the_prefix_of_a_proxy(key: str) -> None:
    heard = ask(rpc("ping"), path="/memory/mcp", root_path="/memory", headers=headers_for(key))

    assert heard.result == {}


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "127.0.0.1:9", "LOCALHOST", "[::1]:80"]
)
def test_an_allowed_host_is_served_on_any_port(key: str, host: str) -> None:
    heard = ask(rpc("ping"), headers=headers_for(key, host=host))

    assert heard.result == {}


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "", "local host", "localhost:port", "192.168.1.5"],
)
@pytest.mark.parametrize("method", ["POST", "GET", "OPTIONS"])
def test_any_other_host_is_421(key: str, host: str, method: str) -> None:
    heard = ask(rpc("ping"), method=method, headers=headers_for(key, host=host))

    assert heard.status == 421
    assert heard.json["error"] == "invalid"
    assert "CONDERIS_ALLOWED_HOSTS" in heard.json["message"]


def test_hosts_are_matched_as_django_matches_them(key: str, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = [".example.com"]

    assert ask(rpc("ping"), headers=headers_for(key, host="memory.example.com")).status == 200
    assert ask(rpc("ping"), headers=headers_for(key, host="localhost")).status == 421


def test_two_hosts_in_one_request_are_421(key: str) -> None:
    pairs = [*headers_for(key).items(), ("Host", "localhost"), ("Host", "localhost")]

    assert ask(rpc("ping"), headers=pairs).status == 421


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost:8000", "http://localhost:8000"),
        ("localhost", "http://localhost"),
        ("localhost", "http://localhost:80"),
        ("localhost", "https://localhost"),
        ("localhost:443", "https://LocalHost"),
    ],
)
def test_the_servers_own_pages_may_call_it(key: str, host: str, origin: str) -> None:
    heard = ask(rpc("ping"), headers=headers_for(key, host=host, origin=origin))

    assert heard.result == {}


def test_pages_of_the_public_address_may_call_behind_a_proxy_that_changes_the_host(
    key: str, settings: Settings
) -> None:
    settings.PUBLIC_URL = "https://memory.example.com"

    heard = ask(rpc("ping"), headers=headers_for(key, origin="https://memory.example.com"))

    assert heard.result == {}


@pytest.mark.parametrize(
    "origin",
    [
        FOREIGN,
        "null",
        "",
        "http://localhost:8001",
        "http://localhost.evil.example:8000",
        "file://localhost:8000",
        "http://localhost:99999999",
        "http://[",
    ],
)
def test_a_foreign_origin_is_403_even_with_a_good_key(key: str, origin: str) -> None:
    heard = ask(rpc("ping"), headers=headers_for(key, host="localhost:8000", origin=origin))

    assert heard.status == 403
    assert heard.json["error"] == "denied"
    assert "access-control-allow-origin" not in heard.headers


def test_a_listed_origin_is_served(key: str, settings: Settings) -> None:
    settings.MCP_ALLOWED_ORIGINS = [FOREIGN]

    heard = ask(rpc("ping"), headers=headers_for(key, origin=FOREIGN))

    assert heard.result == {}
    assert "access-control-allow-origin" not in heard.headers


def preflight(origin: str = FOREIGN) -> dict[str, str]:
    return {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
    }


def test_with_cors_a_preflight_is_answered_before_any_key_is_asked_for(settings: Settings) -> None:
    settings.MCP_CORS = True
    settings.MCP_ALLOWED_ORIGINS = [FOREIGN]

    heard = ask(method="OPTIONS", headers=preflight())

    assert heard.status == 204
    assert heard.headers["access-control-allow-origin"] == FOREIGN
    assert heard.headers["access-control-allow-methods"] == "POST"
    assert heard.headers["vary"] == "Origin"
    allowed = {name.strip() for name in heard.headers["access-control-allow-headers"].split(",")}
    assert allowed == {
        "Authorization",
        "Content-Type",
        "Accept",
        "MCP-Protocol-Version",
        "Mcp-Session-Id",
        "Mcp-Method",
        "Mcp-Name",
    }


def test_with_cors_a_preflight_of_another_origin_is_refused(settings: Settings) -> None:
    settings.MCP_CORS = True
    settings.MCP_ALLOWED_ORIGINS = [FOREIGN]

    heard = ask(method="OPTIONS", headers=preflight("https://evil.example"))

    assert heard.status == 403
    assert "access-control-allow-origin" not in heard.headers


def test_without_cors_a_preflight_is_405(settings: Settings) -> None:
    settings.MCP_ALLOWED_ORIGINS = [FOREIGN]

    heard = ask(method="OPTIONS", headers=preflight())

    assert heard.status == 405
    assert "access-control-allow-origin" not in heard.headers


def test_with_cors_every_answer_can_be_read_by_the_page(key: str, settings: Settings) -> None:
    settings.MCP_CORS = True
    settings.MCP_ALLOWED_ORIGINS = [FOREIGN]

    heard = [
        call(key, "project_get", origin=FOREIGN),
        call(None, "project_get", origin=FOREIGN),
        call("cndr_wrong", "project_get", origin=FOREIGN),
        ask(b"{", headers=headers_for(key, origin=FOREIGN)),
        ask(method="GET", headers={"Origin": FOREIGN}),
    ]

    assert [each.status for each in heard] == [200, 401, 401, 400, 405]
    assert {each.headers["access-control-allow-origin"] for each in heard} == {FOREIGN}
    assert {each.headers["access-control-expose-headers"] for each in heard} == {"WWW-Authenticate"}


@pytest.mark.parametrize("era", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize(
    "accept", [None, "application/json", "text/event-stream", "text/html", "*/*"]
)
def test_a_missing_or_partial_accept_is_filled_in(key: str, era: str, accept: str | None) -> None:
    headers = headers_for(key, era=era, mcp_method="tools/list")
    del headers["accept"]
    if accept is not None:
        headers["accept"] = accept

    heard = ask(rpc("tools/list", era=era), headers=headers)

    assert len(heard.result["tools"]) == 8
    assert heard.headers["content-type"] == "application/json"


def test_blanks_round_the_routing_headers_do_no_harm(key: str) -> None:
    blanks = {
        "mcp_protocol_version": " 2026-07-28 ",
        "mcp_method": "tools/call  ",
        "mcp_name": "\tproject_get ",
    }

    heard = call(key, "project_get", era="2026-07-28", **blanks)

    assert heard.result["isError"] is False


@pytest.mark.parametrize("kind", [None, "application/json; charset=utf-8", "Application/JSON"])
def test_json_is_taken_with_or_without_its_content_type(key: str, kind: str | None) -> None:
    headers = headers_for(key)
    del headers["content-type"]
    if kind is not None:
        headers["content-type"] = kind

    assert ask(rpc("ping"), headers=headers).result == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Content-Type", "text/plain"),
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("Content-Encoding", "gzip"),
    ],
)
def test_a_body_that_is_not_plain_json_is_415(key: str, name: str, value: str) -> None:
    heard = ask(rpc("ping"), headers=headers_for(key) | {name.lower(): value})

    assert heard.status == 415
    assert name in heard.json["message"]


def test_the_answers_of_the_mount_are_not_kept_by_caches() -> None:
    assert ask(method="GET").headers["cache-control"] == "no-store"
    assert request(None, "ping").headers["cache-control"] == "no-store"
