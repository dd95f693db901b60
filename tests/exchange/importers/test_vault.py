"""A folder of Markdown files as a tree of pages."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO
from zipfile import BadZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exchange.importers.registry import importer_for
from exchange.importers.vault import VAULT
from exchange.sources import source_of_path
from tests.exchange.importers.markdown import handed, read, single, zipped

pytestmark = pytest.mark.no_database


def test_every_file_of_a_real_vault_becomes_a_page() -> None:
    found = read(VAULT, handed("vault-synthetic-edge"))

    assert found.left_out == {}
    titles = {key: record.fields["title"] for key, record in found.records.items()}
    assert titles["ADR-0001.md"] == "ADR-0001: Files are the source of truth"
    assert titles["backtick.md"] == "`serve` concurrency"
    assert titles["hash.md"] == "June notes - Update #2 (28 new skills)"
    assert titles["latin1.md"] == "café"
    assert titles["dangerous.md"] == "dangerous"
    assert len(titles) == 13  # twelve files and a folder
    assert found.records["hash.md"].fields["tags"] == ["inbox", "todo/later"]
    assert "Aliases: 28, yes, 2026-01-01, 1.10" in found.content("hash.md")
    assert "os.system" in found.content("dangerous.md")
    assert "Windows-1252" in found.records["latin1.md"].warnings[0]


def test_folders_become_pages_and_their_files_stand_below_them() -> None:
    found = read(VAULT, zipped({
        "top.md": "x", "guide/index.md": "# The guide\n\nHello", "guide/one.md": "1",
        "notes/two.md": "2", "notes/deep/three.md": "3", "area.md": "# Area", "area/four.md": "4",
        "own/own.md": "5", "own/README.md": "6",
    }))  # fmt: skip

    parents = {key: record.parent for key, record in found.records.items()}
    assert parents == {
        "top.md": None, "guide/index.md": None, "guide/one.md": "guide/index.md",
        "notes/": None, "notes/two.md": "notes/", "notes/deep/": "notes/",
        "notes/deep/three.md": "notes/deep/", "area.md": None, "area/four.md": "area.md",
        "own/own.md": None, "own/README.md": "own/own.md",
    }  # fmt: skip
    assert found.records["guide/index.md"].fields["title"] == "The guide"
    assert found.records["notes/deep/"].fields["title"] == "deep"


def test_an_index_without_a_title_is_named_by_its_folder() -> None:
    found = read(VAULT, zipped({"guide/README.md": "text", "README.md": "top"}))

    assert found.records["guide/README.md"].fields["title"] == "guide"
    assert found.records["README.md"].fields["title"] == "README"


@pytest.mark.parametrize(
    ("text", "title", "content"),
    [
        ("# One\n\ntext", "One", "text"),
        ("# One #\ntext", "One", "text"),
        ("---\ntitle: One\n---\n\n# One\n\ntext", "One", "text"),
        ("---\ntitle: Two\n---\n# One\n\ntext", "Two", "# One\n\ntext"),
        ("# One\n\n# Two\n", "file", "# One\n\n# Two\n"),
        ("# One\n\n```\n# no heading\n```\n", "One", "```\n# no heading\n```\n"),
        ("text\n\n# One", "file", "text\n\n# One"),
        ("## One\n", "file", "## One\n"),
        ("#One\n", "file", "#One\n"),
        ("", "file", ""),
        ("---\ntitle: [a, b]\n---\ntext", "a, b", "text"),
        ("---\ntitle:\n---\ntext", "file", "text"),
    ],
)
def test_the_title_is_found_once_and_nothing_else_is_taken(
    text: str, title: str, content: str
) -> None:
    record = read(VAULT, single("file.md", text)).records["file.md"]

    assert (record.fields["title"], record.fields["content"]) == (title, content)


def test_a_long_title_is_cut_with_a_word_and_stands_whole_in_the_content() -> None:
    title = "long " * 60 + "end"
    record = read(VAULT, single("a.md", f"---\ntitle: {title}\n---\ntext")).records["a.md"]

    assert len(str(record.fields["title"])) <= 200
    assert str(record.fields["content"]).startswith(f"{title}\n\ntext")
    assert record.warnings


def test_links_become_relations_and_stay_in_the_text() -> None:
    text = (
        "[[Beta]] [[beta|again]] [[Nick#Part]] ![[sub/gamma]] [x](sub/gamma.md#top) [[#here]]\n"
        "[[Nowhere]] `[[Delta]]`\n\n```\n[[Delta]]\n```\n"
    )
    found = read(VAULT, zipped({
        "alpha.md": text, "beta.md": "[[alpha]]", "delta.md": "",
        "named.md": "---\naliases: [Nick]\n---\n", "sub/gamma.md": "[[../beta]]",
    }))  # fmt: skip

    assert found.content("alpha.md") == text
    assert found.links("alpha.md") == [
        ("relates", "beta.md"), ("relates", "named.md"), ("relates", "sub/gamma.md"),
    ]  # fmt: skip
    assert found.links("beta.md") == []  # the pair is related already
    assert found.links("sub/gamma.md") == [("relates", "beta.md")]
    assert found.records["alpha.md"].warnings == (
        "A link stays as text, as nothing of this source has its name: [[Nowhere]].",
    )


def test_of_two_files_with_one_name_a_link_means_the_near_one() -> None:
    found = read(VAULT, zipped({
        "a/note.md": "", "b/note.md": "", "b/from.md": "[[note]]", "c/from.md": "[[b/note]]",
    }))  # fmt: skip

    assert found.links("b/from.md") == [("relates", "b/note.md")]
    assert found.links("c/from.md") == [("relates", "b/note.md")]


def test_tags_of_front_matter_and_text_are_kept() -> None:
    text = "---\ntags: one, #two/three\ntag: four\n---\n#five a#six #7 `#eight` #nine/ten\n- [ ] do"
    record = read(VAULT, single("a.md", text)).records["a.md"]

    assert record.fields["tags"] == ["one", "two/three", "four", "five", "nine/ten"]
    assert "- [ ] do" in str(record.fields["content"])


def test_tags_that_are_no_list_stay_a_detail() -> None:
    record = read(VAULT, single("a.md", "---\ntags: {a: 1}\n---\n")).records["a.md"]

    assert "tags" not in record.fields
    assert '- tags: {"a":"1"}' in str(record.fields["content"])


def test_tags_that_do_not_fit_become_a_detail_with_a_word() -> None:
    tags = [f"tag{n}" for n in range(21)] + ["x" * 41]
    record = read(VAULT, single("a.md", f"---\ntags: {tags}\n---\n")).records["a.md"]

    assert record.fields["tags"] == tags[:20]
    assert f"- Tags: tag20, {'x' * 41}" in str(record.fields["content"])
    assert record.warnings


def test_times_and_the_author_are_taken_over_and_an_address_is_not() -> None:
    text = (
        "---\ncreated: 2026-01-05\nmodified: 2026-02-03T04:05:06+02:00\n"
        "author: Ann Lee <ann@example.org>\nsource: https://example.org/#1\n---\nsee #12"
    )
    record = read(VAULT, single("a.md", text)).records["a.md"]

    assert record.created == datetime(2026, 1, 5, 12, tzinfo=UTC)  # the same day nearly everywhere
    assert record.changed == datetime(2026, 2, 3, 2, 5, 6, tzinfo=UTC)
    assert record.credit.name == "Ann Lee"
    assert record.fields["content"] == (
        "see \\#12\n\n## Details\n\n- source: https://example.org/#1"
    )


def test_times_that_cannot_be_the_files_stay_details() -> None:
    text = "---\ncreated: 1815-12-10\nupdated: 9999-12-31\ndate: someday\n---\n"
    record = read(VAULT, single("a.md", text)).records["a.md"]

    assert (record.created, record.changed) == (None, None)
    for line in ("- created: 1815-12-10", "- updated: 9999-12-31", "- date: someday"):
        assert line in str(record.fields["content"])


def test_other_files_are_named_and_hidden_folders_are_left_alone_with_a_word() -> None:
    found = read(VAULT, zipped({
        "a.md": "", "img/b.png": b"\x89PNG", ".obsidian/app.json": "{}", ".obsidian/x/y.md": "",
        ".trash/old.md": "",
    }))  # fmt: skip

    assert list(found.records) == ["a.md"]
    assert list(found.left_out) == ["img/b.png"]
    assert list(found.words) == [".obsidian", ".trash"]
    assert "2 files" in found.words[".obsidian"]


def test_a_text_over_the_limit_is_named_and_stops_nothing() -> None:
    found = read(VAULT, zipped({
        "a.md": "x" * 500_001, "b.md": "y" * 500_000, "c.md": "z" * 5_000_000,
    }))  # fmt: skip

    assert list(found.records) == ["b.md"]
    assert "500001" in found.left_out["a.md"]
    assert "4 MB" in found.left_out["c.md"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\none\r\ntwo\r\n", "one\ntwo\n"),
        ("---\ntitle: T\n---\nÄ".encode("utf-16"), "Ä"),
        (b"---\ntitle: T\n---\ncaf\xe9", "café"),
    ],
)
def test_other_encodings_are_read(content: bytes, text: str) -> None:
    record = read(VAULT, single("a.md", content)).records["a.md"]

    assert (record.fields["title"], record.fields["content"]) == ("T", text)


def test_names_that_lead_elsewhere_or_cannot_be_stored_are_made_safe() -> None:
    found = read(VAULT, zipped({
        "../../etc/passwd.md": "a", "/root.md": "b", "win\\dir\\c.md": "c", "two\nlines.md": "d",
    }))  # fmt: skip

    assert set(found.records) == {
        "etc/", "etc/passwd.md", "root.md", "win/", "win/dir/", "win/dir/c.md", "two lines.md",
    }  # fmt: skip


def test_undecodable_names_and_links_out_of_the_folder_do_no_harm(tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "good.md").write_text("good")
    (tmp_path / "secret.md").write_text("secret")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    (folder / "bad\udcff.md").write_text("bad")
    found = read(VAULT, source_of_path(folder))

    assert set(found.records) == {"good.md", "bad�.md"}


def test_names_that_differ_in_case_alone_are_two_pages() -> None:
    found = read(VAULT, zipped({"A/x.md": "1", "a/x.md": "2", "a.md": "3"}))

    assert len(found.records) == 4  # the file beside a folder is the page of one of the two
    assert {found.content(key) for key in ("A/x.md", "a/x.md", "a.md")} == {"1", "2", "3"}


def test_the_folder_that_an_archive_wraps_everything_in_does_not_count() -> None:
    files = {"vault-main/a.md": "1", "vault-main/b/c.md": "2"}

    assert set(read(VAULT, zipped(files)).records) == {"a.md", "b/", "b/c.md"}


def test_a_damaged_file_of_an_archive_is_named_and_stops_nothing() -> None:
    source = zipped({"a.md": "first text", "b.md": "second text"})
    damaged = replace(source.files[0], _open=_raises)
    found = read(VAULT, replace(source, files=(damaged, source.files[1])))

    assert list(found.records) == ["b.md"]
    assert list(found.left_out) == ["a.md"]


def _raises() -> IO[bytes]:
    raise BadZipFile


def test_folders_four_hundred_deep_are_read() -> None:
    found = read(VAULT, zipped({"/".join(["d"] * 400) + "/x.md": "deep", "y.md": ""}))

    assert len(found.records) == 402


def test_any_markdown_is_a_vault_when_nothing_else_knows_it() -> None:
    assert importer_for(zipped({"a.md": "x", "b.txt": ""})) is VAULT
    assert importer_for(zipped({"b.txt": ""})) is None


_FRONT = st.dictionaries(
    st.sampled_from(
        ["title", "tags", "tag", "aliases", "created", "updated", "date", "author", "other"]
    ),
    st.text(alphabet=st.sampled_from("a0:#-[]{}'\" ,\t&*!é@")),
)


@given(_FRONT, st.text(alphabet=st.sampled_from("a# \n[]|`(-).md\x00")))
def test_whatever_stands_in_a_file_it_becomes_a_page(front: dict[str, str], body: str) -> None:
    block = "".join(f"{name}: {value}\n" for name, value in front.items())
    found = read(VAULT, single("a.md", f"---\n{block}---\n{body}"))

    assert list(found.records) == ["a.md"]
    assert found.records["a.md"].fields["title"]
