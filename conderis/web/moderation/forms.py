"""The forms of moderation: a decision, several at once, and undoing a run."""

from datetime import timedelta
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conderis.web.forms import Form
from items.kinds.task import MAX_REASON

LOCAL: Final = "%Y-%m-%dT%H:%M"


class DecisionForm(Form):
    """A decision over the version that was shown; none where nothing stands yet."""

    version = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    reason = forms.CharField(
        required=False,
        label=_("Reason"),
        max_length=MAX_REASON,
        widget=forms.Textarea({"rows": 4}),
    )
    next = forms.BooleanField(required=False)


class SeveralForm(Form):
    """One reason for all that are selected."""

    reason = forms.CharField(
        required=False,
        label=_("Reason for all selected"),
        max_length=MAX_REASON,
        widget=forms.TextInput({"placeholder": _("Reason for all selected")}),
    )


class RunForm(Form):
    """Whose doings, from when to when, in the time of whoever asks."""

    agent = forms.ChoiceField(label=_("Agent"))
    since = forms.DateTimeField(
        label=_("From"),
        input_formats=[LOCAL, f"{LOCAL}:%S"],
        widget=forms.DateTimeInput({"type": "datetime-local"}, format=LOCAL),
    )
    until = forms.DateTimeField(
        label=_("Until"),
        required=False,
        help_text=_("Empty: until now."),
        input_formats=[LOCAL, f"{LOCAL}:%S"],
        widget=forms.DateTimeInput({"type": "datetime-local"}, format=LOCAL),
    )

    def __init__(self, *args: Any, agents: list[tuple[str, str]], **kwargs: Any) -> None:
        kwargs.setdefault("initial", {}).setdefault("since", timezone.now() - timedelta(days=1))
        super().__init__(*args, **kwargs)
        self.fields["agent"].choices = agents  # type: ignore[attr-defined]


class UndoForm(Form):
    """Undoing the run that was shown: `seen` stands for the list."""

    agent = forms.CharField(max_length=40, widget=forms.HiddenInput)
    since = forms.DateTimeField(widget=forms.HiddenInput)
    until = forms.DateTimeField(widget=forms.HiddenInput)
    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)
    reason = forms.CharField(
        required=False,
        label=_("Reason"),
        max_length=MAX_REASON,
        help_text=_("Stands in the history of each item, and reaches the agent."),
        widget=forms.Textarea({"rows": 3}),
    )
