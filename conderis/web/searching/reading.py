"""What the search page shows: what was asked, what was found, and the way on."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.web.items.words import STATUS_ICONS, TABS, value_word
from conderis.web.projects.exposed import ONE
from items.finding import (
    FindRequest,
    Found,
    find_items,
    located_item,
    numbered_items,
)
from projects.mine import latest_own_projects
from projects.selectors import list_projects

PAGE: Final = 20
PROJECTS: Final = 50  # offered to narrow the search to
NAMED: Final = 3  # projects that are shown because their name fits
NUMBER: Final = re.compile(r"#([1-9][0-9]{0,8})\Z")
REFERENCE: Final = re.compile(r"(?:[^#\s]+/[^#\s]+#[1-9][0-9]{0,8}|memory:[0-9a-z]{1,20})\Z")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for. `project` is `owner/name`."""

    q: str = ""
    kind: str = ""
    project: str = ""
    all: str = ""

    @property
    def query(self) -> str:
        """The same as the query of an address; what is not chosen is left out."""
        return urlencode({name: value for name, value in asdict(self).items() if value})

    @property
    def is_narrowed(self) -> bool:
        """Whether more than words was chosen."""
        return bool(self.kind or self.project)

    @property
    def words_alone(self) -> str:
        """The query of the address without what narrows it."""
        return replace(self, kind="", project="").query


@dataclass(frozen=True, slots=True)
class KindLink:
    """A kind that the search can be narrowed to."""

    label: str
    query: str
    current: bool


@dataclass(frozen=True, slots=True)
class FoundRow:
    """Something that was found, with its address and the words of its state."""

    found: Found
    href: str
    kind: str
    status: str
    status_icon: str


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A page of what was found. `numbered` are the items of a number that was typed alone."""

    asked: Asked
    kinds: list[KindLink]
    projects: list[str]
    rows: list[FoundRow]
    total: int
    more: bool
    next_query: str
    named: list[JsonObject]
    numbered: bool

    @property
    def all_kinds(self) -> str:
        """The query of the address that finds every kind."""
        return replace(self.asked, kind="").query

    @property
    def with_all(self) -> str:
        """The query of the address that finds what is closed, archived or expired, too."""
        return replace(self.asked, all="true").query


def asked_by(sent: Mapping[str, str]) -> Asked:
    """What was sent; a blank of one's own around words says nothing."""
    return Asked(
        q=sent.get("q", "").strip(),
        kind=sent.get("kind", "").strip(),
        project=sent.get("project", "").strip(),
        all="true" if sent.get("all") else "",
    )


def led_to(caller: Caller, words: str, *, within: str = "") -> str:
    """The address of the item that the words name, or "" where they are no such reference.

    `within` is the project in whose pages they were typed.
    """
    if not (REFERENCE.match(words) or (within and NUMBER.match(words))):
        return ""
    found = located_item(caller, words, within=within if NUMBER.match(words) else None)
    return _href(found.project, found.number, found.public_id) if found is not None else ""


def read_search(caller: Caller, asked: Asked, *, cursor: str | None = None) -> SearchPage:
    """What the words find among all that the caller may read.

    Raises:
        NotFound: there is no such project that the caller may read.
        Invalid: the kind or the cursor is none of this search.
        TooLarge: there are more than 5,000 characters.
    """
    number = NUMBER.match(asked.q)
    own = latest_own_projects(caller, limit=PROJECTS)
    names = [access.project.full_name for access in own.items]
    if asked.project and asked.project not in names:
        names.append(asked.project)
    if number is not None and not asked.is_narrowed:
        rows = [_row(each) for each in numbered_items(caller, int(number[1]))]
        if rows:
            return SearchPage(
                asked, [], names, rows, len(rows), more=False, next_query="", named=[],
                numbered=True,
            )  # fmt: skip
    request = FindRequest(
        asked.q,
        kind=asked.kind or None,
        project_id=asked.project or None,
        everything=bool(asked.all),
        limit=PAGE,
        cursor=cursor,
    )
    page = find_items(caller, request)
    following = f"{asked.query}&{urlencode({'cursor': page.next_cursor})}"
    return SearchPage(
        asked=asked,
        kinds=_kinds(asked),
        projects=names,
        rows=[_row(each) for each in page.items],
        total=page.total,
        more=page.more,
        next_query=following if page.next_cursor is not None else "",
        named=_named(caller, asked) if cursor is None else [],
        numbered=False,
    )


def _named(caller: Caller, asked: Asked) -> list[JsonObject]:
    """The projects that the words fit, where nothing narrows the search."""
    if not asked.q or asked.is_narrowed:
        return []
    found: list[JsonObject] = list_projects(caller, query=asked.q, limit=NAMED)["items"]
    return found


def _kinds(asked: Asked) -> list[KindLink]:
    return [
        KindLink(str(label), replace(asked, kind=kind).query, current=kind == asked.kind)
        for kind, label in TABS.items()
    ]


def _row(found: Found) -> FoundRow:
    return FoundRow(
        found=found,
        href=_href(found.project, found.number, found.public_id),
        kind=str(ONE.get(found.kind, found.kind)),
        status=value_word(found.status) if found.status else "",
        status_icon=STATUS_ICONS.get(found.status, ""),
    )


def _href(project: str | None, number: int | None, public_id: str) -> str:
    if project is None:
        return reverse("memory", args=[public_id])
    owner, _slash, name = project.partition("/")
    if number is None:
        return reverse("project-instructions", args=[owner, name])
    return reverse("item", args=[owner, name, number])
