"""The forms of imports: the file, what of it is imported, and the form of an export."""

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from conderis.web.forms import Form
from exchange.exporting.writing import LINES, MARKDOWN
from exchange.importers.registry import IMPORTERS
from exchange.jobs import Choice, Upload

ACCEPTED: Final = ".json,.jsonl,.csv,.zip,.md"


def format_choices() -> list[tuple[str, Any]]:
    """The formats that can be imported, the first of which is to find out."""
    return [("", _("Recognize it")), *((each.name, each.label) for each in IMPORTERS)]


class UploadForm(Form):
    """A file to be imported."""

    file = forms.FileField(
        label=_("File"), allow_empty_file=True, widget=forms.FileInput({"accept": ACCEPTED})
    )
    importer = forms.ChoiceField(label=_("Format"), required=False, choices=format_choices)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        most = settings.IMPORT_MAX_BYTES // 1024**2
        self.fields["file"].help_text = _(
            "JSON, JSON Lines, CSV or Markdown, or a zip archive of a folder; at most %(n)s MB."
        ) % {"n": most}

    @property
    def upload(self) -> Upload:
        """The file that was sent."""
        file = self.cleaned_data["file"]
        return Upload(name=file.name or "", content=file.read())


class ChoiceForm(Form):
    """What of a checked file is imported."""

    only = forms.MultipleChoiceField(
        label=_("Parts to import"),
        required=False,
        help_text=_("Without any chosen, all of them."),
        widget=forms.CheckboxSelectMultiple,
    )
    store_anyway = forms.BooleanField(
        label=_("Also import texts that look like they hold a secret"),
        required=False,
        help_text=_(
            "Look at them in the file first: who may read the project can read them afterwards."
        ),
    )

    def __init__(self, *args: Any, parts: Sequence[str], with_secrets: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["only"].choices = [(part, part) for part in parts]  # type: ignore[attr-defined]
        if not parts:
            del self.fields["only"]
        if not with_secrets:
            del self.fields["store_anyway"]

    @property
    def choice(self) -> Choice:
        """What was chosen."""
        only = tuple(self.cleaned_data.get("only", ()))
        return Choice(only=only, store_anyway=self.cleaned_data.get("store_anyway", False))


class ExportForm(Form):
    """The form of an export."""

    form = forms.ChoiceField(
        label=_("Written as"),
        choices=[
            (LINES, _("JSON Lines: one file, for this or another Conderis server")),
            (MARKDOWN, _("Markdown: a zip archive of files to read, and to import again")),
        ],
        initial=LINES,
        widget=forms.RadioSelect,
    )
    private = forms.BooleanField(
        label=_("With your own private memories"),
        required=False,
        initial=True,
        help_text=_("Leave them out of a file that others get. Those of others are never in it."),
    )
