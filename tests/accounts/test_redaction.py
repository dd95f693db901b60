"""What the log shows of secrets: nothing."""

import io
import logging
import logging.config
import time

import pytest
from django.conf import settings

from conderis.accounts.keys import mint_key
from conderis.accounts.redaction import redact

pytestmark = pytest.mark.no_database

TOKEN = "9i8KZlPq3v0aBcDeFgHiJkLmNoPqRsTuVwXyZ012345"


@pytest.mark.parametrize(
    "entry",
    [
        "key {key} refused",
        "Authorization: Bearer {key}",
        "headers: {{'authorization': 'bearer {token}'}}",
        "Authorization: Basic {token}",
        "GET /sign-in/{token} 404",
        "http://localhost:8000/sign-in/{token}?next=/",
        "POST /join/{token}/ 404",
        "connection to postgresql://conderis:{token}@db/conderis failed",
        "duplicate key: (lower(email))=({email}) exists",
    ],
)
def test_secrets_and_addresses_are_cut_out_of_every_entry(entry: str) -> None:
    key, email = mint_key().text, "ada.lovelace+x@mail.example.org"

    shown = redact(entry.format(key=key, token=TOKEN, email=email))

    assert TOKEN not in shown
    assert key[:14] not in shown
    assert "lovelace" not in shown


@pytest.mark.parametrize("text", ["GET /healthz 200", "/sign-in is no address", "a bearer of news"])
def test_what_is_no_secret_stays_readable(text: str) -> None:
    assert redact(text).split()[0] == text.split(maxsplit=1)[0]


def test_the_configured_log_redacts_messages_arguments_and_tracebacks() -> None:
    key = mint_key().text
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    configured = dict(settings.LOGGING["formatters"]["redacted"])  # type: ignore[index]
    handler.setFormatter(logging.config.DictConfigurator({}).configure_formatter(configured))
    error = ValueError(f"Bearer {key}")

    handler.handle(
        logging.LogRecord(
            "test", logging.ERROR, "", 0, "for %s", (key,), (type(error), error, None)
        )
    )

    assert "ValueError" in written.getvalue()
    assert key[5:] not in written.getvalue()


@pytest.mark.parametrize(
    "entry",
    ["a" * 1_000_000, "a." * 500_000, "://" * 300_000, "Bearer" * 200_000, "/sign-in/)" * 100_000,
     "x@" * 500_000, "a@b." * 250_000, "half \ud83d" * 100_000],
)  # fmt: skip
def test_entries_that_strangers_make_cost_no_time(entry: str) -> None:
    before = time.process_time()

    redacted = redact(entry)

    assert time.process_time() - before < 1
    assert len(redacted) < 200_000
    redacted.encode()
