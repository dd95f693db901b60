"""The forms of agent keys: a new one, its limits, and its successor."""

from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from conderis.accounts.agent_keys import DEFAULT_SCOPES, NAME_LIMIT, KeyWish
from conderis.accounts.expiry import parse_expiry
from conderis.common.caller import Caller, Scope
from conderis.common.json import JsonObject
from conderis.web.forms import Form
from conderis.web.preferences import local
from projects.keys import KeyRow, reviewed_by_default
from projects.selectors import list_projects

MOST_SHOWN: Final = 100  # projects to tick; others are named
ALL, CHOSEN = "all", "chosen"
NEVER, ON, AS_IT_IS = "never", "date", "keep"
SCOPES: Final = {
    Scope.READ: _("Read and search. Every key needs it."),
    Scope.WRITE: _("Store, change, claim and archive, or propose it, as your role allows."),
    Scope.DELETE: _("Request deletions. The content is locked at once; a person decides."),
    Scope.REVIEW: _("Approve and reject proposals, where you are a moderator."),
}
OVERLAPS: Final = {"0": timedelta(), "1": timedelta(hours=1), "24": timedelta(hours=24)}


class KeyForm(Form):
    """The limits of a key. `caller` is its owner, whose projects can be chosen."""

    refused_fields: ClassVar = {"alwaysReview": "always_review", "expires": "until"}

    scopes = forms.MultipleChoiceField(
        label=_("Scopes"), required=False, widget=forms.CheckboxSelectMultiple
    )
    always_review = forms.BooleanField(
        label=_("Changes by this agent always need review"),
        required=False,
        help_text=_("Everything that can be a proposal becomes one, whatever your role is."),
    )
    reach = forms.ChoiceField(
        label=_("In these projects"),
        choices=[(ALL, _("All that I can reach, later ones too")), (CHOSEN, _("Only these"))],
        widget=forms.RadioSelect,
        help_text=_(
            "With chosen projects the agent has no personal memories and makes no projects."
        ),
    )
    projects = forms.MultipleChoiceField(
        label=_("Chosen projects"), required=False, widget=forms.CheckboxSelectMultiple
    )
    more = forms.CharField(
        label=_("Other projects"),
        required=False,
        help_text=_("As owner/name, with spaces between. The list above is not complete."),
    )
    ends = forms.ChoiceField(label=_("Expires"))
    until = forms.CharField(
        label=_("Date"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_("For “On a date”. The key works until that day has ended."),
    )

    def __init__(self, caller: Caller, *sent: Any, row: KeyRow | None = None, **more: Any) -> None:
        super().__init__(*sent, **more)
        self.caller = caller
        self.row = row
        self._offer("scopes", [(scope.value, _with_words(scope)) for scope in Scope])
        known = list_projects(caller, sort="title", limit=MOST_SHOWN)
        names = sorted(
            {str(project["name"]) for project in known["items"]}
            | set((row.projects or ()) if row else ())
        )
        self._offer("projects", [(name, name) for name in names])
        if not known["hasMore"]:
            del self.fields["more"]
        self._offer("ends", [*([_as_it_is(row)] if row else []), *_ends()])

    def _offer(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    def clean(self) -> dict[str, Any]:
        """What was typed, as far as fields that belong together fit."""
        found: dict[str, Any] = super().clean() or self.cleaned_data
        stays = self.row is not None and self.row.projects == ()  # none of its can be read now
        if found.get("reach") == CHOSEN and "projects" in found and not (self._chosen() or stays):
            self.said(_("Choose at least one project, or all."), field="projects")
        if found.get("ends") == ON and not found.get("until"):
            self.said(_("Give the last day."), field="until")
        return found

    def chosen_projects(self) -> list[str] | None:
        """The names of the chosen projects; None for all."""
        return self._chosen() if self.cleaned_data["reach"] == CHOSEN else None

    def _chosen(self) -> list[str]:
        named = self.cleaned_data.get("more", "").replace(",", " ").split()
        return [*self.cleaned_data["projects"], *named]


class NewKeyForm(KeyForm):
    """A new key."""

    name = forms.CharField(
        label=_("Name of the agent"),
        max_length=NAME_LIMIT,
        help_text=_(
            "Shown beside everything that the agent writes. Say where it runs, such as "
            "“Codex on laptop”."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, caller: Caller, *sent: Any) -> None:
        initial = {
            "scopes": [*DEFAULT_SCOPES],
            "always_review": reviewed_by_default(caller),
            "reach": ALL,
            "ends": "90d",
        }
        super().__init__(caller, *sent, initial=initial)

    def wish(self) -> KeyWish:
        """What the new key is to be.

        Raises:
            Invalid: the date is none.
        """
        sent = self.cleaned_data
        return KeyWish(
            name=sent["name"],
            scopes=sent["scopes"],
            always_review=sent["always_review"],
            expires_at=self._expiry(),
        )

    def _expiry(self) -> datetime | None:
        ends = self.cleaned_data["ends"]
        if ends == NEVER:
            return None
        text = self.cleaned_data["until"] if ends == ON else ends
        return parse_expiry(text, zone=self.caller.zone, now=timezone.now())


class ChangeKeyForm(KeyForm):
    """Other limits of a key that there is."""

    def __init__(self, caller: Caller, *sent: Any, row: KeyRow) -> None:
        initial = {
            "scopes": [*row.scopes],
            "always_review": row.always_review,
            "reach": ALL if row.projects is None else CHOSEN,
            "projects": [*(row.projects or ())],
            "ends": AS_IT_IS,
        }
        super().__init__(caller, *sent, row=row, initial=initial)
        self.stands = row.projects

    def changes(self) -> JsonObject:
        """The fields that are sent to be changed."""
        sent = self.cleaned_data
        fields: JsonObject = {"scopes": sent["scopes"], "alwaysReview": sent["always_review"]}
        chosen = self.chosen_projects()
        # The same names again are kept as they are: a key may be for projects besides that
        # its owner cannot read now.
        if chosen is None or set(chosen) != set(self.stands or ()):
            fields["projects"] = [*chosen] if chosen is not None else None
        if sent["ends"] != AS_IT_IS:
            text = sent["until"] if sent["ends"] == ON else sent["ends"]
            fields["expires"] = None if sent["ends"] == NEVER else text
        return fields


class RotateForm(Form):
    """How long the old key works beside the new one."""

    overlap = forms.ChoiceField(
        label=_("The old key ends"),
        choices=[("0", _("Now")), ("1", _("In 1 hour")), ("24", _("In 24 hours"))],
        help_text=_("Until then both work, so that the client can be set up meanwhile."),
    )

    def length(self) -> timedelta:
        """The overlap."""
        return OVERLAPS[self.cleaned_data["overlap"]]


def _with_words(scope: Scope) -> Any:
    return format_html('<code>{}</code><span class="help">{}</span>', scope.value, SCOPES[scope])


def _ends() -> list[tuple[str, Any]]:
    today = timezone.localtime()
    lengths = {"30d": _("In 30 days"), "90d": _("In 90 days"), "365d": _("In a year")}
    dated = [
        (value, f"{words}, {_day(today + timedelta(days=int(value[:-1])))}")
        for value, words in lengths.items()
    ]
    return [*dated, (ON, _("On a date")), (NEVER, _("Never"))]


def _as_it_is(row: KeyRow) -> tuple[str, Any]:
    if row.expires_at is None:
        return AS_IT_IS, gettext("As it is: never")
    day = _day(local(row.expires_at))
    return AS_IT_IS, gettext("As it is: %(day)s") % {"day": day}


def _day(moment: datetime) -> str:
    return date_format(moment, pgettext("format of a date", "j F Y"))
