"""The small forms that mend an item, each with the version that it is based on."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from conderis.common.json import JsonObject
from conderis.web.forms import Form
from items.kinds.registry import kind_of
from items.kinds.values import Line, Text


class MendForm(Form):
    """A form over an item as it was read; `fields_sent` is what the write door gets."""

    use_required_attribute = False
    needs_version: ClassVar[bool] = True

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1)

    def __init__(self, sent: Mapping[str, Any] | None, item: JsonObject) -> None:
        super().__init__(sent, initial=item)

    @property
    def fields_sent(self) -> JsonObject:
        """The fields of the item as typed."""
        return {name: value for name, value in self.cleaned_data.items() if name != "version"}


class PlainForm(MendForm):
    """Nothing but the version: a button."""


class SummaryForm(MendForm):
    """The summary alone."""

    summary = forms.CharField(
        label=_("Summary"),
        max_length=300,
        widget=forms.Textarea({"rows": 4, "class": "kept", "spellcheck": "true"}),
        help_text=_("At most 300 characters: what to know without opening it."),
    )


class ParentForm(MendForm):
    """The number of the parent. A move overwrites no text: it needs no version."""

    needs_version = False

    parent = forms.IntegerField(
        label=_("Number of the parent"),
        min_value=1,
        widget=forms.TextInput({"inputmode": "numeric", "autocomplete": "off"}),
        help_text=_("Another item of the same kind in this project."),
    )


class RewriteForm(MendForm):
    """Title, summary and content, as far as the kind has them."""

    title = forms.CharField(label=_("Title"), widget=forms.TextInput({"class": "kept"}))
    summary = forms.CharField(
        label=_("Summary"),
        required=False,
        widget=forms.Textarea({"rows": 3, "class": "kept", "spellcheck": "true"}),
    )
    content = forms.CharField(
        label=_("Content"),
        required=False,
        strip=False,
        widget=forms.Textarea({"rows": 12, "class": "kept", "spellcheck": "true"}),
    )

    def __init__(self, sent: Mapping[str, Any] | None, item: JsonObject) -> None:
        super().__init__(sent, item)
        known = kind_of(item["kind"]).by_name
        for name in ("title", "summary", "content"):
            if name not in known:
                del self.fields[name]
                continue
            limited = known[name].type
            if isinstance(limited, Line | Text):
                self.fields[name].widget.attrs["maxlength"] = limited.limit

    @property
    def fields_sent(self) -> JsonObject:
        """The fields as typed; the content is whole."""
        return super().fields_sent | {"complete": True}
