"""The start page of a person: what waits for them, what has changed, their projects."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from django.urls import reverse
from django.utils.translation import ngettext

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.web.comparing.marking import Piece
from conderis.web.deletions.rows import ShownRequest, shown_row
from conderis.web.items.lists import tally_of
from conderis.web.items.words import EVENTS, FIELDS, STATUS_ICONS, value_word
from conderis.web.moderation.rows import pieces_of
from conderis.web.moderation.words import heading_word, what_word
from items.kinds.base import Kind
from items.kinds.registry import all_kinds
from items.listing import list_items
from items.mine import Change, active_work, recent_changes
from items.overdue import is_overdue
from items.requests import ListRequest
from privacy.waiting import WaitingRequests, waiting_requests
from projects.access import ProjectAccess
from projects.mine import OwnProjects, latest_own_projects
from proposals.waiting import WaitingProposal, WaitingProposals, waiting_proposals

PROJECTS: Final = 12
ROWS: Final = 6
CHANGES: Final = 10


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """A project of the person, with how much waits and how much is to do there."""

    access: ProjectAccess
    waiting: int
    active: int

    @property
    def name(self) -> str:
        """`owner/name`."""
        return self.access.project.full_name

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it."""
        return self.access.project.is_public


@dataclass(frozen=True, slots=True)
class TaskRow:
    """Work of the person in one of their projects.

    `tally` has a stroke for each step of a priority, drawn or not.
    """

    entry: JsonObject
    project: str
    number: str
    href: str
    status: str
    status_icon: str
    is_overdue: bool
    priority: str
    tally: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """A proposal that the person may decide."""

    waiting: WaitingProposal
    title: tuple[Piece, ...]
    what: str
    href: str


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What has last happened to an item, in words."""

    change: Change
    word: str
    fields: str
    href: str

    @property
    def at(self) -> datetime:
        """When."""
        return self.change.at


@dataclass(frozen=True, slots=True)
class Dashboard:
    """All of it. Lists are the beginnings; totals count everything."""

    projects: list[ProjectRow]
    projects_total: int
    deletions: list[ShownRequest]
    deletions_total: int
    proposals: list[ProposalRow]
    proposals_total: int
    tasks: list[TaskRow]
    tasks_total: int
    tasks_more: bool
    changes: list[ChangeRow]

    @property
    def waits(self) -> int:
        """How many things wait for the person."""
        return self.deletions_total + self.proposals_total + self.tasks_total

    @property
    def says(self) -> str:
        """What waits, in one line."""
        return ", ".join(self._said())

    def _said(self) -> Iterator[str]:
        if self.deletions_total:
            said = ngettext("%(n)d deletion", "%(n)d deletions", self.deletions_total)
            yield said % {"n": self.deletions_total}
        if self.proposals_total:
            said = ngettext("%(n)d proposal", "%(n)d proposals", self.proposals_total)
            yield said % {"n": self.proposals_total}
        if self.tasks_more:
            said = ngettext("over %(n)d task", "over %(n)d tasks", self.tasks_total)
            yield said % {"n": self.tasks_total}
        elif self.tasks_total:
            said = ngettext("%(n)d task", "%(n)d tasks", self.tasks_total)
            yield said % {"n": self.tasks_total}


def read_dashboard(caller: Caller) -> Dashboard:
    """What the person's start page shows: what they may read, and nothing else in any count."""
    projects = latest_own_projects(caller, limit=PROJECTS)
    deletions = waiting_requests(caller, limit=ROWS)
    proposals = waiting_proposals(caller, limit=ROWS)
    tasks, total, more = _tasks(caller)
    return Dashboard(
        projects=_projects(caller, projects, deletions, proposals),
        projects_total=projects.total,
        deletions=[shown_row(row) for row in deletions.items],
        deletions_total=deletions.total,
        proposals=[_proposal(row) for row in proposals.items],
        proposals_total=proposals.total,
        tasks=tasks,
        tasks_total=total,
        tasks_more=more,
        changes=[_change(each) for each in recent_changes(caller, limit=CHANGES)],
    )


def _projects(
    caller: Caller, found: OwnProjects, deletions: WaitingRequests, proposals: WaitingProposals
) -> list[ProjectRow]:
    ids = [access.project.pk for access in found.items]
    active = active_work(caller, ids)
    return [
        ProjectRow(
            access=access,
            waiting=deletions.by_project.get(pk, 0) + proposals.by_project.get(pk, 0),
            active=active.get(pk, 0),
        )
        for pk, access in zip(ids, found.items, strict=True)
    ]


def _tasks(caller: Caller) -> tuple[list[TaskRow], int, bool]:
    """What is assigned to the person, over all projects, due first."""
    rows: list[TaskRow] = []
    total, more = 0, False
    for kind in all_kinds():
        if not kind.statuses:
            continue
        request = ListRequest(kind.name, filters={"assignee": "me"}, sort="due", limit=ROWS)
        answer = list_items(caller, request)
        rows += [_task(caller, kind, entry) for entry in answer["items"]]
        total += int(answer["total"])
        more = more or bool(answer.get("more"))
    return rows[:ROWS], total, more


def _task(caller: Caller, kind: Kind, entry: JsonObject) -> TaskRow:
    project, _hash, number = str(entry["ref"]).partition("#")
    status = str(entry.get("status", ""))
    due = date.fromisoformat(str(entry["due"])) if "due" in entry else None
    return TaskRow(
        entry=entry,
        project=project,
        number=number,
        href=item_path(project, number),
        status=value_word(status),
        status_icon=STATUS_ICONS.get(status, ""),
        is_overdue=is_overdue(caller, due=due, status=status),
        priority=value_word(str(entry["priority"])) if "priority" in entry else "",
        tally=tally_of(kind, entry),
    )


def _proposal(waiting: WaitingProposal) -> ProposalRow:
    title = heading_word(waiting.title, waiting.kind, waiting.count)
    owner, _slash, name = waiting.project.partition("/")
    return ProposalRow(
        waiting=waiting,
        title=pieces_of(title),
        what=what_word(waiting.action, waiting.kind, waiting.count),
        href=reverse("moderation-proposal", args=[owner, name, waiting.public_id]),
    )


def _change(change: Change) -> ChangeRow:
    if change.number is not None:
        href = item_path(change.project, change.number)
    else:
        owner, _slash, name = change.project.partition("/")
        href = reverse("project-instructions", args=[owner, name])
    return ChangeRow(
        change=change,
        word=str(EVENTS.get(change.event, change.event)),
        fields=_fields(change.changed) if change.event == "changed" else "",
        href=href,
    )


def _fields(names: Sequence[str]) -> str:
    return ", ".join(str(FIELDS.get(name, name)) for name in names)


def item_path(project: str, number: int | str) -> str:
    """The address of an item of `owner/name`."""
    owner, _slash, name = project.partition("/")
    return reverse("item", args=[owner, name, int(number)])
