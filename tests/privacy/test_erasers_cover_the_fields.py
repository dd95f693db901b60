"""Every field that holds content has one eraser, or a reason why erasing leaves it alone."""

from collections import Counter

import pytest

from privacy.erasers.registry import ERASERS
from tests.architecture.test_data import documented, text_fields

pytestmark = pytest.mark.no_database

# Content that is no item's, proposal's or request's: who may change it takes it out.
NOT_ERASED = {
    "projects.Project.description": "a setting, of which no version is kept; its owners change it",
}
# Tables that no field stands for: the index forgets by rows, and files are cleared.
INDEXES = {"items_search", "items_searchdocument"}


def without_eraser(content: set[str]) -> set[str]:
    """Fields of content that nothing erases and that have no reason."""
    erased = {field for eraser in ERASERS for field in eraser.fields}
    return content - erased - set(NOT_ERASED) - INDEXES


def content() -> set[str]:
    return {field for field, kind in documented() if kind == "content"}


def test_every_field_of_content_has_an_eraser_or_a_reason() -> None:
    assert without_eraser(content()) == set()


def test_no_field_has_two_erasers_and_every_eraser_has_its_fields() -> None:
    named = Counter(field for eraser in ERASERS for field in eraser.fields)

    assert {field for field, count in named.items() if count > 1} == set()
    assert set(named) <= set(text_fields())
    assert set(named) <= content()
    assert all(eraser.fields for eraser in ERASERS)


def test_what_is_left_alone_is_content_that_no_eraser_names() -> None:
    named = {field for eraser in ERASERS for field in eraser.fields}

    assert set(NOT_ERASED) <= content()
    assert set(NOT_ERASED) & named == set()


def test_a_new_field_of_content_without_an_eraser_is_noticed() -> None:
    assert without_eraser({*content(), "items.Comment.text"}) == {"items.Comment.text"}
