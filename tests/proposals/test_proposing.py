"""What a proposal holds, and that nothing else changes by it."""

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.errors import Conflict, DomainError, Invalid, Locked, NotFound, TooLarge
from conderis.common.json import Json
from items.models import Item, ItemEvent
from items.requests import Address, DeletionCall, StoreRequest
from privacy.requesting import request_deletion
from projects.models import Project
from proposals import writing
from proposals.models import Proposal
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at
from tests.proposals.reviews import TEXT, page, proposal_at, propose, propose_new, robo


def test_a_new_item_is_kept_with_what_was_sent_and_gets_no_number(
    alice: Person, bob: Person, project: Project
) -> None:
    answer = create(
        robo(bob),
        project,
        "memory",
        title=" Deploy windows ",
        content="Never on Fridays.",
        visibility="shared",
        tags=["ops"],
        reason="I was asked twice.",
    )

    kept = proposal_at(answer["proposal"])
    assert answer == {"outcome": "proposed", "proposal": kept.ref}
    assert (kept.action, kept.kind, kept.item, kept.base_version) == (
        "create", "memory", None, None,
    )  # fmt: skip
    assert (kept.title, kept.reason, kept.state) == (
        "Deploy windows", "I was asked twice.", "pending",
    )  # fmt: skip
    assert kept.fields == {
        "title": "Deploy windows",
        "content": "Never on Fridays.",
        "tags": ["ops"],
        "type": "fact",
        "visibility": "shared",
        "weight": "normal",
    }
    assert (kept.proposer, kept.proposer_agent and kept.proposer_agent.name) == (bob, "robo")
    assert create(person_caller(alice), project, "task", title="Next")["number"] == 1


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ({"content": "Other"}, "Other"),
        ({"append": "More."}, f"{TEXT}\nMore."),
        ({"edits": [{"find": "Ship it.", "replace": "Wait."}]}, TEXT.replace("Ship it.", "Wait.")),
    ],
)
def test_a_changed_text_is_kept_whole_however_it_was_sent(
    alice: Person, bob: Person, project: Project, sent: dict[str, Json], text: str
) -> None:
    number = page(project, alice)

    answer = change(robo(bob), project, number, 1, **sent)

    kept = proposal_at(answer["proposal"])
    assert (answer["number"], answer["baseVersion"], answer["changed"]) == (number, 1, ["content"])
    assert (kept.action, kept.base_version, kept.fields) == ("change", 1, {"content": text})
    assert kept.title == "Deploying"


def test_only_what_differs_is_kept_and_what_is_cleared_is_null(
    alice: Person, bob: Person, project: Project
) -> None:
    number = page(project, alice, tags=["one"])

    ref = propose(robo(bob), project, number, title="Deploying", content=TEXT, tags=None)

    assert proposal_at(ref).fields == {"tags": None}


def test_a_text_that_changes_without_its_source_state_would_lose_it(
    alice: Person, bob: Person, project: Project
) -> None:
    number = page(project, alice, verifiedAgainst="a" * 40)

    answer = change(robo(bob), project, number, 1, content="Other")

    assert proposal_at(answer["proposal"]).fields == {"content": "Other", "verifiedAgainst": None}
    assert "verifiedAgainst" in answer["warnings"][0]


def test_a_move_is_a_proposal_of_its_own_kind(alice: Person, bob: Person, project: Project) -> None:
    parent, number = page(project, alice, "Parent"), page(project, alice)

    answer = change(robo(bob), project, number, parent=parent, position=1)

    kept = proposal_at(answer["proposal"])
    assert (kept.action, kept.fields) == ("move", {"parent": parent, "position": 1})
    assert answer["changed"] == ["parent", "position"]


@pytest.mark.parametrize("action", ["archive", "restore"])
def test_archiving_and_restoring_are_proposed_with_their_base(
    alice: Person, bob: Person, project: Project, action: str
) -> None:
    number = page(project, alice)
    if action == "restore":
        act(person_caller(alice), project, number, "archive", 1)
    version = item_at(project, number).version

    answer = act(robo(bob), project, number, action, version, reason="Outdated.")

    kept = proposal_at(answer["proposal"])
    assert answer == {
        "outcome": "proposed", "proposal": kept.ref, "number": number, "baseVersion": version,
    }  # fmt: skip
    assert (kept.action, kept.fields, kept.reason) == (action, {}, "Outdated.")
    assert (item_at(project, number).archived_at is None) == (action == "archive")


def test_the_instructions_are_proposed_by_moderators_also_before_there_are_any(
    alice: Person, carol: Person, project: Project
) -> None:
    first = change(robo(carol), project, "instructions", content="Test first.")
    create(person_caller(alice), project, "instructions", content="Write small.")
    second = change(robo(carol), project, "instructions", 1, content="Test first.")

    assert first == {"outcome": "proposed", "proposal": first["proposal"]}
    assert (second["ref"], second["baseVersion"]) == ("instructions", 1)
    assert [each.action for each in Proposal.objects.order_by("pk")] == ["create", "change"]


def test_nothing_else_changes_by_it(alice: Person, bob: Person, project: Project) -> None:
    number = page(project, alice)
    before = list(Item.objects.values()), ItemEvent.objects.count(), Project.objects.values().get()

    propose(robo(bob), project, number, content="Other")
    propose_new(robo(bob), project, "page", title="Another")

    after = list(Item.objects.values()), ItemEvent.objects.count(), Project.objects.values().get()
    assert after == before


def test_it_leaves_an_audit_event_without_text(
    alice: Person, bob: Person, project: Project
) -> None:
    number = page(project, alice)

    ref = propose(robo(bob), project, number, content="Zanzibar")

    event = AuditEvent.objects.latest("pk")
    assert (event.action, event.subject, event.project_id) == (
        "proposal.created", ref, project.pk,
    )  # fmt: skip
    assert event.detail == {"kind": "page", "proposed": "change", "item": f"#{number}"}


def test_what_already_stands_is_unchanged_and_kept_nowhere(
    alice: Person, bob: Person, project: Project
) -> None:
    number = page(project, alice)

    answer = change(robo(bob), project, number, 1, content=TEXT)

    assert answer == {"outcome": "unchanged", "number": number, "version": 1}
    assert not Proposal.objects.exists()


def test_the_same_again_answers_with_the_one_that_waits_whichever_agent_asks(
    alice: Person, bob: Person, project: Project
) -> None:
    number = page(project, alice)
    first = propose(robo(bob), project, number, content="Other")

    again = propose(agent_caller(bob, "second"), project, number, content="Other")
    by_person = propose(person_caller(bob), project, number, content="Other")
    other_text = propose(robo(bob), project, number, content="Another")

    assert first == again == by_person != other_text
    assert Proposal.objects.count() == 2
    assert AuditEvent.objects.filter(action="proposal.created").count() == 2


def test_the_same_on_a_newer_version_or_by_somebody_else_is_another(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    number = page(project, alice)
    first = propose(robo(bob), project, number, title="Releasing")
    request = StoreRequest(
        Address(project.path, number=number), version=1, fields={"title": "Releasing"}, propose=True
    )
    of_carol = writing.store(robo(carol), request)["proposal"]
    change(person_caller(alice), project, number, 1, content="Newer")

    newer = propose(robo(bob), project, number, title="Releasing")

    assert len({first, of_carol, newer}) == 3


def test_the_same_again_after_it_was_withdrawn_is_a_new_one(
    alice: Person, bob: Person, project: Project
) -> None:
    first = propose_new(robo(bob), project, "page", title="P")
    act(robo(bob), project, first, "withdraw")

    second = propose_new(robo(bob), project, "page", title="P")

    assert first != second


def test_what_would_be_refused_when_published_is_refused_when_proposed(
    alice: Person, bob: Person, project: Project
) -> None:
    number = page(project, alice)
    caller = robo(bob)

    refusals: list[tuple[type[DomainError], str, dict[str, Json]]] = [
        (Conflict, "page", {"title": "Deploying"}),
        (Invalid, "page", {"title": ""}),
        (TooLarge, "page", {"title": "x" * 201}),
        (NotFound, "page", {"title": "T", "parent": 999}),
        (Invalid, "page", {"title": "T", "content": f"ghp_{'a1B2c3' * 6}"}),
        (Invalid, "memory", {"title": "T"}),
    ]
    for refused, kind, fields in refusals:
        with pytest.raises(refused):
            create(caller, project, kind, **fields)
    with pytest.raises(Invalid):
        change(caller, project, number, 1, edits=[{"find": "nowhere", "replace": ""}])

    assert not Proposal.objects.exists()


def test_on_an_archived_item_only_its_restoring_is_proposed(
    alice: Person, bob: Person, project: Project
) -> None:
    number = page(project, alice)
    act(person_caller(alice), project, number, "archive", 1)

    with pytest.raises(Conflict):
        change(robo(bob), project, number, 2, content="Other")
    with pytest.raises(Conflict):  # somebody else has already archived it
        act(robo(bob), project, number, "archive", 2)

    assert act(robo(bob), project, number, "restore", 2)["outcome"] == "proposed"


def test_a_restoring_that_cannot_be_is_not_proposed(
    alice: Person, bob: Person, project: Project
) -> None:
    parent = page(project, alice, "Parent")
    below = page(project, alice, "Below", parent=parent)
    act(person_caller(alice), project, parent, "archive", 1)

    with pytest.raises(Conflict) as refusal:
        act(robo(bob), project, below, "restore", 2)

    assert refusal.value.as_answer()["parent"] == parent
    assert not Proposal.objects.exists()


def test_nothing_is_proposed_on_a_locked_item(alice: Person, bob: Person, project: Project) -> None:
    number = page(project, alice)
    request_deletion(
        person_caller(alice), DeletionCall(Address(project.path, number=number), reason="private")
    )

    with pytest.raises(Locked):
        change(robo(bob), project, number, 1, content="Other")
    with pytest.raises(Locked):
        act(robo(bob), project, number, "archive", 1)


def test_a_memory_that_is_proposed_is_answered_with_what_says_nearly_the_same(
    alice: Person, bob: Person, project: Project
) -> None:
    said = "The deploy window opens on Tuesdays at nine and closes at eleven"
    create(person_caller(alice), project, "memory", title="Deploys", summary=said,
           visibility="shared")  # fmt: skip

    answer = create(robo(bob), project, "memory", title="Deploys", summary=f"{said}.",
                    visibility="shared")  # fmt: skip

    assert [each["number"] for each in answer["similar"]] == [1]
    assert not Item.objects.filter(title="").exists()


def test_other_peoples_proposals_are_not_similar_and_their_titles_not_taken(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    project.memories_unreviewed = True
    project.save()
    propose_new(robo(bob), project, "page", title="Setup", content="words of it")
    create(robo(bob), project, "memory", title="Setup", summary="words of it", visibility="shared",
           propose=True)  # fmt: skip

    made = create(person_caller(carol), project, "page", title="Setup")
    memory = create(person_caller(carol), project, "memory", title="Setup", summary="words of it",
                    visibility="shared")  # fmt: skip

    assert (made["outcome"], memory["outcome"]) == ("published", "published")
    assert "similar" not in memory
