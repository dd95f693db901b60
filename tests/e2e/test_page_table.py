"""The table of pages is complete."""

from collections.abc import Iterator
from fnmatch import fnmatch

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.e2e.pages import EXEMPT, PAGES, exempt

pytestmark = pytest.mark.no_database


def view_names(resolver: URLResolver, namespace: str = "") -> Iterator[str]:
    """The names of all patterns, those without one by their function."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name}" if pattern.name else pattern.lookup_str
        else:
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from view_names(pattern, inner)


def test_every_address_that_shows_a_page_has_a_row_in_the_table() -> None:
    shown = {page.view_name for page in PAGES}

    names = set(view_names(get_resolver()))

    assert {name for name in names if name not in shown and not exempt(name)} == set()


def test_every_exemption_is_of_an_address_that_is_there_and_has_no_row() -> None:
    names = set(view_names(get_resolver()))
    shown = {page.view_name for page in PAGES}

    unused = {pattern for pattern in EXEMPT if not any(fnmatch(name, pattern) for name in names)}

    assert unused == set()
    assert shown & EXEMPT.keys() == set()


def test_every_page_has_a_name_of_its_own() -> None:
    names = [page.name for page in PAGES]

    assert sorted(set(names)) == sorted(names)
    assert any(page.lighthouse for page in PAGES)
