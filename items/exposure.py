"""What becomes readable by everybody when a project turns public, and what to look at first.

The counts are exact. The texts are looked through row by row, so that a large project
fills no memory: as they stand first, then version by version, newest first, up to a bound.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Any

import re2
from django.db.models import Case, Count, F, JSONField, Q, QuerySet, TextField, When
from django.db.models.functions import Cast

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
# So many while a page waits for it.
QUICK_TEXTS = 3_000
QUICK_CHARACTERS = 3_000_000
MOST_SHOWN = 100
CHUNK = 50  # rows at once, of up to half a million characters each
# The columns of an item that hold what people wrote (docs/data.md).
CONTENT = ("title", "summary", "content", "tags", "data", "verified_against", "blocked_reason",
           "commits", "credit")  # fmt: skip
_JSON = frozenset({"tags", "data", "verified_against", "commits", "credit"})
_EMPTY = frozenset({"[]", "{}", "null", '""'})
# Wider than a secret reaches over blanks, so that two fields never look like one.
_APART = "\n" * 8
# No form of a secret or an address goes on over this, so that many texts are searched at once.
_BETWEEN = f"{_APART}\0{_APART}"
MOST_AT_ONCE = 1_000_000  # characters
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
    `complete` is False, a bound was hit and some texts were not looked through (`looked`
    says how many were).
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
    looked: int


@dataclass(frozen=True, slots=True)
class _Text:
    """Something that was written, and where."""

    kind: str
    number: int | None
    title: str
    version: int | None
    text: str


def exposure_of(caller: Caller, project_id: str, *, quick: bool = False) -> Exposure:
    """What everybody could read if the project were public, for its owner in the browser.

    Takes time by the length of the texts: at most 20,000 items and versions and some 200
    million characters of them are looked through; `quick` 3,000 and 3 million.

    Raises:
        Denied: an agent asks, or a person who may not manage the project.
        NotFound: there is no such project that the caller may read.
    """
    require_person(caller)
    project = access_project(caller, project_id, use=Use.MANAGE).project
    items = _exposed(project)
    is_locked = Q(locked_at__isnull=False, erased_at__isnull=True)
    by_kind = items.order_by().values_list("kind").annotate(
        many=Count("pk"), locked=Count("pk", filter=is_locked)
    )  # fmt: skip
    found = {kind: (many, locked) for kind, many, locked in by_kind}
    versions = _versions(project)
    texts = chain([_project_text(project)], _current_texts(items), _version_texts(versions))
    bounded = _Bounded(texts, quick=quick)
    shown: list[Finding] = []
    total = 0
    for together in _batches(bounded):
        for finding in _findings(together):
            total += 1
            if len(shown) < MOST_SHOWN:
                shown.append(finding)
    return Exposure(
        project_id=project.public_id,
        name=project.full_name,
        counts={kind.name: found[kind.name][0] for kind in all_kinds() if kind.name in found},
        versions=_count(versions),
        locked=sum(locked for _, locked in found.values()),
        hidden=tuple(Hidden),
        findings=tuple(shown),
        findings_total=total,
        complete=bounded.complete,
        looked=bounded.looked,
    )


def find_address(text: str) -> bool:
    """Whether the text holds an email address."""
    return any(
        match.group().partition("@")[0].lower() not in _REMOTE_USERS
        for match in _ADDRESS.finditer(text)
    )


class _Bounded:
    """The texts up to a bound; `complete` says at the end whether that was all."""

    def __init__(self, texts: Iterable[_Text], *, quick: bool) -> None:
        self._texts = texts
        self._most = (QUICK_TEXTS, QUICK_CHARACTERS) if quick else (MOST_TEXTS, MOST_CHARACTERS)
        self.complete = True
        self.looked = 0

    def __iter__(self) -> Iterator[_Text]:
        characters = 0
        most_texts, most_characters = self._most
        for text in self._texts:
            if self.looked >= most_texts or characters >= most_characters:
                self.complete = False
                return
            self.looked += 1
            characters += len(text.text)
            yield text


def _batches(texts: Iterable[_Text]) -> Iterator[list[_Text]]:
    """The texts in their order, as many at once as are quickly searched together."""
    batch: list[_Text] = []
    characters = 0
    for text in texts:
        batch.append(text)
        characters += len(text.text)
        if len(batch) >= CHUNK or characters >= MOST_AT_ONCE:
            yield batch
            batch, characters = [], 0
    yield batch


def _exposed(project: Project) -> QuerySet[Item]:
    return Item.objects.filter(~Q(visibility="private"), project=project)


def _versions(project: Project) -> QuerySet[ItemEvent]:
    return ItemEvent.objects.filter(~Q(item__visibility="private"), item__project=project)


def _count(versions: QuerySet[ItemEvent]) -> int:
    """How many have a text: by two indexes, since to ask each would read past all texts."""
    numbered = versions.filter(version__isnull=False)
    return numbered.count() - numbered.filter(state__isnull=True).count()


def _project_text(project: Project) -> _Text:
    text = _APART.join([project.name, project.description, project.remote])
    return _Text("project", None, project.name, None, text)


def _current_texts(items: QuerySet[Item]) -> Iterator[_Text]:
    columns = [Cast(name, TextField()) if name in _JSON else F(name) for name in CONTENT]
    # The keys apart: else SQLite reads and sorts all texts before the first is there.
    ordered = Item.objects.filter(pk__in=items.order_by().values("pk")).order_by("pk")
    rows = ordered.values_list("kind", "number", "locked_at", "title", *columns)
    for kind, number, locked_at, title, *values in rows.iterator(CHUNK):
        shown = title if locked_at is None else ""
        read = [
            _decoded(value) if name in _JSON else value
            for name, value in zip(CONTENT, values, strict=True)
            if value
        ]
        yield _Text(kind, number, shown, None, _joined(read))


def _version_texts(versions: QuerySet[ItemEvent]) -> Iterator[_Text]:
    """The states and reasons of events; the state of the current version has been read."""
    wanted = versions.exclude(Q(reason="") & (Q(state__isnull=True) | _is_current()))
    rows = wanted.annotate(older=_older_state()).values_list(
        "item__kind", "item__number", "item__locked_at", "item__title", "item__version",
        "version", "reason", "older",
    )  # fmt: skip
    for kind, number, locked_at, title, current, version, reason, state in rows.order_by(
        "-pk"
    ).iterator(CHUNK):
        shown = title if locked_at is None else ""
        # An event without a version of its own belongs to the one that stood then.
        yield _Text(kind, number, shown, version or current, _joined([state, reason]))


def _is_current() -> Q:
    return Q(version=F("item__version"))


def _older_state() -> Case:
    return Case(When(_is_current(), then=None), default=F("state"), output_field=JSONField())


def _decoded(value: str) -> Any:
    """What a column of JSON holds; most hold nothing, and need not be read for it."""
    return None if value in _EMPTY else json.loads(value)


def _joined(values: list[Any]) -> str:
    texts: list[str] = []
    for value in values:
        if isinstance(value, str):
            texts.append(value)
        elif value:
            texts.extend(texts_in(value))
    return _APART.join(texts)


def _findings(texts: Iterable[_Text]) -> Iterator[Finding]:
    """What the texts hold; most hold nothing, and all of them are searched at once for that."""
    together = _BETWEEN.join(text.text for text in texts)
    has_secret, has_address = find_secret(together) is not None, find_address(together)
    if not has_secret and not has_address:
        return
    for text in texts:
        where = (text.kind, text.number, text.title, text.version)
        secret = find_secret(text.text) if has_secret else None
        if secret is not None:
            yield Finding(*where, Suspicion.SECRET, secret.kind)
        if has_address and find_address(text.text):
            yield Finding(*where, Suspicion.ADDRESS)
