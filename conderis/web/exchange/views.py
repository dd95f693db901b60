"""Import and export of a project: the file, its check, the import, the download."""

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from conderis.common.errors import Conflict, DomainError, RateLimited
from conderis.common.statuses import status_of
from conderis.web.callers import signed_in
from conderis.web.exchange.downloads import download
from conderis.web.exchange.forms import ExportForm, UploadForm
from conderis.web.exchange.showing import hints, shown_line, shown_page
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.projects.showing import show_settings
from conderis.web.refusals import in_words
from conderis.web.settings.download import Download
from exchange import jobs
from exchange.reporting import report_lines
from projects.capabilities import Use

SECTION: Final = "project-exchange"
REFUSED: Final = (*SHOWN, RateLimited)
WORKING: Final = "import-working"  # the id of the part of the page that asks again


@require_safe
@signed_in
@project_page()
def exchange(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """What can be imported and exported, and the imports of the last 30 days."""
    return _exchange(request, frame, UploadForm())


@require_http_methods(["GET", "HEAD", "POST"])
@project_page(use=Use.PUBLISH)
def upload(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """Take a file in and have it checked."""
    if request.method != "POST":
        return redirect(frame.path(SECTION))
    form, status = UploadForm(request.POST, request.FILES), 400
    if form.is_valid():
        try:
            begun = jobs.begin_import(
                frame.caller,
                frame.project_id,
                upload=form.upload,
                importer=form.cleaned_data["importer"],
            )
        except REFUSED as refusal:
            form.refuse(refusal)
            status = _status(refusal)
        else:
            return _to_import(frame, begun.import_id)
    return _exchange(request, frame, form, status=status)


@never_cache
@require_safe
@project_page(use=Use.PUBLISH)
def one(request: HttpRequest, frame: ProjectFrame, import_id: str) -> HttpResponse:
    """How an import stands: what its check has found, how far it is, what came of it.

    While the server works on it, htmx asks for that part alone, and for the page at the end.
    """
    found = jobs.read_import(frame.caller, frame.project_id, import_id=import_id)
    context = {"page": shown_page(frame, found)}
    if request.headers.get("HX-Target") == WORKING:
        if not found.is_working:
            return HttpResponse(headers={"HX-Refresh": "true"})
        return render(request, "web/exchange/working.html", context | {"frame": frame})
    return show_settings(request, frame, "web/exchange/import.html", context, section=SECTION)


@never_cache
@require_safe
@project_page(use=Use.PUBLISH)
def report(request: HttpRequest, frame: ProjectFrame, import_id: str) -> HttpResponseBase:
    """The whole report as a text."""
    del request
    found = jobs.read_import(frame.caller, frame.project_id, import_id=import_id)
    lines = (f"{line}\n" for line in report_lines(found.report))
    return Download(lines, name=f"import-{import_id}.txt", kind="text/plain; charset=utf-8")


@require_POST
@project_page(use=Use.PUBLISH)
def do(request: HttpRequest, frame: ProjectFrame, import_id: str) -> HttpResponse:
    """Start an import, check its file anew, stop it, or throw it away."""
    deed = _DEEDS.get(request.POST.get("do", ""))
    if deed is None:
        raise Http404
    try:
        return deed(request, frame, import_id)
    except Conflict as refusal:
        messages.warning(request, in_words(refusal))
        return _to_import(frame, import_id)


@require_POST
@signed_in
@project_page()
def export(request: HttpRequest, frame: ProjectFrame) -> HttpResponseBase:
    """The project as a file, which is sent while it is made."""
    form = ExportForm(request.POST)
    if not form.is_valid():
        return _exchange(request, frame, UploadForm(), export=form, status=400)
    return download(frame, form)


def _start(request: HttpRequest, frame: ProjectFrame, import_id: str) -> HttpResponse:
    del request  # the other deeds say something to it
    jobs.start_import(frame.caller, frame.project_id, import_id=import_id)
    return _to_import(frame, import_id)


def _check(request: HttpRequest, frame: ProjectFrame, import_id: str) -> HttpResponse:
    found = jobs.read_import(frame.caller, frame.project_id, import_id=import_id)
    page = shown_page(frame, found, sent=request.POST)
    if page.form is not None and page.form.is_valid():
        jobs.check_again(
            frame.caller, frame.project_id, import_id=import_id, choice=page.form.choice
        )
    return _to_import(frame, import_id)


def _stop(request: HttpRequest, frame: ProjectFrame, import_id: str) -> HttpResponse:
    jobs.stop_import(frame.caller, frame.project_id, import_id=import_id)
    messages.success(request, _("The import is stopped. What it has made until now stays."))
    return _to_import(frame, import_id)


def _delete(request: HttpRequest, frame: ProjectFrame, import_id: str) -> HttpResponse:
    jobs.delete_import(frame.caller, frame.project_id, import_id=import_id)
    messages.success(request, _("The file and its report are thrown away."))
    return redirect(frame.path(SECTION))


_DEEDS: Final[dict[str, Callable[[HttpRequest, ProjectFrame, str], HttpResponse]]] = {
    "start": _start,
    "check": _check,
    "stop": _stop,
    "delete": _delete,
}


def _to_import(frame: ProjectFrame, import_id: str) -> HttpResponse:
    return redirect(frame.path("project-import", import_id=import_id))


def _status(refusal: DomainError) -> int:
    return status_of(refusal) if isinstance(refusal, RateLimited) else form_status(refusal)


def _exchange(
    request: HttpRequest,
    frame: ProjectFrame,
    form: UploadForm,
    *,
    export: ExportForm | None = None,
    status: int = 200,
) -> HttpResponse:
    importing = frame.may_import
    rows = jobs.list_imports(frame.caller, frame.project_id) if importing else []
    context = {
        "form": form if importing else None,
        "lines": [shown_line(frame, row) for row in rows],
        "hints": hints(),
        "export": export or ExportForm(),
    }
    return show_settings(
        request, frame, "web/exchange/exchange.html", context, section=SECTION, status=status
    )
