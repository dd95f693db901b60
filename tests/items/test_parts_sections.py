"""Outlines and sections: which lines are headings, and which section a word means."""

import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conderis.common.errors import Invalid
from items.parts import MAX_OUTLINE, MAX_TITLE, outline, outline_shown, section

pytestmark = pytest.mark.no_database

GUIDE = """\
Before everything.

# Deploying

Intro.

## Windows of time

Tuesdays.

### Résumé of `rules`

One.

## Rolling back

Two.

# Appendix

End.
"""
PIECES = ["#", "## ", "a", "\n", "\n\n", "===", "---", "```", "~~~~", "- ", "> ", "    ", "| a |",
          "Title", "# One\n", "## Two ##\n", "x\n---\n", "\ufeff", "\t", "1. "]  # fmt: skip


def decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def titles(text: str) -> list[tuple[int, str]]:
    return [(each.level, each.title) for each in outline(text)]


def candidates_of(text: str, heading: str) -> list[str]:
    with pytest.raises(Invalid) as refusal:
        section(text, heading)
    assert refusal.value.details["field"] == "section"
    candidates: list[str] = refusal.value.details["candidates"]
    return candidates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One\n###### Six\n####### Seven\n", [(1, "One"), (6, "Six")]),
        ("#No blank\n#\ttab\n#\n##  \n", [(1, "tab")]),
        ("## Closed ##\n## C# ##\n### ### ###\n", [(2, "Closed"), (2, "C#"), (3, "###")]),
        ("## C#\n", [(2, "C#")]),
        ("   # Three blanks\n    # Four are code\n", [(1, "Three blanks")]),
        ("Over\n====\nUnder\n---\n", [(1, "Over"), (2, "Under")]),
        ("\n---\n- item\n---\n> quote\n---\n| a |\n---\n    code\n---\n# One\n---\n", [(1, "One")]),
        ("```\n# no\n```\n# yes\n~~~ py\n# no\n```\n~~~\n", [(1, "yes")]),
        ("~~~\n# no\n```\n~~~\n# yes\n", [(1, "yes")]),
        ("````\n```\n# no\n````\n# yes\n", [(1, "yes")]),
        ("- ```sh\n  # no\n  ```\n# yes\n", [(1, "yes")]),
        ("``` not a `fence`\n# yes\n", [(1, "yes")]),
        ("```\n# no, for it never ends\n", []),
        ("---\ntitle: Note\ntags: a\n---\n\n# Real\n", [(1, "Real")]),
        ("---\n\n# After a line\n\nText\n---\n", [(1, "After a line"), (2, "Text")]),
        ("\ufeff# First\n", [(1, "First")]),
        ("no heading at all", []),
        ("", []),
    ],
)  # fmt: skip
def test_headings_are_those_that_readers_see(text: str, expected: list[tuple[int, str]]) -> None:
    assert titles(text) == expected


@given(text=st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=200))
@example(text="---\n" + "x" * 3000)
def test_an_outline_names_places_in_order_at_which_lines_begin(text: str) -> None:
    offsets = [each.offset for each in outline(text)]

    assert offsets == sorted(set(offsets))
    assert all(at == 0 or text[at - 1] == "\n" for at in offsets)
    assert all(each.title and "\n" not in each.title for each in outline(text))


@pytest.mark.parametrize(
    "row",
    ["#", "# ", "-", "- ", "= ", "`", "~", "---\n", "> ", "1. ", " ", "# a\n", "a\n---\n", "#\t"],
)
def test_the_hardest_texts_have_their_outline_in_no_time(row: str) -> None:
    texts = [(row * 500_000)[:500_000], "---\n" + (row * 500_000)[:400_000] + "x"]
    begin = time.process_time()

    for text in texts:
        outline_shown(text)

    assert time.process_time() - begin < 10


def test_an_outline_stays_short_and_says_how_many_headings_there_are() -> None:
    chapters = "".join(f"# C{number}\n" + "## S\n" * 30 for number in range(50))
    flat = "# Same\n" * 1000

    shown, first = outline_shown(chapters), outline_shown(flat)

    assert {each["level"] for each in shown["outline"]} == {1}
    assert (len(shown["outline"]), shown["outlineTotal"]) == (50, 1550)
    assert (len(first["outline"]), first["outlineTotal"]) == (MAX_OUTLINE, 1000)
    assert outline_shown("# One\n") == {"outline": [{"level": 1, "title": "One", "offset": 0}]}
    assert outline_shown("none") == {}


def test_a_heading_too_long_to_show_is_found_by_what_is_shown() -> None:
    text = "# " + "long " * 100 + "\nText\n# Other\n"

    shown = outline(text)[0].title

    assert len(shown) <= MAX_TITLE
    assert section(text, shown).start == 0


@pytest.mark.parametrize(
    ("wanted", "title"),
    [
        ("Deploying", "Deploying"),
        ("deploying", "Deploying"),
        ("# Deploying", "Deploying"),
        ("rolling", "Rolling back"),
        ("BACK", "Rolling back"),
        ("windows of", "Windows of time"),
        ("résumé", "Résumé of `rules`"),
        ("RE\u0301SUME\u0301", "Résumé of `rules`"),
        ("rules", "Résumé of `rules`"),
        ("résumé of rules", "Résumé of `rules`"),
        ("## rolling  back", "Rolling back"),
    ],
)
def test_a_section_is_named_by_its_heading_or_a_word_of_it(wanted: str, title: str) -> None:
    assert section(GUIDE, wanted).title == title


def test_a_section_goes_on_to_the_next_heading_of_its_level_or_higher() -> None:
    windows, appendix = section(GUIDE, "windows"), section(GUIDE, "appendix")

    text = GUIDE[windows.start : windows.end]
    assert text.startswith("## Windows of time\n")
    assert text.endswith("One.\n\n")
    assert (appendix.start, appendix.end) == (GUIDE.index("# Appendix"), len(GUIDE))


def test_a_heading_wins_over_a_word_of_another() -> None:
    text = "# Setup of servers\n\n# Setup\n\n# More setup\n"

    assert section(text, "setup").start == text.index("# Setup\n")


@pytest.mark.parametrize("wanted", ["deploy", "xyz", "", "#", "  ", "of time and", ".*", "("])
def test_what_fits_no_heading_is_refused_with_the_headings(wanted: str) -> None:
    expected = [each.title for each in outline(GUIDE)]

    assert candidates_of(GUIDE, wanted) == expected


def test_a_word_of_several_headings_is_refused_with_those() -> None:
    text = "# Setup on Linux\n# Setup on Mac\n# Other\n"

    assert candidates_of(text, "setup") == ["Setup on Linux", "Setup on Mac"]


def test_one_heading_twice_is_refused_with_the_places() -> None:
    text = "# A\n## Setup\n# B\n## Setup\n"

    with pytest.raises(Invalid) as refusal:
        section(text, "setup")

    assert refusal.value.details["candidates"] == ["Setup"]
    assert f"{text.index('## S')}, {text.rindex('## S')}" in refusal.value.message


def test_a_text_without_headings_says_so() -> None:
    assert candidates_of("plain", "setup") == []


def test_scripts_without_blanks_are_searched_anywhere_in_a_heading() -> None:
    text = "# API安装指南\n# 使用説明\n"

    assert section(text, "安装").title == "API安装指南"
    assert section(text, "api").title == "API安装指南"
    assert section(text, "説明").title == "使用説明"


@given(st.lists(st.sampled_from(["Überblick", "Ünïcode", "각", "Plain", "ΣΊΣΥΦΟΣ", "straße"]),
                min_size=1, unique=True), st.data())  # fmt: skip
def test_any_spelling_of_a_heading_finds_it(names: list[str], data: st.DataObject) -> None:
    stored = [data.draw(st.sampled_from([name, decomposed(name)])) for name in names]
    text = "".join(f"# {name}\n" for name in stored)
    wanted = data.draw(st.sampled_from(names))
    spelled = data.draw(
        st.sampled_from(
            [wanted, wanted.upper(), wanted.lower(), unicodedata.normalize("NFD", wanted)]
        )
    )

    assert section(text, spelled).start == outline(text)[names.index(wanted)].offset
