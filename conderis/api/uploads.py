"""Files that are sent to be imported: a part of a form, or the body as it is."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest

from conderis.api.problems import file_too_large
from conderis.common.errors import Invalid
from exchange.jobs import Upload

FORM: Final = "multipart/form-data"
BYTES: Final = "application/octet-stream"
FILE_TYPES: Final = (FORM, BYTES)
PART: Final = "file"
NONE: Final = "Send the file that is to be imported."


def upload_of(request: HttpRequest, name: str | None) -> Upload:
    """The file in the body; `name` goes before that of the form.

    Raises:
        Invalid: there is no file, or no name for it, or the form holds something else.
        TooLarge: it is larger than CONDERIS_IMPORT_MAX_MB.
    """
    if request.content_type == FORM:
        return _of_form(request, name)
    content = request.read(settings.IMPORT_MAX_BYTES + 1)
    if not content:
        raise Invalid(NONE, field=PART)
    return _named(name, content)


def _of_form(request: HttpRequest, name: str | None) -> Upload:
    others = [each for each in (*request.POST, *request.FILES) if each != PART]
    if others or PART in request.POST or len(request.FILES.getlist(PART)) > 1:
        raise Invalid(
            "The form holds one `file` and nothing else; what is said of it stands in the address.",
            field="body",
            allowed=[PART],
        )
    sent = request.FILES.get(PART)
    if sent is None:
        raise Invalid(NONE, field=PART)
    return _named(name or sent.name, sent.read())


def _named(name: str | None, content: bytes) -> Upload:
    if len(content) > settings.IMPORT_MAX_BYTES:
        raise file_too_large()
    last = (name or "").replace("\\", "/").rpartition("/")[2].strip()
    if not last:
        raise Invalid(
            "name is needed: that of the file with its ending, as issues.jsonl.", field="name"
        )
    return Upload(last, content)
