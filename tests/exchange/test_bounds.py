"""What a file can claim is bounded: rows, reports, lines, and what an agent stores by it."""

import gc
import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from pytest_django import Settings

from conderis.accounts.models import AgentUsage, Person
from conderis.common.errors import Invalid, RateLimited, TooLarge
from exchange.importers.beads import BEADS
from exchange.records import Credit, PastEvent, Problem, Record
from exchange.reporting import report_as_json
from exchange.sources import source_of_bytes, source_of_path
from exchange.writing.running import check_import, run_import
from items.models import Item, ItemEvent
from projects.models import Project
from tests.exchange.exports import archive_of, found_in, records_of
from tests.exchange.importers.finding import found_in as found_by
from tests.exchange.sources import LONG_AGO, order_of, record
from tests.factories import agent_caller, person_caller
from tests.items.calls import create

HEADER = {"type": "header", "format": "conderis-export", "version": "1.0"}
STATE = {"title": "T", "status": "open", "priority": "normal"}


def export(*lines: dict[str, Any]) -> bytes:
    """A file of these lines, as a project's export has them."""
    return "".join(f"{json.dumps(line)}\n" for line in (HEADER, *lines)).encode()


def item(version: int) -> dict[str, Any]:
    return {
        "type": "item", "id": "a1", "number": 1, "kind": "task", "version": version,
        "fields": {"title": "T"}, "created": "2020-01-02T03:04:05Z",
    }  # fmt: skip


def entry(version: int | None) -> dict[str, Any]:
    return {
        "type": "event", "item": "a1", "event": "changed", "at": "2020-01-02T03:04:05Z",
        "version": version,
    }  # fmt: skip


def read(*lines: dict[str, Any]) -> Record:
    (found,) = records_of(found_in(export(*lines)))
    return found


# --- Histories -----------------------------------------------------------------------


@pytest.mark.parametrize("versions", [[9_000], [2, 9_000], [1], []])
def test_a_few_lines_of_a_file_make_few_entries_of_a_history(versions: list[int]) -> None:
    found = read(item(9_000), *map(entry, versions))

    assert (found.history, found.version) == ([], 1)


def test_a_history_that_lacks_less_than_it_has_is_kept() -> None:
    found = read(item(6), entry(2), entry(5))

    assert [each.version for each in found.history] == [1, 2, 3, 4, 5, 6]
    assert [each.state for each in found.history] == [None] * 6


def test_a_history_without_end_is_none_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("conderis", "conderis_histories"):
        monkeypatch.setattr(f"exchange.importers.{module}.MAX_ENTRIES", 5)

    assert len(read(item(1), entry(1), *[entry(None)] * 4).history) == 5
    found = read(item(1), entry(1), *[entry(None)] * 5)

    assert found.history == []
    assert any("too long" in each for each in found.warnings)


# --- Reports -------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    "bad",
    [
        [Problem(f"row {place}", "It cannot be read.") for place in range(30)],
        [record("same") for _ in range(30)],
        [record(f"r{place}", title="") for place in range(30)],
    ],
)
def test_a_report_names_no_more_than_it_may_and_the_import_ends(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch, bad: list[Any]
) -> None:
    monkeypatch.setattr("exchange.writing.planning.MOST_LEFT_OUT", 20)
    order = order_of(project, bad)

    for work in (check_import, run_import):
        with pytest.raises(TooLarge, match="damaged"):
            work(person_caller(alice), order)


@pytest.mark.django_db
def test_warnings_beyond_those_that_are_named_are_counted_and_end_no_import(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exchange.writing.planning.MOST_WARNINGS", 5)
    unheld = [
        record(f"t{place}", assignee={"ref": "person:zoe", "name": "Zoe"}) for place in range(8)
    ]

    order = order_of(project, [Problem("", "Cut off.", left_out=False), *unheld])
    reports = [work(person_caller(alice), order) for work in (check_import, run_import)]

    assert reports[0] == reports[1]
    assert reports[1].made == {"task": 8}
    said = report_as_json(reports[1])["warnings"]
    assert [each["place"] for each in said] == ["", "row t0", "row t1", "row t2", "row t3", ""]
    assert said[-1]["reason"] == "4 more notes are not named here."


# --- Lines ---------------------------------------------------------------------------

BOTH = [
    (lambda *lines: found_in(export(item(1)) + b"\n".join(lines)), "line 3"),
    (lambda *lines: found_by(BEADS, source_of_bytes("a.jsonl", b'{"id":"bd-1","title":"T",'
     b'"status":"open","issue_type":"task"}\n' + b"\n".join(lines))).problems, "line 2"),
]  # fmt: skip


@pytest.mark.parametrize(("reading", "place"), BOTH)
@pytest.mark.parametrize(
    "line",
    [b'{"a": NaN}', b'{"a": 1e999}', b'{"a": "\xff"}', b"[" * 5_000, b'"' + b"x" * 999 + b'"'],
    ids=["NaN", "infinite", "no UTF-8", "deep", "long"],
)
def test_every_file_of_lines_leaves_out_the_same_lines(
    reading: Any, place: str, line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    if b"xxx" in line:
        monkeypatch.setattr("exchange.importers.json_lines.MAX_LINE", 200)

    found = [each for each in reading(line) if isinstance(each, Problem) and each.left_out]

    assert [each.place for each in found] == [place]


@pytest.mark.parametrize(("reading", "_place"), BOTH)
def test_every_file_of_lines_has_so_many_at_most_empty_ones_included(
    reading: Any, _place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exchange.importers.json_lines.MAX_LINES", 50)

    reading(*[b""] * 40)
    with pytest.raises(Invalid, match="50 lines"):
        reading(*[b""] * 60)


# --- What is stored ------------------------------------------------------------------


@pytest.mark.django_db
def test_what_an_agent_imports_counts_with_its_history(
    alice: Person, project: Project, settings: Settings
) -> None:
    settings.LIMITS = replace(configured.LIMITS, megabytes_a_day=1)
    history = [
        PastEvent("changed", LONG_AGO, Credit(), version, state=STATE | {"content": "x" * 60_000})
        for version in range(1, 21)
    ]
    found = record("r", number=1, rewrites=True, version=20, history=history)

    with pytest.raises(RateLimited):
        run_import(agent_caller(alice), order_of(project, [found]))

    assert not Item.objects.exists()
    assert not ItemEvent.objects.exists()


@pytest.mark.django_db
def test_reasons_of_a_history_count_too_and_what_stands_counts_once(
    alice: Person, project: Project
) -> None:
    history = [
        PastEvent("created", LONG_AGO, Credit(), 1, state=STATE | {"title": "Ä" * 10}),
        PastEvent("archived", LONG_AGO, Credit(), None, "w" * 100),
        PastEvent("changed", LONG_AGO, Credit(), 2, state=STATE | {"title": "n" * 30}),
    ]
    found = record("r", title="n" * 30, number=1, rewrites=True, version=2, history=history)

    run_import(agent_caller(alice), order_of(project, [found]))

    words = len("open") + len("normal")
    assert AgentUsage.objects.get().size == 30 + (20 + words) + 100


@pytest.mark.django_db
def test_texts_that_are_mended_change_the_project(alice: Person, project: Project) -> None:
    create(person_caller(alice), project, "task", title="first")
    found = [record(f"r{each}", number=each, rewrites=True, content="then #2") for each in (1, 2)]
    seen: list[Any] = []

    def look(_done: int) -> None:
        seen.append(Project.objects.values_list("changed", flat=True).get(pk=project.pk))

    run_import(person_caller(alice), order_of(project, found), progress=look)

    assert Item.objects.get(number=2).content == "then #3"
    assert len(seen) == 2
    assert seen[0] < seen[1]


# --- Files ---------------------------------------------------------------------------


def test_an_archive_is_closed_when_nobody_reads_it_any_more(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(archive_of({"a.md": "one", "b.md": "two"}))

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        source = source_of_path(path)
        assert [file.read() for file in source.files] == [b"one", b"two"]
        del source
        gc.collect()

    assert not [each for each in warned if issubclass(each.category, ResourceWarning)]
