"""The text of agent keys."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from conderis.accounts.keys import ALPHABET, LENGTH, PREFIX, mint_key, parse_key

pytestmark = pytest.mark.no_database


def test_a_new_key_has_the_form_that_scanners_look_for() -> None:
    text = mint_key().text

    assert re.fullmatch(r"cndr_[0-9A-Za-z]{44}", text)
    assert len(text) == LENGTH == 49


def test_two_new_keys_share_neither_look_up_nor_digest() -> None:
    one, other = mint_key(), mint_key()

    assert one.lookup != other.lookup
    assert one.digest != other.digest


def test_a_key_reads_back_as_itself_and_matches_its_digest() -> None:
    key = mint_key()

    read = parse_key(key.text)

    assert read == key
    assert key.matches(key.digest)
    assert not key.matches(mint_key().digest)


def test_no_single_mistyped_character_passes() -> None:
    text = mint_key().text

    passed = [
        text[:place] + other + text[place + 1 :]
        for place in range(len(text))
        for other in ALPHABET
        if other != text[place] and parse_key(text[:place] + other + text[place + 1 :])
    ]

    assert passed == []


def test_two_swapped_neighbours_do_not_pass() -> None:
    text = mint_key().text

    for place in range(len(PREFIX), len(text) - 1):
        one, other = text[place], text[place + 1]
        if one != other:
            assert parse_key(text[:place] + other + one + text[place + 2 :]) is None


@pytest.mark.parametrize("cut", [0, 1, 5, 13, 43, 48])
def test_a_cut_key_does_not_pass(cut: int) -> None:
    assert parse_key(mint_key().text[:cut]) is None


@pytest.mark.parametrize("around", [" {}", "{} ", "{}\n", "Bearer {}", "{}{}"])
def test_a_key_with_more_around_it_does_not_pass(around: str) -> None:
    text = mint_key().text

    assert parse_key(around.format(text, text)) is None


@given(st.text())
def test_no_text_at_all_breaks_the_reading(text: str) -> None:
    assert parse_key(text) is None


@given(st.text(alphabet=ALPHABET, min_size=44, max_size=44))
def test_hardly_a_random_text_of_the_right_form_passes(text: str) -> None:
    assert parse_key(PREFIX + text) is None


def test_a_key_that_is_printed_as_an_object_does_not_show_its_text() -> None:
    key = mint_key()

    assert key.text not in repr(key)


def test_the_digest_is_worth_nothing_under_another_secret_key(settings: Settings) -> None:
    key = mint_key()
    before = key.digest

    settings.SECRET_KEY = "another-secret-key-of-this-server-000000"

    assert key.digest != before
    assert not key.matches(before)
