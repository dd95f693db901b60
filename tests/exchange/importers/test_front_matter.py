"""Front matter as people write it: nothing is run, and nothing is lost."""

import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from exchange.importers.front_matter import as_code, read_front_matter
from exchange.importers.values import text_of

pytestmark = pytest.mark.no_database


def values_of(block: str) -> dict[str, object]:
    front, _body = read_front_matter(f"---\n{block}\n---\ntext")
    return {name: value for name, (_written, value) in front.values.items()}


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("title: ADR-1: Files are true", "ADR-1: Files are true"),
        ("title: `serve` concurrency", "`serve` concurrency"),
        ("title: June - Update #2 (28 skills)", "June - Update #2 (28 skills)"),
        ("title: #1 of all", "#1 of all"),
        ("title: 012", "012"),
        ("title: yes", "yes"),
        ("title: 1.10", "1.10"),
        ("title: 2026-01-05", "2026-01-05"),
        ("title: 'it''s # quoted'  # a comment", "it's # quoted"),
        ("title: @ann's page", "@ann's page"),
        ("title: [draft] of: it", "[draft] of: it"),
        ("title: *bold* words", "*bold* words"),
        ("title: 100% & more", "100% & more"),
        ("title:\ttabbed", "tabbed"),
        ('title: "open', '"open'),
        ("Title: large", "large"),
    ],
)
def test_a_title_is_read_as_it_is_written(block: str, expected: str) -> None:
    assert values_of(f"{block}\nother: x") == {"title": expected, "other": "x"}


def test_the_entries_beside_one_that_is_no_yaml_keep_their_types() -> None:
    values = values_of('title: a: b\ntags: [adr, "needs: review"]\naliases:\n\t- one\n\t- two')

    assert values["tags"] == ["adr", "needs: review"]
    assert values["aliases"] == ["one", "two"]


def test_of_two_values_with_one_name_neither_is_lost_and_it_is_said() -> None:
    front, _body = read_front_matter("---\ntitle: first\ntitle: second\n---\n")

    assert front.take("title") == "second"
    assert front.rest() == [("title", "first")]
    assert "“title”" in front.warnings[0]


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system", "!ruby/object:Gem", "!x"])
def test_a_tag_that_would_run_code_is_refused_and_the_block_kept(tag: str) -> None:
    block = f'title: {tag} ["echo hi"]\n'
    front, body = read_front_matter(f"---\n{block}---\ntext")

    assert not front.values
    assert front.unread == block
    assert tag in front.warnings[0]
    assert body == "text"
    assert as_code(front.unread) == f"```yaml\n{block}```"


def test_an_alias_bomb_is_neither_followed_nor_slow() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    lines.append("merged: {<<: [*a11, *a11]}")
    begun = time.monotonic()
    front, _body = read_front_matter("---\n" + "\n".join(lines) + "\n---\n")

    assert time.monotonic() - begun < 5
    assert front.unread
    assert "aliases" in front.warnings[0]


def test_an_alias_of_itself_ends() -> None:
    front, _body = read_front_matter("---\na: &a [*a]\n---\n")

    assert front.unread


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nA page that begins with a rule.\n\n---\nmore\n",
        "---\n- a list\n- of two\n---\ntext",
        "---\njust words\n---\ntext",
        "--- no fence\ntitle: x\n---\n",
        "text\n---\ntitle: x\n---\n",
        "---\n" + "a word " * 12_000 + "\n---\n",
        "",
    ],
)
def test_what_is_no_front_matter_stays_text(text: str) -> None:
    front, body = read_front_matter(text)

    assert (front.values, front.unread, front.warnings) == ({}, "", [])
    assert body == text


def test_front_matter_that_is_never_closed_stays_text_and_it_is_said() -> None:
    text = "---\ntitle: x\n\n# Heading\n"
    front, body = read_front_matter(text)

    assert (front.values, body) == ({}, text)
    assert "---" in front.warnings[0]


def test_a_block_of_code_holds_whatever_fences_are_in_it() -> None:
    assert as_code("a: ````\n").startswith("`````yaml\n")
    assert as_code(" \n") == ""


_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates()
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(min_size=1), _VALUES, max_size=5))
def test_any_yaml_is_read_to_plain_values(values: dict[str, object]) -> None:
    block = yaml.safe_dump(values, allow_unicode=True)
    front, body = read_front_matter(f"---\n{block}---\nthe text")

    assert body.endswith("the text")
    for name, text in front.rest():
        assert isinstance(name, str)
        assert isinstance(text, str)


@given(st.text(alphabet=st.sampled_from("ab:#-'\"[]{}&*!|>%@`~?, \n\t\x00\ud800é\u2028")))
def test_any_block_is_read_without_an_error(block: str) -> None:
    front, body = read_front_matter(f"---\n{block}\n---\nthe text")

    assert body.endswith("the text")
    for _written, value in front.values.values():
        assert isinstance(text_of(value), str)
