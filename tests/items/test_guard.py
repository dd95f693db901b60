"""The guard against writing back a text of which only the first part was read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conderis.common.errors import Invalid
from items.guard import LAST_LINES, cut_off, refuse_cut_off
from items.parts import DEFAULT_TAKE, part

pytestmark = pytest.mark.no_database

LONG = "".join(f"Line {number} of a page that goes on and on.\n" for number in range(600))
LINES = st.lists(st.text("ab \t", max_size=12) | st.sampled_from(["", "}", "---"]), max_size=80)
TEXTS = LINES.map("\n".join)


def last_lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()][-LAST_LINES:]


def test_the_first_part_written_back_alone_is_refused_with_the_ways_on() -> None:
    first = part(LONG).text

    with pytest.raises(Invalid) as refusal:
        refuse_cut_off(LONG, first, complete=False, version=7)

    answer = refusal.value.as_answer()
    assert answer["field"] == "content"
    assert answer["allowed"] == ["append", "edits", "complete"]
    assert answer["length"] == len(LONG)
    for word in ("item_get", f'"offset": {len(first)}', '"version": 7', '"complete": true'):
        assert word in answer["message"]
    assert "goes on and on" not in answer["message"]


@pytest.mark.parametrize(
    "new",
    [
        part(LONG).text,
        part(LONG).text.replace("\n", "\n\n"),
        part(LONG).text + "A new end.\n",
        part(LONG, 0, 20_000).text,
        "A new start.\n" + part(LONG).text,
        part(LONG).text[:4_200],
        part(LONG).text + LONG.splitlines()[-LAST_LINES - 1],
    ],
)
def test_what_keeps_the_beginning_and_loses_the_end_counts_as_cut_off(new: str) -> None:
    assert cut_off(LONG, new)


@pytest.mark.parametrize(
    "new",
    [
        part(LONG).text[:3_600],
        part(LONG).text + LONG.splitlines()[-LAST_LINES],
        LONG,
        "Another text altogether.\n" * 300,
        "",
    ],
)
def test_what_keeps_an_end_or_little_of_the_beginning_is_no_cut(new: str) -> None:
    assert not cut_off(LONG, new)


def test_a_text_of_one_part_may_be_shortened_freely() -> None:
    short = LONG[:DEFAULT_TAKE]

    assert not cut_off(short, short[:4_000])
    assert cut_off(short + "\n" + "The end.\n" * LAST_LINES, short)
    assert not cut_off(short + "\nThe end.", short)  # a line of the last 20 is kept


def test_a_single_long_line_cut_off_is_noticed() -> None:
    line = "word " * 4_000

    assert cut_off(line, part(line).text)


@given(old=TEXTS, new=TEXTS, kept=st.integers(0, LAST_LINES - 1), size=st.integers(1, 60))
def test_a_text_that_keeps_one_of_the_last_lines_is_never_refused(
    old: str, new: str, kept: int, size: int
) -> None:
    last = last_lines(old)

    if last:
        assert not cut_off(old, f"{new}\n{last[kept % len(last)]}", size)


@given(old=TEXTS, size=st.integers(1, 60))
def test_a_text_read_whole_and_written_back_is_never_refused(old: str, size: int) -> None:
    found = part(old, 0, size)
    read = found.text
    while found.next_offset is not None:
        found = part(old, found.next_offset, size)
        read += found.text

    assert not cut_off(old, read, size)


@given(old=TEXTS, new=TEXTS)
def test_a_text_sent_as_complete_is_never_refused(old: str, new: str) -> None:
    refuse_cut_off(old * 300, new, complete=True)
    refuse_cut_off(LONG, part(LONG).text, complete=True)


@given(old=TEXTS, new=TEXTS, size=st.integers(1, 60))
def test_what_is_refused_keeps_half_of_the_first_part_and_none_of_the_last_lines(
    old: str, new: str, size: int
) -> None:
    kept = {line.strip() for line in new.split("\n")}
    first = [line.strip() for line in part(old, 0, size).text.split("\n") if line.strip()]

    if cut_off(old, new, size):
        assert len(old) > size
        assert 2 * sum(line in kept for line in first) >= len(first) > 0
        assert not kept & set(last_lines(old))
