"""The addresses of pages, looked up once for each: a page has hundreds of them."""

from functools import lru_cache

from django.urls import get_script_prefix, reverse

MOST_KEPT = 4_000


def address(route: str, **words: str | int) -> str:
    """The address of the route with these words in it."""
    return _address(get_script_prefix(), route, tuple(words.items()))


@lru_cache(maxsize=MOST_KEPT)
def _address(_prefix: str, route: str, words: tuple[tuple[str, str | int], ...]) -> str:
    """It begins with the prefix that `reverse` asks for itself."""
    return reverse(route, kwargs=dict(words))


def address_of(route: str, *words: str | int) -> str:
    """The address of the route with these words, in the order of its pattern."""
    return _address_of(get_script_prefix(), route, words)


@lru_cache(maxsize=MOST_KEPT)
def _address_of(_prefix: str, route: str, words: tuple[str | int, ...]) -> str:
    return reverse(route, args=words)
