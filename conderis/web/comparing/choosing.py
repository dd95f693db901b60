"""How texts are compared on a page, as its reader chose: the choice is kept in the session."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final, Protocol

from django.http import HttpRequest

from conderis.web.comparing.lines import compare_lines
from conderis.web.comparing.texts import Comparison, compare

KEPT: Final = "diff_view"


class View(StrEnum):
    """The ways to compare two texts."""

    SPLIT = "split"
    INLINE = "inline"
    LINES = "lines"


class Comparing(Protocol):
    """What compares two texts; `prefix` begins the ids of marks in the new one."""

    def __call__(self, old: str, new: str, *, prefix: str = ...) -> Comparison:
        """What changed from one text to another."""


def view_chosen(request: HttpRequest) -> View:
    """As the address says (`?view=lines`), which is kept for who is signed in, else as last."""
    asked = request.GET.get("view", "")
    if asked in set(View):
        if request.user.is_authenticated and request.session.get(KEPT) != asked:
            request.session[KEPT] = asked
        return View(asked)
    kept = str(request.session.get(KEPT, ""))
    return View(kept) if kept in set(View) else View.SPLIT


def comparing(view: View) -> Comparing:
    """What compares texts for the view."""
    ways: dict[View, Callable[..., Comparison]] = {View.LINES: compare_lines}
    return ways.get(view, compare)
