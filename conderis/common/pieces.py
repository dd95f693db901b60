"""Texts that are handed on in pieces, none too small to be worth a step of its own."""

from collections.abc import Iterable, Iterator


def gathered(pieces: Iterable[str], size: int) -> Iterator[str]:
    """The same text in pieces of at least `size` characters, but for the last."""
    held: list[str] = []
    length = 0
    for piece in pieces:
        held.append(piece)
        length += len(piece)
        if length >= size:
            yield "".join(held)
            held, length = [], 0
    if held:
        yield "".join(held)
