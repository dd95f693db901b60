"""What a request's headers alone decide: host, origin, CORS, method, bearer token, size.

Nothing of the body has been read yet, so what is refused here costs nothing.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from conderis.common.origins import is_listed_origin, is_own_origin
from mcp_surface.transport.http import (
    NO_CONTENT,
    HeaderList,
    Reply,
    Scope,
    json_reply,
    refusal,
    unauthorized,
)

BODY_LIMIT = 4 * 1024 * 1024
"""Bytes that a request may carry."""

UNPROVEN_LIMIT = 64 * 1024
"""Bytes that are read before the key has been checked."""

ALLOW_POST = (b"allow", b"POST")
CORS_REQUEST_HEADERS = (
    b"Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, "
    b"Mcp-Method, Mcp-Name"
)
NO_TOKEN = "This endpoint needs an agent key: send the header Authorization: Bearer <key>."  # noqa: S105 - no secret


@dataclass(slots=True)
class Headers:
    """The headers of one request by name, each with all its values, blanks trimmed."""

    values: dict[bytes, list[bytes]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, raw: Iterable[tuple[bytes, bytes]]) -> "Headers":
        """Read an ASGI header list (whose names are lower case)."""
        headers = cls()
        for name, value in raw:
            headers.values[name].append(value.strip())
        return headers

    def one(self, name: bytes) -> str | None:
        """The only value of a header; None where there is none, "" where there are several."""
        values = self.values.get(name)
        if not values:
            return None
        return values[0].decode("latin-1") if len(values) == 1 else ""

    def for_sdk(self, length: int) -> list[tuple[bytes, bytes]]:
        """What the SDK is given: no credentials, no cookies, and an Accept it can serve.

        It answers 406 without an Accept, and -32020 to blanks round `mcp-*` values.
        """
        kept = [
            (name, value)
            for name, values in self.values.items()
            if name.startswith(b"mcp-") or name in (b"host", b"user-agent")
            for value in values
        ]
        return [
            *kept,
            (b"accept", b"application/json, text/event-stream"),
            (b"content-type", b"application/json"),
            (b"content-length", str(length).encode()),
        ]


def host_refusal(headers: Headers) -> Reply | None:
    """421 for a Host that is none of the allowed ones (the rule of Django's own pages)."""
    host = headers.one(b"host") or ""
    domain, _ = split_domain_port(host)
    if domain and validate_host(domain, settings.ALLOWED_HOSTS):
        return None
    return refusal(
        421,
        "invalid",
        "This server does not answer to that host. CONDERIS_ALLOWED_HOSTS names its hosts.",
    )


def origin_refusal(headers: Headers) -> Reply | None:
    """403 for a web page that is neither the server's own nor a listed one."""
    origin = headers.one(b"origin")
    if origin is None:
        return None
    if is_own_origin(origin, headers.one(b"host") or "") or is_listed_origin(origin):
        return None
    return refusal(
        403,
        "denied",
        "Pages of that origin may not call this server. "
        "CONDERIS_ALLOWED_ORIGINS names those that may.",
    )


def cors_headers(headers: Headers) -> HeaderList:
    """The headers of every answer to an allowed origin; none where CORS is off."""
    origin = headers.one(b"origin")
    if not settings.MCP_CORS or origin is None:
        return ()
    if not (is_listed_origin(origin) or is_own_origin(origin, headers.one(b"host") or "")):
        return ((b"vary", b"Origin"),)
    return (
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", b"WWW-Authenticate"),
        (b"vary", b"Origin"),
    )


def method_refusal(scope: Scope) -> Reply | None:
    """The answer to a preflight, and 405 to all but POST."""
    method = scope["method"]
    if method == "POST":
        return None
    if method == "OPTIONS" and settings.MCP_CORS:
        allowed = (
            (b"access-control-allow-methods", b"POST"),
            (b"access-control-allow-headers", CORS_REQUEST_HEADERS),
            (b"access-control-max-age", b"600"),
        )
        return Reply(NO_CONTENT, headers=(ALLOW_POST, *allowed))
    return refusal(
        405, "invalid", "Send POST: this endpoint has no streams and no sessions.", ALLOW_POST
    )


def bearer_token(headers: Headers) -> str | Reply:
    """The token sent, or the refusal of a request that sends none or several."""
    sent = headers.values.get(b"authorization", [])
    if len(sent) > 1:
        content = {
            "error": "invalid_request",
            "error_description": "Send one Authorization header, not several.",
        }
        challenge = b'Bearer error="invalid_request"'
        return json_reply(400, content, (b"www-authenticate", challenge))
    scheme, _, token = (sent[0] if sent else b"").decode("latin-1").partition(" ")
    if scheme.lower() != "bearer":
        return unauthorized(NO_TOKEN, token_sent=False)
    token = token.strip()
    if not token:
        return unauthorized(NO_TOKEN, token_sent=False)
    return token


def content_refusal(headers: Headers) -> Reply | None:
    """413 for a length that is announced as too large, 415 for what is not plain JSON."""
    length = declared_length(headers)
    if length is not None and length > BODY_LIMIT:
        return too_large()
    kind = headers.one(b"content-type")
    if kind is not None and kind.partition(";")[0].strip().lower() != "application/json":
        return refusal(415, "invalid", "Send the body as Content-Type: application/json.")
    if (headers.one(b"content-encoding") or "identity").lower() != "identity":
        return refusal(415, "invalid", "Send the body as it is, without Content-Encoding.")
    return None


def declared_length(headers: Headers) -> int | None:
    """The Content-Length, or None where the body is sent in chunks."""
    text = headers.one(b"content-length")
    return int(text) if text is not None and text.isascii() and text.isdigit() else None


def too_large() -> Reply:
    """413; the connection ends, so that the rest need not be read."""
    return refusal(413, "too_large", f"A request holds at most {BODY_LIMIT // 1024**2} MB.")
