"""The forms of organizations."""

from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from conderis.web.forms import Form
from conderis.web.projects.forms import ChangesForm
from conderis.web.projects.words import DAY_CHOICES, ORGANIZATION_ROLE_CHOICES, ROLE_CHOICES
from projects.capabilities import OrganizationRole
from projects.invitations import DEFAULT_DAYS

HANDLE = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class NewOrganizationForm(Form):
    """An organization to be made."""

    handle = forms.CharField(
        label=_("Handle"),
        max_length=39,
        help_text=_("2 to 39 lower-case letters, digits and hyphens. Part of every address."),
        widget=forms.TextInput(HANDLE),
    )
    name = forms.CharField(label=_("Name"), required=False, max_length=80)


class SettingsForm(ChangesForm):
    """What an organization is called, and what its members have."""

    sent_as: ClassVar[dict[str, str]] = {"member_role": "memberRole"}
    refused_fields: ClassVar[dict[str, str]] = {"memberRole": "member_role"}

    name = forms.CharField(label=_("Name"), max_length=80, show_hidden_initial=True)
    handle = forms.CharField(
        label=_("Handle"),
        max_length=39,
        show_hidden_initial=True,
        help_text=_("Its projects go on answering under the old one, too."),
        widget=forms.TextInput(HANDLE),
    )
    member_role = forms.ChoiceField(
        label=_("Role of members in its projects"),
        choices=ROLE_CHOICES,
        show_hidden_initial=True,
        help_text=_("Each project can set another one. Owners are owners of all of them."),
    )


class RoleForm(Form):
    """A role in an organization."""

    role = forms.ChoiceField(
        label=_("Role"), choices=ORGANIZATION_ROLE_CHOICES, widget=forms.RadioSelect
    )


class InviteForm(Form):
    """A link that gives whoever opens it first a role."""

    role = forms.ChoiceField(
        label=_("Role"),
        choices=ORGANIZATION_ROLE_CHOICES,
        initial=OrganizationRole.MEMBER.value,
    )
    days = forms.TypedChoiceField(
        label=_("Works for"), choices=DAY_CHOICES, coerce=int, initial=DEFAULT_DAYS
    )


class TypedHandleForm(Form):
    """The handle of the organization that is meant, typed out."""

    typed = forms.CharField(label=_("Handle"), widget=forms.TextInput(HANDLE))

    def __init__(self, sent: object = None, *, handle: str) -> None:
        super().__init__(sent, prefix="delete")  # type: ignore[arg-type]
        self.handle = handle
        self.fields["typed"].label = _("Type %(name)s to confirm") % {"name": handle}

    def clean_typed(self) -> str:
        """The handle, if it is the organization's."""
        typed = str(self.cleaned_data["typed"])
        if typed.strip().lower() != self.handle:
            self.said(_("This is not its handle."), field="typed")
        return typed
