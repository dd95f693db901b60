"""Import of files, which the server works on apart from the request, and export of a project."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query, Router

from conderis.api.answering import ACCEPTED, answered
from conderis.api.authenticating import caller_of
from conderis.api.describing import described
from conderis.api.queries import Exporting, Importing, Paging
from conderis.api.uploads import BYTES, FORM, PART, upload_of
from conderis.common.json import JsonObject
from conderis.web.settings.download import Download
from exchange import jobs
from exchange.exporting.files import exported_file
from exchange.exporting.reading import Private
from exchange.exporting.writing import LINES, MARKDOWN
from exchange.listing import page_imports

router = Router(tags=["Import and export"])

PLACE: Final = "/projects/{place:project}/imports"
ONE: Final = f"{PLACE}/{{import_id}}"
_FILE: Final[JsonObject] = {"type": "string", "format": "binary"}
UPLOAD: Final[JsonObject] = {
    FORM: {
        "schema": {
            "type": "object",
            "properties": {PART: _FILE},
            "required": [PART],
            "additionalProperties": False,
        }
    },
    BYTES: {"schema": _FILE},
}
MEDIA: Final = {LINES: "application/x-ndjson", MARKDOWN: "application/zip"}
EXPORTED: Final[dict[str, JsonObject]] = {
    MEDIA[LINES]: {"schema": {"type": "string"}},
    MEDIA[MARKDOWN]: {"schema": _FILE},
}
TAKEN: Final = {202: "Taken; the server checks it now. Location says where it stands."}


@router.post(PLACE, **described("Import", statuses=(202,), meanings=TAKEN, upload=UPLOAD))
def import_begin(request: HttpRequest, project: str, query: Query[Importing]) -> HttpResponse:
    """Send a file to be imported. It is checked, and nothing is stored before you start it.

    The file is the part `file` of a form, or the whole body. The same file sent again while it
    is unfinished is the same import.
    """
    begun = jobs.begin_import(
        caller_of(request),
        project,
        upload=upload_of(request, query.name),
        importer=query.importer or "",
        choice=_choice(query),
    )
    response = answered(begun.as_answer(), status=ACCEPTED)
    response["Location"] = f"{request.path}/{begun.import_id}"
    return response


@router.get(PLACE, **described("ImportPage", reading=True))
def imports_list(request: HttpRequest, project: str, query: Query[Paging]) -> HttpResponse:
    """List the imports of the last 30 days, newest first, without their reports."""
    return answered(
        page_imports(caller_of(request), project, limit=query.limit, cursor=query.cursor)
    )


@router.get(ONE, **described("Import", reading=True))
def import_read(request: HttpRequest, project: str, import_id: str) -> HttpResponse:
    """Read how an import of yours stands, with its report. Ask again while the server works."""
    return answered(jobs.read_import(caller_of(request), project, import_id=import_id).as_answer())


@router.post(f"{ONE}/start", **described("Import"))
def import_start(request: HttpRequest, project: str, import_id: str) -> HttpResponse:
    """Start an import that was checked, or one that failed and still has its file."""
    return answered(jobs.start_import(caller_of(request), project, import_id=import_id).as_answer())


@router.post(f"{ONE}/stop", **described("Import"))
def import_stop(request: HttpRequest, project: str, import_id: str) -> HttpResponse:
    """Stop an import. What it has made until then stays."""
    return answered(jobs.stop_import(caller_of(request), project, import_id=import_id).as_answer())


@router.delete(ONE, **described("ImportDeleted"))
def import_delete(request: HttpRequest, project: str, import_id: str) -> HttpResponse:
    """Throw away the file and the report; what was imported stays."""
    jobs.delete_import(caller_of(request), project, import_id=import_id)
    return answered({"outcome": "deleted", "import": import_id})


@router.get("/projects/{place:project}/export", **described("Export", reading=True, media=EXPORTED))
def project_export(request: HttpRequest, project: str, query: Query[Exporting]) -> HttpResponseBase:
    """Export what you may read of a project as a file. It can be imported again."""
    private = Private.OWN if query.private else Private.NONE
    file = exported_file(caller_of(request), project, written_as=query.format, private=private)
    return Download(file.pieces, name=file.name, kind=MEDIA[file.written_as])


def _choice(query: Importing) -> jobs.Choice | None:
    """What was chosen; None where nothing was said of it."""
    if not query.only and query.storeAnyway is None:
        return None
    return jobs.Choice(only=tuple(query.only), store_anyway=bool(query.storeAnyway))
