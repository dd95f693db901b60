"""GitHub's issues, as the REST API and as `gh issue list` give them."""

import io
import json
import zipfile
from typing import Any

import pytest

from exchange.importers.github import GITHUB
from exchange.records import Credit
from exchange.sources import source_of_bytes, source_of_path
from tests.exchange.importers.finding import (
    SAMPLES,
    Finds,
    found_in,
    json_file,
    shared_file,
    with_shared,
)

WEB = "https://github.com/example/shop/issues/"


def issue(number: int, **members: Any) -> dict[str, Any]:
    return {"number": number, "title": f"Issue {number}", "html_url": f"{WEB}{number}",
            "state": "open", "body": "", **members}  # fmt: skip


def issues(*found: Any) -> Finds:
    return found_in(GITHUB, json_file(list(found)))


@with_shared
def test_real_issues_come_with_their_labels() -> None:
    found = found_in(GITHUB, shared_file("github-issues-api.json"))

    assert len(found.order) == 7
    assert not found.problems
    labels = [each.fields.get("tags") for each in found.records.values()]
    assert labels == [None] * 6 + [["Foo", "bAr", "baZ"]]


def test_the_sample_comes_with_parents_first_and_without_the_pull_request() -> None:
    found = found_in(GITHUB, source_of_path(SAMPLES / "github.json"))

    record = found.records[f"{WEB}2"]
    assert found.order == [f"{WEB}1", f"{WEB}2"]
    assert (record.parent, record.fields["status"]) == (f"{WEB}1", "canceled")
    assert record.fields["tags"] == ["bug"]
    assert record.credit == Credit("ann")
    assert str(record.created) == "2026-04-01 10:00:00+00:00"
    assert found.content(f"{WEB}2") == (
        "Since \\#1, with `#1` in code.\n\n## Details\n\n- Milestone: May (due 2026-05-31)\n"
        f"- Closed as: not planned\n- Assignees: bob\n- GitHub: {WEB}2"
    )
    assert list(record.warnings) == [
        "GitHub counts 2 comments on this issue; the file does not hold them."
    ]
    assert found.left_out == {"entry 3, #3 (Mend the cart)": "It is a pull request, not an issue."}


def test_what_gh_lists_comes_with_its_comments_under_the_same_key() -> None:
    found = issues({
        "number": 4, "title": "Slow", "body": "b", "state": "CLOSED", "stateReason": "COMPLETED",
        "url": f"{WEB}4", "author": {"login": "ann"}, "labels": [{"name": "perf"}],
        "createdAt": "2026-04-01T10:00:00Z", "assignees": [],
        "comments": [
            {"author": {"login": "bob"}, "body": "second", "createdAt": "2026-04-03T10:00:00Z"},
            {"author": None, "body": "first", "createdAt": "2026-04-02T10:00:00Z"},
        ],
    })  # fmt: skip

    assert found.records[f"{WEB}4"].fields["status"] == "done"
    assert found.content(f"{WEB}4").endswith(
        "**Unknown, 2026-04-02 10:00 UTC**\n\nfirst\n\n**bob, 2026-04-03 10:00 UTC**\n\nsecond"
    )


@pytest.mark.parametrize(
    ("state", "reason", "status"),
    [("open", "reopened", "open"), ("closed", None, "done"), ("closed", "completed", "done"),
     ("closed", "not_planned", "canceled"), ("CLOSED", "DUPLICATE", "canceled")],
)  # fmt: skip
def test_the_state_and_its_reason_say_the_status(state: str, reason: Any, status: str) -> None:
    found = issues(issue(1, state=state, state_reason=reason))

    assert found.records[f"{WEB}1"].fields["status"] == status


def test_answers_of_the_search_and_pages_in_pages_and_in_turn_are_read() -> None:
    search = found_in(GITHUB, json_file({"total_count": 1, "items": [issue(1)]}))
    slurped = found_in(GITHUB, json_file([[issue(1)], [issue(2)]]))
    one, two = (json_file([issue(number)]).files[0].read() for number in (1, 2))
    in_turn = found_in(GITHUB, source_of_bytes("issues.json", one + two))
    windows = found_in(GITHUB, source_of_bytes("issues.json", one.decode().encode("utf-16")))

    assert search.order == windows.order == [f"{WEB}1"]
    assert slurped.order == in_turn.order == [f"{WEB}1", f"{WEB}2"]


def test_several_files_of_an_archive_are_one_and_others_are_named() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("1.json", json.dumps([issue(1)]))
        archive.writestr("2.json", json.dumps([issue(2, parent_issue_url=f"{WEB}1"), None]))
        archive.writestr("notes.txt", "none")
    found = found_in(GITHUB, source_of_bytes("pages.zip", content.getvalue()))

    assert found.order == [f"{WEB}1", f"{WEB}2"]
    assert list(found.left_out) == ["notes.txt", "2.json, entry 2"]


def test_what_is_no_issue_is_named_and_the_others_come() -> None:
    odd = issue(3, labels=["plain", [7], {"name": None}], milestone=3, body=["x"])
    found = issues(issue(1), None, "text", issue(2, title=None), issue(1), {"title": "no key"}, odd)

    assert found.order == [f"{WEB}1", f"{WEB}3"]
    assert list(found.left_out) == [
        "entry 2", "entry 3", "entry 4, #2", "entry 5, #1 (Issue 1)", "entry 6 (no key)",
    ]  # fmt: skip
    assert found.records[f"{WEB}3"].fields["tags"] == ["plain"]
    assert list(found.records[f"{WEB}3"].warnings) == [
        "Not kept, for they are not of the expected type: body, labels.name, milestone."
    ]


def test_what_came_before_the_place_where_a_file_is_cut_off_is_kept() -> None:
    whole = json_file([issue(1), issue(2)]).files[0].read()
    found = found_in(GITHUB, source_of_bytes("issues.json", whole[:-20]))

    assert found.order == [f"{WEB}1"]
    assert "may be cut off" in found.left_out["issues.json"]


@pytest.mark.parametrize("count", ["NaN", "-Infinity", "1e999", "9" * 400, "-1"])
def test_hostile_numbers_and_nesting_do_no_harm(count: str) -> None:
    text = (
        '[{"number": 1, "title": "One", "state": "open", "id": %s, "comments": ' + count + "}, %s"
    )
    source = source_of_bytes("a.json", (text % ("9" * 9999, "[" * 200_000)).encode())
    found = found_in(GITHUB, source)

    assert found.titles() == ["One"]
    assert "nested too deeply" in found.left_out["a.json"]


def test_parents_that_are_missing_or_go_in_a_circle_are_told() -> None:
    found = issues(
        issue(1, parent_issue_url=f"{WEB}9"),
        issue(2, parent_issue_url=f"{WEB}3"),
        issue(3, parent_issue_url=f"{WEB}2"),
        *(issue(number, parent_issue_url=f"{WEB}{number - 1}") for number in range(4, 8)),
    )

    assert sorted(found.order) == [f"{WEB}{number}" for number in range(1, 8)]
    assert "not imported" in found.records[f"{WEB}1"].warnings[0]
    lost = [key for key in (f"{WEB}2", f"{WEB}3") if found.records[key].parent is None]
    assert len(lost) == 1
    assert "circle" in found.records[lost[0]].warnings[0]
    seen: set[str] = set()
    for key in found.order:
        assert found.records[key].parent in {None, *seen}
        seen.add(key)
