"""How many proposals may wait, and how fast strangers may make new ones."""

from datetime import timedelta
from math import ceil

from django.db.models import QuerySet
from django.utils import timezone

from conderis.common.caller import Caller
from conderis.common.errors import Conflict, RateLimited
from items.access import subject_of
from items.models import Item
from projects.access import ProjectAccess
from projects.assignees import people_who_write
from projects.capabilities import Capability
from proposals.models import Proposal

MOST_IN_PROJECT = 50  # pending, of one proposer
MOST_ON_ITEM = 20  # pending, of one proposer
MOST_OF_STRANGERS = 100  # pending in a project, of all who may not write there
MOST_AN_HOUR = 20  # new ones of one stranger in a project
HOUR = timedelta(hours=1)


def refuse_too_many(caller: Caller, access: ProjectAccess, item: Item | None) -> None:
    """Refuse a proposal beyond what a proposer may have waiting; the project is locked.

    All of a person's agents count as that person.

    Raises:
        Conflict: too many are pending; it names the limit and what to do.
        RateLimited: a stranger has made too many in the last hour.
    """
    pending = Proposal.objects.filter(project=access.project, state=Proposal.State.PENDING)
    own = pending.filter(proposer=caller.person_id)
    if own.count() >= MOST_IN_PROJECT:
        raise _full(f"{MOST_IN_PROJECT} of your proposals are pending in this project")
    if item is not None and own.filter(item=item).count() >= MOST_ON_ITEM:
        raise _full(f"{MOST_ON_ITEM} of your proposals for {subject_of(item)} are pending")
    if Capability.WRITE not in access.capabilities:
        _refuse_stranger(caller, access, pending)


def _refuse_stranger(caller: Caller, access: ProjectAccess, pending: QuerySet[Proposal]) -> None:
    members = people_who_write(access.project).values("pk")
    if pending.exclude(proposer__in=members).count() >= MOST_OF_STRANGERS:
        raise Conflict(
            "This project has as many proposals of people without a role waiting as it takes "
            f"({MOST_OF_STRANGERS}). Try again when its moderators have decided some."
        )
    now = timezone.now()
    latest = Proposal.objects.filter(project=access.project, proposer=caller.person_id)
    made = list(
        latest.filter(created__gt=now - HOUR)
        .order_by("-created")
        .values_list("created", flat=True)[:MOST_AN_HOUR]
    )
    if len(made) == MOST_AN_HOUR:
        raise RateLimited(
            f"Without a role here you can propose {MOST_AN_HOUR} changes an hour. Wait, or send "
            "fewer, larger ones.",
            retry_after=max(1, ceil((made[-1] + HOUR - now).total_seconds())),
        )


def _full(what: str) -> Conflict:
    return Conflict(
        f"{what}; no more are taken. Withdraw some (item_list kind=proposal filter author=me, "
        "item_action withdraw), or wait until they are decided."
    )
