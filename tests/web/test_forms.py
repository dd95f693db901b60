"""How a form words what a service refuses: in the labels that stand on the page."""

from typing import Any, ClassVar

import pytest
from django import forms

from conderis.common.errors import Conflict, Invalid
from conderis.web.forms import Form

pytestmark = pytest.mark.no_database


class Sample(Form):
    refused_fields: ClassVar = {"expires": "ends"}

    name = forms.CharField(label="Name of the agent", required=False)
    ends = forms.CharField(label="Expires", required=False)


def refused(refusal: Invalid | Conflict, **typed: Any) -> dict[str, list[str]]:
    form = Sample(typed)
    form.is_valid()
    form.refuse(refusal)
    return {field: [str(error) for error in errors] for field, errors in form.errors.items()}


@pytest.mark.parametrize(
    ("refusal", "field", "said"),
    [
        (Invalid("name must be short.", field="name"), "name", "Name of the agent must be short."),
        (Invalid("expires must come.", field="expires"), "ends", "Expires must come."),
        (Invalid("names differ.", field="name"), "name", "names differ."),
        (Invalid("handle must be short.", field="handle"), "__all__", "Handle must be short."),
        (Conflict("robo works already."), "__all__", "robo works already."),
        (Conflict("alice/shop is private."), "__all__", "alice/shop is private."),
        (Conflict("A key needs a name."), "__all__", "A key needs a name."),
        (Conflict("#12 is archived."), "__all__", "#12 is archived."),
        (Conflict(""), "__all__", ""),
    ],
)
def test_a_refusal_that_begins_with_a_field_calls_it_by_its_label(
    refusal: Invalid | Conflict, field: str, said: str
) -> None:
    assert refused(refusal, name=" Robo ") == {field: [said]}
