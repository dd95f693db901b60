"""Which parts of a short text a query has found, so that pages can mark them."""

from collections.abc import Collection

from items.search.words import has_term, runs

Part = tuple[str, bool]  # the text, and whether it was found


def marked_parts(text: str, terms: Collection[str]) -> list[Part]:
    """The text in parts: whole words that have one of the terms, and what lies between."""
    parts: list[Part] = []
    end = 0
    for offset, run in runs(text):
        word = run.rstrip(".:,;'’")
        if not word or not any(has_term(word, term) for term in terms):
            continue
        if offset > end:
            parts.append((text[end:offset], False))
        end = offset + len(word)
        parts.append((word, True))
    if end < len(text):
        parts.append((text[end:], False))
    return parts
