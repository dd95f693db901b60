"""The forms of a person's settings, but those of keys."""

from functools import cache
from itertools import groupby
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from conderis.accounts.models import Theme
from conderis.accounts.people import NAME_LIMIT
from conderis.accounts.profile import time_zones
from conderis.web.forms import Form
from privacy.leaving import NameChoice

Choices = list[tuple[Any, Any]]


@cache
def zone_choices() -> Choices:
    """The time zones, by continent; those of none come last."""
    split = [(zone.partition("/"), zone) for zone in time_zones()]
    by_area = sorted(split, key=lambda entry: (not entry[0][1], entry[0][0] if entry[0][1] else ""))
    groups: Choices = []
    for area, entries in groupby(by_area, key=lambda entry: entry[0][0] if entry[0][1] else ""):
        zones = [(zone, (parts[2] or zone).replace("_", " ")) for parts, zone in entries]
        groups.append((area or _("Others"), zones))
    return groups


class ProfileForm(Form):
    """What others are shown, and when a day ends."""

    refused_fields: ClassVar = {"displayName": "display_name", "timeZone": "time_zone"}

    display_name = forms.CharField(
        label=_("Display name"),
        max_length=NAME_LIMIT,
        help_text=_("Shown to others beside everything that you and your agents write."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        widget=forms.Select(attrs={"translate": "no"}),
        help_text=_("Times are shown in it, and a task is overdue when its day has ended there."),
    )


class HandleForm(Form):
    """Another handle."""

    handle = forms.CharField(
        label=_("New handle"),
        help_text=_("2 to 39 lower-case letters, digits and hyphens. The former one stays yours."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class EmailForm(Form):
    """Another email address, where this server sends no mail."""

    email = forms.EmailField(
        label=_("New email address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class AppearanceForm(Form):
    """How the browser looks and reads, and which keys it listens to."""

    theme = forms.ChoiceField(
        label=_("Theme"),
        required=False,
        choices=[("", _("As the system")), (Theme.LIGHT, _("Light")), (Theme.DARK, _("Dark"))],
        widget=forms.RadioSelect,
    )
    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[("", _("As the browser")), *settings.LANGUAGES],
    )
    single_keys = forms.BooleanField(
        label=_("Single keys do something, such as / and ?"),
        required=False,
        help_text=_("Off helps with speech input. Keys inside fields always only write."),
    )


class LeavingForm(Form):
    """The deletion of one's account."""

    refused_fields: ClassVar = {"typedHandle": "typed_handle"}

    name = forms.ChoiceField(
        label=_("Your name on what stays"),
        choices=[
            (NameChoice.KEEP, _("Keep it")),
            (NameChoice.REMOVE, _("Replace it by “former member”")),
        ],
        initial=NameChoice.KEEP,
        widget=forms.RadioSelect,
    )
    typed_handle = forms.CharField(
        label=_("Type your handle to confirm"),
        max_length=NAME_LIMIT,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none",
                                      "spellcheck": "false"}),
    )  # fmt: skip
