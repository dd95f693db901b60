"""The search over everything that a person may read."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from conderis.web.callers import caller_of, signed_in
from conderis.web.searching.reading import asked_by, led_to, read_search


@require_safe
@signed_in
def find(request: HttpRequest) -> HttpResponse:
    """What the words in the address find; what names an item leads to it.

    `?q=`, and to narrow it `kind`, `project` and `all`; `in` is the project in whose pages the
    words were typed.
    """
    caller, asked = caller_of(request), asked_by(request.GET.dict())
    path = led_to(caller, asked.q, within=request.GET.get("in", ""))
    if path:
        return HttpResponseRedirect(path)
    page = read_search(caller, asked, cursor=request.GET.get("cursor") or None)
    return render(request, "web/searching/search.html", {"page": page, "asked": asked})
