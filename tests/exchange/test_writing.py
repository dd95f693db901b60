"""What an import writes: items as their source has them, each once, whatever else is wrong."""

from dataclasses import replace

import pytest
from django.utils import timezone

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller, Scope
from conderis.common.errors import Denied, Invalid
from exchange.importers.base import Options
from exchange.records import Credit, Link, Record, Report
from exchange.writing.running import check_import, run_import
from items.activity import project_activity
from items.erasing import empty_item
from items.events import signed_by
from items.kinds.registry import all_kinds
from items.models import Item, ItemEvent, ItemTag, Relation
from items.reading import read_item
from items.requests import Address, ReadRequest
from items.search import project_scopes, ranked
from projects.models import Project, ProjectMember
from tests.exchange.sources import LONG_AGO, ann, order_of, record
from tests.factories import agent_caller, person_caller
from tests.items.calls import create

pytestmark = pytest.mark.django_db


def imported(person: Person, project: Project, *found: Record) -> Report:
    """The report of an import, whose trial said the same."""
    order = order_of(project, found)
    foretold = check_import(person_caller(person), order)
    report = run_import(person_caller(person), order)
    assert foretold == report
    return report


def search_titles(caller: Caller, project: Project, text: str) -> list[str]:
    rows = Item.objects.filter(project=project)
    hits = ranked(rows, text, project_scopes(caller, [project.pk], list(all_kinds())))
    return [rows.get(pk=hit.item_id).title for hit in hits]


def items_of(project: Project) -> dict[str, Item]:
    return {item.title: item for item in Item.objects.filter(project=project)}


def test_a_record_becomes_an_item_with_its_times_and_its_author_by_name(
    alice: Person, project: Project
) -> None:
    report = imported(alice, project, record("a", credit=ann(), created=LONG_AGO, content="x"))

    item = Item.objects.get(project=project)
    event = ItemEvent.objects.get(item=item)
    assert report.made == {"task": 1}
    assert (item.number, item.version, item.created, item.changed) == (1, 1, LONG_AGO, LONG_AGO)
    assert (item.author, item.credit) == (alice, {"name": "Ann Other"})
    assert (event.event, event.version, event.at, event.credit) == (
        "created", 1, LONG_AGO, {"name": "Ann Other"},
    )  # fmt: skip
    assert event.state == {"title": "Title of a", "content": "x", "status": "open",
                           "priority": "normal"}  # fmt: skip


def test_a_second_import_adds_nothing_and_names_what_has_changed(
    alice: Person, project: Project
) -> None:
    imported(alice, project, record("a"), record("b"))

    report = imported(alice, project, record("a"), record("b", content="new"), record("c"))

    assert (report.made, report.known, report.differing) == ({"task": 1}, 2, ["row b"])
    assert items_of(project)["Title of b"].content == ""
    assert Item.objects.filter(project=project).count() == 3


def test_parents_and_relations_are_kept_whichever_comes_first(
    alice: Person, project: Project
) -> None:
    imported(
        alice,
        project,
        record("a", parent="c", links=[Link("blocks", "b")]),
        record("b", parent="a", links=[Link("relates", "a")]),
        record("c"),
    )

    found = items_of(project)
    a, b, c = (found[f"Title of {key}"] for key in "abc")
    assert (a.parent, b.parent, c.parent) == (c, a, None)
    rows = Relation.objects.values_list("source", "target", "relation")
    assert sorted(rows) == sorted([(a.pk, b.pk, "blocks"), (a.pk, b.pk, "relates")])


def test_what_is_wrong_with_one_record_stops_no_other(alice: Person, project: Project) -> None:
    secret = "ghp_" + "a1B2c3" * 6

    report = imported(
        alice,
        project,
        record("a", title=""),
        record("b", due="tomorrow"),
        record("c", content=f"token {secret}"),
        record("d", kind="memory", visibility="shared", nothing="x"),
        record("e", content="x" * 100_001),
        record("f", kind="poem"),
        record("g", parent="c"),
        record("g", content="twice"),
    )

    assert [each.place for each in report.left_out] == [f"row {key}" for key in "abcdefg"]
    assert secret not in str(report)
    assert (report.made, list(items_of(project))) == ({"task": 1}, ["Title of g"])
    assert [each.place for each in report.warnings] == ["row g"]


def test_texts_that_look_like_secrets_are_stored_where_a_person_says_so(
    alice: Person, project: Project
) -> None:
    found = [record("a", content="token ghp_" + "a1B2c3" * 6)]

    with pytest.raises(Denied):
        run_import(agent_caller(alice), order_of(project, found, store_anyway=True))
    report = run_import(person_caller(alice), order_of(project, found, store_anyway=True))

    assert (report.made, len(report.warnings)) == ({"task": 1}, 1)


def test_a_contributor_and_whoever_needs_review_import_nothing(
    alice: Person, bob: Person, project: Project
) -> None:
    order = order_of(project, [record("a")])
    for caller in (
        person_caller(bob),
        agent_caller(alice, always_review=True),
        agent_caller(alice, "reader", scopes=frozenset({Scope.READ})),
    ):
        with pytest.raises(Denied):
            check_import(caller, order)
        with pytest.raises(Denied):
            run_import(caller, order)

    assert not Item.objects.exists()


def test_a_role_and_a_key_that_are_lost_end_the_import_between_two_chunks(
    carol: Person, project: Project
) -> None:
    found = [record(f"k{place}") for place in range(120)]

    def lose(_done: int) -> None:
        ProjectMember.objects.filter(person=carol).update(role="reader")

    with pytest.raises(Denied):
        run_import(person_caller(carol), order_of(project, found), progress=lose)
    begun = Item.objects.count()
    ProjectMember.objects.filter(person=carol).update(role="moderator")
    report = run_import(person_caller(carol), order_of(project, found))

    assert 0 < begun < 120
    assert (report.known, report.made) == (begun, {"task": 120 - begun})
    assert Item.objects.count() == 120


def test_what_is_too_deep_or_of_another_kind_stands_higher_and_is_said(
    alice: Person, project: Project
) -> None:
    report = imported(
        alice,
        project,
        record("bag", "memory"),
        record("in", "memory", parent="bag"),
        record("deeper", "memory", parent="in"),
        record("critical", "memory", parent="bag", weight="critical"),
        record("private", "memory", parent="bag", visibility="private"),
        record("task", parent="bag"),
        record("own", parent="own"),
    )

    parents = {
        title: item.parent and item.parent.title for title, item in items_of(project).items()
    }
    assert parents == {
        "Title of bag": None,
        "Title of in": "Title of bag",
        "Title of deeper": "Title of bag",
        "Title of critical": None,
        "Title of private": None,
        "Title of task": None,
        "Title of own": None,
    }
    places = [each.place for each in report.warnings]
    assert places == ["row deeper", "row critical", "row private", "row task", "row own"]


def test_pages_keep_their_order_and_no_two_siblings_have_one_title(
    alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "page", title="Notes")
    report = imported(
        alice,
        project,
        record("a", "page", title="Notes", parent="z"),
        record("b", "page", title="Notes"),
        record("c", "page", title="Notes"),
        record("z", "page", title="Top"),
    )

    rows = Item.objects.filter(kind="page", parent=None).order_by("rank")
    assert list(rows.values_list("title", flat=True)) == ["Notes", "Notes (2)", "Notes (3)", "Top"]
    assert Item.objects.get(parent__title="Top").title == "Notes"
    assert [each.place for each in report.warnings] == ["row b", "row c"]


def test_a_blocked_task_and_one_in_progress_are_claimed_by_nobody(
    alice: Person, project: Project
) -> None:
    imported(
        alice,
        project,
        record("a", status="in_progress"),
        record("b", status="blocked", blockedReason="waits"),
        record("c", status="done", due="2026-12-31"),
    )

    found = items_of(project)
    assert [found[f"Title of {key}"].status for key in "abc"] == ["in_progress", "blocked", "done"]
    assert {item.assignee_person for item in found.values()} == {None}
    assert found["Title of b"].blocked_reason == "waits"
    assert str(found["Title of c"].due) == "2026-12-31"


def test_circles_of_relations_are_left_out_and_said(alice: Person, project: Project) -> None:
    report = imported(
        alice,
        project,
        record("a", links=[Link("blocks", "b"), Link("blocks", "page")]),
        record("b", links=[Link("blocks", "c")]),
        record("c", links=[Link("blocks", "a"), Link("documents", "gone")]),
        record("page", "page"),
    )

    assert Relation.objects.count() == 2
    assert len(report.warnings) == 3


def test_an_erased_item_does_not_come_back(alice: Person, project: Project) -> None:
    imported(alice, project, record("a", content="canary"), record("b"))
    empty_item(Item.objects.get(number=1), by=signed_by(person_caller(alice)), now=timezone.now())

    report = imported(alice, project, record("a", content="canary"), record("b"))

    assert (report.known, report.made, report.differing) == (2, {}, [])
    assert not Item.objects.filter(content__contains="canary").exists()


def test_a_private_memory_is_known_to_its_author_alone(
    alice: Person, carol: Person, project: Project
) -> None:
    found = record("a", "memory", visibility="private")
    imported(alice, project, found)

    report = imported(carol, project, found)

    assert (report.known, report.made) == (0, {"memory": 1})


def test_a_name_of_the_source_is_shown_with_who_imported_it(
    alice: Person, bob: Person, project: Project
) -> None:
    imported(alice, project, record("a", "memory", credit=Credit("Bob\n\u202e", agent="Bot")))
    caller = person_caller(bob)

    answer = read_item(caller, ReadRequest(Address(project.public_id, number=1)))
    history = read_item(caller, ReadRequest(Address(project.public_id, number=1), history=True))

    assert answer["author"] == {"name": "Bob", "agent": "Bot", "importedBy": "Alice"}
    event = history["events"][0]
    assert (event["by"], event["agent"], event["importedBy"]) == ("Bob", "Bot", "Alice")
    happening = project_activity(caller, project.public_id).items[0]
    assert (happening.credited, happening.by and happening.by.name) == ("Bob", "Alice")


def test_what_was_imported_is_found_and_noted_in_the_audit_log(
    alice: Person, project: Project
) -> None:
    imported(alice, project, record("a", content="xylophone", tags=["one"]))

    found = search_titles(person_caller(alice), project, "xylophone")
    event = AuditEvent.objects.get(action="item.created")
    assert found == ["Title of a"]
    assert (event.subject, event.person_id, event.detail) == (
        "#1", alice.pk, {"imported": "test", "version": 1},
    )  # fmt: skip
    assert ItemTag.objects.get().tag == "one"


def test_titles_and_tags_that_are_too_long_are_cut_and_kept_whole_in_the_text(
    alice: Person, project: Project
) -> None:
    title = "word " * 50
    report = imported(alice, project, record("a", "memory", title=title, content="text",
                                             tags=["t" * 50]))  # fmt: skip

    item = Item.objects.get(project=project)
    assert item.title.endswith("…")
    assert item.content == f"{title.strip()}\n\ntext"
    assert len(report.warnings) == 2


def test_a_part_that_the_source_has_not_is_refused_and_nothing_is_stored(
    alice: Person, project: Project
) -> None:
    order = replace(order_of(project, [record("one")]), options=Options(only=("cardz",)))

    with pytest.raises(Invalid, match="no such part"):
        run_import(person_caller(alice), order)

    assert not Item.objects.filter(project=project).exists()
