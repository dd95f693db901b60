"""Moving an item in its tree: the form, what it sends to the write door, and what is said."""

from dataclasses import dataclass
from typing import ClassVar, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.common.json import JsonObject
from conderis.web.forms import Form
from conderis.web.items.tree import AT, opened_query, read_opened
from conderis.web.items.words import LISTS
from conderis.web.items.writing import outcome_word
from conderis.web.projects.frame import ProjectFrame
from items.kinds.registry import kind_of
from items.kinds.values import read_number
from items.listing import list_items
from items.moving import NEED_TARGET, STEPS, Neighbour, Steps, Where, move_fields, steps_of
from items.requests import Address, ListRequest, StoreRequest
from proposals.writing import store

CHOICES: Final = (
    (Where.UNDER.value, gettext_lazy("Under the page below, as its last one")),
    (Where.BEFORE.value, gettext_lazy("Before the page below")),
    (Where.AFTER.value, gettext_lazy("After the page below")),
    (Where.TOP.value, gettext_lazy("On the top level, as the last one")),
)
STEP_WORDS: Final[dict[Where, Promise]] = {
    Where.UP: gettext_lazy("Up, before #%(number)s"),
    Where.DOWN: gettext_lazy("Down, after #%(number)s"),
    Where.IN: gettext_lazy("In, under #%(number)s"),
    Where.OUT: gettext_lazy("Out, after #%(number)s"),
}


class MoveForm(Form):
    """Where an item is to go, beside or under another one that is named by its number."""

    use_required_attribute = False
    refused_fields: ClassVar = {"parent": "target"}

    where = forms.ChoiceField(
        label=gettext_lazy("Place"),
        choices=CHOICES,
        widget=forms.RadioSelect,
        initial=Where.UNDER.value,
    )
    target = forms.CharField(
        label=gettext_lazy("Number of the other page"),
        max_length=20,
        widget=forms.TextInput(
            {"inputmode": "numeric", "autocomplete": "off", "list": "move-targets"}
        ),
        help_text=gettext_lazy("Such as 12. A page goes there with all that stands below it."),
    )

    def clean(self) -> None:
        """A place by another page needs its number; the top level does not."""
        self.errors.pop("target", None)
        typed = str(self.cleaned_data.get("target", "")).strip()
        needs = self.cleaned_data.get("where") in NEED_TARGET
        if needs and read_number(typed) is None:
            self.add_error("target", _("Name the other page by its number, such as 12."))

    @property
    def place(self) -> tuple[Where, int | None]:
        """Where to, and by which number; of a valid form."""
        where = Where(self.cleaned_data["where"])
        target = self.cleaned_data.get("target", "") if where in NEED_TARGET else ""
        return where, read_number(target)


@dataclass(frozen=True, slots=True)
class Step:
    """A button that moves the item one step."""

    name: str
    word: str
    title: str


@dataclass(frozen=True, slots=True)
class MovePage:
    """What the page of a move shows: where the item stands, its steps, and others by name."""

    steps: Steps
    buttons: tuple[Step, ...]
    targets: tuple[Neighbour, ...]
    back: str

    @property
    def item(self) -> Neighbour:
        """What is moved."""
        return self.steps.item


def step_named(sent: str) -> Where | None:
    """The step of this name, if it is one."""
    return next((step for step in STEPS if step.value == sent), None)


def read_move(frame: ProjectFrame, number: int, opened: str | None) -> MovePage:
    """Where the item stands, and where it can go.

    Raises:
        DomainError: as the selector refuses.
    """
    steps = steps_of(frame.caller, project_id=frame.project_id, number=number)
    return MovePage(
        steps=steps,
        buttons=tuple(_button(step, passed) for step, passed in steps.possible.items()),
        targets=_targets(frame, steps),
        back=tree_path(frame, steps.kind, number, opened),
    )


def move(frame: ProjectFrame, number: int, where: Where, target: int | None) -> JsonObject:
    """Move the item, or propose to; the write door's answer.

    Raises:
        DomainError: as the selector and the write door refuse.
    """
    fields = move_fields(
        frame.caller, project_id=frame.project_id, number=number, where=where, target=target
    )
    address = Address(frame.project_id, number=number)
    return store(frame.caller, StoreRequest(address, fields=fields))


def moved_word(answer: JsonObject) -> str:
    """What a move has done, in one sentence."""
    if answer["outcome"] == "published":
        return _("#%(number)s is moved.") % {"number": answer["number"]}
    if answer["outcome"] == "unchanged":
        return _("#%(number)s stands there already.") % {"number": answer["number"]}
    return outcome_word(answer)


def tree_path(frame: ProjectFrame, kind: str, number: int, opened: str | None) -> str:
    """The address of the tree with the item in sight, and the branches open that were."""
    numbers = read_opened(opened)
    query = f"{AT}={number}" if numbers is None else f"{AT}={number}&{opened_query(numbers)}"
    return f"{frame.path(LISTS[kind])}?{query}#p-{number}"


def _button(step: Where, passed: Neighbour) -> Step:
    return Step(step.value, str(STEP_WORDS[step]) % {"number": passed.number}, passed.title)


def _targets(frame: ProjectFrame, steps: Steps) -> tuple[Neighbour, ...]:
    """Up to 100 others, to be chosen by title while their number is typed."""
    kind = kind_of(steps.kind)
    request = ListRequest(kind.name, frame.project_id, sort=kind.sorts[0], limit=100)
    found = list_items(frame.caller, request)["items"]
    return tuple(
        Neighbour(int(entry["number"]), str(entry["title"]))
        for entry in found
        if entry["number"] != steps.item.number
    )
