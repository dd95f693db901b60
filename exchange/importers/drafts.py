"""A record that is being put together: what fits no field goes into its content."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conderis.common.errors import DomainError
from conderis.common.json import Json
from conderis.common.text import clean_line
from exchange.importers.front_matter import FrontMatter, as_code
from exchange.importers.texts import (
    Comment,
    comments,
    cut,
    details,
    escape_numbers,
    with_sections,
)
from exchange.importers.values import line_of, text_of
from exchange.records import Credit, Link, Problem, Record
from items.kinds.registry import kind_of
from items.kinds.values import MAX_TAG, MAX_TAGS, Line, Text

_TITLE: Final = "title"
_CONTENT: Final = "content"
_GAP: Final = "\n\n"


@dataclass(slots=True)
class Draft:
    """A record to be.

    `content` is the source's text; `sections` follow it, then what `details` name, then the
    `comments`, of which the earliest are left out where they do not fit. `other_kind` takes a
    text that is too long for `kind`.
    """

    key: str
    place: str
    kind: str
    title: str = ""
    content: str = ""
    other_kind: str = ""
    tags: list[str] = field(default_factory=list)
    sections: list[str] = field(default_factory=list)
    details: list[tuple[str, str]] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    fields: dict[str, Json] = field(default_factory=dict)
    parent: str | None = None
    links: list[Link] = field(default_factory=list)
    credit: Credit = field(default_factory=Credit)
    created: datetime | None = None
    changed: datetime | None = None
    warnings: list[str] = field(default_factory=list)

    def take_rest(self, front: FrontMatter) -> None:
        """Keep what of the front matter nobody has taken."""
        self.details.extend(front.rest())
        self.sections.append(as_code(front.unread))

    def finished(self) -> Record | Problem:
        """The record, or why there can be none."""
        tags = self._fitting_tags()
        content = self._whole_content()
        limit = limit_of(self.kind, _CONTENT)
        if len(content) > limit and self.other_kind:
            self.warnings.append(
                _("The text is too long for its kind (%(limit)d characters); it became a page.")
                % {"limit": limit}
            )
            self.kind, self.other_kind = self.other_kind, ""
            self.details.append(("Summary", text_of(self.fields.get("summary"))))
            self.fields = {}
            return self.finished()
        if len(content) > limit:
            return Problem(self.place, _too_long(content, limit))
        return self._record(self._with_comments(content, limit), tags)

    def _with_comments(self, content: str, limit: int) -> str:
        """The content with as many of the latest comments as fit."""
        room = limit - len(content) - len(_GAP)
        fitting: list[Comment] = []
        for comment in reversed(self.comments):
            room -= len(escape_numbers(comments([comment]))) + len(_GAP)
            if room < 0:
                break
            fitting.insert(0, comment)
        if left := len(self.comments) - len(fitting):
            reason = ngettext(
                "The earliest comment is left out: with it the text would be too long.",
                "The earliest %(count)d of %(all)d comments are left out: with them the text "
                "would be too long.",
                left,
            )
            self.warnings.append(reason % {"count": left, "all": len(self.comments)})
        section = escape_numbers(comments(fitting))
        return with_sections(content, section) if section else content

    def _record(self, content: str, tags: list[str]) -> Record:
        fields: dict[str, Json] = {**self.fields, _CONTENT: content}
        if _TITLE in kind_of(self.kind).by_name:
            title, was_cut = cut(self.title, limit_of(self.kind, _TITLE))
            fields[_TITLE] = title
            if was_cut:
                self.warnings.append(_("The title was too long; all of it begins the content."))
        if tags and "tags" in kind_of(self.kind).by_name:
            fields["tags"] = tags
        return Record(
            self.key, self.place, self.kind, fields, parent=self.parent, links=tuple(self.links),
            credit=self.credit, created=self.created, changed=_later(self.created, self.changed),
            warnings=tuple(self.warnings),
        )  # fmt: skip

    def _whole_content(self) -> str:
        titled = _TITLE in kind_of(self.kind).by_name
        long = titled and len(self.title) > limit_of(self.kind, _TITLE)
        content = f"{self.title}\n\n{self.content}" if long else self.content
        parts = [part for part in (*self.sections, details(self.details)) if part]
        return escape_numbers(with_sections(content, *parts) if parts else content)

    def _fitting_tags(self) -> list[str]:
        """The tags that fit; the others become a detail."""
        fitting: list[str] = []
        left: list[str] = []
        for tag in self.tags:
            clean = _clean_tag(tag)
            if clean in fitting or clean == "":
                continue
            if clean is None or len(fitting) >= MAX_TAGS:
                left.append(line_of(tag))
            else:
                fitting.append(clean)
        if left:
            self.details.append(("Tags", ", ".join(left)))
            self.warnings.append(
                _(
                    "Some tags do not fit (up to %(count)d of %(length)d characters); they stand "
                    "in the Details."
                )
                % {"count": MAX_TAGS, "length": MAX_TAG}
            )
        self.tags = fitting
        return fitting


def tags_of(*groups: Iterable[str]) -> list[str]:
    """Tags of several places as one list, without a `#` before them and without doubles."""
    named = (tag.strip().lstrip("#").strip("/").strip() for group in groups for tag in group)
    return list(dict.fromkeys(tag for tag in named if tag))


def _clean_tag(tag: str) -> str | None:
    try:
        return clean_line(line_of(tag), field="tags", limit=MAX_TAG)
    except DomainError:
        return None


def limit_of(kind: str, name: str) -> int:
    """How many characters a text of a kind may have."""
    value_type = kind_of(kind).by_name[name].type
    if not isinstance(value_type, Line | Text):  # asked for texts alone
        raise TypeError(name)
    return value_type.limit


def _too_long(content: str, limit: int) -> str:
    return _(
        "The text has %(length)d characters, and at most %(limit)d can be stored. Split it in the "
        "source, then import it again."
    ) % {"length": len(content), "limit": limit}


def _later(created: datetime | None, changed: datetime | None) -> datetime | None:
    """The time of the last change, unless it lies before the creation."""
    if created is None or changed is None:
        return changed
    return max(created, changed)
