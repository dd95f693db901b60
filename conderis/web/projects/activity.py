"""The Activity tab as its page and its feed show it: events in words, grouped by day."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Final
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.common.errors import Invalid
from conderis.common.times import iso
from conderis.web.items.words import EVENTS, FIELDS, RELATIONS
from conderis.web.projects.frame import ProjectFrame
from conderis.web.projects.words import several
from items.activity import By, Doer, Happening, Wanted, project_activity, recent_doers
from items.kinds.registry import all_kinds

CURSOR: Final = "cursor"
PAGE: Final = 50  # events
# The log knows more than the history.
WORDS: Final[dict[str, Promise]] = EVENTS | {
    "moved": gettext_lazy("Moved"),
    "relate": gettext_lazy("Relation added"),
    "unrelate": gettext_lazy("Relation taken away"),
}
NAMING_FIELDS: Final = ("changed", "moved")  # the other words say it themselves
NAMES: Final[dict[str, Promise]] = FIELDS | {"position": gettext_lazy("Place")}
KINDS: Final[dict[str, Promise]] = {
    "task": gettext_lazy("Tasks"),
    "memory": gettext_lazy("Memories"),
    "page": gettext_lazy("Docs"),
    "instructions": gettext_lazy("Instructions"),
}
BY: Final[dict[str, Promise]] = {
    By.PEOPLE.value: gettext_lazy("By people themselves"),
    By.AGENTS.value: gettext_lazy("By agents"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """An event in words. `who` is empty where whoever runs the server did it."""

    event: Happening
    word: str
    details: tuple[str, ...]
    href: str
    version_href: str
    target_href: str
    who: str
    who_query: str
    clock: str
    exact: str


@dataclass(frozen=True, slots=True)
class Day:
    """The events of a day in the reader's time zone."""

    label: str
    iso: str
    rows: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the address asks for, as its form shows it."""

    kind: str
    person: str
    by: str

    @property
    def is_plain(self) -> bool:
        """Whether nothing narrows the list."""
        return not (self.kind or self.person or self.by)

    def query(self, **other: str) -> str:
        """The address's query for this, with some of it changed."""
        values = {"kind": self.kind, "person": self.person, "by": self.by, **other}
        return urlencode({name: value for name, value in values.items() if value})


@dataclass(frozen=True, slots=True)
class ActivityPage:
    """A page of the Activity tab. `older` is the query of the next one, or empty.

    `is_partial`: the older ones were not looked through for it.
    """

    days: tuple[Day, ...]
    chosen: Chosen
    kinds: tuple[tuple[str, str], ...]
    people: tuple[Doer, ...]
    bys: tuple[tuple[str, str], ...]
    older: str
    is_first: bool
    is_partial: bool


def activity_page(frame: ProjectFrame, sent: Mapping[str, str]) -> ActivityPage:
    """What has happened, as an address asks for it.

    Raises:
        Invalid: the address asks for what there is not.
    """
    chosen = Chosen(sent.get("kind", ""), sent.get("person", ""), sent.get("by", ""))
    cursor = sent.get(CURSOR) or None
    found = project_activity(
        frame.caller, frame.project_id, wanted=_wanted(chosen), cursor=cursor, limit=PAGE
    )
    rows = [shown(frame, event, chosen) for event in found.items]
    older = chosen.query(**{CURSOR: found.next_cursor}) if found.next_cursor else ""
    return ActivityPage(
        days=tuple(_days(rows)),
        chosen=chosen,
        kinds=tuple((kind.name, _kind_word(kind.name)) for kind in all_kinds()),
        people=tuple(_people(frame, chosen, found.items)),
        bys=tuple((name, str(word)) for name, word in BY.items()),
        older=older,
        is_first=cursor is None,
        is_partial=found.is_partial,
    )


def shown(frame: ProjectFrame, event: Happening, chosen: Chosen | None = None) -> Shown:
    """The event in words, with where it leads."""
    at = timezone.localtime(event.at)
    who = event.by.ref if event.by is not None else ""
    return Shown(
        event=event,
        word=str(WORDS.get(event.event, event.event)),
        details=tuple(_details(event)),
        href=_href(frame, event),
        version_href=_version_href(frame, event),
        target_href=frame.path("item", number=event.target) if event.target else "",
        who=event.by.name if event.by is not None else "",
        who_query=chosen.query(person=who) if chosen is not None and who else "",
        clock=f"{at:%H:%M}",
        exact=iso(event.at),
    )


def title_of(event: Happening) -> str:
    """The item's title, or what an item without one is called."""
    return event.title or _kind_word(event.kind)


def _people(frame: ProjectFrame, chosen: Chosen, events: Iterable[Happening]) -> Iterable[Doer]:
    """Who can be chosen, with who is chosen, however long ago that person did something."""
    recent = recent_doers(frame.caller, frame.project_id)
    yield from recent
    if chosen.person and chosen.person not in {each.ref for each in recent}:
        done = (event.by for event in events if event.by is not None)
        name = next((doer.name for doer in done if doer.ref == chosen.person), None)
        yield Doer(chosen.person, name or _("Somebody else"))


def _wanted(chosen: Chosen) -> Wanted:
    if chosen.by and chosen.by not in BY:
        raise Invalid("by must be people or agents.", field="by", allowed=list(BY))
    by = By(chosen.by) if chosen.by else None
    return Wanted(chosen.kind or None, chosen.person or None, by)


def _kind_word(kind: str) -> str:
    return str(KINDS.get(kind, kind))


def _details(event: Happening) -> Iterable[str]:
    if event.fields and event.event in NAMING_FIELDS:
        yield several(NAMES.get(name, name) for name in event.fields)
    if event.relation:
        yield str(RELATIONS.get(event.relation, event.relation))


def _href(frame: ProjectFrame, event: Happening) -> str:
    if event.number is None:
        return frame.path("project-instructions")
    return frame.path("item", number=event.number)


def _version_href(frame: ProjectFrame, event: Happening) -> str:
    if event.version is None:
        return ""
    if event.number is None:
        return frame.path("project-instructions-version", version=event.version)
    return frame.path("item-version", number=event.number, version=event.version)


def _days(rows: Iterable[Shown]) -> Iterable[Day]:
    for day, of_day in groupby(rows, key=lambda row: _day(row.event.at)):
        yield Day(_day_word(day), day.isoformat(), tuple(of_day))


def _day(moment: datetime) -> date:
    return timezone.localtime(moment).date()


def _day_word(day: date) -> str:
    today = timezone.localdate()
    if day == today:
        return _("Today")
    if day == today - timedelta(days=1):
        return _("Yesterday")
    return str(date_format(day, "DATE_FORMAT"))
