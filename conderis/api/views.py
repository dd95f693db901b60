"""The page about the API, from the document that programs read."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from conderis.api.assembling import api
from conderis.api.reference import reference_of


@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Every operation with its parameters, bodies and answers."""
    context = {
        "place": "guide",
        "reference": reference_of(api.get_openapi_schema()),
        "origin": settings.PUBLIC_ORIGIN or f"{request.scheme}://{request.get_host()}",
        "parameters": _("In the address"),
    }
    return render(request, "api/docs.html", context)


@require_safe
def shapes(request: HttpRequest) -> HttpResponse:
    """Every object that is sent or answered, with its members."""
    context = {
        "place": "guide",
        "reference": reference_of(api.get_openapi_schema()),
        "members": _("Members"),
    }
    return render(request, "api/shapes.html", context)
