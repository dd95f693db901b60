"""What comes of a tool call: one text, a refusal that says what is right, never a bare error."""

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError, connection

from mcp_surface.tools import listed_tools
from tests.mcp_surface.transport.wire import (
    ERAS,
    ask,
    call,
    headers_for,
    raw_call,
    request,
    rpc,
)

pytestmark = pytest.mark.parametrize("era", ERAS)


def test_an_answer_is_one_text_and_nothing_beside(key: str, era: str) -> None:
    result = call(key, "project_get", era=era).result

    (block,) = result["content"]
    assert block["type"] == "text"
    assert json.loads(block["text"])["total"] == 0
    assert result["isError"] is False
    assert "structuredContent" not in result


@pytest.mark.parametrize("arguments", [None, {}, "{}", "", "null"])
def test_arguments_left_out_or_sent_as_text_are_read(key: str, era: str, arguments: Any) -> None:
    result = call(key, "project_get", arguments, era=era).result

    assert result["isError"] is False


def test_null_for_arguments_is_an_empty_object(key: str, era: str) -> None:
    assert raw_call(key, b"null", tool="project_get", era=era).result["isError"] is False


def test_arguments_sent_as_text_reach_the_tool(key: str, era: str) -> None:
    native = call(key, "project_get", {"nonsense": 1}, era=era).refusal
    as_text = call(key, "project_get", '{"nonsense": 1}', era=era).refusal

    assert as_text == native
    assert "nonsense" in native["message"]


@pytest.mark.parametrize("arguments", ["text", "[1]", [1], 5, True])
def test_arguments_that_are_no_object_are_refused_in_the_contracts_form(
    key: str, era: str, arguments: Any
) -> None:
    refusal = call(key, "item_store", arguments, era=era).refusal

    assert refusal["error"] == "invalid"
    assert refusal["field"] == "arguments"


def test_half_a_surrogate_pair_is_refused_with_the_field_named(key: str, era: str) -> None:
    refusal = raw_call(
        key, rb'{"kind": "memory", "fields": {"content": "bad \ud83d"}}', era=era
    ).refusal

    assert refusal["error"] == "invalid"
    assert refusal["field"] == "fields.content"


def test_half_a_surrogate_pair_in_the_tools_name_is_a_clear_error(key: str, era: str) -> None:
    body = rpc("tools/call", {"name": "REC"}, era=era).replace(b"REC", rb"rec\ud83d")

    heard = ask(body, headers=headers_for(key, era=era, mcp_method="tools/call"))

    assert heard.status == 400
    assert heard.json["error"]["code"] == -32602
    assert "params.name" in heard.json["error"]["message"]


def test_an_unknown_tool_is_an_error_that_names_the_tools(key: str, era: str) -> None:
    heard = call(key, "item_create", {"title": "x"}, era=era)

    error = heard.json["error"]
    names = [tool["name"] for tool in listed_tools()]
    assert error["code"] == -32602
    assert "item_create" in error["message"]
    assert all(name in error["message"] for name in names)
    assert error["data"] == {"allowed": names}


@contextmanager
def failing(error: Callable[[], Exception], *, spare: str) -> Iterator[None]:
    """Every query fails but those that have `spare` in them."""

    def run(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001
        if spare in sql:
            return execute(sql, params, many, context)
        raise error()

    with connection.execute_wrapper(run):
        yield


def broken() -> Exception:
    return RuntimeError("the stored text SECRET")


def database_error(name: str) -> OperationalError:
    cause = sqlite3.OperationalError("SECRET path")
    cause.sqlite_errorname = name
    error = OperationalError("SECRET path")
    error.__cause__ = cause
    return error


def test_a_fault_is_a_clear_refusal_with_an_id_that_the_log_has(
    key: str, era: str, caplog: pytest.LogCaptureFixture
) -> None:
    with failing(broken, spare="accounts_agentkey"), caplog.at_level(logging.ERROR):
        refusal = call(key, "project_get", {"projectId": "SECRET"}, era=era).refusal

    (record,) = caplog.records
    fault = refusal["message"].rpartition("id ")[2].partition(".")[0]
    assert refusal["error"] == "unavailable"
    assert len(fault) == 8
    assert fault in record.getMessage()
    assert "RuntimeError" in record.getMessage()
    assert "dispatch.py" in record.getMessage()


def test_a_fault_leaves_no_content_in_the_log_or_the_answer(
    key: str, era: str, caplog: pytest.LogCaptureFixture
) -> None:
    with failing(broken, spare="accounts_agentkey"), caplog.at_level(logging.DEBUG):
        heard = call(key, "project_get", {"projectId": "SECRET"}, era=era)

    assert b"SECRET" not in heard.body
    assert "SECRET" not in caplog.text


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("SQLITE_BUSY", "busy"),
        ("SQLITE_BUSY_SNAPSHOT", "busy"),
        ("SQLITE_LOCKED_SHAREDCACHE", "busy"),
        ("SQLITE_FULL", "disk"),
        ("SQLITE_CANTOPEN", "does not answer"),
    ],
)
def test_a_database_that_cannot_now_is_told_in_plain_words(
    key: str, era: str, name: str, word: str
) -> None:
    with failing(lambda: database_error(name), spare="accounts_agentkey"):
        refusal = call(key, "project_get", era=era).refusal

    assert refusal["error"] == "unavailable"
    assert word in refusal["message"]
    assert refusal["retryAfter"] >= 1
    assert "SECRET" not in refusal["message"]


def test_a_key_that_cannot_be_checked_is_503_and_not_401(key: str, era: str) -> None:
    with failing(lambda: database_error("SQLITE_BUSY"), spare="nothing"):
        heard = [
            call(key, "project_get", era=era),
            request(key, "tools/list", era=era),
            ask(b"{", headers=headers_for(key, era=era)),
        ]

    assert [each.status for each in heard] == [503, 503, 503]
    assert {each.json["error"] for each in heard} == {"unavailable"}
    assert {each.headers["retry-after"] for each in heard} == {"2"}


def test_after_a_fault_the_next_call_is_served(key: str, era: str) -> None:
    with failing(broken, spare="accounts_agentkey"):
        call(key, "project_get", era=era)

    assert call(key, "project_get", era=era).result["isError"] is False


def test_a_hundred_thousand_unknown_parameters_are_a_refusal(key: str, era: str) -> None:
    many = {f"k{at}": at for at in range(100_000)}

    assert call(key, "project_get", many, era=era).refusal["error"] == "invalid"


def test_the_arguments_are_not_given_to_the_sdk(
    key: str, era: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        call(key, "item_store", {"nonsense": "MARKER"}, era=era)

    assert "MARKER" not in caplog.text
