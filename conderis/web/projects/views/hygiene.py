"""A project's hygiene, and mending one item from there."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from conderis.common.errors import Conflict, NotFound
from conderis.common.json import JsonObject
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.hygiene_deeds import DEEDS, Deed
from conderis.web.projects.hygiene_page import hygiene_of, read_to_mend
from conderis.web.projects.hygiene_words import WORDS
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.showing import show
from items.kinds.registry import kind_of
from items.requests import Address
from projects.capabilities import Use


@require_safe
@project_page()
def hygiene(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """The score, how it came to be, and what would mend it."""
    return show(request, frame, "web/projects/hygiene.html", {"hygiene": hygiene_of(frame)})


@require_http_methods(["GET", "HEAD", "POST"])
@project_page(use=Use.WORK)
def mend(request: HttpRequest, frame: ProjectFrame, number: int, deed: str) -> HttpResponse:
    """Do one thing to one item; where somebody was faster, what now stands."""
    chosen = DEEDS.get(deed)
    item = read_to_mend(frame.caller, frame.project_id, number)
    if chosen is None or not chosen.suits(kind_of(item["kind"])):
        raise NotFound("There is no such thing to do here.")
    if request.method != "POST":
        return _page(request, frame, chosen, item, {"form": chosen.form(None, item)})
    form = chosen.form(request.POST, item)
    status = 400
    refusal: Conflict | None = None
    if form.is_valid():
        address = Address(frame.project_id, number=number)
        version = form.cleaned_data["version"] if form.needs_version else None
        try:
            answer = chosen.does(frame.caller, address, version, form.fields_sent)
        except Conflict as conflict:
            refusal, status = conflict, 409
            form = chosen.form({**request.POST.dict(), "version": str(item["version"])}, item)
        except SHOWN as other:
            form.refuse(other)
            status = form_status(other)
        else:
            messages.success(request, _said(chosen, number, answer["outcome"]))
            return redirect(_back(request, frame))
    context = {"form": form, "refusal": refusal}
    return _page(request, frame, chosen, item, context, status=status)


def _page(
    request: HttpRequest,
    frame: ProjectFrame,
    deed: Deed,
    item: JsonObject,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    about = {
        "item": item,
        "deed": deed,
        "says": deed.says % {"number": item["number"]},
        "proposes": frame.reviews(kind_of(item["kind"]), str(item.get("visibility", ""))),
        "back_url": _back(request, frame),
    }
    template = "web/projects/hygiene_mend.html"
    return show(request, frame, template, about | context, status=status)


def _said(deed: Deed, number: int, outcome: str) -> str:
    if outcome == "unchanged":
        return _("Nothing was changed.")
    if outcome == "proposed":
        said = _("Proposed for #%(number)s. It counts once a moderator approves it.")
        return said % {"number": number}
    return str(deed.done % {"number": number})


def _check(request: HttpRequest) -> str:
    """The finding that the person came from."""
    check = request.GET.get("check", "")
    return check if check in WORDS else ""


def _back(request: HttpRequest, frame: ProjectFrame) -> str:
    check = _check(request)
    return frame.path("project-hygiene") + (f"#{check}" if check else "")
