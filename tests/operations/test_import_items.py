"""The command that imports: what came of it in words and JSON, and an exit code that says so."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from conderis.accounts.models import Person
from conderis.operations.commanding import Refused
from conderis.operations.management.commands.import_items import LEFT_OUT, Command
from items.models import Item
from projects.models import Project

ISSUE = {
    "number": 1,
    "url": "https://api.github.com/repos/a/b/issues/1",
    "repository_url": "https://api.github.com/repos/a/b",
    "html_url": "https://github.com/a/b/issues/1",
    "title": "One",
    "state": "open",
    "body": "Text",
    "user": {"login": "ann"},
    "labels": [],
    "created_at": "2024-03-01T10:00:00Z",
    "updated_at": "2024-03-01T10:00:00Z",
}


@pytest.fixture
def issues(tmp_path: Path) -> Path:
    """Two issues, one of which holds a secret."""
    secret = "ghp_" + "a1B2c3" * 6
    other = ISSUE | {
        "number": 2,
        "url": "https://api.github.com/repos/a/b/issues/2",
        "html_url": "https://github.com/a/b/issues/2",
        "body": f"token {secret}",
    }
    path = tmp_path / "issues.json"
    path.write_text(json.dumps([ISSUE, other]))
    return path


def run(path: Path, *more: str, handle: str = "alice") -> dict[str, Any]:
    out = StringIO()
    words = (str(path), "--project", "alice/shop", "--as", handle, "--json", *more)
    call_command("import_items", *words, stdout=out)
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def test_it_says_what_it_would_do_does_it_and_does_it_once(
    project: Project, alice: Person, issues: Path
) -> None:
    foretold = run(issues, "--dry-run")
    assert not Item.objects.exists()
    done = run(issues)
    again = run(issues)

    assert foretold.pop("dryRun")
    assert foretold == done
    assert (done["importer"], done["made"]) == ("github", {"task": 1})
    assert len(done["leftOut"]) == 1
    assert (again["made"], again["known"]) == ({}, 1)
    assert Item.objects.get(project=project).author == alice


def test_secrets_are_stored_where_that_was_asked_for(project: Project, issues: Path) -> None:
    done = run(issues, "--store-anyway")

    assert (done["made"], "leftOut" in done) == ({"task": 2}, False)
    assert Item.objects.filter(project=project).count() == 2


def test_the_exit_code_tells_that_something_was_left_out(
    project: Project, issues: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["manage.py", "import_items", str(issues), "--project", "alice/shop", "--as", "alice"]

    with pytest.raises(SystemExit) as ended:
        Command().run_from_argv(words)

    assert project.path == "alice/shop"
    assert ended.value.code == LEFT_OUT
    assert "Left out" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "handle"), [((), "bob"), (("--format", "poem"), "alice"), ((), "nobody")]
)
def test_what_may_not_be_and_what_cannot_be_read_is_refused(
    project: Project, issues: Path, more: tuple[str, ...], handle: str
) -> None:
    with pytest.raises(Refused):
        run(issues, *more, handle=handle)

    assert not Item.objects.filter(project=project).exists()


def test_a_file_of_no_known_format_and_none_at_all_are_refused(
    project: Project, tmp_path: Path
) -> None:
    (tmp_path / "odd.bin").write_bytes(b"\x00\x01")

    for path in (tmp_path / "odd.bin", tmp_path / "missing"):
        with pytest.raises(Refused):
            run(path)

    assert project.last_number == 0
