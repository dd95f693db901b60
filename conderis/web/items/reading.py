"""An item, or an earlier version of it, as its page shows it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from django.utils.functional import cached_property

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import Json, JsonObject
from conderis.web.items.commits import commit_url
from conderis.web.items.linking import linker_of
from conderis.web.items.words import LISTS, STATUS_ICONS, value_word
from conderis.web.markdown import Linker, Rendered, render_outlined
from items.access import nothing_at
from items.kinds.registry import kind_of
from items.kinds.values import MAX_NUMBER
from items.requests import Address
from privacy.reading import read_in_full

# An item counts these among its children, where lists leave them out unless asked.
_OF_CHILDREN: Final = {"includeClosed", "includeExpired"}


@dataclass(frozen=True)
class ShownItem:
    """What `item_get` answers, with the whole text, and the words of the page."""

    answer: JsonObject
    linker: Linker | None = None

    @property
    def number(self) -> int:
        """Its number in the project."""
        return int(self.answer["number"])

    @property
    def kind(self) -> str:
        """Its kind."""
        return str(self.answer["kind"])

    @property
    def title(self) -> str:
        """Its title; none of a locked or erased one."""
        return str(self.answer.get("title", ""))

    @property
    def version(self) -> int:
        """The version that is shown."""
        return int(self.answer["version"])

    @property
    def current(self) -> int:
        """The version that stands."""
        return int(self.answer.get("currentVersion", self.version))

    @property
    def is_current(self) -> bool:
        """Whether this is how it stands."""
        return self.version == self.current

    @property
    def is_readable(self) -> bool:
        """Whether there is a text to show: neither locked nor erased, and not left out."""
        return self.answer.keys().isdisjoint({"locked", "erased", "notExported"})

    @property
    def is_changeable(self) -> bool:
        """Whether it is shown as it stands, and neither locked, erased nor archived."""
        return self.is_readable and self.is_current and "archived" not in self.answer

    @cached_property
    def text(self) -> Rendered:
        """The content, laid out."""
        content = str(self.answer.get("content") or "")
        return render_outlined(content, base_level=2, linker=self.linker)

    @property
    def changed(self) -> datetime | None:
        """When this version was made."""
        return _moment(self.answer.get("changed"))

    @property
    def erased_at(self) -> datetime | None:
        """When it was erased for good."""
        erased = self.answer.get("erased")
        return _moment(erased.get("at")) if isinstance(erased, dict) else None

    @property
    def status(self) -> str:
        """The word of its status."""
        status = str(self.answer.get("status", ""))
        return value_word(status) if status else ""

    @property
    def status_icon(self) -> str:
        """The glyph of its status."""
        return STATUS_ICONS.get(str(self.answer.get("status", "")), "")

    @property
    def words(self) -> dict[str, str]:
        """The words of the fields that hold one of a few."""
        names = ("type", "visibility", "weight", "priority")
        return {name: value_word(str(self.answer[name])) for name in names if name in self.answer}

    @property
    def list_route(self) -> str:
        """The name of the address of its kind's list."""
        return LISTS[self.kind]

    @property
    def all_children(self) -> str:
        """What to ask the list for to get all its children; empty where all are shown."""
        if int(self.answer.get("childrenTotal", 0)) <= len(self.answer.get("children", [])):
            return ""
        switches = {each.name for each in kind_of(self.kind).filters} & _OF_CHILDREN
        if self.answer.get("archived"):
            switches |= {"includeArchived"}
        return urlencode({"parent": self.number, **dict.fromkeys(sorted(switches), "true")})

    @property
    def children(self) -> list[JsonObject]:
        """The first of what stands below it, each with the word of its status."""
        return [with_status(each) for each in self.answer.get("children", [])]

    @property
    def ends(self) -> datetime | None:
        """When it expires."""
        return _moment(self.answer.get("expiresAt"))

    @property
    def commits(self) -> list[JsonObject]:
        """Its commits, each with the address where its host shows it, if that is known."""
        return [_commit(str(each["sha"]), each) for each in self.answer.get("commits", [])]

    @property
    def verified(self) -> JsonObject | None:
        """The commit that it was checked against, likewise."""
        state = self.answer.get("verifiedAgainst")
        return _commit(str(state["commit"]), state) if isinstance(state, dict) else None


def with_status(entry: JsonObject) -> JsonObject:
    """The short entry of an item with the word and the glyph of its status, if it has one."""
    status = str(entry.get("status", ""))
    if not status:
        return entry
    return entry | {"status_word": value_word(status), "status_icon": STATUS_ICONS.get(status, "")}


def read_shown(
    caller: Caller, project_id: str, number: int, *, version: int | None = None
) -> ShownItem:
    """The item of a number, whole, however long; or as it was at a version.

    Raises:
        NotFound: there is none that the caller may read.
        Invalid: it never had this version.
    """
    if not 1 <= number <= MAX_NUMBER:
        raise nothing_at(f"#{number}")
    if version is not None and not 1 <= version <= MAX_NUMBER:
        raise Invalid("There is no such version.", field="version")
    address = Address(project_id, number=number)
    answer = read_in_full(caller, address, version=version)
    return ShownItem(answer, linker_of(caller, project_id))


def _moment(text: Json) -> datetime | None:
    return datetime.fromisoformat(str(text)) if text else None


def _commit(sha: str, linked: JsonObject) -> JsonObject:
    return {"sha": sha, "url": commit_url(str(linked.get("repository", "")), sha)}
