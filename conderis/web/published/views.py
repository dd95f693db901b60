"""The shape of batches, for programs that write them: a JSON schema and an example."""

from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

FOLDER = Path(__file__).parent
SCHEMA = "conderis-batch-v2.schema.json"
EXAMPLE = "conderis-batch-v2.json"


@require_safe
def batch_schema(_request: HttpRequest) -> HttpResponse:
    """The JSON schema of a batch."""
    return HttpResponse(_text(SCHEMA), content_type="application/schema+json")


@require_safe
def batch_example(_request: HttpRequest) -> HttpResponse:
    """A batch that can be stored as it is."""
    return HttpResponse(_text(EXAMPLE), content_type="application/json")


@cache
def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
