"""The protocol in both its eras, and nothing of it but tools."""

import json
from typing import Any

import pytest

import conderis
from mcp_surface.instructions import SERVER_INSTRUCTIONS
from mcp_surface.tools import listed_tools
from tests.mcp_surface.transport.wire import (
    ERAS,
    HANDSHAKE_VERSIONS,
    LEGACY,
    MODERN,
    ask,
    call,
    headers_for,
    request,
    rpc,
)


def initialize(version: str) -> dict[str, Any]:
    return {
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "1"},
    }


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_the_handshake_is_answered_in_the_clients_own_revision(key: str, version: str) -> None:
    headers = headers_for(key)
    del headers["mcp-protocol-version"]

    result = ask(rpc("initialize", initialize(version)), headers=headers).result

    assert result == {
        "protocolVersion": version,
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": "conderis", "version": conderis.__version__},
        "instructions": SERVER_INSTRUCTIONS,
    }


def test_an_unknown_revision_is_answered_with_the_newest_of_the_handshake(key: str) -> None:
    headers = headers_for(key)
    del headers["mcp-protocol-version"]

    result = ask(rpc("initialize", initialize("2099-01-01")), headers=headers).result

    assert result["protocolVersion"] == LEGACY


def test_no_session_is_given_out_and_none_is_needed(key: str) -> None:
    opened = request(key, "initialize", initialize(LEGACY))
    listed = ask(rpc("tools/list"), headers=headers_for(key, mcp_session_id="left over"))

    assert "mcp-session-id" not in opened.headers
    assert len(listed.result["tools"]) == 8


@pytest.mark.parametrize("version", [*HANDSHAKE_VERSIONS, None])
def test_every_handshake_revision_lists_and_calls(key: str, version: str | None) -> None:
    headers = headers_for(key)
    del headers["mcp-protocol-version"]
    if version is not None:
        headers["mcp-protocol-version"] = version

    listed = ask(rpc("tools/list"), headers=headers)
    called = ask(rpc("tools/call", {"name": "project_get"}), headers=headers)

    assert listed.result["tools"] == listed_tools()
    assert called.result["isError"] is False


def test_a_notification_is_acknowledged(key: str) -> None:
    body = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}'

    heard = ask(body, headers=headers_for(key))

    assert heard.status == 202


def test_discovery_of_the_modern_era_says_what_the_handshake_says(key: str) -> None:
    result = request(key, "server/discover", era=MODERN).result

    assert result["supportedVersions"] == [MODERN]
    assert result["capabilities"] == {"tools": {"listChanged": False}}
    assert result["instructions"] == SERVER_INSTRUCTIONS
    assert result["cacheScope"] == "private"
    (info,) = result["_meta"].values()
    assert info == {"name": "conderis", "version": conderis.__version__}


@pytest.mark.parametrize("era", ERAS)
def test_the_list_is_the_surfaces_own_and_nothing_is_added(key: str, era: str) -> None:
    result = request(key, "tools/list", era=era).result

    assert result["tools"] == listed_tools()
    assert "nextCursor" not in result


def test_the_list_may_be_kept_by_its_own_caller_only(key: str) -> None:
    result = request(key, "tools/list", era=MODERN).result

    assert result["ttlMs"] == 300_000
    assert result["cacheScope"] == "private"


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "method", ["resources/list", "prompts/list", "logging/setLevel", "no/such"]
)
def test_what_is_not_offered_is_method_not_found(key: str, era: str, method: str) -> None:
    heard = request(
        key, method, {"level": "info"} if method.startswith("logging") else None, era=era
    )

    assert heard.json["error"]["code"] == -32601


def test_a_subscription_is_refused_and_leaves_no_stream_open(key: str) -> None:
    heard = request(key, "subscriptions/listen", {"notifications": {}}, era=MODERN)

    assert heard.json["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"mcp_method": "tools/list"}, -32020),
        ({"mcp_name": "item_delete"}, -32020),
        ({"mcp_protocol_version": "2099-01-01"}, -32020),
    ],
)
def test_modern_headers_that_disagree_with_the_body_are_refused(
    key: str, wrong: dict[str, str], code: int
) -> None:
    heard = call(key, "project_get", era=MODERN, **wrong)

    assert heard.status == 400
    assert heard.json["error"]["code"] == code


def test_the_body_decides_where_a_client_claims_the_modern_era_under_an_older_header(
    key: str,
) -> None:
    body = rpc("tools/call", {"name": "project_get"}, era=MODERN)

    heard = ask(body, headers=headers_for(key, era=LEGACY))

    assert heard.result["isError"] is False


def test_a_modern_body_of_an_unknown_revision_is_told_the_known_one(key: str) -> None:
    body = rpc("tools/list", era=MODERN).replace(MODERN.encode(), b"2099-01-01")

    heard = ask(body, headers=headers_for(key, era="2099-01-01", mcp_method="tools/list"))

    assert heard.status == 400
    assert heard.json["error"]["code"] == -32022
    assert heard.json["error"]["data"]["supported"] == [MODERN]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("request_id", [0, 1, -5, "a", "ü", 2**70])
def test_the_id_of_a_request_comes_back_as_it_was(key: str, era: str, request_id: Any) -> None:
    heard = ask(
        rpc("tools/list", era=era, request_id=request_id),
        headers=headers_for(key, era=era, mcp_method="tools/list"),
    )

    assert heard.json["id"] == request_id


@pytest.mark.parametrize("era", ERAS)
def test_text_beyond_ascii_arrives_whole(key: str, era: str) -> None:
    refusal = call(key, "project_get", {"ключ😀": 1}, era=era).refusal

    assert "ключ😀" in json.dumps(refusal, ensure_ascii=False)


@pytest.mark.parametrize("era", ERAS)
def test_a_tool_call_without_an_id_runs_nothing(key: str, era: str) -> None:
    body = json.loads(rpc("tools/call", {"name": "item_store", "arguments": {}}, era=era))
    del body["id"]

    heard = ask(json.dumps(body).encode(), headers=headers_for(key, era=era))

    assert heard.status == 202
    assert heard.body == b""
