"""Two texts are compared without loss, in words people read, at a bounded cost."""

import random
from time import thread_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conderis.web.comparing.source import source_view
from conderis.web.comparing.texts import Comparison, RowKind, compare
from conderis.web.comparing.wording import Change

pytestmark = pytest.mark.no_database

MOST_SECONDS = 3.0
"""Far above what it takes (about one), far below what a quadratic way would."""
SIZE = 500_000

WORDS = st.sampled_from(
    ["the", "relay", "a", "409", "x", "日本", "שלום", "é", "-", "#", "- ", "`", "\u200b", "\u202e",
     "```", "| a |", "\u00a0", "<!--", "-->", "👨\u200d👩\u200d👧", "p\u0430y", "[a](http://b.c)",
     " ", "  ", "\t", "\n", "\n\n", "\n\n\n\n", "\r\n", ".", ","]
)  # fmt: skip
TEXTS = st.one_of(st.lists(WORDS, max_size=40).map("".join), st.text(max_size=60))


def changes(comparison: Comparison) -> list[tuple[str, str]]:
    return [
        (segment.change.value, segment.text)
        for row in comparison.rows
        for segment in row.segments
        if segment.change is not Change.SAME
    ]


def kinds(comparison: Comparison) -> list[str]:
    return [row.kind.value for row in comparison.rows]


@given(old=TEXTS, new=TEXTS, code=st.booleans(), context=st.integers(0, 3))
@settings(max_examples=400, deadline=None)
def test_nothing_of_either_side_is_lost_or_invented(
    *, old: str, new: str, code: bool, context: int
) -> None:
    comparison = compare(old, new, code=code, context=context)

    assert "".join(row.old_text for row in comparison.rows) == old
    assert "".join(row.new_text for row in comparison.rows) == new
    for row in comparison.rows:
        before = "".join(segment.text for segment in row.old_segments)
        after = "".join(segment.text for segment in row.new_segments)
        assert row.new_text.startswith(after)
        assert not row.new_text[len(after) :].strip(" \t\r\n")
        if row.kind is not RowKind.FOLD:
            assert row.old_text.startswith(before)
            assert not row.old_text[len(before) :].strip(" \t\r\n")
    assert comparison.has_changes or comparison.only_blanks or old == new


@given(old=TEXTS, more=TEXTS)
@settings(max_examples=150, deadline=None)
def test_an_edited_text_keeps_every_character_too(old: str, more: str) -> None:
    middle = len(old) // 2
    new = old[:middle] + more + old[middle + 1 :]

    comparison = compare(old, new)

    assert "".join(row.old_text for row in comparison.rows) == old
    assert "".join(row.new_text for row in comparison.rows) == new


@given(text=TEXTS)
def test_the_lines_of_the_source_are_the_text(text: str) -> None:
    lines = source_view(text).lines

    assert "".join(line.text for line in lines) == text
    for line in lines:
        assert line.text.startswith("".join(piece.text for piece in line.pieces))


def test_one_changed_word_in_a_long_line_is_the_only_change() -> None:
    line = " ".join(f"word{number}" for number in range(400))

    comparison = compare(line, line.replace("word200", "another"))

    assert changes(comparison) == [("removed", "word200"), ("added", "another")]
    assert (comparison.added, comparison.removed) == (1, 1)


def test_two_changes_with_only_a_blank_or_a_sign_between_are_one() -> None:
    comparison = compare(
        "It is old text, ago and more to be read", "It is new words, now and more to be read"
    )

    assert changes(comparison) == [("removed", "old text, ago"), ("added", "new words, now")]


def test_paragraphs_that_are_too_unlike_are_removed_and_added() -> None:
    comparison = compare("Same.\n\nAbout apples and pears.", "Same.\n\nNothing here is as it was.")

    assert kinds(comparison) == ["same", "removed", "added"]


def test_unchanged_paragraphs_far_from_a_change_fold_with_their_number() -> None:
    text = "\n\n".join(f"Paragraph number {number} stays." for number in range(10))

    comparison = compare(text, text.replace("9 stays", "9 goes"))

    assert kinds(comparison) == ["fold", "same", "changed"]
    assert comparison.rows[0].count == 8


def test_a_changed_cell_of_a_table_leaves_the_other_rows_alone() -> None:
    table = "".join(f"| row {number} | value |\n" for number in range(6))

    comparison = compare(table, table.replace("| row 3 | value |", "| row 3 | other |"))

    assert changes(comparison) == [("removed", "value"), ("added", "other")]
    assert kinds(comparison).count("changed") == 1


def test_line_ends_alone_are_no_change_of_words_but_are_named() -> None:
    comparison = compare("One.\n\nTwo.\n", "One.\n\nTwo.")

    assert not comparison.has_changes
    assert comparison.only_blanks


def test_a_run_of_blank_lines_is_one_row_with_its_number() -> None:
    comparison = compare("One.\n\nTwo.", "One." + "\n" * 15 + "Two.")

    assert [row.blank for row in comparison.rows if row.kind is RowKind.ADDED] == [14]


def test_code_is_compared_line_by_line_with_its_line_numbers() -> None:
    comparison = compare("a = 1\nb = 2\nc = 3\n", "a = 1\nb = 5\nc = 3\n", code=True)

    assert kinds(comparison) == ["same", "changed", "same"]
    assert [row.new_number for row in comparison.rows] == [1, 2, 3]


def _symbols(alphabet: str, seed: int) -> str:
    return "".join(random.Random(seed).choices(alphabet, k=SIZE))


def _prose(seed: int) -> str:
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefgh", k=5)) for _ in range(3000)]
    text = "\n\n".join(" ".join(chance.choices(words, k=80)) for _ in range(1050))
    return text[:SIZE]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(_prose(1), _prose(2), id="all different"),
        pytest.param(_prose(1), _prose(1).replace("a ", "b "), id="every paragraph"),
        pytest.param(_prose(1).replace("\n", " "), _prose(1).replace("\n", " ").replace("a ", "b "),
                     id="one line"),
        pytest.param(_symbols("a\n", 1), _symbols("a\n", 2), id="short lines"),
        pytest.param(_symbols("ab ", 1), _symbols("ab ", 2), id="short words"),
        pytest.param(_symbols("(){};", 1), _symbols("(){};", 2), id="signs"),
        pytest.param("a\u200b" * (SIZE // 2), "a\u00a0" * (SIZE // 2), id="many marks"),
        pytest.param(_symbols("\u200b\u2060", 1), _symbols("\u200b\u2060", 2), id="hidden bits"),
        pytest.param("p\u0430" * (SIZE // 2), "p\u0430 " * (SIZE // 3), id="mixed words"),
        pytest.param("<!--" * (SIZE // 4), "[](a)" * (SIZE // 5), id="markup"),
        pytest.param("[" * SIZE, "](" * (SIZE // 2), id="brackets"),
    ],
)  # fmt: skip
def test_half_a_million_characters_of_any_sort_take_about_a_second(old: str, new: str) -> None:
    started = thread_time()
    comparison = compare(old, new)
    taken = thread_time() - started

    assert taken < MOST_SECONDS
    assert "".join(row.new_text for row in comparison.rows) == new
    assert len(comparison.rows) < 5_000


def test_a_comparison_that_was_cut_short_says_so() -> None:
    assert compare(_symbols("ab ", 1), _symbols("ab ", 2)).shortened
    assert not compare("One.", "Two.").shortened
