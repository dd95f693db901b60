"""Lines out of a pipe, however they arrive."""

import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_surface.pipes import CHUNK, lines

pytestmark = pytest.mark.no_database


def read_lines(*chunks: bytes, limit: int) -> list[bytes | None]:
    """What `lines` makes of these chunks, written one by one."""
    ours, theirs = os.pipe()

    def write() -> None:
        for chunk in chunks:
            os.write(theirs, chunk)
        os.close(theirs)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        return list(lines(ours, limit=limit))
    finally:
        writer.join()
        os.close(ours)


@given(st.lists(st.binary(max_size=8) | st.just(b"\n"), max_size=20))
def test_lines_are_the_same_however_they_are_cut(chunks: list[bytes]) -> None:
    whole = b"".join(chunks)
    *ended, rest = whole.split(b"\n")

    found = read_lines(*chunks, limit=1000)

    assert found == [*ended, rest] if rest else found == ended


def test_a_line_longer_than_the_limit_is_dropped_and_the_next_one_is_whole() -> None:
    long = b"x" * (3 * CHUNK)

    found = read_lines(b"one\n", long, b"\ntwo\n", limit=2 * CHUNK)

    assert found == [b"one", None, b"two"]


@pytest.mark.parametrize(("length", "kept"), [(10, True), (11, False)])
def test_a_line_of_exactly_the_limit_is_taken(length: int, kept: bool) -> None:  # noqa: FBT001
    line = b"x" * length

    assert read_lines(line + b"\n", limit=10) == [line if kept else None]
    assert read_lines(line, limit=10) == [line if kept else None]
