"""Forms that were sent after their sign-in had ended, or without the role: nothing is lost.

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
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django_htmx.http import reselect, reswap, retarget

from conderis.common.errors import DomainError
from conderis.web.callers import person_of
from conderis.web.items.forms import opened_name, whole_text
from conderis.web.items.words import ACTIONS, FIELDS, RELATIONS, value_word
from items.kinds.registry import all_kinds
from items.kinds.values import Assignee, Choice, Commits, Text, ValueType

View = Callable[..., HttpResponseBase]

ROUTES: Final = {
    "item-new", "item-edit", "item-act", "item-share", "item-relate",
    "item-version-restore", "project-instructions-restore",
    "memory-new", "memory-edit", "memory-act", "memory-version-restore",
    "item-move", "project-instructions-edit", "organization-instructions-edit",
    "moderation-decide", "moderation-approve", "moderation-reject", "moderation-undo",
}  # fmt: skip
ACTION: Final = "action"
DO: Final = "do"
HIDDEN: Final = "hidden"
_BESIDE: Final = {
    "reason": _("Reason"),
    "relation": _("Relation"),
}
_UNSEEN: Final = ("version", "target", "over")
# What else the form of a route sends; what is ticked may be sent several times.
_UNSEEN_AT: Final[dict[str, tuple[str, ...]]] = {
    "item-move": ("where",),
    "moderation-decide": ("proposal",),
    "moderation-approve": ("next", "leave"),
    "moderation-reject": ("next",),
    "moderation-undo": ("agent", "since", "until", "seen"),
}
_DECISIONS: Final[dict[str, Promise]] = {
    "approve": _("Approve selected"),
    "reject": _("Reject selected"),
}
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
    """The view of a form of `ROUTES`; to who is not signed in it shows what they have typed."""

    @wraps(view)
    def kept(request: HttpRequest, /, **at: str | int) -> HttpResponseBase:
        if request.method == "POST" and person_of(request) is None:
            return _page(request)
        return view(request, **at)

    return kept


def typed_again(request: HttpRequest, reason: str) -> HttpResponse | None:
    """The page of a form of `ROUTES` whose token was refused for this reason; else None.

    None also where another site has sent it: the page would show words of that site.
    """
    if _route(request) not in ROUTES or not reason.startswith(_OF_TOKENS):
        return None
    return _page(request)


def typed_beside(request: HttpRequest, refusal: DomainError, status: int) -> HttpResponse | None:
    """The page of a refusal with what was typed in a form of `ROUTES`; None if nothing was."""
    if request.method != "POST" or _route(request) not in ROUTES:
        return None
    if not any(each.shape in {"text", "line"} for each in _fields(request)):
        return None
    return _page(request, {"refusal": refusal, "status": status}, status=status)


def _route(request: HttpRequest) -> str:
    match = request.resolver_match
    return match.view_name if match is not None else ""


def _page(
    request: HttpRequest, more: dict[str, object] | None = None, *, status: int = 403
) -> HttpResponse:
    button, value, word = _button(request)
    context = {
        "fields": sorted(_fields(request), key=lambda each: each.shape == HIDDEN),
        "button": button,
        "value": value,
        "send": word,
    }
    response = render(request, "web/items/resend.html", context | (more or {}), status=status)
    add_never_cache_headers(response)
    return _whole(response) if request.headers.get("HX-Request") else response


def _button(request: HttpRequest) -> tuple[str, str, str | Promise]:
    """The name, the value and the word of what was pressed; a button without them else."""
    action, done = request.POST.get(ACTION, ""), request.POST.get(DO, "")
    if action in ACTIONS:
        return ACTION, action, ACTIONS[action]
    if _route(request) == "moderation-decide" and done in _DECISIONS:
        return DO, done, _DECISIONS[done]
    return "", "", _("Send again")


def _whole(response: HttpResponse) -> HttpResponse:
    """For htmx, which shows no answer that is an error: its words, in place of the page's."""
    response.status_code = 200
    return reselect(reswap(retarget(response, "#main"), "outerHTML"), "#main")


def _fields(request: HttpRequest) -> Iterator[Typed]:
    """What of the form is sent again, in its order; nothing that these forms have not.

    What was left empty is not shown.
    """
    types = {field.name: field.type for kind in all_kinds() for field in kind.fields}
    names = {*types, *_BESIDE, *_UNSEEN}
    beside = _UNSEEN_AT.get(_route(request), ())
    for name in beside:
        yield from (Typed(name, str(value)) for value in request.POST.getlist(name))
    for name in request.POST:
        if name in beside:
            continue
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
