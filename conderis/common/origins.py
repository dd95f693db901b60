"""Where a web page that calls is from: whether it is one of ours, or one that may call."""

from urllib.parse import urlsplit

from django.conf import settings


def is_listed_origin(origin: str) -> bool:
    """Whether the server's settings name the page's origin."""
    sent = origin.lower()
    return any(sent == listed.rstrip("/").lower() for listed in settings.MCP_ALLOWED_ORIGINS)


def is_own_origin(origin: str, host: str) -> bool:
    """Whether the page's host is the one that was called, or the public address.

    The scheme is not compared: behind a proxy that ends TLS, the server sees http.
    """
    page = _host_and_port(origin)
    if page is None:
        return False
    scheme = origin.partition("://")[0].lower()
    return page in (_host_and_port(f"{scheme}://{host}"), _host_and_port(settings.PUBLIC_URL))


def _host_and_port(address: str) -> tuple[str, int] | None:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return parts.hostname, port or (443 if parts.scheme == "https" else 80)
