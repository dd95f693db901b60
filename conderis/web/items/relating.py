"""Relating two items: the form that finds the other one, and what it sends."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.common.caller import Caller
from conderis.common.errors import DomainError
from conderis.common.json import JsonObject
from conderis.web.forms import Form
from conderis.web.items.reading import with_status
from conderis.web.items.words import RELATIONS
from conderis.web.moderation.words import kind_word
from conderis.web.projects.refusing import SHOWN
from items.kinds.base import Kind
from items.relatable import MAX_TEXT, relatable_items, relations_for
from items.requests import ActRequest, Address
from proposals.writing import act

RELATE, UNRELATE = "relate", "unrelate"


class FindForm(Form):
    """Which relation, and which other item: its number, or words of its title."""

    refused_fields: ClassVar[dict[str, str]] = {"target": "q"}

    use_required_attribute = False

    def __init__(self, kind: Kind, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        words = [(name, RELATIONS[name]) for name in relations_for(kind)]
        self.fields["relation"] = forms.ChoiceField(label=gettext_lazy("Relation"), choices=words)
        self.fields["q"] = forms.CharField(
            label=gettext_lazy("Other item"),
            max_length=MAX_TEXT,
            help_text=gettext_lazy("Its number, or words of its title."),
        )


def found_for(
    caller: Caller, project_id: str, number: int, form: FindForm
) -> list[JsonObject] | None:
    """The items that the form finds; None where it is wrong or finds none, and says so."""
    if not form.is_valid():
        return None
    relation, text = form.cleaned_data["relation"], form.cleaned_data["q"]
    try:
        found = relatable_items(caller, project_id, number, relation=relation, text=text)
    except (*SHOWN,) as refusal:
        form.refuse(refusal)
        return None
    if not found:
        form.said(_("No title here has one of these words."), field="q")
        return None
    return [with_status(each) | {"what": kind_word(each["kind"])} for each in found]


def relate(
    caller: Caller, project_id: str, number: int, *, action: str, relation: str, target: str
) -> JsonObject:
    """Relate the item to the target, or take the relation away; the write door's answer.

    Raises:
        DomainError: as the write door refuses.
    """
    address = Address(project_id, number=number)
    return act(caller, ActRequest(address, action=action, relation=relation, target=target))


def said_of(action: str, answer: JsonObject) -> str:
    """What relating, or taking a relation away, has done, in one sentence."""
    values = {
        "number": answer["number"],
        "target": answer["target"],
        "relation": RELATIONS[answer["relation"]],
    }
    if action != UNRELATE and answer["outcome"] == "unchanged":
        return _("#%(number)s, %(relation)s #%(target)s: they are related so already.") % values
    if action == UNRELATE:
        return _("#%(number)s, %(relation)s #%(target)s: the relation is taken away.") % values
    return _("#%(number)s, %(relation)s #%(target)s: the relation is stored.") % values


def refused_form(kind: Kind, sent: dict[str, str], refusal: DomainError) -> FindForm:
    """The form as if it had looked for the target, with the refusal at its field."""
    form = FindForm(kind, sent)
    form.full_clean()
    form.refuse(refusal)
    return form
