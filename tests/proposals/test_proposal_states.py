"""Proposing, deciding and changing in any order, by several people, against a model.

No text is ever lost or overwritten unseen, and every state that a proposal comes to can be
explained from its row and the histories.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from conderis.common.caller import Caller
from conderis.common.errors import DomainError
from conderis.common.json import JsonObject
from items.models import Item, ItemEvent
from projects.capabilities import Role
from proposals.models import Proposal
from proposals.preview import preview_of
from proposals.reviewing import approve, reject
from proposals.withdrawing import withdraw
from tests.factories import agent_caller, join, make_person, make_project, person_caller
from tests.items.calls import act, change, create

EXPECTED = {"conflict", "denied", "invalid", "not_found"}
ROLES = {
    "owner": Role.OWNER,
    "moderator": Role.MODERATOR,
    "second": Role.MODERATOR,
    "contributor": Role.CONTRIBUTOR,
    "other": Role.CONTRIBUTOR,
}
anyone = st.sampled_from(sorted(ROLES))
places = st.integers(0, 5)
with_items = precondition(lambda _: Item.objects.exists())
with_proposals = precondition(lambda _: Proposal.objects.exists())
with_pending = precondition(lambda _: Proposal.objects.filter(state="pending").exists())


class Proposing(RuleBasedStateMachine):
    """Pages of one project; every line ever written is different from all others."""

    def __init__(self) -> None:
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.people = {name: make_person(name) for name in ROLES}
        self.project = make_project(self.people["owner"])
        for name, role in ROLES.items():
            if name != "owner":
                join(self.project, self.people[name], role)
        self.callers: dict[str, Caller] = {
            name: agent_caller(person) for name, person in self.people.items()
        }
        self.lines = count(1)
        self.published: dict[int, list[tuple[str, str]]] = {}
        self.proposed: dict[str, JsonObject] = {}

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    # What happens

    def line(self) -> str:
        return f"line {next(self.lines)}"

    def attempt(self, call: Callable[[], JsonObject]) -> JsonObject | None:
        """The answer, or None when it was refused; then nothing at all has changed."""
        before = self.fingerprint()
        refused: DomainError | None = None
        try:
            answer = call()
        except DomainError as refusal:
            refused = refusal
        if refused is not None:
            assert refused.code in EXPECTED, refused
            assert refused.message
            assert self.fingerprint() == before
            return None
        if answer["outcome"] == "unchanged":
            assert self.fingerprint() == before
        if answer["outcome"] == "proposed":
            row = proposal_at(str(answer["proposal"]))
            self.proposed[row.ref] = dict(row.fields)
            assert self.fingerprint()[:-1] == before[:-1]  # the items are as they were
        for item in Item.objects.all():
            texts = self.published.setdefault(item.pk, [])
            if not texts or texts[-1] != (item.title, item.content):
                texts.append((item.title, item.content))
        return answer

    def fingerprint(self) -> tuple[Any, ...]:
        items = Item.objects.order_by("pk").values_list(
            "pk", "version", "title", "content", "parent", "archived_at"
        )
        proposals = Proposal.objects.order_by("pk").values_list("pk", "state", "decided_by")
        return (*items, ItemEvent.objects.count(), tuple(proposals))

    def item(self, place: int) -> Item | None:
        rows = list(Item.objects.order_by("number"))
        return rows[place % len(rows)] if rows else None

    def proposal(self, place: int) -> Proposal:
        """One of those that wait, else any."""
        rows = list(Proposal.objects.order_by("pk"))
        waiting = [row for row in rows if row.state == Proposal.State.PENDING] or rows
        return waiting[place % len(waiting)]

    @rule(who=anyone)
    def create(self, who: str) -> None:
        content = "\n".join(self.line() for _ in range(4))
        title = f"Title {next(self.lines)}"
        self.attempt(
            lambda: create(self.callers[who], self.project, "page", title=title, content=content)
        )

    @with_items
    @rule(who=anyone, where=places, at=places, how=st.sampled_from(["before", "instead", "drop"]))
    def edit(self, who: str, where: int, at: int, how: str) -> None:
        item = self.item(where)
        assert item is not None
        lines = item.content.split("\n")
        start = at % (len(lines) + 1)
        added = [] if how == "drop" else [self.line()]
        lines[start : start + (how != "before")] = added
        content = "\n".join(lines)
        self.attempt(
            lambda: change(self.callers[who], self.project, item.number or 0, item.version,
                           content=content, complete=True)
        )  # fmt: skip

    @with_items
    @rule(who=anyone, where=places, stale=st.booleans())
    def rename(self, who: str, where: int, *, stale: bool) -> None:
        item = self.item(where)
        assert item is not None
        version = item.version - stale
        title = f"Title {next(self.lines)}"
        answer = self.attempt(
            lambda: change(self.callers[who], self.project, item.number or 0, version, title=title)
        )
        assert not (stale and answer)

    @with_items
    @rule(who=anyone, where=places, under=st.none() | places)
    def move(self, who: str, where: int, under: int | None) -> None:
        item = self.item(where)
        parent = self.item(under) if under is not None else None
        assert item is not None
        number = parent.number if parent is not None else None
        self.attempt(
            lambda: change(self.callers[who], self.project, item.number or 0, parent=number)
        )

    @with_items
    @rule(who=anyone, where=places)
    def toggle(self, who: str, where: int) -> None:
        item = self.item(where)
        assert item is not None
        action = "restore" if item.archived_at is not None else "archive"
        self.attempt(
            lambda: act(self.callers[who], self.project, item.number or 0, action, item.version)
        )

    @with_proposals
    @rule(who=anyone, which=places, named=st.booleans())
    def approve(self, who: str, which: int, *, named: bool) -> None:
        row = self.proposal(which)
        caller = self.callers[who]
        before = row.item
        version = before.version if before is not None and named else None
        waits = row.state == Proposal.State.PENDING
        answer = self.attempt(lambda: approve(caller, row.ref, version=version))
        if answer is None or not waits:
            return
        assert ROLES[who] in {Role.OWNER, Role.MODERATOR}
        assert row.proposer_id != caller.person_id
        if before is not None and "content" in row.fields:
            self.lost_nothing(row, before)

    def lost_nothing(self, row: Proposal, before: Item) -> None:
        """Both sides' new lines stand; what neither side kept is gone."""
        after = Item.objects.get(pk=before.pk)
        state = before.events.get(version=row.base_version).state
        assert state is not None
        base = set(state.get("content", "").split("\n"))
        now, wanted = (
            set(text.split("\n")) for text in (before.content, row.fields["content"] or "")
        )
        stands = after.content.split("\n")
        assert set(stands) >= (now - base - {""}) | (wanted - base - {""})
        assert set(stands) <= (now | wanted | {""}) - (base - (now & wanted)) | {""}
        texts = [line for line in stands if line]
        assert len(texts) == len(set(texts))

    @with_proposals
    @rule(who=anyone, which=places)
    def reject(self, who: str, which: int) -> None:
        row = self.proposal(which)
        self.attempt(lambda: reject(self.callers[who], row.ref, reason="Because"))

    @with_proposals
    @rule(who=anyone, which=places)
    def withdraw(self, who: str, which: int) -> None:
        row = self.proposal(which)
        self.attempt(lambda: withdraw(self.callers[who], row.ref))

    @with_pending
    @rule(which=places, who=st.sampled_from(["moderator", "second"]))
    def what_the_preview_says_is_what_comes(self, which: int, who: str) -> None:
        row = self.proposal(which)
        caller = person_caller(self.people[who])
        preview = preview_of(caller, row.ref)
        answer = self.attempt(lambda: approve(caller, row.ref, version=preview.current_version))
        possible = preview.blocked is None and not preview.conflicts and preview.may_approve
        assert possible == (answer is not None)
        if answer is not None:
            assert preview.result is not None
            item = Item.objects.get(number=answer["number"])
            assert preview.result.get("content", "") == item.content
            assert preview.result["title"] == item.title

    # What always holds

    @invariant()
    def every_text_is_in_the_history(self) -> None:
        for item in Item.objects.all():
            events = list(item.events.filter(version__isnull=False).order_by("version"))
            assert [event.version for event in events] == [*range(1, item.version + 1)]
            texts = [
                (event.state["title"], event.state.get("content", ""))
                for event in events
                if event.state is not None
            ]
            assert texts[-1] == (item.title, item.content)
            assert set(self.published[item.pk]) <= set(texts)

    @invariant()
    def every_proposal_is_explained(self) -> None:
        for row in Proposal.objects.select_related("item"):
            assert row.fields == self.proposed[row.ref]
            if row.state == Proposal.State.PENDING:
                assert (row.decided_by, row.decided_at, row.result_version) == (None, None, None)
                continue
            assert row.decided_at is not None
            own = row.decided_by_id == row.proposer_id
            assert own == (row.state == Proposal.State.WITHDRAWN)
            assert bool(row.decision_reason) == (row.state == Proposal.State.REJECTED)
            if row.state == Proposal.State.APPROVED:
                assert row.item is not None
                assert 1 <= (row.result_version or 0) <= row.item.version

    @invariant()
    def every_approved_version_is_its_proposers(self) -> None:
        for event in ItemEvent.objects.filter(approver__isnull=False):
            assert Proposal.objects.filter(
                proposer=event.author_id, decided_by=event.approver_id, state="approved"
            ).exists()
            assert event.author_id != event.approver_id
        for row in Proposal.objects.filter(state="approved", action="create"):
            made = ItemEvent.objects.get(item=row.item_id, version=1)
            assert (made.author_id, made.approver_id) == (row.proposer_id, row.decided_by_id)

    @invariant()
    def numbers_are_dense_and_no_active_page_stands_under_an_archived_one(self) -> None:
        numbers = list(Item.objects.order_by("number").values_list("number", flat=True))
        assert numbers == [*range(1, len(numbers) + 1)]
        assert not Item.objects.filter(
            archived_at__isnull=True, parent__archived_at__isnull=False
        ).exists()


def proposal_at(ref: str) -> Proposal:
    return Proposal.objects.get(public_id=ref.removeprefix("proposal:"))


@pytest.mark.slow
@pytest.mark.django_db
def test_in_any_order_no_text_is_lost_and_every_state_is_explained() -> None:
    run_state_machine_as_test(
        Proposing,
        settings=settings(
            max_examples=12,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
