"""One agent key: its limits, its successor, its end."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from conderis.accounts.agent_keys import revoke_key
from conderis.common.errors import DomainError
from conderis.common.statuses import status_of
from conderis.web.callers import caller_of, signed_in
from conderis.web.settings.key_forms import ChangeKeyForm, NewKeyForm, RotateForm
from conderis.web.settings.key_lines import KeyLine, key_line
from conderis.web.settings.recent import recent_sign_in
from conderis.web.settings.views.keys import keys_page
from projects.keys import change_agent_key, rotate_agent_key


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@recent_sign_in
def change(request: HttpRequest, key_id: str) -> HttpResponse:
    """The key's limits; what is changed counts from the very next call."""
    caller = caller_of(request)
    line = key_line(caller, key_id)
    if request.method != "POST":
        return _page(request, line)
    form = ChangeKeyForm(caller, request.POST, row=line.row)
    status = 400
    if form.is_valid():
        try:
            change_agent_key(caller, key_id=key_id, fields=form.changes())
        except DomainError as refusal:
            form.refuse(refusal)
            status = status_of(refusal)
        else:
            said = _("Key for “%(agent)s” changed.") % {"agent": line.row.agent}
            messages.success(request, said)
            return redirect("settings-keys")
    return _page(request, line, form=form, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@recent_sign_in
def replace(request: HttpRequest, key_id: str) -> HttpResponse:
    """A new key with the same limits, shown once; the old one ends now or soon."""
    caller = caller_of(request)
    line = key_line(caller, key_id)
    if request.method != "POST":
        return redirect("settings-key", key_id)
    form = RotateForm(request.POST)
    status = 400
    if form.is_valid():
        try:
            made = rotate_agent_key(caller, key_id=key_id, overlap=form.length())
        except DomainError as refusal:
            form.refuse(refusal)
            status = status_of(refusal)
        else:
            return keys_page(request, form=NewKeyForm(caller), made=made)
    return _page(request, line, rotate_form=form, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def revoke(request: HttpRequest, key_id: str) -> HttpResponse:
    """The key's end, from the very next call on. Always possible, however old the sign-in."""
    caller = caller_of(request)
    line = key_line(caller, key_id)
    if request.method != "POST":
        return render(request, "web/settings/key_revoke.html", {"section": "keys", "line": line})
    revoke_key(caller, key_id=key_id)
    messages.success(
        request, _("Key for “%(agent)s” revoked. It is refused now.") % {"agent": line.row.agent}
    )
    return redirect("settings-keys")


def _page(
    request: HttpRequest,
    line: KeyLine,
    *,
    form: ChangeKeyForm | None = None,
    rotate_form: RotateForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "section": "keys",
        "line": line,
        "form": form or ChangeKeyForm(caller_of(request), row=line.row),
        "rotate_form": rotate_form or RotateForm(),
    }
    return render(request, "web/settings/key.html", context, status=status)
