"""Reports of imports as JSON, in the words of the contract, and as plain text."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conderis.common.json import JsonObject
from exchange.records import Problem, Report


def report_as_json(report: Report) -> JsonObject:
    """The report as surfaces answer it: what is empty is left out, but for the counts."""
    whole: JsonObject = {
        "made": dict(report.made),
        "known": report.known,
        "leftOut": _problems(report.left_out),
        "differing": list(report.differing),
        "warnings": [*_problems(report.warnings), *_more(report.more_warnings)],
        "numbers": {str(old): new for old, new in sorted(report.numbers.items())},
        "tombstones": report.tombstones,
        "secrets": report.secrets,
    }
    return {name: value for name, value in whole.items() if value or name in ("made", "known")}


def report_lines(report: JsonObject) -> Iterator[str]:
    """The whole report as plain text, line by line: counts first, then each thing by name."""
    for kind, many in report.get("made", {}).items():
        yield f"{kind}: {many}"
    yield _("Known from an earlier import: %(n)s") % {"n": report.get("known", 0)}
    if report.get("tombstones"):
        yield _("Numbers without an item: %(n)s") % {"n": report["tombstones"]}
    yield from _section(_("Left out"), _said(report.get("leftOut", [])))
    yield from _section(_("Changed in the source since"), report.get("differing", []))
    yield from _section(_("Notes"), _said(report.get("warnings", [])))
    numbers = report.get("numbers", {}).items()
    yield from _section(_("Numbers"), (f"#{old} -> #{new}" for old, new in numbers))


def _problems(problems: Iterable[Problem]) -> list[JsonObject]:
    return [{"place": each.place, "reason": each.reason} for each in problems]


def _more(count: int) -> list[JsonObject]:
    """What stands in the place of warnings that are not named."""
    if not count:
        return []
    reason = ngettext(
        "%(count)d more note is not named here.", "%(count)d more notes are not named here.", count
    )
    return [{"place": "", "reason": reason % {"count": count}}]


def _said(problems: Iterable[JsonObject]) -> Iterator[str]:
    for each in problems:
        yield f"{each['place']}: {each['reason']}" if each["place"] else str(each["reason"])


def _section(heading: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield ""
        yield f"{heading} ({len(found)})"
        yield from (f"- {line}" for line in found)
