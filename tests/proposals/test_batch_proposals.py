"""Batches that need review: one proposal for the memories, and what approving it makes."""

from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import Conflict, Denied, Invalid, Locked, NotFound
from conderis.common.json import JsonObject
from items.models import Item
from items.requests import Address, ListRequest, ReadRequest
from projects.models import Project
from proposals.models import BatchResult, Proposal, ProposedItem
from proposals.preview import preview_of
from proposals.queue import list_proposals
from proposals.reading import read_at
from proposals.reviewing import approve, reject
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, create, item_at
from tests.privacy.deletions import ask, erase, refuse
from tests.proposals.batches import memory, numbers, outcomes, page, send, task
from tests.proposals.reviews import made

pytestmark = pytest.mark.django_db


@pytest.fixture
def items() -> list[JsonObject]:
    return [
        memory("bag", content="The bag."),
        task("t"),
        memory("mine", visibility="private"),
        memory("in", parent="bag", content="Inside."),
        memory("alone", tags=["x"]),
    ]


def read(caller: Any, ref: str, **more: Any) -> JsonObject:
    return read_at(caller, ReadRequest(Address(ref=ref), **more))


def waiting(caller: Any, project: Project) -> list[JsonObject]:
    answer = list_proposals(caller, ListRequest("proposal", project_id=project.path))
    entries: list[JsonObject] = answer["items"]
    return entries


def proposal_of(answer: JsonObject) -> str:
    return str(answer["kinds"]["memory"]["proposal"])


def test_shared_memories_become_one_proposal_and_private_ones_are_stored(
    bob: Person, project: Project, items: list[JsonObject]
) -> None:
    answer = send(agent_caller(bob), project, *items, source="The old notes")

    assert answer["outcome"] == "proposed"
    assert outcomes(answer) == {"memory": "proposed", "task": "stored"}
    bag, stored, mine, inside, alone = answer["items"]
    assert [each.get("number") for each in (bag, inside, alone)] == [None] * 3
    assert {stored["number"], mine["number"]} == {1, 2}
    assert inside["parent"] == {"key": "bag"}
    assert Proposal.objects.get().ref == proposal_of(answer)
    assert sorted(Item.objects.values_list("kind", flat=True)) == ["memory", "task"]


def test_approving_makes_all_of_them_of_their_proposer(
    bob: Person, carol: Person, project: Project, items: list[JsonObject]
) -> None:
    caller = agent_caller(bob)
    sent = send(caller, project, *items, idempotencyKey="k")
    before = send(caller, project, *items, idempotencyKey="k")

    answer = approve(person_caller(carol), proposal_of(sent), reason="Good.")
    after = send(caller, project, *items, idempotencyKey="k")
    twice = approve(person_caller(carol), proposal_of(sent))

    assert (before["outcome"], before["replayed"]) == ("proposed", ["memory", "task"])
    assert numbers(before) == numbers(sent)
    made_numbers = [each["number"] for each in answer["items"]]
    assert made_numbers == [3, 4, 5]
    assert answer["items"][1]["parent"]["number"] == 3
    assert (after["outcome"], after["kinds"]["memory"]["state"]) == ("stored", "approved")
    assert [each for each in numbers(after) if each not in numbers(sent)] == [3, 4, 5]
    assert after["items"][3]["parent"]["number"] == 3
    assert twice == {**answer, "outcome": "unchanged"}
    assert made(item_at(project, 4)) == {
        "event": "created", "version": 1, "author": "bob", "agent": "robo", "approver": "carol",
    }  # fmt: skip
    assert item_at(project, 4).parent == item_at(project, 3)


def test_what_is_left_out_takes_along_what_stands_under_it_and_is_recorded(
    bob: Person, carol: Person, project: Project, items: list[JsonObject]
) -> None:
    caller = agent_caller(bob)
    ref = proposal_of(send(caller, project, *items, idempotencyKey="k"))

    answer = approve(person_caller(carol), ref, leave_out=[0])
    after = send(caller, project, *items, idempotencyKey="k")
    shown = read(caller, ref)

    assert answer["leftOut"] == [0, 1]
    assert [each["index"] for each in answer["items"]] == [2]
    assert after["items"][0] == {"index": 0, "key": "bag", "leftOut": True}
    assert after["items"][4]["number"] == 3
    assert [each.get("leftOut") for each in shown["items"]] == [True, True, None]
    assert Item.objects.filter(visibility="shared").count() == 1


def test_leaving_out_all_or_what_is_none_is_refused(
    bob: Person, carol: Person, project: Project, items: list[JsonObject]
) -> None:
    ref = proposal_of(send(agent_caller(bob), project, *items))

    for places in ([0, 1, 2], [7], [-1]):
        with pytest.raises(Invalid):
            approve(person_caller(carol), ref, leave_out=places)
    assert Proposal.objects.get().state == "pending"


def test_what_does_not_fit_any_more_is_named_and_may_be_left_out(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    create(person_caller(alice), project, "memory", title="Bag", visibility="shared")
    sent = send(agent_caller(bob), project, memory("a", parent=1), memory("b"))
    act(person_caller(alice), project, 1, "archive", 1)
    ref = proposal_of(sent)

    seen = preview_of(person_caller(carol), ref)
    with pytest.raises(Conflict) as refusal:
        approve(person_caller(carol), ref)
    answer = approve(person_caller(carol), ref, leave_out=[0])

    assert seen.blocked is not None
    assert [bool(each.blocked) for each in seen.entries] == [True, False]
    assert [each["index"] for each in refusal.value.details["items"]] == [0]
    assert answer["items"][0]["number"] == 2


def test_rejecting_and_withdrawing_store_nothing_and_a_replay_says_so(
    bob: Person, carol: Person, project: Project
) -> None:
    caller = agent_caller(bob)
    refs = [
        proposal_of(send(caller, project, memory(key), idempotencyKey=key)) for key in ("a", "b")
    ]
    reject(person_caller(carol), refs[0], reason="No.")
    act(caller, None, refs[1], "withdraw")

    again = [send(caller, project, memory(key), idempotencyKey=key) for key in ("a", "b")]

    assert [each["kinds"]["memory"]["state"] for each in again] == ["rejected", "withdrawn"]
    assert not Item.objects.exists()
    assert Proposal.objects.count() == 2


def test_an_equal_batch_that_waits_is_answered_with(bob: Person, project: Project) -> None:
    caller = agent_caller(bob)

    first = send(caller, project, memory("a"), memory("b"))
    again = send(caller, project, memory("a"), memory("b"), idempotencyKey="k")
    other = send(caller, project, memory("a"))

    assert proposal_of(first) == proposal_of(again) != proposal_of(other)
    assert ProposedItem.objects.count() == 3
    assert BatchResult.objects.get().proposal == Proposal.objects.earliest("pk")


def test_an_agent_that_is_always_reviewed_proposes_them_though_its_person_owns(
    alice: Person, project: Project
) -> None:
    answer = send(agent_caller(alice, always_review=True), project, memory("a"), task("t"))

    assert outcomes(answer) == {"memory": "proposed", "task": "stored"}


def test_where_contributors_need_no_review_they_are_stored(bob: Person, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(memories_unreviewed=True)

    assert send(agent_caller(bob), project, memory("a"))["outcome"] == "stored"


def test_pages_that_would_be_proposals_are_refused_in_a_batch(
    alice: Person, bob: Person, project: Project
) -> None:
    of_contributor = send(agent_caller(bob), project, page("p"), task("t"))
    reviewed = send(agent_caller(alice, always_review=True), project, page("p"))

    assert outcomes(of_contributor) == {"page": "failed", "task": "stored"}
    refused = of_contributor["items"][0]
    assert (refused["error"], refused["missing"]) == ("denied", "moderate")
    assert "item_store" in refused["message"]
    assert reviewed["items"][0]["error"] == "denied"
    assert not Proposal.objects.exists()


def test_a_stranger_may_propose_memories_where_everybody_may(
    mallory: Person, project: Project
) -> None:
    Project.objects.filter(pk=project.pk).update(is_public=True, open_proposals=True)

    answer = send(agent_caller(mallory), project, memory("a"), task("t"))

    assert outcomes(answer) == {"memory": "proposed", "task": "failed"}
    assert answer["items"][1]["missing"] == "write"


def test_nobody_else_learns_of_it_and_only_who_may_review_approves(
    alice: Person, bob: Person, rita: Person, project: Project
) -> None:
    ref = proposal_of(send(agent_caller(bob), project, memory("a")))

    assert waiting(person_caller(rita), project) == []
    with pytest.raises(NotFound):
        read(person_caller(rita), ref)
    with pytest.raises(Denied):
        approve(person_caller(bob), ref)
    entry = waiting(person_caller(alice), project)[0]
    assert (entry["action"], entry["kind"], entry["count"]) == ("batch", "memory", 1)


def test_it_is_read_item_by_item_with_its_texts_in_parts(
    bob: Person, project: Project, items: list[JsonObject]
) -> None:
    items[3]["fields"]["content"] = "A line of the text.\n" * 900
    caller = agent_caller(bob)
    ref = proposal_of(send(caller, project, *items, source="The old notes"))

    shown = read(caller, ref)
    rest = read(caller, ref, offset=shown["nextOffset"])
    section = read(caller, ref, section="Memory bag")

    assert (shown["title"], shown["count"]) == ("The old notes", 3)
    assert [each["title"] for each in shown["items"]] == [
        "Memory bag", "Memory in", "Memory alone",
    ]  # fmt: skip
    assert shown["items"][1]["parent"] == {"index": 0}
    assert shown["items"][2]["tags"] == ["x"]
    assert not any("content" in each for each in shown["items"])
    assert "The bag." in shown["content"]
    assert rest["content"].startswith("A line")
    assert "The bag." in section["content"]


def test_while_an_item_of_it_is_locked_the_batch_is_and_what_is_erased_is_gone(
    alice: Person, bob: Person, carol: Person, project: Project, items: list[JsonObject]
) -> None:
    caller = agent_caller(bob)
    items[3]["fields"] |= {"title": "Zanzibar", "content": "Zanzibar text"}
    sent = send(caller, project, *items, idempotencyKey="k", source="Zanzibar source")
    ref = proposal_of(sent)
    approve(person_caller(carol), ref, reason="Zanzibar reason")
    request = ask(caller, project, 4)

    locked = read(caller, ref)
    listed = list_proposals(
        caller, ListRequest("proposal", project_id=project.path, filters={"state": "approved"})
    )
    refuse(carol, request)
    open_again = read(caller, ref)
    erase(carol, ask(caller, project, 4))
    erased = read(caller, ref)
    again = send(caller, project, *items, idempotencyKey="k")

    assert "items" not in locked
    assert locked["locked"]
    assert "title" not in listed["items"][0]
    assert open_again["items"][1]["title"] == "Zanzibar"
    assert "Zanzibar" not in str(erased)
    assert erased["items"][1] == {"index": 1, "number": 4, "erased": True, "parent": {"index": 0}}
    assert erased["items"][0]["title"] == "Memory bag"
    assert again["items"][3]["erased"] is True
    assert not ProposedItem.objects.filter(fields__icontains="zanzibar").exists()
    assert Item.objects.count() == 5


def test_erasing_the_only_version_empties_what_was_proposed_too(
    bob: Person, carol: Person, project: Project
) -> None:
    caller = agent_caller(bob)
    ref = proposal_of(send(caller, project, memory("a", content="Zanzibar"), memory("b")))
    approve(person_caller(carol), ref)
    request = ask(caller, project, 1, 1)
    locked = read(caller, ref)

    erase(carol, request)

    assert "items" not in locked
    assert "Zanzibar" not in str(read(caller, ref))


def test_a_proposed_batch_can_be_erased_as_a_whole(
    bob: Person, carol: Person, project: Project
) -> None:
    caller = agent_caller(bob)
    ref = proposal_of(
        send(caller, project, memory("zanzibar"), idempotencyKey="k", source="zanzibar")
    )
    request = ask(caller, None, ref)
    with pytest.raises(Locked):
        approve(person_caller(carol), ref)

    erase(carol, request)

    assert Proposal.objects.get().state == "rejected"
    assert ProposedItem.objects.get().fields == {}
    assert BatchResult.objects.get().digest == ""
    assert send(caller, project, memory("zanzibar"), idempotencyKey="k")["outcome"] == "proposed"
    assert not Item.objects.exists()


def test_the_limit_of_pending_proposals_fails_the_kind_and_no_other(
    bob: Person, project: Project
) -> None:
    Proposal.objects.bulk_create(
        Proposal(project=project, kind="page", action="create", digest=str(number), proposer=bob)
        for number in range(50)
    )

    answer = send(
        agent_caller(bob), project, memory("m", visibility="private"), memory("a"), task("t")
    )

    assert outcomes(answer) == {"memory": "failed", "task": "stored"}
    assert answer["kinds"]["memory"]["error"] == "conflict"
    assert numbers(answer) == [None, None, 1]


def test_approving_over_mcp_takes_the_batch_whole(
    bob: Person, carol: Person, project: Project
) -> None:
    ref = proposal_of(send(agent_caller(bob), project, memory("a"), memory("b")))

    answer = act(agent_caller(carol), None, ref, "approve", reason="ok")

    assert [each["number"] for each in answer["items"]] == [1, 2]


def test_an_equal_batch_that_was_rejected_shows_the_reason(
    bob: Person, carol: Person, project: Project
) -> None:
    caller = agent_caller(bob)
    reject(person_caller(carol), proposal_of(send(caller, project, memory("a"))), reason="Not yet.")

    again = preview_of(person_caller(carol), proposal_of(send(caller, project, memory("a"))))
    other = preview_of(person_caller(carol), proposal_of(send(caller, project, memory("b"))))

    assert again.rejected_before == "Not yet."
    assert other.rejected_before is None
