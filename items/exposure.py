"""What becomes readable by everybody when a project turns public, and what to look at first.

The counts are exact. The texts are looked through row by row, so that a large project
fills no memory: as they stand first, then version by version, newest first, up to a bound.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Any

import re2
from django.db.models import Count, F, Q, QuerySet

from conderis.accounts.actors import require_person
from conderis.common.caller import Caller
from conderis.common.secrets import find_secret
from items.differences import texts_in
from items.kinds.registry import all_kinds
from items.models import Item, ItemEvent
from projects.access import access_project
from projects.capabilities import Use
from projects.models import Project

# What is looked through, at most: so many items and versions, so much text (a few seconds).
MOST_TEXTS = 20_000
MOST_CHARACTERS = 200_000_000
MOST_SHOWN = 100
CHUNK = 50  # rows at once, of up to half a million characters each
# The columns of an item that hold what people wrote (docs/data.md).
CONTENT = ("title", "summary", "content", "tags", "data", "verified_against", "blocked_reason",
           "commits")  # fmt: skip
# Wider than a secret reaches over blanks, so that two fields never look like one.
_APART = "\n" * 8
# The user name of a git remote is no person.
_ADDRESS = re2.compile(r"[\p{L}\p{N}._%+-]*[\p{L}\p{N}_%+-]@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}")
_REMOTE_USERS = frozenset({"git", "hg", "svn"})


class Suspicion(StrEnum):
    """Why a text should be looked at before everybody reads it."""

    SECRET = "secret"  # noqa: S105 - what is suspected, no secret
    ADDRESS = "address"


class Hidden(StrEnum):
    """What stays hidden in a public project."""

    PRIVATE_MEMORIES = "private memories"
    PROPOSALS = "proposals"
    DELETION_REQUESTS = "deletion requests"
    LOCKED = "locked content"


@dataclass(frozen=True, slots=True)
class Finding:
    """A text that looks like it holds a secret or an email address, without it.

    `number` is None for the instructions and for the project itself. `version` is None
    for the text as it stands. `title` is empty where there is none and where a deletion
    request has locked the item. `detail` is the kind of secret, or empty.
    """

    kind: str
    number: int | None
    title: str
    version: int | None
    suspicion: Suspicion
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Exposure:
    """What becomes readable: counts by kind and of versions, and texts to look at first.

    `locked` items are counted too: they become readable if their deletion is refused.
    `findings_total` counts all findings, of which at most 100 are in `findings`; where
    `complete` is False, a bound was hit and some texts were not looked through.
    """

    project_id: str
    name: str
    counts: Mapping[str, int]
    versions: int
    locked: int
    hidden: tuple[Hidden, ...]
    findings: tuple[Finding, ...]
    findings_total: int
    complete: bool


@dataclass(frozen=True, slots=True)
class _Text:
    """Something that was written, and where."""

    kind: str
    number: int | None
    title: str
    version: int | None
    text: str


def exposure_of(caller: Caller, project_id: str) -> Exposure:
    """What everybody could read if the project were public, for its owner in the browser.

    Takes time by the length of the texts: at most 20,000 items and versions and some 200
    million characters of them are looked through.

    Raises:
        Denied: an agent asks, or a person who may not manage the project.
        NotFound: there is no such project that the caller may read.
    """
    require_person(caller)
    project = access_project(caller, project_id, use=Use.MANAGE).project
    items = _exposed(project)
    found = {
        row["kind"]: row["many"]
        for row in items.order_by().values("kind").annotate(many=Count("pk"))
    }
    versions = _versions(project)
    texts = chain([_project_text(project)], _current_texts(items), _version_texts(versions))
    shown: list[Finding] = []
    total = characters = 0
    complete = True
    for place, text in enumerate(texts):
        if place >= MOST_TEXTS or characters >= MOST_CHARACTERS:
            complete = False
            break
        characters += len(text.text)
        for finding in _findings(text):
            total += 1
            if len(shown) < MOST_SHOWN:
                shown.append(finding)
    return Exposure(
        project_id=project.public_id,
        name=project.full_name,
        counts={kind.name: found[kind.name] for kind in all_kinds() if kind.name in found},
        versions=versions.filter(version__isnull=False, state__isnull=False).count(),
        locked=items.filter(locked_at__isnull=False, erased_at__isnull=True).count(),
        hidden=tuple(Hidden),
        findings=tuple(shown),
        findings_total=total,
        complete=complete,
    )


def find_address(text: str) -> bool:
    """Whether the text holds an email address."""
    return any(
        match.group().partition("@")[0].lower() not in _REMOTE_USERS
        for match in _ADDRESS.finditer(text)
    )


def _exposed(project: Project) -> QuerySet[Item]:
    return Item.objects.filter(~Q(visibility="private"), project=project)


def _versions(project: Project) -> QuerySet[ItemEvent]:
    return ItemEvent.objects.filter(~Q(item__visibility="private"), item__project=project)


def _project_text(project: Project) -> _Text:
    text = _APART.join([project.name, project.description, project.remote])
    return _Text("project", None, project.name, None, text)


def _current_texts(items: QuerySet[Item]) -> Iterator[_Text]:
    rows = items.only("kind", "number", "locked_at", *CONTENT).order_by("pk")
    for item in rows.iterator(CHUNK):
        text = _joined([getattr(item, column) for column in CONTENT])
        yield _Text(item.kind, item.number, _title(item), None, text)


def _version_texts(versions: QuerySet[ItemEvent]) -> Iterator[_Text]:
    """The states and reasons of events; the state of the current version has been read."""
    wanted = versions.exclude(Q(reason="") & (Q(state__isnull=True) | _is_current()))
    rows = wanted.select_related("item").only(
        "version", "reason", "state", "item__kind", "item__number", "item__title",
        "item__version", "item__locked_at",
    )  # fmt: skip
    for event in rows.order_by("-pk").iterator(CHUNK):
        item = event.item
        state = None if event.version == item.version else event.state
        text = _joined([state, event.reason])
        # An event without a version of its own belongs to the one that stood then.
        yield _Text(item.kind, item.number, _title(item), event.version or item.version, text)


def _is_current() -> Q:
    return Q(version=F("item__version"))


def _title(item: Item) -> str:
    return item.title if item.locked_at is None else ""


def _joined(values: list[Any]) -> str:
    return _APART.join(texts_in(values))


def _findings(text: _Text) -> Iterator[Finding]:
    where = (text.kind, text.number, text.title, text.version)
    secret = find_secret(text.text)
    if secret is not None:
        yield Finding(*where, Suspicion.SECRET, secret.kind)
    if find_address(text.text):
        yield Finding(*where, Suspicion.ADDRESS)
