"""The forms of projects. What they send is only what was changed in them.

Fields that show what stands carry it along (`show_hidden_initial`), so that a form that
was open for long does not bring back what somebody else has changed meanwhile.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from conderis.common.json import JsonObject
from conderis.web.forms import Form
from conderis.web.projects.words import DAY_CHOICES, ROLE_CHOICES, ROLE_WORDS
from projects.capabilities import Role
from projects.invitations import DEFAULT_DAYS
from projects.models import Project, SecretsPolicy

MOST_INSTRUCTIONS: Final = 50_000
DEFAULT: Final = "default"  # a choice that is stored as nothing


class ChangesForm(Form):
    """A form of settings: `changes` are the fields that were changed in it."""

    sent_as: ClassVar[dict[str, str]] = {}
    cleared: ClassVar[frozenset[str]] = frozenset()  # sent as null where they are empty

    def changes(self) -> JsonObject:
        """What was changed, under the names of the service."""
        return {
            self.sent_as.get(name, name): self._sent(name, self.cleaned_data[name])
            for name in self.changed_data
        }

    def _sent(self, name: str, value: Any) -> Any:
        return None if name in self.cleared and value in ("", DEFAULT) else value


class NewProjectForm(Form):
    """A project to be made."""

    owner = forms.ChoiceField(label=_("Owner"))
    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        help_text=_("Letters, digits, hyphens, underscores and dots. Part of every address."),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none"}),
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=500,
        widget=forms.Textarea({"rows": 3}),
    )

    def __init__(self, *args: Any, owners: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["owner"].choices = owners  # type: ignore[attr-defined]


class GeneralForm(ChangesForm):
    """What a project says of itself."""

    cleared = frozenset({"remote", "upstream"})

    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        show_hidden_initial=True,
        help_text=_("It goes on answering under its old name, too."),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none"}),
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=500,
        show_hidden_initial=True,
        widget=forms.Textarea({"rows": 3}),
    )
    remote = forms.CharField(
        label=_("Git remote"),
        required=False,
        show_hidden_initial=True,
        help_text=_(
            "Agents find the project by it, in any spelling, such as git@host:owner/name.git."
        ),
        widget=forms.TextInput({"autocapitalize": "none", "spellcheck": "false"}),
    )
    upstream = forms.CharField(
        label=_("Upstream"),
        required=False,
        show_hidden_initial=True,
        help_text=_(
            "The project that this one is a fork of, as owner/name. Recall shows its shared "
            "memories to those who may read it."
        ),
        widget=forms.TextInput({"autocapitalize": "none", "spellcheck": "false"}),
    )

    def __init__(self, sent: Mapping[str, str] | None = None, *, stands: JsonObject) -> None:
        super().__init__(sent, initial=stands)
        if stands.get("remote"):
            self.fields["remote"].help_text = (
                _("Verified. Another remote has to be verified anew.")
                if stands.get("remoteVerified")
                else _("Not verified. Agents find the project by it, in any spelling.")
            )


class PoliciesForm(ChangesForm):
    """The rules that owners set for a project."""

    sent_as: ClassVar[dict[str, str]] = {
        "unreviewed": "contributorsPublishMemories",
        "accept_proposals": "acceptProposals",
        "agents_reviewed": "agentsReviewed",
        "session_days": "sessionDays",
        "recall_mode": "recallMode",
        "member_role": "memberRole",
    }
    refused_fields: ClassVar[dict[str, str]] = {sent: own for own, sent in sent_as.items()}
    cleared = frozenset({"recall_mode", "member_role"})

    unreviewed = forms.BooleanField(
        label=_("Contributors publish memories without review"),
        required=False,
        show_hidden_initial=True,
        help_text=_("Pages and instructions still need review."),
    )
    accept_proposals = forms.BooleanField(
        label=_("Accept proposals from everyone who signs in"),
        required=False,
        show_hidden_initial=True,
        help_text=_(
            "While the project is public. They wait for a moderator, and nobody else sees them."
        ),
    )
    agents_reviewed = forms.BooleanField(
        label=_("Changes by agents always need review"),
        required=False,
        show_hidden_initial=True,
        help_text=_("Whatever can be a proposal becomes one, whoever the agent works for."),
    )
    secrets = forms.ChoiceField(
        label=_("Text that looks like a password or key"),
        choices=[
            (SecretsPolicy.REFUSE.value, _("Refuse it")),
            (SecretsPolicy.WARN.value, _("Store it with a warning")),
        ],
        show_hidden_initial=True,
    )
    session_days = forms.IntegerField(
        label=_("Days until memories of sessions expire"),
        min_value=1,
        max_value=3650,
        show_hidden_initial=True,
    )
    recall_mode = forms.ChoiceField(
        label=_("How recall lists memories"),
        choices=[
            (DEFAULT, _("By their number: a flat list, grouped when there are many")),
            ("flat", _("Always a flat list")),
            ("grouped", _("Always grouped by bags and tags")),
        ],
        show_hidden_initial=True,
    )
    member_role = forms.ChoiceField(
        label=_("Role of the organization's members here"),
        show_hidden_initial=True,
    )

    def __init__(self, sent: Mapping[str, str] | None = None, *, project: Project) -> None:
        stands = {
            "unreviewed": project.memories_unreviewed,
            "accept_proposals": project.open_proposals,
            "agents_reviewed": project.agents_reviewed,
            "secrets": project.secrets_policy,
            "session_days": project.session_days,
            "recall_mode": project.recall_mode or DEFAULT,
            "member_role": project.member_role or DEFAULT,
        }
        super().__init__(sent, initial=stands)
        if project.owner_organization is None:
            del self.fields["member_role"]
            return
        default = ROLE_WORDS[project.owner_organization.member_role]
        self.fields["member_role"].choices = [  # type: ignore[attr-defined]
            (DEFAULT, _("The organization's default: %(role)s") % {"role": default}),
            *((role.value, ROLE_WORDS[role]) for role in Role),
        ]


class RoleForm(Form):
    """A role in a project."""

    role = forms.ChoiceField(
        label=_("Role"), choices=ROLE_CHOICES, initial=Role.CONTRIBUTOR.value,
        widget=forms.RadioSelect,
    )  # fmt: skip


class AddMemberForm(Form):
    """A person and their role."""

    handle = forms.CharField(
        label=_("Handle"),
        max_length=39,
        help_text=_("The person needs an account on this server."),
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    role = forms.ChoiceField(label=_("Role"), choices=ROLE_CHOICES, initial=Role.CONTRIBUTOR.value)


class InviteForm(Form):
    """A link that gives whoever opens it first a role."""

    role = forms.ChoiceField(label=_("Role"), choices=ROLE_CHOICES, initial=Role.CONTRIBUTOR.value)
    days = forms.TypedChoiceField(
        label=_("Works for"), choices=DAY_CHOICES, coerce=int, initial=DEFAULT_DAYS
    )


class WholeText(forms.CharField):
    """A text that is always asked for, and may be empty."""

    def validate(self, value: str) -> None:
        """Take every text."""


class InstructionsForm(Form):
    """The whole instructions, and the version that they are based on."""

    use_required_attribute = False

    content = WholeText(
        label=_("Instructions"),
        strip=False,
        max_length=MOST_INSTRUCTIONS,
        widget=forms.Textarea({"rows": 24, "class": "kept", "spellcheck": "true"}),
        help_text=_("Markdown, at most 50,000 characters. Agents read them first."),
    )
    reason = forms.CharField(label=_("What has changed"), required=False, max_length=500)
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def __init__(self, *args: Any, with_reason: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not with_reason:
            del self.fields["reason"]


class TypedNameForm(Form):
    """The name of what is meant, typed out."""

    refused_fields: ClassVar[dict[str, str]] = {"typedName": "typed_name"}

    typed_name = forms.CharField(
        label=_("Name of the project"),
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def __init__(self, *args: Any, full_name: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.full_name = full_name
        self.fields["typed_name"].label = _("Type %(name)s to confirm") % {"name": full_name}


class TransferForm(TypedNameForm):
    """Who gets the project."""

    owner = forms.ChoiceField(label=_("New owner"))

    def __init__(self, *args: Any, owners: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["owner"].choices = owners  # type: ignore[attr-defined]
        self.order_fields(["owner", "typed_name"])

    def clean_typed_name(self) -> str:
        """The name, if it is the project's."""
        typed = str(self.cleaned_data["typed_name"])
        if typed.strip().lower() != self.full_name.lower():
            self.said(_("This is not its name."), field="typed_name")
        return typed
