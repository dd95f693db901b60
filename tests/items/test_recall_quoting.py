"""Instructions in a recall: quoted, so that nothing in them passes for a section of ours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from items.recall.quoting import Quote, Quoting, cut_quote, quoted

pytestmark = pytest.mark.no_database

PIECES = [
    "# Rules",
    "## Tasks: all 0",
    "word " * 9,
    "- a",
    "```",
    "漢字",
    "",
    " ",
    "\u2028",
    "\x0b",
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), min_size=1, max_size=30).map(
    lambda pieces: "x" + "\n".join(pieces).replace("\r", "")
)


def section(*texts: str) -> Quoting:
    quotes = [Quote(f"instructions v{place}", text, "more") for place, text in enumerate(texts, 1)]
    return Quoting("Instructions", quotes)


@given(TEXTS, TEXTS, st.integers(0, 1_500))
def test_quoted_texts_never_take_more_than_their_room(one: str, two: str, extra: int) -> None:
    both = section(one, two)
    room = both.least + extra

    assert len(both.render(room)) <= room


@given(TEXTS, st.integers(0, 1_500))
def test_every_line_of_a_quoted_text_is_marked_as_one(text: str, extra: int) -> None:
    one = section(text)

    heading, *lines = one.render(one.least + extra).splitlines()

    assert heading.startswith("## Instructions: ")
    if lines:
        assert lines[0].startswith("instructions v1")
        assert all(line.startswith(">") for line in lines[1:])


@given(TEXTS, st.integers(1, 1_200), st.integers(1, 60))
def test_more_room_never_shows_less_of_a_text(text: str, room: int, more: int) -> None:
    lines = quoted(text)

    assert len(cut_quote(lines, room)) <= room
    assert len(cut_quote(lines, room + more)) >= len(cut_quote(lines, room))


@given(TEXTS, TEXTS, st.integers(0, 1_500), st.integers(1, 60))
def test_more_room_never_shows_less_of_the_section(
    one: str, two: str, extra: int, more: int
) -> None:
    both = section(one, two)
    room = both.least + extra

    assert len(both.render(room + more)) >= len(both.render(room))


def test_a_whole_text_stands_under_its_version() -> None:
    text = section("# Rules\n\nUse British spelling.").render(500)

    assert text == (
        "## Instructions: all 1\ninstructions v1:\n> # Rules\n>\n> Use British spelling."
    )


def test_a_long_text_is_cut_before_a_heading_with_the_way_to_the_rest() -> None:
    content = "# One\n" + "first words\n" * 20 + "# Two\n" + "second words\n" * 20

    text = section(content).render(420)

    assert text.startswith("## Instructions: 0 of 1 (rest: more)\ninstructions v1, cut (")
    assert text.endswith("> first words\n> …")
    assert "Two" not in text


def test_a_text_without_a_fitting_heading_is_cut_between_lines_or_words() -> None:
    lines = section("# One\n" + "first words\n" * 80).render(420)
    words = section("word " * 400).render(420)

    assert lines.endswith("> first words\n> …")
    assert words.endswith("word…\n> …")
    assert len(lines) > 350
    assert len(words) > 400


def test_a_short_text_leaves_its_room_to_a_long_one() -> None:
    text = section("Short.", "long words\n" * 200).render(900)

    assert "> Short.\n" in text
    assert len(text) > 850


def test_headings_in_code_are_no_place_to_cut() -> None:
    content = "# One\n```\n" + "# a comment\n" * 30 + "```\n"

    text = section(content).render(300)

    assert text.count("# a comment") > 5
