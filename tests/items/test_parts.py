"""Cutting long texts: nothing lost, nothing torn, whatever the script."""

import time
from typing import Any

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from conderis.common.errors import Invalid
from items.parts import DEFAULT_TAKE, MAX_TAKE, Part, part, read_take

pytestmark = pytest.mark.no_database

# What is easily torn: marks, joiners, selectors, flags, Hangul, Indic conjuncts, fences.
PIECES = [
    "a", "word", " ", "  ", "\n", "\n\n", "\t", "e\u0301", "a\u0323\u0307", " \u0301", "👨‍👩‍👧‍👦",
    "👍🏽", "☝️", "🏳️‍🌈", "🇩🇪", "🇫🇷", "🇩", "각", "\u1100\u1161\u11a8", "क्षि", "漢字", "かな", "ภาษา",
    "שָׁלוֹם", "مُحَمَّد", "\u0600",
    "\u200d", "\ufe0f", "\u200f", "𝒳", "```\n", "~~~\n", "# Title\n", "x" * 30,
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(max_size=200)


def parts_of(text: str, take: int) -> list[Part]:
    found = [part(text, 0, take)]
    while found[-1].next_offset is not None:
        found.append(part(text, found[-1].next_offset, take))
    return found


@given(text=TEXTS, take=st.integers(1, 50))
@example(text="a" + "\u0301" * 700 + "b", take=300)
@example(text="🇩🇪" * 400, take=301)
def test_parts_joined_are_the_text_and_none_is_longer_than_asked(text: str, take: int) -> None:
    found = parts_of(text, take)

    assert "".join(each.text for each in found) == text
    assert all(0 < len(each.text) <= take for each in found) or text == ""
    assert [each.offset for each in found[1:]] == [each.next_offset for each in found[:-1]]


@given(text=TEXTS, take=st.integers(1, 50))
@example(text="🇩🇪" * 400, take=301)
@example(text="x" + "👨‍👩‍👧‍👦" * 200, take=500)
def test_no_part_ends_inside_a_grapheme_that_fits_into_one(text: str, take: int) -> None:
    inside = {
        at: len(each.group())
        for each in regex.finditer(r"\X", text)
        for at in range(each.start() + 1, each.end())
    }

    for each in parts_of(text, take)[:-1]:
        assert inside.get(each.next_offset or 0, take + 1) > take


@given(text=TEXTS, take=st.integers(1, 50))
def test_a_line_that_fits_into_a_part_is_never_cut(text: str, take: int) -> None:
    for each in parts_of(text, take)[:-1]:
        cut = each.next_offset or 0
        start = text.rfind("\n", 0, cut) + 1
        end = text.find("\n", cut) if "\n" in text[cut:] else len(text)

        assert cut in (start, end) or end - start > take


@given(words=st.lists(st.text("abc", min_size=1, max_size=9), min_size=1), take=st.integers(10, 40))
def test_a_line_longer_than_a_part_is_cut_between_words(words: list[str], take: int) -> None:
    line = " ".join(words)

    found = "|".join(each.text for each in parts_of(line, take))

    assert [word for word in found.replace("|", " ").split() if word] == words


def test_a_word_longer_than_a_part_fills_the_parts() -> None:
    text = "see " + "漢" * 100

    assert [len(each.text) for each in parts_of(text, 40)] == [40, 40, 24]


def test_a_fenced_code_line_stays_whole() -> None:
    code = "".join(f"    value_{number} = compute({number}, mode='all')\n" for number in range(60))
    text = f"Intro.\n\n```python\n{code}```\n"

    lines = {line for each in parts_of(text, 300) for line in each.text.splitlines(keepends=True)}

    assert lines == set(text.splitlines(keepends=True))


def test_a_part_up_to_an_end_does_not_go_beyond_it() -> None:
    text = "one\ntwo\nthree\n"

    assert part(text, 4, 100, end=8) == Part("two\n", 4, None)
    assert part(text, 0, 5, end=8) == Part("one\n", 0, 4)


@pytest.mark.parametrize(
    "row", ["🇩", "🇩🇪", "a\u0301", "\u0301", "👨‍👩‍👧‍", "漢", "x", " ", "\u0600", "क्"]
)
def test_the_hardest_rows_of_characters_are_cut_in_no_time(row: str) -> None:
    text = (row * 60_000)[:60_000]
    begin = time.process_time()

    found = part(text, 0, MAX_TAKE)

    assert 0 < len(found.text) <= MAX_TAKE
    assert time.process_time() - begin < 1


@pytest.mark.parametrize("take", [0, -1, MAX_TAKE + 1, 1.5, "80", True, []])
def test_a_take_out_of_range_is_refused_with_the_range(take: Any) -> None:
    with pytest.raises(Invalid) as refusal:
        read_take(take)

    answer = refusal.value.as_answer()
    assert answer["field"] == "take"
    assert answer["allowed"] == ["1 to 20000"]
    assert "20000" in answer["message"]


def test_a_part_has_eight_thousand_characters_unless_asked_otherwise() -> None:
    assert read_take(None) == DEFAULT_TAKE == 8_000
    assert [read_take(take) for take in (1, MAX_TAKE)] == [1, 20_000]
