"""What search engines may read and list: the pages of public projects, and those about Conderis.

`robots.txt` keeps them from everything else. Each answer but those of `LISTED` pages says
`noindex`, too, since a robot may come by another way, and an address with a query is only
another view of a page.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.views.decorators.http import require_safe

from conderis.web.callers import person_of

FOR_ROBOTS: Final = "robots"
LISTED: Final = frozenset({
    "start", "guide", "tools", "api-docs", "api-shapes", "project", "project-tasks",
    "project-memories", "project-docs",
    "project-activity", "project-picture", "item",
})  # fmt: skip
"""Names of addresses. Of projects only public ones answer to who is not signed in."""
BESIDE: Final = ("mcp",)  # served beside Django
_PLACEHOLDER: Final = re.compile(r"<[^>]+>")
_LITERAL: Final = re.compile(r"\^?([\w/-]*)")


class RobotsMiddleware:
    """Adds `X-Robots-Tag: noindex` to what is not to be listed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The response with the header, if need be."""
        response = self.get_response(request)
        if not (response.status_code == 200 and is_listed(request)):
            response["X-Robots-Tag"] = "noindex"
        return response


def is_listed(request: HttpRequest) -> bool:
    """Whether search engines may list this page: as nobody reads it, without a query."""
    match = request.resolver_match
    if match is None or match.view_name not in LISTED or request.META.get("QUERY_STRING"):
        return False
    return person_of(request) is None


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """The rules for robots (RFC 9309). They name no project."""
    lines = ["User-agent: *", *(f"Disallow: {place}" for place in closed_places())]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


def closed_places() -> list[str]:
    """The beginnings of the addresses that robots leave alone; `*` is any text."""
    routes = {
        route for name, route in _routes(get_resolver(), "") if name not in {*LISTED, FOR_ROBOTS}
    }
    kept: list[str] = []
    for route in sorted({*routes, *BESIDE} - {""}, key=lambda each: (len(each), each)):
        if not any(route.startswith(shorter) for shorter in kept):
            kept.append(route)
    home = reverse("start")
    return [*(f"{home}{route}" for route in sorted(kept)), f"{home}*?"]


def _routes(resolver: URLResolver, before: str) -> Iterator[tuple[str | None, str]]:
    """Every address by its name, with `*` for what differs. The admin is one place."""
    for each in resolver.url_patterns:
        route = before + _globbed(str(each.pattern))
        if isinstance(each, URLPattern):
            yield each.name, route
        elif each.namespace:
            yield None, route
        else:
            yield from _routes(each, route)


def _globbed(route: str) -> str:
    if "(?P<" in route or route.startswith("^"):
        literal = _LITERAL.match(route)
        return literal[1] if literal is not None else ""
    return _PLACEHOLDER.sub("*", route)
