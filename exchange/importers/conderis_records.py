"""An item of an export of this product as a record."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _

from conderis.common.json import Json, JsonObject
from exchange.importers.conderis_histories import assignee_of, credit_of, history_of
from exchange.importers.conderis_lines import Survey, number_in
from exchange.importers.values import line_of, moment_of, storable
from exchange.records import Link, Problem, Record
from items.kinds.registry import all_kinds
from items.kinds.relations import INVERSE
from items.kinds.values import Assignee, Text, read_number

MAX_KEY: Final = 100
_POSITION: Final = "position"
_BLOCKED: Final = "blockedReason"


@dataclass(slots=True)
class Found:
    """An item's line with the entries of its history."""

    place: str
    line: JsonObject
    events: list[JsonObject] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        """The item's id there; "" where it has none."""
        key = self.line.get("id")
        return key if isinstance(key, str) and len(key) <= MAX_KEY else ""


def record_of(found: Found, survey: Survey) -> Record | Problem:
    """The record, or why there can be none."""
    line = found.line
    kind = next((each for each in all_kinds() if each.name == line.get("kind")), None)
    sent = line.get("fields")
    if kind is None:
        name = line_of(line.get("kind"))[:40]
        return Problem(
            found.place, _("There is no kind “%(kind)s” here.") % {"kind": storable(name)}
        )
    if not found.key or not isinstance(sent, dict):
        return Problem(found.place, _("The item has no id or no fields."))
    known = {each.name: each for each in kind.fields if each.historic}
    warnings = list(found.warnings)
    # An empty text is none in a line and an empty one in a file: the same item either way.
    fields: dict[str, Json] = {
        each.name: "" for each in known.values() if isinstance(each.type, Text)
    }
    assignee = None
    for name, value in sent.items():
        if name not in known:
            warnings.append(
                _("It has a field “%(name)s” that is not known here; it is left out.")
                % {"name": storable(line_of(name)[:40])}
            )
        elif isinstance(known[name].type, Assignee):
            assignee = assignee_of(value)
        else:
            fields[name] = value
    position = read_number(line.get(_POSITION))
    if position is not None and _POSITION in kind.by_name:
        fields[_POSITION] = position
    if isinstance(line.get(_BLOCKED), str):
        fields[_BLOCKED] = line[_BLOCKED]
    created = moment_of(line.get("created"))
    version = line.get("version")
    history, said = history_of(version if isinstance(version, int) else 1, created, found.events)
    parent = _parent(line.get("parent"), survey, warnings)
    return Record(
        key=found.key,
        place=found.place,
        kind=kind.name,
        fields=fields,
        parent=parent,
        links=_links(line.get("relations"), survey, warnings),
        credit=credit_of(line.get("author")),
        created=created,
        changed=moment_of(line.get("changed")),
        archived=moment_of(line.get("archived")),
        number=_number(found, survey) if kind.numbered else None,
        version=max((each.version or 1 for each in history), default=1),
        history=history,
        assignee=assignee,
        rewrites=True,
        source=survey.project,
        warnings=(*warnings, *said),
    )


def _number(found: Found, survey: Survey) -> int | None:
    """Its number, unless another item has it, too."""
    number = number_in(found.line.get("number"))
    return number if number is not None and survey.ids.get(number) == found.key else None


def _parent(value: Json, survey: Survey, warnings: list[str]) -> str | None:
    if value is None:
        return None
    key = survey.ids.get(number_in(value) or 0)
    if key is None:
        warnings.append(
            _("What it stood under is not in the export; it comes to the top of its kind.")
        )
    return key


def _links(value: Json, survey: Survey, warnings: list[str]) -> Sequence[Link]:
    links = []
    for each in value if isinstance(value, list) else []:
        entry = each if isinstance(each, dict) else {}
        key = survey.ids.get(number_in(entry.get("number")) or 0)
        name = entry.get("relation")
        if key is None or not isinstance(name, str) or name not in INVERSE:
            warnings.append(_("A relation of it is left out: its other end is not in the export."))
        else:
            links.append(Link(name, key))
    return tuple(links)
