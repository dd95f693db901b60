"""What an operation says of itself to the OpenAPI document, beside its parameters."""

from collections.abc import Mapping
from typing import Any, Final

from conderis.common.json import JsonObject

REFUSALS: Final = (400, 401, 403, 404, 405, 413, 421, 429, 503)
"""What every operation may answer. Those that change something have three more."""
OF_CHANGES: Final = (409, 415, 423)
EXTRA: Final = "x-conderis"
NOTHING: Final[Mapping[Any, Any]] = {}


def described(
    answer: str,
    *,
    reading: bool = False,
    statuses: tuple[int, ...] = (200,),
    fields: str | None = None,
    body: str | None = None,
    filters: bool = False,
    meanings: Mapping[int, str] = NOTHING,
    media: Mapping[str, JsonObject] = NOTHING,
    upload: JsonObject | None = None,
) -> dict[str, Any]:
    """What ninja takes of an operation.

    `answer` is the schema of its answers, with their `statuses`; `fields` that of the `fields`
    in its body, `body` that of the whole; with `filters` the kinds of items have theirs.
    `meanings` say what a status means here, `media` which types an answer has that is no JSON,
    `upload` what a body is that is no JSON.
    """
    refusals = REFUSALS if reading else (*REFUSALS, *OF_CHANGES)
    extra = {
        "answer": answer,
        "statuses": list(statuses),
        "refusals": sorted(refusals),
        "fields": fields,
        "body": body,
        "filters": filters,
        "meanings": dict(meanings),
        "media": dict(media),
        "upload": upload,
    }
    return {"openapi_extra": {EXTRA: extra}}
