"""Making a record fit: titles within their limit, one line, not too many tags, times in order.

Nothing is cut silently: what is taken away is put elsewhere in the item, and said.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from django.utils.translation import gettext as _

from conderis.common.json import Json, JsonObject
from conderis.common.text import LINE_BREAKS
from exchange.importers.texts import cut, one_line
from exchange.records import Credit, Record
from items.crediting import AGENT, APPROVER, APPROVER_AGENT, NAME
from items.kinds.base import Kind
from items.kinds.values import MAX_TAG, MAX_TAGS, Line, Tags

MAX_NAME: Final = 100
UNKNOWN: Final = "Unknown"
_UNSEEN: Final = {"Cf", "Cc", "Co", "Cs", "Zl", "Zp"}


@dataclass(slots=True)
class Fitted:
    """The fields of a record as an item takes them, and what had to be changed for it."""

    fields: JsonObject
    warnings: list[str] = field(default_factory=list)


def fitted(record: Record, kind: Kind) -> Fitted:
    """The record's fields within the limits that can be kept by moving text."""
    found = Fitted(dict(record.fields), list(record.warnings))
    for each in kind.fields:
        value = found.fields.get(each.name)
        if isinstance(each.type, Line) and isinstance(value, str):
            _fit_line(found, each.name, value, each.type.limit)
        elif isinstance(each.type, Tags) and isinstance(value, list):
            _fit_tags(found, each.name, value)
    return found


def _fit_line(found: Fitted, name: str, value: str, limit: int) -> None:
    line = _as_line(value)
    short, was_cut = cut(unicodedata.normalize("NFC", line), limit)
    found.fields[name] = short
    if not was_cut:
        return
    content = found.fields.get("content")
    text = content if isinstance(content, str) else ""
    found.fields["content"] = f"{line}\n\n{text}" if text else line
    found.warnings.append(
        _(
            "The field %(field)s is longer than %(limit)s characters: it was cut, and the whole "
            "of it stands at the beginning of the text."
        )
        % {"field": name, "limit": limit}
    )


def _as_line(value: str) -> str:
    """The text on one line, with its blanks and tabs as they are where it is one."""
    return one_line(value) if LINE_BREAKS.search(value) else value.strip()


def _fit_tags(found: Fitted, name: str, value: list[Json]) -> None:
    tags: list[Json] = []
    for each in value:
        tag, was_cut = cut(_as_line(each), MAX_TAG) if isinstance(each, str) else (each, False)
        if was_cut:
            values = {"tag": tag, "limit": MAX_TAG}
            found.warnings.append(_("A tag was cut to %(limit)s characters: %(tag)s") % values)
        if tag not in ("", *tags):
            tags.append(tag)
    if len(tags) > MAX_TAGS:
        left = ", ".join(str(tag) for tag in tags[MAX_TAGS:])
        found.warnings.append(
            _("An item has at most %(most)s tags. Left out: %(tags)s")
            % {"most": MAX_TAGS, "tags": left}
        )
    found.fields[name] = tags[:MAX_TAGS]


def credit_of(credit: Credit) -> JsonObject | None:
    """The names of a credit as they are kept; None where it names nobody."""
    names = {
        NAME: _name(credit.name),
        AGENT: _name(credit.agent),
        APPROVER: _name(credit.approver),
        APPROVER_AGENT: _name(credit.approver_agent),
    }
    found: dict[str, Any] = {key: name for key, name in names.items() if name}
    if found and NAME not in found:
        found[NAME] = UNKNOWN
    return found or None


def _name(sent: str) -> str:
    """A name on one line, without characters that nobody sees, which could feign another."""
    seen = "".join(
        one
        for one in unicodedata.normalize("NFC", sent)
        if unicodedata.category(one) not in _UNSEEN
    )
    return cut(one_line(seen), MAX_NAME)[0]


def times_of(record: Record, now: datetime) -> tuple[datetime, datetime]:
    """When it was created and when it was last changed; what is not said is now.

    Nothing is later than now: what a clock ahead of ours says becomes now.
    """
    created = moment(record.created or record.changed or now, now)
    return created, max(created, moment(record.changed or created, now))


def moment(at: datetime, now: datetime) -> datetime:
    """The moment, at most now; without an offset it is UTC."""
    aware = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    return min(aware, now)


def text_of(fields: Mapping[str, Json], name: str) -> str:
    """A field that is text; empty where it is none."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""
