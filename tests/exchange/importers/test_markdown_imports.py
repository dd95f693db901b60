"""Files of notes, tasks and rules through a whole import: looked at, run, run again."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from conderis.accounts.models import Person
from exchange.exporting.writing import export_lines, export_zip
from exchange.importers.agents_md import AGENTS_MD
from exchange.importers.backlog_md import BACKLOG_MD
from exchange.importers.base import Importer, Options
from exchange.importers.basic_memory import BASIC_MEMORY
from exchange.importers.beads import BEADS
from exchange.importers.conderis import CONDERIS, CONDERIS_MARKDOWN
from exchange.importers.vault import VAULT
from exchange.sources import Source, source_of_bytes, source_of_path
from exchange.writing.running import Order, check_import, run_import
from items.models import Item, Relation
from projects.models import Project
from tests.exchange.importers.markdown import handed, zipped
from tests.factories import make_project, person_caller

SAMPLES = Path(__file__).parents[1] / "samples"

VAULT_FILES: dict[str, str | bytes] = {
    "Start.md": "---\naliases: [Home]\n---\n# Start\n\n[[Plan]] and [[Nowhere]], see #12",
    "work/Plan.md": "---\ntitle: The plan: phase 2\ntags: #a/b\n---\n- [ ] one\n[[Home]]",
    "work/deep/Empty.md": "",
    "work/picture.png": b"\x89PNG",
    ".obsidian/app.json": "{}",
}
NOTES = {
    "a/Tea.md": "---\ntitle: Tea\npermalink: a/tea\n---\n\n## Relations\n- served_in [[Cup]]\n",
    "Cup.md": "---\ntitle: Cup\npermalink: cup\ntype: decision\n---\n\n- [size] small #little\n",
}
BACKLOG = {
    "backlog/tasks/task-2 - Two.md": "---\nid: task-2\ntitle: Two\nstatus: To Do\n"
    "dependencies: [task-1]\nparent_task_id: task-3\n---\n",
    "backlog/tasks/task-1 - One.md": "---\nid: task-1\ntitle: One\nstatus: Blocked\n---\n",
    "backlog/archive/tasks/task-3 - Three.md": "---\nid: task-3\ntitle: Three\nstatus: Done\n---\n",
    "backlog/docs/doc-1 - How.md": "---\nid: doc-1\ntitle: How\n---\nSo",
}
RULES = {"AGENTS.md": "# Rules\n\nBe short.", "CLAUDE.md": "@AGENTS.md", "web/AGENTS.md": "# Web"}


@dataclass(frozen=True)
class Case:
    """A source, what becomes of it, and how much of it is left out."""

    name: str
    importer: Importer
    source: Callable[[], Source]
    made: dict[str, int]
    left_out: int = 0


CASES = [
    Case("vault", VAULT, lambda: zipped(VAULT_FILES), {"page": 5}, 1),
    Case("notes", BASIC_MEMORY, lambda: zipped(NOTES), {"memory": 2}),
    Case("backlog", BACKLOG_MD, lambda: zipped(BACKLOG), {"task": 3, "page": 2}),
    Case("beads", BEADS, lambda: source_of_path(SAMPLES / "beads.jsonl"),
         {"task": 5, "memory": 1}, 1),
    Case("rules", AGENTS_MD, lambda: zipped(RULES), {"instructions": 1, "page": 1}, 1),
    Case("real vault", VAULT, lambda: handed("vault-synthetic-edge"), {"page": 13}),
    Case("real notes", BASIC_MEMORY, lambda: handed("basic-memory-notes"), {"memory": 25}),
    Case("real backlog", BACKLOG_MD, lambda: handed("backlog-md"), {"task": 4}),
    Case("real rules", AGENTS_MD, lambda: handed("agent-instructions-AGENTS.md"),
         {"instructions": 1}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_source_is_looked_at_then_imported_and_the_second_time_nothing_is_new(
    alice: Person, project: Project, case: Case
) -> None:
    caller = person_caller(alice)
    order = Order(project.public_id, case.importer, case.source())

    before = check_import(caller, order)
    assert Item.objects.count() == 0
    report = run_import(caller, order)
    again = run_import(caller, order)

    assert report == before
    assert report.made == case.made
    assert len(report.left_out) == case.left_out
    assert Item.objects.count() == sum(case.made.values())
    assert again.made == {}
    assert again.known == sum(case.made.values())
    assert again.differing == []


@pytest.mark.parametrize("importer", [CONDERIS, CONDERIS_MARKDOWN], ids=lambda each: each.name)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_was_imported_goes_out_and_into_an_empty_project_as_it_is(
    alice: Person, project: Project, case: Case, importer: Importer
) -> None:
    caller, other = person_caller(alice), make_project(alice, "other")
    imported(alice, project, case.importer, case.source())
    if importer is CONDERIS:
        out = "".join(export_lines(caller, project.public_id)).encode()
    else:
        out = b"".join(export_zip(caller, project.public_id))
    report = run_import(caller, Order(other.public_id, importer, source_of_bytes("out", out)))

    assert (report.left_out, report.made) == ([], case.made)
    assert said_of(other) == said_of(project)


def said_of(project: Project) -> list[tuple[object, ...]]:
    """What the items of a project say, and how they are related; times to the second."""
    items = Item.objects.filter(project=project).order_by("number").select_related("parent")
    relations = Relation.objects.filter(source__project=project)
    return [
        (item.kind, item.number, item.title, item.content, item.tags, item.status, item.due,
         item.priority, item.blocked_reason, item.visibility, item.category,
         (item.credit or {}).get("name", item.author.display_name),
         item.created.replace(microsecond=0), item.changed.replace(microsecond=0),
         item.parent and item.parent.number)
        for item in items
    ] + sorted(
        (each.relation, each.source.number, each.target.number) for each in relations
    )  # fmt: skip


def imported(alice: Person, project: Project, importer: Importer, source: Source) -> None:
    run_import(person_caller(alice), Order(project.public_id, importer, source))


def test_a_vault_is_a_tree_with_relations(alice: Person, project: Project) -> None:
    imported(alice, project, VAULT, zipped(VAULT_FILES))

    parents = {item.title: item.parent and item.parent.title for item in Item.objects.all()}
    assert parents == {
        "Start": None, "work": None, "The plan: phase 2": "work", "deep": "work", "Empty": "deep",
    }  # fmt: skip
    (relation,) = Relation.objects.all()
    assert {relation.source.title, relation.target.title} == {"Start", "The plan: phase 2"}
    assert Item.objects.get(title="Start").content == (
        "[[Plan]] and [[Nowhere]], see \\#12\n\n## Details\n\n- Aliases: Home"
    )


def test_tasks_keep_their_order_state_and_dependencies(alice: Person, project: Project) -> None:
    imported(alice, project, BACKLOG_MD, zipped(BACKLOG))

    one, two, three = (Item.objects.get(title=title) for title in ("One", "Two", "Three"))
    assert (one.status, two.status, three.status) == ("blocked", "open", "done")
    assert two.parent == three
    (relation,) = Relation.objects.all()
    assert (relation.source, relation.relation, relation.target) == (one, "blocks", two)


def test_instructions_that_stand_are_left_and_the_file_can_become_a_page(
    alice: Person, project: Project
) -> None:
    imported(alice, project, AGENTS_MD, zipped({"AGENTS.md": "First"}))
    caller, other = person_caller(alice), zipped({"CLAUDE.md": "Other"})

    left = run_import(caller, Order(project.public_id, AGENTS_MD, other))
    assert (left.made, [each.place for each in left.left_out]) == ({}, ["CLAUDE.md"])
    chosen = Order(project.public_id, AGENTS_MD, other, Options(["pages"]))
    assert run_import(caller, chosen).made == {"page": 1}

    assert Item.objects.get(kind="instructions").content == "First"
    assert Item.objects.get(kind="page").title == "CLAUDE.md"


def test_a_file_that_changed_since_is_named_and_left_as_it_is(
    alice: Person, project: Project
) -> None:
    imported(alice, project, VAULT, zipped({"a.md": "one", "b.md": "same"}))

    order = Order(project.public_id, VAULT, zipped({"a.md": "two", "b.md": "same", "c.md": "new"}))
    report = run_import(person_caller(alice), order)

    assert (report.differing, report.known, report.made) == (["a.md"], 2, {"page": 1})
    assert Item.objects.get(title="a").content == "one"


def test_a_file_with_what_cannot_be_stored_is_named_and_stops_nothing(
    alice: Person, project: Project
) -> None:
    order = Order(project.public_id, VAULT, zipped({"a.md": "nul \0 here", "b.md": "good"}))
    report = run_import(person_caller(alice), order)

    assert report.made == {"page": 1}
    assert [each.place for each in report.left_out] == ["a.md"]


def test_folders_deeper_than_pages_may_be_keep_every_page(alice: Person, project: Project) -> None:
    source = zipped({"top.md": "", "/".join("abcdefghijklm") + "/x.md": "deep"})
    report = run_import(person_caller(alice), Order(project.public_id, VAULT, source))

    assert report.made == {"page": 15}
    assert Item.objects.get(title="x").content == "deep"
    assert report.warnings


def test_files_of_one_title_in_one_folder_are_both_kept(alice: Person, project: Project) -> None:
    imported(alice, project, VAULT, zipped({"a.md": "# Same\n\none", "b.md": "# Same\n\ntwo"}))

    assert {item.title for item in Item.objects.all()} == {"Same", "Same (2)"}
