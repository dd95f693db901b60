"""What the hygiene page of a project shows: score, curve, findings with what mends them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.web.projects.frame import ProjectFrame
from conderis.web.projects.hygiene_curve import Curve, curve_of
from conderis.web.projects.hygiene_deeds import OF_FOUND, OF_OTHERS, deeds_for
from conderis.web.projects.hygiene_words import WORDS
from items.hygiene import Finding
from items.hygiene.base import Found
from items.hygiene.lately import assess_lately
from items.hygiene.naming import NamedItem, items_named
from items.hygiene.points import hygiene_curve
from items.requests import Address
from privacy.reading import read_in_full
from projects.capabilities import Use

SHOWN = 10  # items of each finding


@dataclass(frozen=True, slots=True)
class Button:
    """A deed on an item: a form that is sent at once, or a link to one."""

    says: str
    href: str
    version: int
    is_plain: bool


@dataclass(frozen=True, slots=True)
class Line:
    """An item that was found, the others it concerns (those without a title by number)."""

    item: NamedItem
    others: Sequence[NamedItem | int]
    buttons: Sequence[Button]


@dataclass(frozen=True, slots=True)
class Section:
    """A finding as the page shows it."""

    name: str
    heading: str
    advice: str
    joins: str
    points: int
    lines: Sequence[Line]
    more: int


@dataclass(frozen=True, slots=True)
class Hygiene:
    """The whole page. `mends` says whether the caller sees buttons."""

    score: int
    curve: Curve | None
    sections: Sequence[Section]
    mends: bool


def hygiene_of(frame: ProjectFrame) -> Hygiene:
    """The project judged, with the titles of the items that are shown."""
    assessed = assess_lately(frame.access.project)
    named = items_named(frame.access, _numbers(assessed.findings))
    mends = frame.access.may(Use.WORK)
    return Hygiene(
        score=assessed.score,
        curve=curve_of(hygiene_curve(frame.access, assessed)),
        sections=[_section(frame, each, named, mends=mends) for each in assessed.findings],
        mends=mends,
    )


def read_to_mend(caller: Caller, project_id: str, number: int) -> JsonObject:
    """An item with its whole text, to be changed.

    Raises:
        NotFound: there is none that the caller may read.
    """
    address = Address(project_id, number=number)
    return {"content": "", **read_in_full(caller, address)}


def _numbers(findings: Iterable[Finding]) -> set[int]:
    shown = (each for finding in findings for each in finding.found[:SHOWN])
    return {number for each in shown for number in (each.number, *each.others)}


def _section(
    frame: ProjectFrame, finding: Finding, named: Mapping[int, NamedItem], *, mends: bool
) -> Section:
    name = finding.check.name
    words = WORDS[name]
    shown = [each for each in finding.found[:SHOWN] if each.number in named]
    return Section(
        name=name,
        heading=words.heading(finding.count),
        advice=str(words.advice),
        joins=str(words.joins or ""),
        points=finding.points,
        lines=[_line(frame, name, each, named, mends=mends) for each in shown],
        more=finding.count - len(shown),
    )


def _line(
    frame: ProjectFrame, check: str, found: Found, named: Mapping[int, NamedItem], *, mends: bool
) -> Line:
    item = named[found.number]
    others = [named.get(number, number) for number in found.others]
    buttons: list[Button] = []
    if mends:
        buttons += _buttons(frame, check, item, OF_FOUND[check])
        for each in others:
            if isinstance(each, NamedItem):
                buttons += _buttons(frame, check, each, OF_OTHERS.get(check, ()))
    return Line(item, others, buttons)


def _buttons(
    frame: ProjectFrame, check: str, item: NamedItem, deeds: tuple[str, ...]
) -> Iterable[Button]:
    for deed in deeds_for(deeds, item.kind):
        path = frame.path("project-hygiene-mend", number=item.number, deed=deed.name)
        yield Button(
            says=str(deed.says % {"number": item.number}),
            href=f"{path}?check={check}",
            version=item.version,
            is_plain=deed.is_plain,
        )
