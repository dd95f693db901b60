"""How the browser looks and reads."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from conderis.accounts.profile import change_preferences
from conderis.common.errors import DomainError
from conderis.common.statuses import status_of
from conderis.web.callers import caller_of, person_of, signed_in
from conderis.web.settings.forms import AppearanceForm


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def appearance(request: HttpRequest) -> HttpResponse:
    """Theme, language, single keys."""
    person = person_of(request)
    if request.method != "POST" and person is not None:
        initial = {
            "theme": person.theme,
            "language": person.language,
            "single_keys": person.single_keys,
        }
        return _page(request, AppearanceForm(initial=initial))
    form = AppearanceForm(request.POST)
    status = 400
    if form.is_valid():
        try:
            changed = change_preferences(caller_of(request), **form.cleaned_data)
        except DomainError as refusal:
            form.refuse(refusal)
            status = status_of(refusal)
        else:
            with translation.override(changed.language or translation.get_language()):
                messages.success(request, _("Saved."))
            return redirect("settings-appearance")
    return _page(request, form, status=status)


def _page(request: HttpRequest, form: AppearanceForm, *, status: int = 200) -> HttpResponse:
    context = {"section": "appearance", "form": form}
    return render(request, "web/settings/appearance.html", context, status=status)
