"""Bags, near-duplicates, references that lead nowhere, pages that nothing leads to."""

from datetime import timedelta

import pytest

from conderis.accounts.models import Person
from items.hygiene.mentions import numbers_in
from items.models import Relation
from projects.models import Project
from tests.items.hygiene.judged import found
from tests.items.recall_rows import days_ago, make_item, make_memory, make_page, make_task

pytestmark = pytest.mark.django_db
SAID = "The admin port answers on localhost alone, since the proxy must not reach it."


def test_a_bag_whose_child_was_changed_later_is_found(alice: Person, project: Project) -> None:
    bag = make_memory(project, alice, "Bag", summary="All", changed=days_ago(9))
    make_memory(project, alice, "First", parent=bag, changed=days_ago(20))
    make_memory(project, alice, "Second", parent=bag, changed=days_ago(3))
    seen = make_memory(project, alice, "Seen", summary="All", changed=days_ago(1))
    make_memory(project, alice, "Third", parent=seen, changed=days_ago(3))
    sitting = make_memory(project, alice, "One sitting", changed=days_ago(9))
    make_memory(project, alice, "Fourth", parent=sitting, changed=days_ago(9) + timedelta(hours=9))

    assert found(project, "outdated_bag") == [(bag.number,)]


def test_a_bag_with_one_child_is_named_with_it_and_one_with_too_many_alone(
    alice: Person, project: Project
) -> None:
    single = make_memory(project, alice, "Single")
    child = make_memory(project, alice, "Child", parent=single)
    full, fine = make_memory(project, alice, "Full"), make_memory(project, alice, "Fine")
    for number in range(21):
        make_memory(project, alice, f"In full {number}", parent=full)
    for number in range(20):
        make_memory(project, alice, f"In fine {number}", parent=fine)

    assert found(project, "bag_size") == [(single.number, child.number), (full.number,)]


def test_a_memory_that_repeats_an_earlier_one_is_found_with_it(
    alice: Person, project: Project
) -> None:
    first = make_memory(project, alice, "Admin port", summary=SAID)
    again = make_memory(project, alice, "The admin port", summary=SAID.replace("alone", "only"))
    same = make_memory(project, alice, "Admin port", summary=SAID)
    make_memory(project, alice, "Retention", summary="Events are kept for 30 days, then dropped.")

    assert found(project, "near_duplicates") == [
        (again.number, first.number),
        (same.number, first.number),
    ]


def test_many_that_say_the_same_are_all_found(alice: Person, project: Project) -> None:
    for _ in range(30):
        make_memory(project, alice, "Admin port", summary=SAID)

    assert len(found(project, "near_duplicates")) == 29


def test_a_pair_that_somebody_has_related_is_settled(alice: Person, project: Project) -> None:
    one = make_memory(project, alice, "Admin port", summary=SAID)
    other = make_memory(project, alice, "Admin port", summary=SAID)
    Relation.objects.create(source=one, target=other, relation="relates")

    assert found(project, "near_duplicates") == []


def test_a_bag_and_what_is_in_it_may_say_the_same(alice: Person, project: Project) -> None:
    bag = make_memory(project, alice, "Admin port", summary=SAID)
    make_memory(project, alice, "Admin port", summary=SAID, parent=bag)

    assert found(project, "near_duplicates") == []


def test_a_number_that_was_never_given_is_found_with_who_names_it(
    alice: Person, project: Project
) -> None:
    memory = make_memory(project, alice, "Names", summary="See #90, #91 and #1.")
    task = make_task(project, alice, "Names too", content="After #90.")
    make_task(project, alice, "Closed", content="After #90.", status="done")
    make_page(project, alice, "Code", content="`#90` and\n```\n#91\n```\nand alice/shop#92")

    assert found(project, "broken_reference") == [(memory.number, 90, 91), (task.number, 90)]


def test_a_number_whose_item_was_erased_is_found_and_a_locked_one_is_not(
    alice: Person, project: Project
) -> None:
    erased = make_memory(project, alice, "", locked_at=days_ago(1), erased_at=days_ago(1))
    locked = make_memory(project, alice, "Locked", locked_at=days_ago(1))
    gone = make_memory(project, alice, "Archived", archived_at=days_ago(1))
    names = f"See #{erased.number}, #{locked.number} and #{gone.number}."
    naming = make_page(project, alice, "Names", content=names)

    assert found(project, "broken_reference") == [(naming.number, erased.number)]


def test_nothing_is_said_of_a_private_memory_that_somebody_names(
    alice: Person, bob: Person, project: Project
) -> None:
    hidden = make_memory(project, bob, "His", visibility="private")
    erased = make_memory(
        project, bob, "", visibility="private", locked_at=days_ago(1), erased_at=days_ago(1)
    )
    make_page(project, alice, "Names", content=f"#{hidden.number} #{erased.number}")

    assert found(project, "broken_reference") == []


def test_a_page_that_nothing_leads_to_is_found(alice: Person, project: Project) -> None:
    make_page(project, alice, "Home")
    alone = make_page(project, alice, "Alone")
    parent = make_page(project, alice, "Parent")
    make_page(project, alice, "Child", parent=parent)
    related = make_page(project, alice, "Related")
    Relation.objects.create(
        source=make_task(project, alice, "Do"), target=related, relation="documents"
    )
    named = make_page(project, alice, "Named")
    ruled = make_page(project, alice, "Ruled")
    make_memory(project, alice, "Names", content=f"Read #{named.number}.")
    make_item(project, alice, "instructions", content=f"Read #{ruled.number} first.")

    assert found(project, "unreachable_page") == [(alone.number,)]


def test_a_single_page_is_the_way_in(alice: Person, project: Project) -> None:
    make_page(project, alice, "Home")

    assert found(project, "unreachable_page") == []


def test_a_private_relation_or_mention_is_no_way_to_a_page(
    alice: Person, bob: Person, project: Project
) -> None:
    make_page(project, alice, "Home")
    alone = make_page(project, alice, "Alone")
    his = make_memory(project, bob, "His", visibility="private", content=f"#{alone.number}")
    Relation.objects.create(source=his, target=alone, relation="relates")

    assert found(project, "unreachable_page") == [(alone.number,)]


@pytest.mark.no_database
@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("#1", {1}),
        ("See #12, (#3) and #4.", {12, 3, 4}),
        ("#12's and #5: yes", {12, 5}),
        ("#336699 &#12; #1a #0 ##7 a#8 /#9 #1.5 #1-2", set()),
        ("alice/shop#12", set()),
        (r"Fails for \#12.", set()),
        ("`#1` ~~~\n#2\n~~~ ```\n#3", set()),
    ],
)
def test_what_counts_as_a_number(text: str, numbers: set[int]) -> None:
    assert numbers_in(text) == numbers
