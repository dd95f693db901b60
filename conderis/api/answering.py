"""Answers of the services as they are: compact JSON without nulls, UTF-8."""

from typing import Final

from django.http import HttpResponse

from conderis.common.echoes import encodable
from conderis.common.json import Json, JsonObject, compact

MEDIA_TYPE: Final = "application/json"
OK, CREATED, ACCEPTED = 200, 201, 202


def answered(answer: JsonObject, *, status: int = OK) -> HttpResponse:
    """The answer as JSON."""
    text = encodable(compact(_without_nulls(answer)))
    return HttpResponse(text, status=status, content_type=MEDIA_TYPE)


def stored(answer: JsonObject, *, place: str, name: str, new: bool) -> HttpResponse:
    """What came of a change: 202 where it waits for review, else 200.

    Where something was made (`new`) it is 201 with its address: below `place`, by the member
    `name` of the answer.
    """
    if answer["outcome"] == "proposed":
        return answered(answer, status=ACCEPTED)
    if not new or answer["outcome"] != "published":
        return answered(answer)
    response = answered(answer, status=CREATED)
    response["Location"] = f"{place.rstrip('/')}/{answer.get(name) or answer['ref']}"
    return response


def _without_nulls(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _without_nulls(each) for name, each in value.items() if each is not None}
    if isinstance(value, list | tuple):
        return [_without_nulls(each) for each in value]
    return value
