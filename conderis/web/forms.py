"""Forms: how they are drawn, and how a refusal of a service finds its field."""

import re
from typing import ClassVar

from django import forms
from django.forms.renderers import TemplatesSetting
from django.utils.functional import Promise

from conderis.common.errors import DomainError
from conderis.web.refusals import in_words

_ENTRY = re.compile(r"[\[.]")


class Renderer(TemplatesSetting):
    """Draws every form of the site, other packages' too, from templates/components."""

    form_template_name = "components/form.html"
    field_template_name = "components/field.html"


class Form(forms.Form):
    """A form whose service may refuse what was typed.

    `refused_fields` maps a refusal's `field` to the form's own name of it where they
    differ; a refusal without a field of this form stands above the form.
    """

    refused_fields: ClassVar[dict[str, str]] = {}

    def refuse(self, refusal: DomainError) -> None:
        """Show the refusal in people's words beside its field, called by the field's label.

        A message that begins with the name of a field begins with a capital then.
        """
        named = str(refusal.details.get("field") or "")
        base = _ENTRY.split(named)[0]  # of `tags[2]`, `tags`
        field = self.refused_fields.get(named, base)
        label = str(self.fields[field].label or "") if field in self.fields else ""
        self.add_error(field if field in self.fields else None, in_words(refusal, label))

    def said(self, text: str | Promise, *, field: str | None = None) -> None:
        """Show an error of the page's own."""
        self.add_error(field, str(text))
