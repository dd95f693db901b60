"""Three-way merging of texts and fields, beside git's where git is there."""

import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proposals.merging import FieldConflict, merge_fields, merge_texts

pytestmark = pytest.mark.no_database

GIT = shutil.which("git")
FEW = ["- Run", "- Build", "- Ship", ""]
texts = st.lists(st.sampled_from(["a", "b", "c", "d", "", "# e"]), max_size=12).map("\n".join)


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[str], list[str], list[str]]:
    """A base of lines that are all different, and two texts edited from it on their own."""
    base = [f"line {number}" for number in range(draw(st.integers(0, 10)))]

    def edit(name: str) -> list[str]:
        lines: list[str] = []
        for line in base:
            what = draw(st.sampled_from(["keep", "keep", "keep", "drop", "change", "insert"]))
            if what == "insert":
                lines.append(draw(st.sampled_from(["both wrote this", f"{name} before {line}"])))
            if what == "change":
                lines.append(f"{name} instead of {line}")
            elif what != "drop":
                lines.append(line)
        return lines

    return base, edit("one"), edit("other")


@st.composite
def repetitive(draw: st.DrawFn) -> tuple[list[str], list[str], list[str]]:
    """A base in which lines stand more than once, and two texts edited from it."""
    base = draw(st.lists(st.sampled_from(FEW), max_size=9))

    def edit() -> list[str]:
        lines = list(base)
        for _ in range(draw(st.integers(0, 3))):
            what = draw(st.sampled_from(["drop", "move", "insert"]))
            taken: str = draw(st.sampled_from(FEW))
            if what != "insert":
                if not lines:
                    continue
                taken = lines.pop(draw(st.integers(0, len(lines) - 1)))
            if what != "drop":
                lines.insert(draw(st.integers(0, len(lines))), taken)
        return lines

    return base, edit(), edit()


def wanted(base: int, one: int, other: int) -> int | None:
    """How often a line stands by what both sides say of it; None where they disagree."""
    if other in (base, one):
        return one
    if one == base:
        return other
    if max(one, other) < base:
        return min(one, other)
    return max(one, other) if min(one, other) > base else None


def merge(base: list[str], one: list[str], other: list[str]) -> str | None:
    return merge_texts("\n".join(base), "\n".join(one), "\n".join(other))


@given(texts, texts)
def test_what_one_side_left_alone_is_as_the_other_has_it(base: str, changed: str) -> None:
    assert merge_texts(base, base, changed) == changed
    assert merge_texts(base, changed, base) == changed
    assert merge_texts(base, changed, changed) == changed


@given(texts, texts, texts)
def test_it_does_not_matter_which_side_comes_first(base: str, one: str, other: str) -> None:
    assert merge_texts(base, one, other) == merge_texts(base, other, one)


@given(edited())
def test_a_clean_merge_loses_and_doubles_no_line(
    sides: tuple[list[str], list[str], list[str]],
) -> None:
    base, one, other = sides

    merged = merge(base, one, other)

    if merged is None:
        return
    stands = Counter(merged.split("\n"))
    kept = {line: 1 for line in base if line in one and line in other}
    added = (Counter(one) - Counter(base)) | (Counter(other) - Counter(base))
    assert stands - Counter({"": 1}) == (Counter(kept) + added) - Counter({"": 1})


@settings(max_examples=400)
@given(repetitive())
def test_every_line_stands_as_often_as_the_changes_of_both_sides_say(
    sides: tuple[list[str], list[str], list[str]],
) -> None:
    base, one, other = (Counter(side) for side in sides)

    merged = merge(*sides)

    if merged is None:
        return
    stands = Counter(merged.split("\n"))
    for line in (base + one + other + stands).keys() - {""}:
        assert stands[line] == wanted(base[line], one[line], other[line]), line


@pytest.mark.skipif(GIT is None, reason="git is not there")
@settings(deadline=None)  # starts a process
@given(edited())
def test_it_is_never_cleaner_than_git_and_then_says_the_same(
    sides: tuple[list[str], list[str], list[str]],
) -> None:
    merged = merge(*sides)

    by_git = merged_by_git(*("\n".join(side) for side in sides))

    if merged is not None:
        assert merged == by_git


def merged_by_git(base: str, one: str, other: str) -> str | None:
    """What git makes of it, or None where it finds a conflict."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("one", "base", "other")]
        for path, text in zip(paths, (one, base, other), strict=True):
            path.write_text(f"{text}\n", encoding="utf-8")
        done = subprocess.run(
            [str(GIT), "merge-file", "-p", *map(str, paths)], capture_output=True, check=False
        )
    return done.stdout.decode().removesuffix("\n") if done.returncode == 0 else None


def test_changes_apart_from_each_other_go_together() -> None:
    base = "# Deploying\n\nBuild.\n\nTest.\n\nShip."

    merged = merge_texts(
        base, base.replace("Build.", "Build twice."), base.replace("Ship.", "Ship.\n\nRest.")
    )

    assert merged == "# Deploying\n\nBuild twice.\n\nTest.\n\nShip.\n\nRest."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a\nX\nc", "a\nY\nc"),  # the same line
        ("X\nb\nc", "a\nY\nc"),  # lines that touch
        ("a\nb\nc\nX", "a\nb\nc\nY"),  # both append
        ("a\nc", "a\nX\nc"),  # one removes what the other changes
        ("b\nc\na", "b\na\nc"),  # both move one line, to different places
    ],
)
def test_changes_that_meet_are_not_merged(one: str, other: str) -> None:
    assert merge_texts("a\nb\nc", one, other) is None


@pytest.mark.parametrize(
    ("base", "one", "other"),
    [
        ("r b r s", "b r s", "r b s"),  # each removes another of two equal lines
        ("a L b c d", "a b c L d", "a b c d"),  # one moves what the other deletes
        ("a L b c d e", "a b c L d e", "a X b c d e"),  # one moves what the other rewrites
        ("a L b c d L e", "a b c d L e", "a L b L c d L e"),  # one removes, the other adds
        ("a L b c d e f", "a b L c d e f", "a b c d L e f"),  # both move it, elsewhere
    ],
)
def test_a_line_that_both_sides_touch_in_different_places_is_not_merged(
    base: str, one: str, other: str
) -> None:
    sides = [text.split() for text in (base, one, other)]

    assert merge(*sides) is None
    assert merge(sides[0], sides[2], sides[1]) is None


def test_blank_lines_and_rules_are_no_reason_to_refuse() -> None:
    base = "a\n\nb\n---\nc\n\nd\n---\ne"

    merged = merge_texts(base, base.replace("a\n\nb", "a\nb"), base.replace("c\n\nd", "c\nd"))

    assert merged == "a\nb\n---\nc\nd\n---\ne"


def test_a_change_that_both_made_is_one() -> None:
    base = "a\nb\nc\nd\ne"

    assert merge_texts(base, "X\nb\nc\nd\nY", "X\nb\nZ\nd\ne") == "X\nb\nZ\nd\nY"


def test_two_changes_within_one_long_line_are_not_merged() -> None:
    line = "word " * 600

    assert merge_texts(line, line + "x", "y" + line) is None


def test_a_final_line_end_is_a_line_like_any_other() -> None:
    assert merge_texts("a\nb\nc", "X\nb\nc", "a\nb\nc\n") == "X\nb\nc\n"


def test_the_longest_texts_take_a_moment_and_hopeless_ones_are_given_up() -> None:
    page = [f"Paragraph {n}. " + "word " * 18 if n % 2 == 0 else "" for n in range(9_500)]
    one = [f"one {n}" if n % 500 == 0 else line for n, line in enumerate(page)]
    other = [f"other {n}" if n % 500 == 250 else line for n, line in enumerate(page)]
    blanks = [["ab"[n * factor % 7 % 2] for n in range(100_000)] for factor in (1, 3, 5)]

    started = time.process_time()
    merged = merge(page, one, other)
    hopeless = merge(*blanks)

    assert len("\n".join(page)) > 490_000
    assert merged is not None
    assert merged.count("one ") >= 19
    assert merged.count("other ") >= 19
    assert hopeless is None
    assert time.process_time() - started < 10


@pytest.mark.parametrize("count", [600, 3_000])
def test_a_page_rewritten_line_by_line_is_given_up_at_once(count: int) -> None:
    def page(say: str) -> list[str]:
        return [line for n in range(count) for line in (f"{say} {n}.", "")]

    base = page("Paragraph")
    one = [line.replace("Paragraph 7.", "Paragraph seven.") for line in base]
    twice = [f"Line {n // 2} of the page, which stands twice." for n in range(count)]
    swapped = [line for n in range(0, count, 4) for line in twice[n + 2 : n + 4] + twice[n : n + 2]]

    started = time.process_time()
    rewritten = merge(base, one, page("Rewritten"))
    merge(twice, swapped, [*twice, "More."])

    assert rewritten is None
    assert time.process_time() - started < 3


def test_fields_that_only_one_side_changed_are_taken_as_it_has_them() -> None:
    base = {"title": "Old", "tags": ["a"], "summary": "S"}
    current = {"title": "Old", "tags": ["a", "b"], "summary": "S"}

    merge = merge_fields(base, current, {"title": "New", "tags": ["a"]}, texts={"content"})

    assert (merge.fields, merge.merged, merge.conflicts) == ({"title": "New"}, (), ())


def test_a_text_changed_on_both_sides_is_merged_and_another_field_conflicts() -> None:
    base = {"title": "Old", "content": "a\nb\nc", "weight": "normal"}
    current = {"title": "Theirs", "content": "A\nb\nc", "weight": "low"}
    proposed = {"title": "Ours", "content": "a\nb\nC", "weight": "low"}

    merge = merge_fields(base, current, proposed, texts={"content"})

    assert (merge.fields, merge.merged) == ({"content": "A\nb\nC"}, ("content",))
    assert merge.conflicts == (FieldConflict("title", "Old", "Theirs", "Ours"),)


def test_a_cleared_field_is_a_change_like_any_other() -> None:
    cleared = merge_fields({"summary": "S"}, {"summary": "S"}, {"summary": None}, texts={"content"})
    both = merge_fields({"summary": "S"}, {"summary": "T"}, {"summary": None}, texts={"content"})

    assert cleared.fields == {"summary": None}
    assert both.conflicts == (FieldConflict("summary", "S", "T", None),)
