"""Notes of basic-memory as memories."""

import pytest

from exchange.importers.basic_memory import BASIC_MEMORY
from exchange.importers.registry import importer_for
from exchange.importers.vault import VAULT
from tests.exchange.importers.markdown import handed, read, single, zipped

pytestmark = pytest.mark.no_database

NOTE = """---
title: Coffee
type: decision
permalink: drinks/coffee
tags: [drinks]
---

# Coffee

## Observations
- [method] Pour over keeps #flavour (see the book)

## Relations
- part_of [[Drinks]]
- pairs_with [[drinks/cake]] (often)
- unknown_to [[Nobody]]
"""


def test_every_real_note_becomes_a_shared_memory() -> None:
    found = read(BASIC_MEMORY, handed("basic-memory-notes"))

    assert (len(found.records), found.left_out) == (25, {})
    assert {record.kind for record in found.records.values()} == {"memory"}
    assert {record.fields["visibility"] for record in found.records.values()} == {"shared"}
    ada = found.records["inference/people/ada-lovelace.md"]
    assert ada.fields["title"] == "Ada Lovelace"
    assert ada.fields["tags"] == ["mathematics", "computing", "history"]
    assert "- [born] 1815" in str(ada.fields["content"])
    assert "- collaborated_with [[Charles Babbage]]" in str(ada.fields["content"])
    assert "[[Charles Babbage]]" in ada.warnings[0]
    assert found.records["edge-cases/empty-note.md"].fields["title"] == "Empty Note"


def test_relations_reach_notes_by_title_and_permalink_and_their_words_stay() -> None:
    found = read(BASIC_MEMORY, zipped({
        "drinks/Coffee.md": NOTE,
        "drinks/all.md": "---\ntitle: Drinks\npermalink: drinks/all\n---\n",
        "food/Cake.md": "---\ntitle: Cake\npermalink: drinks/cake\n---\n",
    }))  # fmt: skip

    assert list(found.records) == ["drinks/coffee", "drinks/all", "drinks/cake"]
    assert found.links("drinks/coffee") == [("relates", "drinks/all"), ("relates", "drinks/cake")]
    assert "- pairs_with [[drinks/cake]] (often)" in found.content("drinks/coffee")
    assert "[[Nobody]]" in found.records["drinks/coffee"].warnings[0]
    assert found.records["drinks/coffee"].fields["tags"] == ["drinks", "flavour"]


@pytest.mark.parametrize(
    ("word", "kept", "details"),
    [("decision", "decision", 0), ("note", None, 0), ("Person", None, 1), ("session", None, 1)],
)  # fmt: skip
def test_a_type_of_ours_is_kept_and_another_is_a_detail(
    word: str, kept: str | None, details: int
) -> None:
    text = NOTE.replace("type: decision", f"type: {word}")
    record = read(BASIC_MEMORY, single("a.md", text)).records["drinks/coffee"]

    assert record.fields.get("type") == kept
    assert str(record.fields["content"]).count(f"- type: {word}") == details


def test_a_note_too_long_for_a_memory_becomes_a_page_with_a_word() -> None:
    text = NOTE.replace("tags:", "summary: In short\ntags:") + "x" * 20_000
    record = read(BASIC_MEMORY, single("a.md", text)).records["drinks/coffee"]

    assert record.kind == "page"
    assert "visibility" not in record.fields
    assert "- Summary: In short" in str(record.fields["content"])
    assert "became a page" in " ".join(record.warnings)


def test_of_two_notes_with_one_permalink_both_are_kept() -> None:
    found = read(BASIC_MEMORY, zipped({"a.md": NOTE, "b.md": NOTE}))

    assert list(found.records) == ["drinks/coffee", "file:b.md"]


def test_notes_are_known_and_a_vault_with_few_such_is_not_taken_for_them() -> None:
    assert importer_for(single("a.md", NOTE)) is BASIC_MEMORY
    assert importer_for(zipped({"a.md": NOTE, "b.md": "", "c.md": "# C"})) is VAULT
    assert importer_for(handed("basic-memory-notes")) is BASIC_MEMORY
    assert importer_for(handed("vault-synthetic-edge")) is VAULT
