"""The form that creates a key where an agent is connected."""

from typing import ClassVar, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from conderis.accounts.agent_keys import NAME_LIMIT, KeyWish
from conderis.accounts.expiry import parse_expiry
from conderis.web.forms import Form

ALL, ONE = "all", "one"
DAYS: Final = 90
"""How long a key that is created here works: as long as the settings offer first."""


class ConnectForm(Form):
    """The name of the agent, and whether its key is for one project or for all.

    `project` is the full name of the one; without it all is the only choice.
    """

    refused_fields: ClassVar = {"projects": "reach"}

    name = forms.CharField(label=_("Name of the agent"), max_length=NAME_LIMIT)
    reach = forms.ChoiceField(
        label=_("It can reach"),
        help_text=_("With one project it has no personal memories and makes no projects."),
    )

    always_review = forms.BooleanField(
        label=_("Changes by this agent always need review"),
        required=False,
        help_text=_("Everything that can be a proposal becomes one, whatever your role is."),
    )

    def __init__(
        self, data: object = None, *, project: str = "", agent: str = "", reviewed: bool = False
    ) -> None:
        initial = {"name": agent, "reach": ALL, "always_review": reviewed}
        super().__init__(data, initial=initial)  # type: ignore[arg-type]
        self.project = project
        choices = [(ALL, gettext("All projects that I can reach, later ones too"))]
        if project:
            choices.append((ONE, gettext("Only %(project)s") % {"project": project}))
        self.fields["reach"].choices = choices  # type: ignore[attr-defined]

    def wish(self, *, zone: str) -> KeyWish:
        """The key that was asked for; it ends after `DAYS`. `zone` is the person's."""
        sent = self.cleaned_data
        return KeyWish(
            name=sent["name"],
            always_review=sent["always_review"],
            expires_at=parse_expiry(f"{DAYS}d", zone=zone, now=timezone.now()),
        )

    @property
    def projects(self) -> list[str] | None:
        """The projects of the key; None is all of them."""
        return [self.project] if self.cleaned_data["reach"] == ONE else None
