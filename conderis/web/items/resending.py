"""Forms of items that were sent after their sign-in had ended: nothing typed is lost.

The page shows what was typed in a form with a token that is good now. It stores nothing and
does nothing: the person looks it over and sends it. Only the fields of these forms are taken,
and only from pages of this server, so that no other site can put words into it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext_lazy as _

from conderis.common.errors import Denied
from conderis.web.callers import person_of
from conderis.web.items.forms import opened_name, whole_text
from conderis.web.items.words import ACTIONS, FIELDS, RELATIONS, value_word
from items.kinds.registry import all_kinds
from items.kinds.values import Assignee, Choice, Commits, Text, ValueType

View = Callable[..., HttpResponseBase]

ROUTES: Final = {
    "item-new", "item-edit", "item-act", "item-share", "item-relate",
    "memory-new", "memory-edit", "memory-act",
}  # fmt: skip
ACTION: Final = "action"
HIDDEN: Final = "hidden"
_BESIDE: Final = {
    "reason": _("Reason"),
    "relation": _("Relation"),
}
_UNSEEN: Final = ("version", "target")
# What the middleware says of a token or a cookie, where the page was one of this server.
_OF_TOKENS: Final = "CSRF"


@dataclass(frozen=True, slots=True)
class Typed:
    """A field as it was sent. `shape`: `text`, `line`, `word` (not to be typed) or `hidden`."""

    name: str
    value: str
    label: str = ""
    shape: str = HIDDEN
    word: str = ""

    @property
    def rows(self) -> int:
        """How many lines of it are in sight."""
        return 18 if self.name == "content" else 3


def keeps_typed(view: View) -> View:
    """The view of a form of items; to who is not signed in it shows what they have typed."""

    @wraps(view)
    def kept(request: HttpRequest, /, **at: str | int) -> HttpResponseBase:
        if request.method == "POST" and person_of(request) is None:
            return _page(request)
        return view(request, **at)

    return kept


def typed_again(request: HttpRequest, reason: str) -> HttpResponse | None:
    """The page of a form of items whose token was refused for this reason; else None.

    None also where another site has sent it: the page would show words of that site.
    """
    match = request.resolver_match
    if match is None or match.view_name not in ROUTES or not reason.startswith(_OF_TOKENS):
        return None
    return _page(request)


def _page(request: HttpRequest) -> HttpResponse:
    refusal = Denied("The sign-in has ended. Nothing was stored.", missing="sign-in")
    action = request.POST.get(ACTION, "")
    context = {
        "refusal": refusal,
        "fields": sorted(_fields(request), key=lambda each: each.shape == HIDDEN),
        "action": action if action in ACTIONS else "",
        "send": ACTIONS.get(action, _("Send again")),
    }
    response = render(request, "web/items/resend.html", context, status=403)
    add_never_cache_headers(response)
    return response


def _fields(request: HttpRequest) -> Iterator[Typed]:
    """What of the form is sent again, in its order; nothing that these forms have not.

    What was left empty is not shown.
    """
    types = {field.name: field.type for kind in all_kinds() for field in kind.fields}
    names = {*types, *_BESIDE, *_UNSEEN}
    for name in request.POST:
        value = whole_text(str(request.POST[name]))
        opened = name.removeprefix(opened_name(""))
        if name not in names and opened not in types:
            continue
        if opened != name or name in _UNSEEN or not value:
            yield Typed(name, value)
        elif name in types:
            yield _typed(name, value, types[name])
        else:
            word = str(RELATIONS.get(value, value)) if name == "relation" else ""
            shape = "word" if word else "line"
            yield Typed(name, value, str(_BESIDE[name]), shape, word)


def _typed(name: str, value: str, kind: ValueType) -> Typed:
    label = str(FIELDS.get(name, name))
    if isinstance(kind, Choice):
        return Typed(name, value, label, "word", value_word(value))
    if isinstance(kind, Assignee):
        return Typed(name, value)
    shape = "text" if isinstance(kind, Text | Commits) else "line"
    return Typed(name, value, label, shape)
