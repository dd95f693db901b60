"""Agent keys: the list, and a new one, whose text is shown once."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from conderis.accounts.agent_keys import MadeKey
from conderis.common.errors import DomainError
from conderis.common.statuses import status_of
from conderis.web.callers import caller_of, person_of, signed_in
from conderis.web.settings.key_forms import NewKeyForm
from conderis.web.settings.key_lines import key_list
from conderis.web.settings.recent import recent_sign_in
from projects.keys import create_agent_key


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@recent_sign_in
def keys(request: HttpRequest) -> HttpResponse:
    """The person's keys, and the form of a new one."""
    caller = caller_of(request)
    if request.method != "POST":
        return keys_page(request, form=NewKeyForm(caller))
    form = NewKeyForm(caller, request.POST)
    person = person_of(request)
    status = 400
    if form.is_valid() and person is not None:
        try:
            made = create_agent_key(
                caller, person=person, wish=form.wish(), projects=form.chosen_projects()
            )
        except DomainError as refusal:
            form.refuse(refusal)
            status = status_of(refusal)
        else:
            return keys_page(request, form=NewKeyForm(caller), made=made)
    return keys_page(request, form=form, status=status)


def keys_page(
    request: HttpRequest, *, form: NewKeyForm, made: MadeKey | None = None, status: int = 200
) -> HttpResponse:
    """The list; with a key that was made just now its text.

    The text is in this one response alone: a session or a message would store it.
    """
    context = {
        "section": "keys",
        "keys": key_list(caller_of(request)),
        "form": form,
        "made": made,
    }
    return render(request, "web/settings/keys.html", context, status=status)
