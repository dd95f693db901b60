"""What one agent did in a span of time, and what undoing it does, as the page shows it."""

from datetime import datetime
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conderis.web.moderation.words import kind_word, several_fields
from conderis.web.projects.frame import ProjectFrame
from conderis.web.refusals import in_words
from items.access import visible_items
from proposals.access import visible_proposals
from proposals.undoing import Run, RunItem, Undo

MOST_AGENTS = 200
REMAINING: Final[dict[str, Promise]] = {
    "item.moved": gettext_lazy("Moved"),
    "item.relate": gettext_lazy("Relation added"),
    "item.unrelate": gettext_lazy("Relation removed"),
    "deletion.requested": gettext_lazy("Deletion requested"),
}


def agents_here(frame: ProjectFrame) -> list[tuple[str, str]]:
    """Agents that have changed or proposed something here, by reference and name."""
    changed = visible_items(frame.caller, frame.access.project).filter(
        events__author_agent__isnull=False
    )
    names = ("public_id", "name", "person__display_name")
    found = set(_distinct(changed, "events__author_agent", names))
    proposed = visible_proposals(frame.caller, frame.access).filter(proposer_agent__isnull=False)
    found |= set(_distinct(proposed, "proposer_agent", names))
    listed = sorted(found, key=lambda row: (row[1].casefold(), row[2].casefold()))
    return [
        (f"agent:{public_id}", _("%(agent)s, of %(person)s") % {"agent": name, "person": person})
        for public_id, name, person in listed[:MOST_AGENTS]
    ]


def shown_run(frame: ProjectFrame, run: Run) -> dict[str, Any]:
    """The run for the template: a line for each item, and what the button undoes.

    `undo_word` is empty where there is nothing to undo.
    """
    lines = [
        {
            "number": each.item.get("number"),
            "icon": each.kind,
            "title": each.title or kind_word(each.kind).capitalize(),
            "versions": _versions(each.versions),
            "fields": several_fields(each.fields),
            "left": each.undo is Undo.LEAVE,
            "does": _does(each),
            "because": in_words(each.because or "")
            or (_("nothing undoes it") if each.undo is Undo.LEAVE else ""),
        }
        for each in run.items
    ]
    own = _is_own(frame, run)
    return {
        "run": run,
        "lines": lines,
        "remaining": [
            {
                "what": str(REMAINING.get(str(each["action"]), _("Moved"))),
                "subject": each["subject"],
                "at": datetime.fromisoformat(str(each["at"])),
            }
            for each in run.remaining
        ],
        "own_agent": own,
        "undo_word": _undo_word(
            changes=sum(1 for line in lines if not line["left"]),
            proposals=len(run.proposals),
            own=own,
        ),
        "left": sum(1 for line in lines if line["left"]),
    }


def _undo_word(*, changes: int, proposals: int, own: bool) -> str:
    """The button: what is undone, and what becomes of the proposals. One's own are withdrawn."""
    taken = {"count": proposals}
    undone = ngettext("Undo %(count)d change", "Undo %(count)d changes", changes)
    if not proposals:
        return undone % {"count": changes} if changes else ""
    if not changes and own:
        return (
            ngettext("Withdraw %(count)d proposal", "Withdraw %(count)d proposals", proposals)
            % taken
        )
    if not changes:
        return (
            ngettext("Reject %(count)d proposal", "Reject %(count)d proposals", proposals) % taken
        )
    if own:
        also = ngettext("withdraw %(count)d proposal", "withdraw %(count)d proposals", proposals)
    else:
        also = ngettext("reject %(count)d proposal", "reject %(count)d proposals", proposals)
    return _("%(undo)s, %(also)s") % {"undo": undone % {"count": changes}, "also": also % taken}


def _is_own(frame: ProjectFrame, run: Run) -> bool:
    """Whether the agent is the caller's own, as far as its pending proposals tell."""
    rows = visible_proposals(frame.caller, frame.access)
    agent = str(run.agent["ref"]).removeprefix("agent:")
    own = rows.filter(proposer_agent__public_id=agent, proposer=frame.caller.person_id)
    return bool(run.proposals) and own.exists()


def _versions(versions: tuple[int, ...]) -> str:
    if len(versions) == 1:
        return _("version %(version)s") % {"version": versions[0]}
    return _("versions %(versions)s") % {"versions": ", ".join(map(str, versions))}


def _does(each: RunItem) -> str:
    if each.undo is Undo.BACK:
        if not each.to_version:
            return _("is emptied")
        return _("goes back to version %(old)s, as version %(new)s") % {
            "old": each.to_version,
            "new": each.current_version + 1,
        }
    if each.undo is Undo.ARCHIVE:
        return _("is archived")
    return _("is canceled") if each.undo is Undo.CANCEL else _("stays as it is")


def _distinct(rows: Any, way: str, names: tuple[str, ...]) -> Any:
    return rows.order_by().values_list(*(f"{way}__{name}" for name in names)).distinct()
