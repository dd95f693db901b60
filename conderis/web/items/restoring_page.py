"""The page that asks before a version is restored, of items and of instructions alike."""

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from conderis.common.errors import Conflict, Locked
from conderis.web.comparing.choosing import view_chosen
from conderis.web.forms import Form
from conderis.web.items.restoring import look_at_restoring, restore, restored_word
from conderis.web.items.subjects import Subject
from conderis.web.projects.refusing import SHOWN, form_status
from conderis.web.refusals import changes_of, in_words
from items.kinds.values import MAX_NUMBER

MAX_REASON = 1900  # the version that was restored is written before it

Page = Callable[[dict[str, object], int], HttpResponse]


class RestoreForm(Form):
    """Over which version it is restored, and why."""

    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("It stands in the history, after the version."),
        required=False,
        max_length=MAX_REASON,
    )
    over = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=MAX_NUMBER)


def restoring_page(
    request: HttpRequest, subject: Subject, version: int, page: Page
) -> HttpResponse:
    """The version beside what stands; a form that was sent is done, or shown anew.

    Where somebody was faster, nothing is stored and the difference is shown again, to what
    now stands.
    """
    if request.method != "POST":
        form = RestoreForm(initial={"over": subject.current})
        return page(_context(request, subject, version, form), 200)
    form = RestoreForm(request.POST)
    status = 400
    changes: list[str] = []
    if form.is_valid():
        sent = form.cleaned_data
        try:
            answer = restore(subject, version, over=sent["over"], reason=sent["reason"])
        except Conflict as refusal:
            changes, status = changes_of(refusal), 409
            again = {**request.POST.dict(), "over": str(subject.current)}
            form = RestoreForm(again)
            if not changes:
                form.refuse(refusal)
        except (*SHOWN, Locked) as refusal:
            form.refuse(refusal)
            status = form_status(refusal)
        else:
            messages.success(request, restored_word(version, answer))
            for warning in answer.get("warnings", []):
                messages.warning(request, in_words(str(warning)))
            return redirect(subject.href)
    return page(_context(request, subject, version, form, changes=changes), status)


def _context(
    request: HttpRequest,
    subject: Subject,
    version: int,
    form: RestoreForm,
    *,
    changes: list[str] | None = None,
) -> dict[str, object]:
    view = view_chosen(request)
    return {
        "subject": subject,
        "restoring": look_at_restoring(subject, version, view),
        "form": form,
        "changes": changes,
        "view": view,
    }
