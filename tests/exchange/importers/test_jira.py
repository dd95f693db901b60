"""Jira's CSV exports (IMP-1): columns stand there several times, cells hold several things."""

import csv
import io

import pytest

from conderis.common.errors import Invalid
from exchange.importers.base import Options
from exchange.importers.jira import JIRA
from exchange.importers.jira_cells import day_of_cell, moment_of_cell
from exchange.records import Credit, Link
from exchange.sources import source_of_bytes, source_of_path
from tests.exchange.importers.finding import (
    SAMPLES,
    Finds,
    found_in,
    shared_file,
    text_file,
    with_shared,
)


def table(*rows: tuple[str, ...], delimiter: str = ",", encoding: str = "utf-8") -> Finds:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return found_in(JIRA, source_of_bytes("jira.csv", out.getvalue().encode(encoding)))


def one(**cells: str) -> Finds:
    names = [name.replace("_", " ") for name in cells]
    return table(("Issue key", "Summary", *names), ("A-1", "One", *cells.values()))


@with_shared
def test_the_export_with_every_hazard_keeps_labels_comments_dates_and_links() -> None:
    found = found_in(JIRA, shared_file("jira-export-synthetic-wide.csv"))

    bug, story = found.records["SHOP-2"], found.records["SHOP-3"]
    assert found.order == ["SHOP-1", "SHOP-3", "SHOP-2"]
    assert found.records["SHOP-1"].fields["tags"] == ["payments", "q2"]
    assert bug.fields["tags"] == ["ui", "a11y", "ui-bug"]
    assert (bug.fields["status"], bug.fields["due"]) == ("canceled", "2024-02-29")
    assert str(bug.created) == "2023-12-31 23:59:00+00:00"
    assert (bug.parent, bug.links) == ("SHOP-1", (Link("blocks", "SHOP-3"),))
    assert "**Unknown, 2024-01-02 08:15 UTC**\n\nDeploy at 9;30; then check" in found.content(
        "SHOP-2"
    )
    assert found.content("SHOP-2").count(" UTC**") == 2
    assert found.content("SHOP-3").endswith("line one\nline two; with semicolon")
    assert (story.fields["title"], story.fields["status"]) == (
        "Überweisung schlägt fehl — 支払いエラー E_PAY_4012", "open",
    )  # fmt: skip
    assert found.left_out == {
        "row 5": "SHOP-4 has no summary. Its parent 29999 is not in the file either."
    }


@with_shared
def test_a_real_export_names_people_where_the_file_does() -> None:
    found = found_in(JIRA, shared_file("jira-export-real-small.csv"))

    assert found.order == ["PT-2", "PT-1"]
    assert found.records["PT-2"].fields["due"] == "2024-01-10"
    assert found.records["PT-2"].credit == Credit("Person One")
    assert "**Person One, 2024-01-09 15:55 UTC**\n\ncomentario @Person One" in found.content("PT-2")
    assert not found.problems


def test_the_sample_is_read() -> None:
    found = found_in(JIRA, source_of_path(SAMPLES / "jira.csv"))

    assert found.order == ["SHOP-1", "SHOP-3", "SHOP-2"]
    assert found.content("SHOP-2").startswith('See \\#3,\n"quoted"\n\n## Details')
    assert "**Ann Example, 2024-01-02 08:15 UTC**\n\nAt 9;30 sharp" in found.content("SHOP-2")
    assert list(found.left_out) == ["row 5"]


@pytest.mark.parametrize(
    ("text", "day"),
    [("31/Dec/23 11:59 PM", "2023-12-31"), ("01/Jan/24 12:00 AM", "2024-01-01"),
     ("9/Jan/2024", "2024-01-09"), ("2024-01-09 15:54", "2024-01-09"), ("2024-01-09", "2024-01-09"),
     ("2024-01-09T23:54:00.000-0800", "2024-01-10"), ("Jan 9, 2024, 3:54 PM", "2024-01-09"),
     ("31.12.2023 23:59", "2023-12-31"), ("31/Dez/23 3:54", "2023-12-31"),
     ("2024/01/09 3:54 PM", "2024-01-09"), ("12/Feb/99 1:00 PM", "1999-02-12"),
     ("01/02/2024", None), ("30/Feb/24", None), ("soon", None), ("", None)],
)  # fmt: skip
def test_days_are_read_in_the_forms_of_jira_and_never_guessed(text: str, day: str | None) -> None:
    assert day_of_cell(text) == day


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("01/Jan/24 12:00 AM", "00:00"),
        ("01/Jan/24 12:30 PM", "12:30"),
        ("01/Jan/24 1:05\u202fPM", "13:05"),
    ],
)
def test_noon_and_midnight_are_told_apart(text: str, time: str) -> None:
    moment = moment_of_cell(text)

    assert moment is not None
    assert f"{moment:%H:%M}" == time


def test_a_due_date_of_an_unknown_form_stays_as_text() -> None:
    found = one(Due_date="01/02/2024")

    assert found.records["A-1"].fields["due"] is None
    assert "- Due: 01/02/2024" in found.content("A-1")
    assert found.records["A-1"].warnings


def test_parents_are_found_by_id_and_key_and_missing_ones_told() -> None:
    found = table(
        ("Summary", "Issue key", "Issue id", "Parent", "Custom field (Epic Link)"),
        ("Sub", "A-3", "3", "2", ""),
        ("Story", "A-2", "2", "", "A-1"),
        ("Epic", "A-1", "1", "", ""),
        ("Lost", "A-4", "4", "99", ""),
    )

    assert [(key, found.records[key].parent) for key in found.order] == [
        ("A-1", None), ("A-4", None), ("A-2", "A-1"), ("A-3", "A-2"),
    ]  # fmt: skip
    assert "99 is not imported" in found.records["A-4"].warnings[0]
    assert "- Parent: 99" in found.content("A-4")


def test_links_are_kept_once_and_those_to_elsewhere_as_text() -> None:
    found = table(
        ("Summary", "Issue key", "Inward issue link (Blocks)", "Outward issue link (Blocks)",
         "Outward issue link (Cloners)"),
        ("One", "A-1", "A-2", "", "A-2"),
        ("Two", "A-2", "", "A-1", "B-9"),
    )  # fmt: skip

    assert found.records["A-1"].links == (Link("relates", "A-2"),)
    assert found.records["A-2"].links == (Link("blocks", "A-1"),)
    assert "- Link, cloners: A-2" in found.content("A-1")
    assert "- Link, cloners: B-9" in found.content("A-2")
    assert list(found.records["A-2"].warnings) == ["It is linked with B-9, which is not imported."]


def test_rows_without_key_doubles_and_surplus_cells_are_told_by_row() -> None:
    found = table(
        ("Summary", "Issue key"), ("One", "A-1"), ("No key", ""), ("", ""), ("Again", "A-1"),
        ("Two", "A-2", "more"),
    )  # fmt: skip

    assert found.titles() == ["One", "Two"]
    assert list(found.left_out) == ["row 3", "row 5"]
    assert found.records["A-2"].warnings


def test_every_other_column_stands_in_the_details_all_of_its_cells() -> None:
    found = table(
        ("Summary", "Issue key", "Sprint", "Component/s", "Sprint", "Custom field (Points)",
         "Custom field (Rank)", "Reporter", "Environment"),
        ("One", "A-1", "S1", "web", "S2", "5", "0|i", "ann@example.com", "Linux\nx86"),
    )  # fmt: skip

    assert found.content("A-1") == (
        "## Environment\n\nLinux\nx86\n\n## Details\n\n- Jira: A-1\n- Reporter: ann\n"
        "- Sprint: S1, S2\n- Component/s: web\n- Points: 5"
    )


@pytest.mark.parametrize(
    ("status", "category", "resolution", "expected"),
    [("Ready for QA", "To Do", "", "open"), ("Weird", "In Progress", "", "in_progress"),
     ("Shipped", "Done", "Fixed", "done"), ("Closed", "", "Duplicate", "canceled"),
     ("Blocked", "In Progress", "", "blocked"), ("Archived", "Done", "", "done"),
     ("Rejected", "Done", "", "canceled"), ("Weird", "", "", "open")],
)  # fmt: skip
def test_status_category_and_resolution_say_the_status(
    status: str, category: str, resolution: str, expected: str
) -> None:
    found = one(Status=status, Status_Category=category, Resolution=resolution)

    fields = found.records["A-1"].fields
    assert fields["status"] == expected
    assert bool(fields.get("blockedReason")) == (expected == "blocked")


def test_other_delimiters_encodings_and_long_cells_are_read() -> None:
    long = "x" * 200_000
    semicolons = table(
        ("Summary", "Issue key"), ("Änderung", "A-1"), delimiter=";", encoding="cp1252"
    )
    utf_16 = table(("Summary", "Issue key"), ("Änderung", "A-1"), encoding="utf-16")
    too_long = table(
        ("Summary", "Issue key", "Description"), ("One", "A-1", long), ("Two", "A-2", "")
    )

    assert semicolons.titles() == utf_16.titles() == ["Änderung"]
    assert semicolons.warned == {"jira.csv": "The file is no UTF-8; it was read as Windows-1252."}
    assert too_long.titles() == ["Two"]
    assert "200" in too_long.left_out["row 2, A-1"]


def test_a_comment_that_is_not_in_three_parts_is_kept_whole() -> None:
    found = one(Comment="just; a; text", Comments="a\x00b")

    assert found.content("A-1").endswith(
        "## Comments\n\n**Unknown**\n\njust; a; text\n\n**Unknown**\n\nab"
    )


def test_a_table_of_something_else_is_refused_with_the_columns_that_it_needs() -> None:
    source = text_file("Name,Age\nAnn,7\n", "people.csv")

    assert not JIRA.looks_like(source)
    with pytest.raises(Invalid, match="Summary and Issue key"):
        list(JIRA.read(source, Options()))


def test_cells_may_be_long_and_reading_sets_nothing_for_other_threads() -> None:
    before = csv.field_size_limit()
    csv.field_size_limit(before - 1)
    try:
        assert one(Description="x" * 70_000).records
        assert csv.field_size_limit() == before - 1
        assert list(one(Description="x" * 200_000).left_out) == ["row 2, A-1"]
    finally:
        csv.field_size_limit(before)
