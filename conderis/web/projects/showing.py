"""Rendering the pages of a project within their head, tabs and navigation."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from conderis.web.moderation.wanting import forget_elsewhere
from conderis.web.projects.frame import ProjectFrame
from conderis.web.projects.sections import sections_of
from conderis.web.projects.tabs import tabs_of


def show(
    request: HttpRequest,
    frame: ProjectFrame,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    tab: str = "overview",
    status: int = 200,
) -> HttpResponse:
    """A page of the project, under one of its tabs."""
    if not frame.caller.is_nobody:
        forget_elsewhere(request, frame)
    framed = {"frame": frame, "tabs": tabs_of(frame, tab), "place": "projects", "tab": tab}
    return render(request, template, framed | (context or {}), status=status)


def show_settings(
    request: HttpRequest,
    frame: ProjectFrame,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    section: str,
    status: int = 200,
) -> HttpResponse:
    """A page of the project's settings; `section` is the route that is the current one."""
    beside = {"sections": sections_of(frame, section)}
    return show(request, frame, template, beside | (context or {}), tab="settings", status=status)
