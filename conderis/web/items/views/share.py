"""Sharing a copy of a private item."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from conderis.web.items.reading import read_shown
from conderis.web.items.resending import keeps_typed
from conderis.web.items.sharing import copy_form, is_private, share
from conderis.web.items.views.edit import REFUSED, stored
from conderis.web.projects.frame import ProjectFrame, project_page
from conderis.web.projects.refusing import form_status
from conderis.web.projects.showing import show
from items.kinds.memory import SHARED
from projects.capabilities import Use


@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@project_page(use=Use.PROPOSE)
def share_copy(request: HttpRequest, frame: ProjectFrame, number: int) -> HttpResponse:
    """What the copy would say, to be looked over; then it is stored, and the item stays."""
    item = read_shown(frame.caller, frame.project_id, number)
    if not is_private(item):  # its page says why
        return redirect(frame.path("item", number=number))
    sent = request.POST.dict() if request.method == "POST" else None
    form, status = copy_form(item, sent), 200
    if sent is not None:
        status = 400
        if form.is_valid():
            try:
                answer = share(frame.caller, frame.project_id, form)
            except REFUSED as refusal:
                form.refuse(refusal)
                status = form_status(refusal)
            else:
                stays = _("#%(number)s stays as it is, for you alone. Archive it if you want one.")
                messages.info(request, stays % {"number": number})
                return stored(request, frame, answer, item.kind)
    context = {"item": item, "form": form, "reviewed": frame.reviews(form.kind, SHARED)}
    return show(request, frame, "web/items/share.html", context, tab=item.kind, status=status)
