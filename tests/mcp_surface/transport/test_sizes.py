"""Bodies that are large, endless or cut."""

import pytest

from conderis.accounts.keys import mint_key
from mcp_surface.transport.gate import BODY_LIMIT, UNPROVEN_LIMIT
from mcp_surface.transport.http import Event
from tests.mcp_surface.transport.wire import ERAS, ask, headers_for, rpc

MEGABYTE = b" " * 1024 * 1024


@pytest.mark.parametrize("era", ERAS)
def test_a_body_of_the_limit_is_taken(key: str, era: str) -> None:
    message = rpc("ping", era=era) if era == "2025-11-25" else rpc("tools/list", era=era)

    heard = ask(
        message.ljust(BODY_LIMIT), headers=headers_for(key, era=era, mcp_method="tools/list")
    )

    assert heard.status == 200


@pytest.mark.parametrize("era", ERAS)
def test_a_larger_body_is_413(key: str, era: str) -> None:
    heard = ask(rpc("ping").ljust(BODY_LIMIT + 1), headers=headers_for(key, era=era))

    assert heard.status == 413
    assert heard.json["error"] == "too_large"
    assert "4 MB" in heard.json["message"]


@pytest.mark.parametrize("era", ERAS)
def test_a_larger_body_in_chunks_is_413(key: str, era: str) -> None:
    heard = ask([MEGABYTE] * 5, headers=headers_for(key, era=era))

    assert heard.status == 413


def test_a_message_in_chunks_is_put_together(key: str) -> None:
    message = rpc("ping")

    heard = ask([message[:5], b"", message[5:]], headers=headers_for(key))

    assert heard.result == {}


@pytest.mark.parametrize("length", [UNPROVEN_LIMIT + 1, BODY_LIMIT + 1, 200 * 1024 * 1024])
def test_a_large_body_without_a_key_is_refused_unread(length: int) -> None:
    headers = headers_for(None) | {"Content-Length": str(length)}

    assert ask(headers=headers, events=[]).status == 401


@pytest.mark.django_db
def test_a_large_body_with_an_unknown_key_is_refused_unread() -> None:
    headers = headers_for(mint_key().text) | {"Content-Length": str(UNPROVEN_LIMIT + 1)}

    assert ask(headers=headers, events=[]).status == 401


@pytest.mark.django_db
def test_a_body_in_chunks_with_an_unknown_key_is_refused_unread() -> None:
    assert ask(headers=headers_for(mint_key().text), events=[]).status == 401


def test_a_length_over_the_limit_is_refused_unread(key: str) -> None:
    headers = headers_for(key) | {"Content-Length": str(BODY_LIMIT + 1)}

    assert ask(headers=headers, events=[]).status == 413


def test_a_client_that_goes_away_before_the_end_gets_no_answer_and_breaks_nothing(key: str) -> None:
    cut: list[Event] = [
        {"type": "http.request", "body": b"{", "more_body": True},
        {"type": "http.disconnect"},
    ]

    assert ask(headers=headers_for(key), events=cut).status == 0
