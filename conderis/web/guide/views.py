"""The guide and the tool reference: for everybody, without signing in."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from conderis.common.json import Json
from conderis.web.guide.reference import listed_tool, tool_reference
from conderis.web.markdown import render_outlined
from items.guide import GUIDE, GUIDE_VERSION
from mcp_surface.tools import listed_tools


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """What is what, for people; and the system guide, as agents get it."""
    rendered = render_outlined(GUIDE)
    context = {
        "place": "guide",
        "guide": rendered,
        "sections": [each for each in rendered.headings if each.level == 3],
        "guide_version": GUIDE_VERSION,
    }
    return render(request, "web/guide/guide.html", context)


@require_safe
def tools(request: HttpRequest) -> HttpResponse:
    """The tools as registered, with their sizes."""
    return render(
        request, "web/guide/tools.html", {"place": "guide", "reference": tool_reference()}
    )


@require_safe
def tools_schema(_request: HttpRequest) -> HttpResponse:
    """The result of `tools/list`, as a file."""
    return _file("conderis-tools", {"tools": listed_tools()})


@require_safe
def tool_schema(_request: HttpRequest, name: str) -> HttpResponse:
    """One tool as `tools/list` has it, as a file."""
    tool = listed_tool(name)
    if tool is None:
        raise Http404
    return _file(f"conderis-{tool['name']}", tool)


def _file(name: str, value: Json) -> HttpResponse:
    response = JsonResponse(value, json_dumps_params={"ensure_ascii": False, "indent": 2})
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response
