"""A source is known by the importer that reads it, and by no other before that one."""

import pytest

from exchange.importers.registry import IMPORTERS, importer_for
from exchange.sources import source_of_bytes, source_of_path
from tests.exchange.importers.finding import SAMPLES, SHARED, with_shared

FILES = {
    "trello-board-export.json": "trello",
    "trello-board-synthetic-edge.json": "trello",
    "github-issues-api.json": "github",
    "jira-export-real-small.csv": "jira",
    "jira-export-synthetic-wide.csv": "jira",
    "task-master-tasks.json": "task-master",
    "server-memory-official-format.jsonl": "memory-server",
    "server-memory-variant-no-type.jsonl": "memory-server",
    "server-memory-variant-observation-objects.jsonl": "memory-server",
    "agent-instructions-AGENTS.md": "agents-md",
    "backlog-md": "backlog-md",
    "basic-memory-notes": "basic-memory",
    "vault-synthetic-edge": "vault",
    "tricky-strings-handed.json": None,
}
OWN = {
    "trello.json": "trello",
    "github.json": "github",
    "jira.csv": "jira",
    "tasks.json": "task-master",
    "memory.jsonl": "memory-server",
}
# Any Markdown can be read as a vault too; it is tried last.
LAST = "vault"


@with_shared
@pytest.mark.parametrize(("name", "importer"), FILES.items())
def test_each_file_is_known_by_its_own_importer_alone(name: str, importer: str | None) -> None:
    source = source_of_path(SHARED / name)
    found = [each.name for each in IMPORTERS if each.looks_like(source)]

    assert [each for each in found if each != LAST or importer == LAST] == (
        [importer] if importer else []
    )


@pytest.mark.parametrize(("name", "importer"), OWN.items())
def test_each_sample_is_known_by_its_own_importer_alone(name: str, importer: str) -> None:
    source = source_of_path(SAMPLES / name)

    assert [each.name for each in IMPORTERS if each.looks_like(source)] == [importer]


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\xff\xfe", b"{", b"[", b"[]", b"{}", b"null", b"[" * 100_000, b'{"a": ' * 100_000,
     b"\xff\xfe[\x00", b"PK\x03\x04", b"Summary;Status", b'{"tasks": 7}', b'[{"number": 1}]'],
)  # fmt: skip
@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.csv", "x"])
def test_what_is_nothing_is_known_by_nobody_and_harms_nobody(name: str, content: bytes) -> None:
    assert importer_for(source_of_bytes(name, content)) is None
