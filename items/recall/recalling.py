"""Recall: what an agent should know at the start of a session, within a given length."""

from dataclasses import replace

from django.utils import timezone

from conderis.common.caller import Caller, Scope
from conderis.common.errors import Invalid
from conderis.common.json import Json
from conderis.common.text import expect_text, refuse_long
from items.guide import GUIDE
from items.kept import state_of
from items.parts import outline
from items.recall.asking import Asking
from items.recall.composing import MIN_CHARS, compose
from items.recall.header import header
from items.recall.registry import all_sources
from items.recall.relevance import ranks_of
from items.requests import RecallRequest
from items.search import MAX_QUERY
from projects.access import ProjectAccess, access_project, require_scope, visible_projects
from projects.models import Project

DEFAULT_CHARS = 8_000
MAX_CHARS = 60_000


def recall(caller: Caller, request: RecallRequest) -> str:
    """Markdown of at most `max_chars` characters: the project, or the caller's own.

    The same state gives the same text, on the same day. With `guide` the system guide.

    Raises:
        Invalid: `max_chars` is out of range, or the focus is no text.
        TooLarge: the focus is longer than 5,000 characters.
        NotFound: there is no such project that the caller may read.
        Denied: the key has not the scope to read.
    """
    max_chars = _read_max_chars(request.max_chars)
    focus = _read_focus(request.focus)
    require_scope(caller, Scope.READ)
    if request.guide:
        return _guide(max_chars)
    access = access_project(caller, request.project_id) if request.project_id is not None else None
    asking = Asking(
        caller=caller,
        access=access,
        personal=caller.key is None or caller.key.all_projects,
        upstream=_upstream(access),
        max_chars=max_chars,
        now=timezone.now(),
        state=state_of(access.project) if access is not None else None,
    )
    if focus:
        asking = replace(asking, ranks=ranks_of(asking, focus))
    sections = [section for source in all_sources() for section in source(asking)]
    is_empty = not any(each.part.total for each in sections if each.slot.here)
    return compose(header(asking, is_empty=is_empty), sections, max_chars)


def _upstream(access: ProjectAccess | None) -> Project | None:
    """The project that this one is a fork of, if the caller may read it now."""
    if access is None or access.project.upstream_id is None:
        return None
    return visible_projects(access.caller).filter(pk=access.project.upstream_id).first()


def _guide(max_chars: int) -> str:
    """The system guide; where it is longer, up to a heading, and a word that it goes on."""
    text = GUIDE.strip()
    if len(text) <= max_chars:
        return text
    more = f"\n\nCut here: the whole guide has {len(text)} characters, send a larger maxChars."
    ends = (each.offset for each in outline(text) if each.offset <= max_chars - len(more))
    return text[: max(ends, default=0)].rstrip() + more


def _read_max_chars(value: Json) -> int:
    if value is None:
        return DEFAULT_CHARS
    if isinstance(value, bool) or not isinstance(value, int) or not MIN_CHARS <= value <= MAX_CHARS:
        raise Invalid(
            f"maxChars must be a whole number from {MIN_CHARS} to {MAX_CHARS}: how long the "
            f"answer may be (left out: {DEFAULT_CHARS}).",
            field="maxChars",
            allowed=[f"{MIN_CHARS} to {MAX_CHARS}"],
        )
    return value


def _read_focus(value: Json) -> str:
    if value is None:
        return ""
    focus = expect_text(value, field="focus")
    refuse_long(focus, field="focus", limit=MAX_QUERY)
    return focus.strip()
