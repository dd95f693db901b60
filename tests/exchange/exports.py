"""A project with all that an export can hold, and short ways to export and to read again."""

import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from exchange.exporting.reading import Private
from exchange.exporting.writing import export_lines, export_zip
from exchange.importers.base import Options
from exchange.importers.conderis import CONDERIS, CONDERIS_MARKDOWN
from exchange.records import Found, Problem, Record, Tombstone
from exchange.sources import source_of_bytes
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create
from tests.proposals.reviews import propose, propose_new

Line = dict[str, Any]

# What texts may hold and formats trip over.
ODD = {
    "front matter": "---\ntitle: other\n---\n\nbody\n---\n",
    "three hyphens": "one\n---\ntwo\n...\n--- three",
    "no end of line": "last line",
    "many ends of lines": "\n\n\nbegins and ends with them\n\n\n",
    "blanks": "trailing  \n\ttab\t\n   ",
    "right to left": "שלום עולם \u202eabc\u202c مرحبا",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301 \U0010ffff",
    "odd ends": "a\u2028b\u2029c\x85d\x0be\x0cf\x1fg\x7fh\ufeffi",
    "numbers": "see #2 and \\#2, `#2`, a#2, ##2, other/name#2",
    "code": "```yaml\n---\na: #1\n---\n```\n\n~~~\n#2\n~~~",
    "yaml": "null",
    "json": '{"type":"end"}\n{"type":"item"}',
    "empty": "",
}
ODD_TITLES = (
    "no", "~", "2026-12-31", "1e3", "a: b # c", "- x", "'quoted\"", "{a}", "CON", "nul.", "`#12`",
    "../../etc/passwd", "Ünïcödé 漢字 שלום", "<b>&amp;</b>", "| x", "? y", "%TAG", "@at", "0o17",
    "👩‍👩‍👧‍👦",
)  # fmt: skip


def rich_project(project: Project, alice: Person, bob: Person, carol: Person) -> None:
    """Fill the project: every kind, trees, histories, relations, proposals that were decided."""
    owner, robo, bobs = person_caller(alice), agent_caller(alice, "Codex"), agent_caller(bob)
    create(
        robo,
        project,
        "memory",
        title="Bag",
        summary="what",
        visibility="shared",
        tags=["a", "B c"],
        type="decision",
        content="In #2 and #9.",
    )  # 1
    create(owner, project, "page", title="Setup", content="# One\n\nsee #1")  # 2
    create(owner, project, "page", title="Install", parent=2, content="x" * 9000)  # 3
    create(owner, project, "page", title="Second", parent=2)  # 4
    create(
        owner,
        project,
        "memory",
        title="In it",
        visibility="shared",
        parent=1,
        expiresAt="2099-01-02T03:04:05Z",
        weight="low",
    )  # 5
    create(bobs, project, "memory", title="Bob alone", visibility="private")  # 6
    create(robo, project, "memory", title="Alice alone", visibility="private")  # 7
    create(
        bobs,
        project,
        "task",
        title="Ship",
        due="2026-12-31",
        priority="urgent",
        commits=["a" * 40],
        content="Waits for #9.",
    )  # 8
    create(robo, project, "task", title="Build", assignee=bob.ref)  # 9
    create(owner, project, "task", title="Part", parent=9)  # 10
    create(owner, project, "instructions", content="Be kind. See #2.")
    change(bobs, project, 8, dependsOn=[9])
    change(owner, project, 4, position=1)
    act(owner, project, 1, "relate", target=2, relation="documents")
    act(owner, project, 8, "relate", target=1, relation="relates")
    act(owner, project, 3, "archive", 1)
    act(bobs, project, 9, "claim", 1)
    act(bobs, project, 9, "block", 2, reason="No key.\nAsk: #8")
    act(owner, project, 10, "complete", 1, fields={"summary": "Was easy."})
    checked = {"commit": "b" * 40, "repository": "https://example.org/a/b"}
    change(
        robo, project, 2, 1, content="# One\n\nbetter", reason="Clearer.", verifiedAgainst=checked
    )
    approved = propose(bobs, project, 2, content="# One\n\nbest", reason="Best.")
    act(person_caller(carol), project, approved, "approve", reason="Yes.")
    rejected = propose_new(bobs, project, "page", title="Rejected", content="rejected content")
    act(person_caller(carol), project, rejected, "reject", reason="No.")
    propose_new(bobs, project, "page", title="Pending", content="pending content")  # fmt: skip


def odd_project(project: Project, owner: Caller) -> None:
    """Fill the project with odd texts and titles."""
    for name, content in ODD.items():
        create(owner, project, "page", title=f"Odd {name}", content=content)
    for title in ODD_TITLES:
        create(owner, project, "task", title=title, tags=[title[:40]])
    create(owner, project, "page", title="Large", content="é\n" * 250_000)


def exported(caller: Caller, project: Project, private: Private = Private.OWN) -> bytes:
    """The file of lines."""
    return "".join(export_lines(caller, project.path, private=private)).encode()


def zipped(caller: Caller, project: Project, private: Private = Private.OWN) -> bytes:
    """The archive of Markdown files."""
    return b"".join(export_zip(caller, project.path, private=private))


def lines_of(content: bytes) -> list[Line]:
    """The lines of a file."""
    return [json.loads(line) for line in content.decode().split("\n") if line]


def of_type(lines: Sequence[Line], kind: str) -> list[Line]:
    """The lines of this type."""
    return [line for line in lines if line["type"] == kind]


def numbered(lines: Sequence[Line], number: int) -> Line:
    """The item's line of this number."""
    (found,) = [line for line in of_type(lines, "item") if line.get("number") == number]
    return found


def history(lines: Sequence[Line], number: int) -> list[Line]:
    """The entries of the history of the item of this number."""
    key = numbered(lines, number)["id"]
    return [line for line in of_type(lines, "event") if line["item"] == key]


def files_of(archive: bytes) -> dict[str, str]:
    """The texts of the files of an archive."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


def archive_of(files: dict[str, str]) -> bytes:
    """An archive of these files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()


def found_in(content: bytes) -> list[Found]:
    """What the importer that knows the file finds in it."""
    source = source_of_bytes("export", content)
    (importer,) = [each for each in (CONDERIS, CONDERIS_MARKDOWN) if each.looks_like(source)]
    return list(importer.read(source, Options()))


def records_of(found: Sequence[Found]) -> list[Record]:
    """The records alone."""
    return [each for each in found if isinstance(each, Record)]


def problems_of(found: Sequence[Found]) -> list[tuple[str, str]]:
    """Where and why of the problems."""
    return [(each.place, each.reason) for each in found if isinstance(each, Problem)]


def tombstones_of(found: Sequence[Found]) -> dict[int, str]:
    """Why by number of the tombstones."""
    return {each.number: each.why for each in found if isinstance(each, Tombstone)}


def told(content: bytes) -> list[Line]:
    """Items and histories by number, without ids."""
    lines = lines_of(content)
    numbers = {line["id"]: line.get("number") for line in of_type(lines, "item")}
    return [_without_ids(line, numbers) for line in lines if line["type"] in ("item", "event")]


def _without_ids(line: Line, numbers: dict[str, Any]) -> Line:
    if line["type"] == "event":
        return {**line, "item": numbers[line["item"]]}
    return {name: value for name, value in line.items() if name != "id"}
