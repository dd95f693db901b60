"""A memory that a person keeps across projects: as it stands, as it was, its history."""

import re
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from conderis.common.caller import Caller
from conderis.common.errors import Invalid, NotFound
from conderis.web.items.reading import ShownItem
from conderis.web.items.subjects import Routes, Subject, subject_at
from items.access import nothing_at
from items.kinds.base import Kind
from items.kinds.registry import all_kinds
from items.kinds.values import MAX_NUMBER
from items.requests import Address
from privacy.reading import read_in_full

WORD: Final = "memory:"
ROUTES: Final = Routes(
    "memory", "memory-history", "memory-version", "memory-compare", "memory-version-restore"
)
_ID: Final = re.compile(r"[0-9a-z]{1,20}")


def personal_kind() -> Kind:
    """The kind of what a person keeps across projects."""
    return next(kind for kind in all_kinds() if kind.personal)


def address_of(memory: str) -> Address:
    """How the services name the memory of this id.

    Raises:
        NotFound: it can be the id of none.
    """
    if not _ID.fullmatch(memory):
        raise nothing_at("such memory")
    return Address(ref=f"{WORD}{memory}")


def path_of(ref: object) -> str:
    """The address of the page of `memory:<id>`."""
    return reverse("memory", args=[str(ref).removeprefix(WORD)])


def read_memory(caller: Caller, memory: str, *, version: int | None = None) -> ShownItem:
    """The memory of this id, whole; or as it was at a version.

    Raises:
        NotFound: there is none of the caller's, or it never had this version.
    """
    address = address_of(memory)
    if version is not None and not 1 <= version <= MAX_NUMBER:
        raise nothing_at("such version")
    try:
        answer = read_in_full(caller, address, version=version)
    except Invalid as refusal:
        raise NotFound("There is no such version.") from refusal
    if answer.get("kind") != personal_kind().name:
        raise nothing_at("such memory")
    return ShownItem(answer)


def decision_path(item: ShownItem) -> str:
    """Where its author decides the request that has locked it; "" where none has."""
    locked = item.answer.get("locked")
    if not isinstance(locked, dict) or "request" not in locked:
        return ""
    return reverse("deletion", args=[str(locked["request"]).partition(":")[2]])


@dataclass(frozen=True, slots=True)
class MemoryFrame:
    """Where the pages of a memory are; nobody but its author decides about it."""

    caller: Caller
    memory: str

    def path(self, route: str, **more: str | int) -> str:
        """The address of one of its pages."""
        return reverse(route, kwargs={"memory": self.memory, **more})

    def reviews(self, kind: Kind, visibility: str) -> bool:
        """Whether a change would wait for a review: what is private never does."""
        del kind, visibility
        return False


def memory_subject(caller: Caller, memory: str) -> Subject:
    """The memory of this id, with its history.

    Raises:
        NotFound: there is none of the caller's.
    """
    address, frame = address_of(memory), MemoryFrame(caller, memory)
    subject = subject_at(frame, address, ROUTES, erase_what=f"{WORD}{memory}")
    if subject.kind != personal_kind():
        raise nothing_at("such memory")
    return subject
