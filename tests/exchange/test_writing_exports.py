"""Records with numbers, as exports of this product have them: kept, or new, and texts follow."""

from datetime import timedelta
from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import NotFound, TooLarge
from exchange.records import Credit, Found, Link, PastEvent, Problem, Record, Report, Tombstone
from exchange.writing.running import check_import, run_import
from items.access import access_item, refuse_locked
from items.models import Item, ItemEvent
from items.reading import read_item
from items.recall import recall
from items.requests import Address, ReadRequest, RecallRequest
from projects.models import Project
from tests.exchange.sources import LONG_AGO, order_of, record
from tests.factories import person_caller
from tests.items.calls import change, create

pytestmark = pytest.mark.django_db


def exported(number: int, **values: Any) -> Record:
    members: dict[str, Any] = {
        "number": number,
        "rewrites": True,
        "source": "old/place",
        "title": f"T{number}",
    }
    return record(f"id{number}", **{**members, **values})


def imported(person: Person, project: Project, *found: Found) -> Report:
    order = order_of(project, found)
    foretold = check_import(person_caller(person), order)
    report = run_import(person_caller(person), order)
    assert foretold == report
    return report


def texts(project: Project) -> dict[int | None, str]:
    rows = Item.objects.filter(project=project, absent="").exclude(content="")
    return dict(rows.values_list("number", "content"))


def test_an_empty_project_keeps_the_numbers_and_what_is_missing_is_told_so(
    alice: Person, project: Project
) -> None:
    report = imported(
        alice, project, exported(2, content="see #5"), Tombstone(3, "erased"), exported(5)
    )

    caller = person_caller(alice)
    assert report.numbers == {2: 2, 5: 5}
    assert report.tombstones == 3
    assert texts(project) == {2: "see #5"}
    assert create(caller, project, "task", title="next")["number"] == 6
    answers = {
        number: read_item(caller, ReadRequest(Address(project.public_id, number=number)))
        for number in (1, 3, 4)
    }
    assert ["notExported" in answers[number] for number in (1, 3, 4)] == [True, False, True]
    assert list(answers[3]["erased"]) == ["imported"]
    with pytest.raises(NotFound, match="was not exported"):
        refuse_locked(access_item(caller, Address(project.public_id, number=4))[1])


def test_in_a_project_with_items_numbers_are_new_and_texts_follow(
    alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "task", title="first")
    text = (
        "#1 and #2, old/place#1, other/place#1, #9, `#1`\n```\n#1\n```\n\n"
        "https://host/x/issues#1 and \\#1"
    )

    report = imported(alice, project, exported(1, content="then #2"), exported(2, content=text))

    assert report.numbers == {1: 2, 2: 3}
    assert texts(project) == {
        2: "then #3",
        3: "#2 and #3, #2, other/place#1, \\#9, `#1`\n```\n#1\n```\n\n"
        "https://host/x/issues#1 and \\#1",
    }
    state = ItemEvent.objects.get(item__number=2).state
    assert state is not None
    assert state["content"] == "then #3"


def test_a_second_import_and_one_into_the_project_itself_change_nothing(
    alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "task", title="first")
    found = [exported(1, content="then #2"), exported(2)]
    imported(alice, project, *found)
    item = Item.objects.get(number=1)
    before = list(Item.objects.order_by("pk").values())

    again = imported(alice, project, *found)
    own = imported(
        alice, project,
        Record(key=item.public_id, place="#1", kind="task", fields={"title": "first"}, number=1,
               rewrites=True),
    )  # fmt: skip

    assert (again.known, again.made, again.numbers) == (2, {}, {1: 2, 2: 3})
    assert (own.known, own.made, own.differing) == (1, {}, [])
    assert list(Item.objects.order_by("pk").values()) == before


def test_a_later_file_that_brings_what_a_text_names_leaves_the_text_as_it_is(
    alice: Person, project: Project
) -> None:
    caller = person_caller(alice)
    create(caller, project, "task", title="first")
    first, second = exported(1, content="then #2"), exported(3, content="then #2")
    imported(alice, project, first, second)
    change(caller, project, 2, 1, content="mine \\#2")

    report = imported(alice, project, first, exported(2), second)

    assert report.made == {"task": 1}
    assert texts(project) == {2: "mine \\#2", 3: "then \\#2"}


def test_a_history_comes_along_with_its_times_and_names(alice: Person, project: Project) -> None:
    create(person_caller(alice), project, "task", title="first")
    ann, day = Credit("Ann", approver="Max"), timedelta(days=1)
    state = {"title": "T1", "status": "open", "priority": "normal"}
    history = [
        PastEvent("created", LONG_AGO, ann, 1, state=state | {"content": "for #1"}),
        PastEvent("claimed", LONG_AGO + day, ann, 2, state=None),
        PastEvent("completed", LONG_AGO + 2 * day, ann, 3, "ends #1", ["status"],
                  state | {"status": "done", "assignee": {"ref": alice.ref, "name": "Not Alice"}}),
    ]  # fmt: skip

    imported(
        alice, project,
        exported(1, status="done", history=history, version=3, created=LONG_AGO,
                 changed=LONG_AGO + 2 * day, assignee={"ref": alice.ref, "name": "Not Alice"}),
    )  # fmt: skip

    item = Item.objects.get(number=2)
    events = list(item.events.order_by("pk"))
    assert (item.version, item.status, item.assignee_person) == (3, "done", alice)
    assert [(each.event, each.version, each.at) for each in events] == [
        ("created", 1, LONG_AGO),
        ("claimed", 2, LONG_AGO + day),
        ("completed", 3, LONG_AGO + 2 * day),
    ]
    assert {str(each.credit) for each in events} == {"{'name': 'Ann', 'approver': 'Max'}"}
    assert events[0].state == state | {"content": "for #2"}
    assert events[1].state is None
    assert events[2].reason == "ends #2"
    assert events[2].state is not None
    assert events[2].state["assignee"] == {"ref": alice.ref, "name": "Alice"}
    assert change(person_caller(alice), project, 2, 3, title="new")["version"] == 4


def test_a_history_with_gaps_begins_anew(alice: Person, project: Project) -> None:
    history = [PastEvent("created", LONG_AGO, Credit("Ann"), 2, state={"title": "T1"})]

    report = imported(alice, project, exported(1, history=history, version=2))

    item = Item.objects.get(project=project)
    assert (item.version, item.events.count(), len(report.warnings)) == (1, 1, 1)


def test_an_assignee_of_another_server_is_left_out_and_said(
    alice: Person, rita: Person, project: Project
) -> None:
    report = imported(
        alice,
        project,
        exported(1, assignee={"ref": "person:nobody", "name": "Zoe"}),
        exported(2, assignee={"ref": rita.ref, "name": "Rita"}),
    )

    assert {item.assignee_person for item in Item.objects.all()} == {None}
    assert [each.place for each in report.warnings] == ["row id1", "row id2"]
    assert "Zoe" in report.warnings[0].reason


def test_archived_together_is_restored_together(alice: Person, project: Project) -> None:
    imported(
        alice,
        project,
        exported(1, kind="page", archived=LONG_AGO),
        exported(2, kind="page", parent="id1", archived=LONG_AGO),
        exported(3, kind="page", parent="id2", archived=LONG_AGO + timedelta(days=1)),
    )

    top, below, later = Item.objects.order_by("number")
    assert (top.archived_with, below.archived_with, later.archived_with) == (None, top, None)


def test_somebody_who_creates_an_item_meanwhile_takes_a_number_and_nothing_is_lost(
    alice: Person, project: Project
) -> None:
    found = [exported(number, content=f"see #{60 - number}") for number in range(1, 60)]
    met: list[int] = []

    def meet(_done: int) -> None:
        if not met:
            met.append(create(person_caller(alice), project, "task", title="mine")["number"])

    report = run_import(person_caller(alice), order_of(project, found), progress=meet)

    assert report.made == {"task": 59}
    numbers = list(Item.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, 61))
    for number, item in report.numbers.items():
        row = Item.objects.get(number=item)
        assert (row.title, row.content) == (f"T{number}", f"see #{report.numbers[60 - number]}")


def test_a_file_that_claims_a_huge_number_makes_no_tombstones_without_end(
    alice: Person, project: Project
) -> None:
    report = imported(
        alice, project, exported(1), exported(900_000_000), Tombstone(10**9, "erased")
    )

    assert report.tombstones == 0
    assert report.numbers == {1: 1, 900_000_000: 2}


def test_relations_between_known_ones_that_were_taken_away_stay_away(
    alice: Person, project: Project
) -> None:
    found = [exported(1, links=[Link("relates", "id2")]), exported(2)]
    imported(alice, project, *found)
    Item.objects.get(number=1).relations_out.all().delete()
    Item.objects.get(number=1).relations_in.all().delete()

    imported(alice, project, *found, exported(3, links=[Link("relates", "id1")]))

    assert Item.objects.get(number=2).relations_in.count() == 0
    assert Item.objects.get(number=1).relations_out.count() == 1


def test_another_file_that_says_otherwise_changes_no_text_of_what_is_there(
    alice: Person, carol: Person, project: Project
) -> None:
    create(person_caller(alice), project, "task", title="ours")
    page = exported(2, kind="page", content="Follow #1 always.")
    imported(alice, project, exported(1), page)
    before = texts(project)
    assert before == {3: "Follow #2 always."}

    another = record("evil", number=1, rewrites=True, source="old/place", title="Evil")
    imported(alice, project, another, page)
    imported(alice, project, page)

    assert texts(project) == before


def test_what_is_private_in_a_file_turns_no_shared_text_to_the_item_of_who_imports_it_again(
    alice: Person, carol: Person, project: Project
) -> None:
    found = [
        exported(1, kind="memory", visibility="private"),
        exported(2, kind="memory", visibility="shared", content="see #1"),
    ]
    create(person_caller(alice), project, "task", title="ours")
    imported(alice, project, *found)
    before = texts(project)

    imported(carol, project, *found)

    assert texts(project) == before


def test_a_child_that_finds_its_parent_in_a_later_part_is_seen_there_at_once(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = person_caller(alice)
    parent = exported(900, kind="page")
    imported(alice, project, parent)
    monkeypatch.setattr("items.hygiene.points.forget", lambda _project: None)
    monkeypatch.setattr("exchange.writing.running.LARGEST", 1)
    child = record("child", "page", number=901, rewrites=True, parent="late", title="Child")
    late = record("late", "page", number=902, rewrites=True, title="Late")
    told: list[str] = []

    def look(_done: int) -> None:
        told.append(recall(caller, RecallRequest(project_id=project.path)))

    run_import(caller, order_of(project, [child, late]), progress=look)

    assert "\n  - #" in recall(caller, RecallRequest(project_id=project.path))


def test_a_file_with_too_much_that_cannot_be_read_is_ended(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exchange.writing.planning.MOST_LEFT_OUT", 20)
    bad = [Problem(f"row {place}", "It cannot be read.") for place in range(30)]

    with pytest.raises(TooLarge, match="damaged"):
        check_import(person_caller(alice), order_of(project, bad))
