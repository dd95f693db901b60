"""The forms of deletion: asking for one, and deciding."""

from dataclasses import dataclass
from typing import ClassVar, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from conderis.web.forms import Form
from items.requests import Address
from privacy.requesting import MAX_REASON

INSTRUCTIONS: Final = "#instructions"
MOST_NAMED: Final = 200  # characters of an address


@dataclass(frozen=True, slots=True)
class Target:
    """What somebody asks to erase: at an address, or the instructions of an organization."""

    address: Address
    organization: str = ""


class AskForm(Form):
    """What to erase, and why."""

    refused_fields: ClassVar[dict[str, str]] = {
        "ref": "what",
        "number": "what",
        "projectId": "what",
        "handle": "what",
    }

    what = forms.CharField(
        label=_("What"),
        max_length=MOST_NAMED,
        help_text=_(
            "owner/name#12 for a numbered item, memory:… for a personal memory, proposal:… for "
            "a proposal, owner/name#instructions or @organization#instructions for instructions."
        ),
        widget=forms.TextInput(
            {"class": "num", "autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}
        ),
    )
    version = forms.IntegerField(
        label=_("Version"),
        required=False,
        min_value=1,
        help_text=_("Empty: all of it, with every version."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_REASON,
        help_text=_("Whoever decides reads it. Do not repeat what must go."),
        widget=forms.Textarea({"rows": 4}),
    )

    def target(self) -> Target:
        """What was named. Only of a valid form."""
        return read_target(self.cleaned_data["what"])


class RefuseForm(Form):
    """Why a request is refused."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_REASON,
        help_text=_("Whoever asked reads it."),
        error_messages={"required": _("Refusing needs a reason: whoever asked reads it.")},
        widget=forms.Textarea({"rows": 4}),
    )


class RevealForm(Form):
    """Which version of an item to reveal; none is as it stands."""

    version = forms.IntegerField(required=False, min_value=1)


class SeveralForm(Form):
    """One reason for all that are selected."""

    reason = forms.CharField(
        required=False,
        label=_("Reason to refuse all selected"),
        max_length=MAX_REASON,
    )


def read_target(what: str) -> Target:
    """What an address names; whether that is anything is decided by the services."""
    named = what.strip()
    place, sign, rest = named.partition(INSTRUCTIONS)
    if not sign or rest:
        return Target(Address(ref=named))
    if place.startswith("@"):
        return Target(Address(), organization=place.removeprefix("@"))
    return Target(Address(project_id=place, ref=INSTRUCTIONS.removeprefix("#")))
