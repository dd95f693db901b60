"""Files for agents as instructions and pages."""

import pytest

from exchange.importers.agents_md import AGENTS_MD
from exchange.importers.base import Importer
from exchange.importers.registry import importer_for
from exchange.importers.vault import VAULT
from tests.exchange.importers.markdown import handed, read, single, zipped

pytestmark = pytest.mark.no_database

RULES = "---\nnot: front matter here\n---\n# Rules\n\n@docs/more.md\nsee #12\n"


def test_a_real_file_becomes_the_instructions_as_it_is() -> None:
    source = handed("agent-instructions-AGENTS.md")
    found = read(AGENTS_MD, source)

    assert importer_for(source) is AGENTS_MD
    (record,) = found.records.values()
    assert record.kind == "instructions"
    assert record.fields == {"content": source.files[0].read().decode()}


def test_the_first_of_the_top_folder_becomes_the_instructions_and_others_pages() -> None:
    found = read(AGENTS_MD, zipped({
        "CLAUDE.md": "# For Claude", "AGENTS.md": RULES, "web/AGENTS.md": "# Web\n\ntext",
        ".claude/commands/ship.md": "---\ndescription: Ships it\n---\nDo it",
        ".cursor/rules/style.mdc": "---\nglobs: '*.py'\n---\nBe short",
        "src/main.py": "",
    }, "repo.tar"))  # fmt: skip

    assert next(iter(found.records)) == "AGENTS.md"
    assert found.content("AGENTS.md") == RULES.replace("#12", "\\#12")
    pages = {key: record for key, record in found.records.items() if record.kind == "page"}
    assert {key: record.fields["title"] for key, record in pages.items()} == {
        key: key
        for key in ("CLAUDE.md", "web/AGENTS.md", ".claude/commands/ship.md",
                    ".cursor/rules/style.mdc")
    }  # fmt: skip
    assert found.content("web/AGENTS.md") == "# Web\n\ntext"
    assert found.content(".claude/commands/ship.md") == (
        "Do it\n\n## Details\n\n- description: Ships it"
    )
    assert found.words == {"repo.tar": "Another file is not for agents and is not read."}


def test_a_file_that_says_nothing_of_its_own_is_left_out_with_the_reason() -> None:
    found = read(AGENTS_MD, zipped({
        "AGENTS.md": "Rules", "CLAUDE.md": "@AGENTS.md\n", "GEMINI.md": "Rules\n",
    }))  # fmt: skip

    assert list(found.records) == ["AGENTS.md"]
    assert list(found.left_out) == ["CLAUDE.md", "GEMINI.md"]


def test_instructions_over_the_limit_become_a_page_with_a_word() -> None:
    record = read(AGENTS_MD, single("AGENTS.md", "x" * 50_001)).records["AGENTS.md"]

    assert (record.kind, record.fields["title"]) == ("page", "AGENTS.md")
    assert "became a page" in record.warnings[0]


def test_pages_alone_can_be_chosen_where_a_project_has_its_instructions() -> None:
    source = zipped({"AGENTS.md": "# A", "CLAUDE.md": "# C"})

    assert AGENTS_MD.parts(source) == ["instructions", "pages"]
    pages = read(AGENTS_MD, source, "pages")
    assert [record.kind for record in pages.records.values()] == ["page", "page"]
    instructions = read(AGENTS_MD, source, "instructions")
    assert list(instructions.records) == ["AGENTS.md"]


def test_an_empty_file_is_named() -> None:
    assert list(read(AGENTS_MD, single("CLAUDE.md", " \n")).left_out) == ["CLAUDE.md"]


@pytest.mark.parametrize(
    ("files", "importer"),
    [
        ({"AGENTS.md": "x", "sub/CLAUDE.md": "y", "main.py": ""}, AGENTS_MD),
        ({".cursorrules": "x"}, AGENTS_MD),
        ({"AGENTS.md": "x", "docs/guide.md": "y"}, VAULT),
        ({"my-agents.md": "x", "b.md": "y"}, VAULT),
    ],
)
def test_a_folder_with_other_markdown_is_a_vault(files: dict[str, str], importer: Importer) -> None:
    assert importer_for(zipped(files)) is importer
