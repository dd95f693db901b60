"""The addresses of pages: as people reach them, and whether one is ours."""

from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def public(url: str) -> str:
    """The address as people reach this server, whatever name the request came by."""
    if not settings.PUBLIC_ORIGIN:
        return url
    origin, parts = urlsplit(settings.PUBLIC_ORIGIN), urlsplit(url)
    return urlunsplit(parts._replace(scheme=origin.scheme, netloc=origin.netloc))


def is_own(url: str, request: HttpRequest) -> bool:
    """Whether the address leads to a page of this server, by the name that was asked."""
    return url_has_allowed_host_and_scheme(
        url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
