"""What erasing makes of a whole item, and of what stands around it."""

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.errors import Locked, NotFound
from items import search
from items.models import Item, ItemTag, Relation
from privacy.exporting import export_account as export
from privacy.models import DeletionRequest, Erasure
from privacy.requesting import request_organization_deletion
from projects.models import Project
from proposals.organization_instructions import (
    organization_instructions_history,
    read_organization_instructions,
    store_organization_instructions,
)
from proposals.reviewing import approve, reject
from tests.administration.pages import addresses, admin_browser, crawl
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at
from tests.items.recall_rows import recalled
from tests.privacy.deletions import (
    ask,
    erase,
    erased,
    found,
    left_of,
    read,
    refuse,
    request_at,
    states,
)
from tests.projects.making import make_organization
from tests.proposals.reviews import page


def test_a_tombstone_says_when_and_by_whom_and_nothing_else(
    alice: Person, carol: Person, rita: Person, mallory: Person, project: Project
) -> None:
    page(project, alice, title="Deploying zanzibar", content="zanzibar", tags=["zanzibar"])
    change(person_caller(alice), project, 1, 1, reason="zanzibar", content="zanzibar 2")
    erased(carol, project, 1)

    shown = read(person_caller(rita), project, 1)
    history = read(person_caller(rita), project, 1, history=True)
    with pytest.raises(NotFound) as hidden:
        read(person_caller(mallory), project, 1)

    assert shown["erased"]["by"] == "Carol"
    assert set(shown["erased"]) == {"at", "by"}
    assert "locked" not in shown
    assert not {"title", "summary", "content", "tags"} & set(shown)
    assert [(event["event"], event.get("erased")) for event in history["events"]] == [
        ("erased", None), ("changed", True), ("created", True),
    ]  # fmt: skip
    assert "Carol" not in str(hidden.value.as_answer())
    assert left_of("zanzibar") == set()
    assert not ItemTag.objects.exists()


def test_it_is_found_by_nothing_counted_by_nothing_and_recalled_by_nothing(
    alice: Person, project: Project
) -> None:
    robo = agent_caller(alice)
    for kind, more in (("page", {}), ("task", {}), ("memory", {"visibility": "shared"})):
        create(robo, project, kind, title=f"zanzibar {kind}", content="quux", **more)
    for number in (1, 2, 3):
        erased(alice, project, number)

    for kind in ("page", "task", "memory"):
        assert found(robo, project, kind, "zanzibar quux") == []
    assert "zanzibar" not in recalled(robo, project)
    assert search.is_complete()


def test_a_number_is_never_given_again_and_the_text_sent_anew_is_a_new_item(
    alice: Person, project: Project
) -> None:
    robo = agent_caller(alice)
    page(project, alice, title="Deploying")
    erased(alice, project, 1)

    again = create(robo, project, "page", title="Deploying")

    assert (again["outcome"], again["number"]) == ("published", 2)
    assert item_at(project, 1).title == ""


def test_what_was_erased_is_neither_changed_nor_acted_on_nor_asked_for_again(
    alice: Person, project: Project
) -> None:
    robo = agent_caller(alice)
    create(robo, project, "task", title="Deploy")
    create(robo, project, "task", title="Other")
    erased(alice, project, 1)

    for call in (
        lambda: change(robo, project, 1, 1, title="Deploy"),
        lambda: act(robo, project, 1, "claim", 1),
        lambda: act(robo, project, 2, "relate", target=1, relation="blocks"),
        lambda: change(robo, project, 2, parent=1),
        lambda: ask(robo, project, 1),
        lambda: ask(robo, project, 1, 1),
    ):
        with pytest.raises(NotFound) as refused:
            call()
        said = refused.value.as_answer()
        assert said["erased"]["by"] == "Alice"
        assert "#1 was erased for good" in str(said["message"])
    assert DeletionRequest.objects.count() == 1


def test_children_move_up_in_their_order_and_equal_titles_get_their_number(
    alice: Person, project: Project
) -> None:
    robo = agent_caller(alice)
    create(robo, project, "page", title="Top")
    create(robo, project, "page", title="Middle", parent=1)
    create(robo, project, "page", title="Deploying", parent=1)
    for title in ("Deploying", "Testing"):
        create(robo, project, "page", title=title, parent=2)
    create(robo, project, "page", title="Deepest", parent=5)
    erased(alice, project, 2)

    rows = {number: item_at(project, number) for number in (3, 4, 5, 6)}

    assert {number: row.parent and row.parent.number for number, row in rows.items()} == {
        3: 1, 4: 1, 5: 1, 6: 5,
    }  # fmt: skip
    assert [rows[number].title for number in (3, 4, 5)] == [
        "Deploying",
        "Deploying (#4)",
        "Testing",
    ]
    assert [rows[number].version for number in (3, 4, 5)] == [1, 2, 1]
    assert rows[3].rank < rows[4].rank < rows[5].rank
    assert states(rows[4]) == {1: True, 2: True}
    assert found(robo, project, "page", "Deploying") == [3, 4]


def test_children_of_a_bag_and_of_a_task_move_to_its_parent(
    alice: Person, project: Project
) -> None:
    robo = agent_caller(alice)
    create(robo, project, "memory", title="Bag", visibility="shared")
    create(robo, project, "memory", title="In it", visibility="shared", parent=1)
    create(robo, project, "task", title="Top")
    create(robo, project, "task", title="Under", parent=3)
    create(robo, project, "task", title="Below", parent=4)
    for number in (1, 4):
        erased(alice, project, number)

    assert item_at(project, 2).parent is None
    assert read(robo, project, 5)["parent"]["number"] == 3
    assert "In it" in recalled(robo, project)


def test_a_locked_child_moves_up_too_and_gets_its_title_when_it_is_back(
    alice: Person, project: Project
) -> None:
    robo = agent_caller(alice)
    page(project, alice, title="Deploying")
    page(project, alice, title="Parent")
    create(robo, project, "page", title="Deploying", parent=2)
    ref = ask(robo, project, 3)
    erased(alice, project, 2)
    locked = item_at(project, 3)

    refuse(alice, ref)

    assert (locked.parent, locked.title) == (None, "Deploying")
    assert item_at(project, 3).title == "Deploying (#3)"


def test_relations_are_gone_and_what_waited_is_ready(alice: Person, project: Project) -> None:
    robo = agent_caller(alice)
    create(robo, project, "task", title="First")
    create(robo, project, "task", title="Second", dependsOn=[1])
    create(robo, project, "page", title="P")
    act(robo, project, 3, "relate", target=1, relation="relates")
    erased(alice, project, 1)

    assert not Relation.objects.exists()
    assert "waitsFor" not in read(robo, project, 2)
    assert "relations" not in read(robo, project, 3)


def test_what_was_archived_along_is_restored_by_itself(alice: Person, project: Project) -> None:
    robo = agent_caller(alice)
    page(project, alice, title="Parent")
    create(robo, project, "page", title="Child", parent=1)
    act(robo, project, 1, "archive", 1)
    erased(alice, project, 1)

    child = item_at(project, 2)
    act(robo, project, 2, "restore", child.version)

    assert child.archived_at is not None
    assert item_at(project, 2).archived_at is None
    assert found(robo, project, "page", "Child") == [2]


def test_a_personal_memory_is_gone_for_its_author_too(bob: Person) -> None:
    robo = agent_caller(bob)
    ref = str(create(robo, None, "memory", title="zanzibar", content="zanzibar")["ref"])
    erased(bob, None, ref)

    assert "erased" in read(robo, None, ref)
    assert "zanzibar" not in recalled(robo, None)
    assert left_of("zanzibar") == set()


def test_instructions_that_were_erased_can_be_written_anew(
    alice: Person, carol: Person, project: Project
) -> None:
    owner = person_caller(alice)
    create(owner, project, "instructions", content="zanzibar")
    change(owner, project, "instructions", 1, content="zanzibar again")
    ref = erased(carol, project, "instructions")

    read_after = read(person_caller(carol), project, "instructions")
    anew = change(owner, project, "instructions", read_after["version"], content="Test first.")

    assert left_of("zanzibar") == set()
    assert "zanzibar" not in str(read_after)
    assert anew["outcome"] == "published"
    assert "Test first." in recalled(owner, project)
    assert states(Item.objects.get(kind="instructions"))[1] is False
    assert states(Item.objects.get(kind="instructions"))[2] is False
    assert request_at(ref).removed["versions"] == 2


def test_the_instructions_of_an_organization_can_be_written_anew(alice: Person) -> None:
    make_organization(alice)
    owner = person_caller(alice)
    store_organization_instructions(owner, handle="acme", content="zanzibar", version=None)
    ref = request_organization_deletion(owner, "acme", version=None, reason="zanzibar")["request"]
    erase(alice, str(ref))

    shown = read_organization_instructions(owner, handle="acme")
    anew = store_organization_instructions(
        owner, handle="acme", content="Test first.", version=shown["version"]
    )

    assert left_of("zanzibar") == set()
    assert anew["outcome"] == "published"
    history = organization_instructions_history(owner, handle="acme")
    assert [event["event"] for event in history["events"]] == ["changed", "erased", "created"]


def test_what_erasing_removed_is_counted_and_named_by_ids_alone(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    robo = agent_caller(alice)
    page(project, alice, title="zanzibar")
    change(robo, project, 1, 1, content="zanzibar", reason="zanzibar")
    create(robo, project, "page", title="Child", parent=1)
    act(robo, project, 2, "relate", target=1, relation="relates")
    create(agent_caller(bob), project, "page", title="Bobs")
    change(agent_caller(bob), project, 1, 2, content="zanzibar mine")
    ref = ask(robo, project, 1, reason="zanzibar")

    erase(carol, ref)

    request = request_at(ref)
    noted = Erasure.objects.get(target=item_at(project, 1).public_id)
    event = AuditEvent.objects.get(action="deletion.erased")
    assert request.removed == {"children": 1, "relations": 1, "versions": 2, "proposals": 1}
    assert (request.reason, request.decision_reason) == ("", "")
    assert (noted.cause, noted.what, noted.by) == (request.public_id, "item", carol.ref)
    assert event.detail["removed"] == request.removed
    assert (event.subject, event.detail["request"]) == ("#1", request.public_id)
    assert left_of("zanzibar") == set()


def test_while_it_is_locked_who_reads_it_learns_of_the_request_and_no_more(
    alice: Person, project: Project
) -> None:
    robo = agent_caller(alice)
    page(project, alice, title="zanzibar", content="zanzibar")
    ref = ask(robo, project, 1)

    shown = read(robo, project, 1)
    history = read(robo, project, 1, history=True)
    with pytest.raises(Locked) as refused:
        change(robo, project, 1, 1, content="other")

    assert shown["locked"]["request"] == ref
    assert "zanzibar" not in str([shown, history, refused.value.as_answer()])


def test_of_a_memory_of_four_versions_no_export_no_log_and_no_page_of_the_admin_has_a_word(
    alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    author = person_caller(bob)
    refs = []
    create(person_caller(alice), project, "memory", title="zanzibar", summary="zanzibar 1",
           visibility="shared")  # fmt: skip
    for number in (1, 2, 3):
        answer = change(author, project, 1, number, summary=f"zanzibar {number + 1}",
                        reason="zanzibar")  # fmt: skip
        refs.append(str(answer["proposal"]))
        if number < 3:
            approve(person_caller(carol), refs[-1], reason="zanzibar")
    reject(person_caller(carol), refs[-1], reason="zanzibar")
    change(person_caller(alice), project, 1, 3, content="zanzibar 4")
    ref = erased(carol, project, 1)

    exported = "".join(text for who in (alice, bob, carol) for text in export(person_caller(who)))
    pages = crawl(admin_browser(), addresses())

    assert request_at(ref).removed == {"versions": 4, "proposals": 3}
    assert "zanzibar" not in exported
    assert len(pages) > 10
    assert [address for address, text in pages.items() if "zanzibar" in text] == []
    assert "zanzibar" not in str(list(AuditEvent.objects.values()))
    assert left_of("zanzibar") == set()
    assert read(author, project, 1)["erased"]["by"] == "Carol"
