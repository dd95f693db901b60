"""The command that exports a project: whole under its name or not at all."""

import json
import stat
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from conderis.accounts.models import AuditEvent, Person
from conderis.operations.commanding import Refused
from exchange.exporting import parts
from projects.models import Project
from tests.exchange.exports import files_of, lines_of, of_type, rich_project
from tests.factories import person_caller
from tests.items.calls import create


def run(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("export_project", *arguments, "--json", stdout=out)
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def shop(*more: str, handle: str = "alice") -> dict[str, Any]:
    return run("--project", "alice/shop", "--as", handle, *more)


def test_it_makes_one_file_of_lines_for_its_owner_alone(
    project: Project, alice: Person, bob: Person, carol: Person, tmp_path: Path
) -> None:
    rich_project(project, alice, bob, carol)
    target = tmp_path / "shop.jsonl"

    answer = shop("--out", str(target))

    assert answer == {"project": "alice/shop", "format": "jsonl", "file": str(target)}
    assert lines_of(target.read_bytes())[-1]["type"] == "end"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [target]
    event = AuditEvent.objects.latest("pk")
    assert (event.action, event.surface, event.person_id) == (
        "project.exported", "command", alice.pk,
    )  # fmt: skip


def test_it_makes_a_folder_or_an_archive_of_markdown(
    project: Project, alice: Person, tmp_path: Path
) -> None:
    create(person_caller(alice), project, "page", title="Page", content="text")

    shop("--format", "markdown", "--out", str(tmp_path / "shop"))
    shop("--format", "markdown", "--out", str(tmp_path / "shop.zip"))

    folder = tmp_path / "shop"
    assert (folder / "pages" / "1-page.md").read_text().endswith("---\ntext")
    assert set(files_of((tmp_path / "shop.zip").read_bytes())) == {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    }
    assert {path.name for path in tmp_path.iterdir()} == {"shop", "shop.zip"}


def test_without_a_name_it_takes_the_projects_and_the_day(
    project: Project, alice: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    lines, archive = shop(), shop("--format", "markdown")

    assert Path(lines["file"]).name.startswith("alice-shop-20")
    assert lines["file"].endswith(".jsonl")
    assert archive["file"].endswith(".zip")


def test_what_is_there_is_never_written_over(
    project: Project, alice: Person, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()

    for name, form in (("file", "jsonl"), ("folder", "markdown")):
        with pytest.raises(Refused, match="is there already"):
            shop("--out", str(tmp_path / name), "--format", form)
    with pytest.raises(Refused, match="There is no folder"):
        shop("--out", str(tmp_path / "none" / "file"))

    assert (tmp_path / "file").read_text() == "mine"
    assert list((tmp_path / "folder").iterdir()) == []


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
def test_an_export_that_ends_in_its_midst_leaves_nothing(
    project: Project, alice: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    create(person_caller(alice), project, "page", title="Page")

    def fail(*_arguments: object, **_more: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(parts, "item_line", fail)

    with pytest.raises(OSError, match="disk is full"):
        shop("--out", str(tmp_path / "shop"), "--format", form)

    assert list(tmp_path.iterdir()) == []


def test_it_exports_what_the_named_person_may_read(
    project: Project, alice: Person, bob: Person, mallory: Person, tmp_path: Path
) -> None:
    create(person_caller(bob), project, "memory", title="Of Bob", visibility="private")

    shop("--out", str(tmp_path / "a"))
    shop("--out", str(tmp_path / "b"), handle="BOB")
    shop("--out", str(tmp_path / "c"), "--without-private", handle="bob")
    counts = [
        len(of_type(lines_of((tmp_path / name).read_bytes()), "item")) for name in ("a", "b", "c")
    ]

    assert counts == [0, 1, 0]
    with pytest.raises(Refused, match="no project that you may read"):
        shop("--out", str(tmp_path / "d"), handle="mallory")
    with pytest.raises(Refused, match="nobody"):
        shop("--out", str(tmp_path / "d"), handle="nobody")
    Person.objects.filter(pk=bob.pk).update(is_active=False)
    with pytest.raises(Refused, match="deactivated"):
        shop("--out", str(tmp_path / "d"), handle="bob")
