"""Short ways through texts say the same as the long ones."""

from hypothesis import given
from hypothesis import strategies as st

from conderis.common.text import cut_at_word
from items.recall.entries import one_line

_PIECES = (
    "a",
    "word",
    "wörd",
    "重",
    "…",
    " ",
    "  ",
    "\n",
    "\t",
    "\r\n",
    "\u00a0",
    "\u2003",
    "\u200b",
)
TEXTS = st.lists(st.sampled_from(_PIECES), max_size=60).map("".join) | st.text(max_size=60)


@given(TEXTS)
def test_a_text_on_one_line_has_single_blanks_alone(text: str) -> None:
    assert one_line(text) == " ".join(text.split())


@given(TEXTS, st.integers(2, 40))
def test_a_cut_text_is_the_same_whatever_blanks_stand_in_it(text: str, limit: int) -> None:
    line = " ".join(text[: limit * 4 + 4].split())

    assert cut_at_word(text, limit) == cut_at_word(line, limit)
    assert len(cut_at_word(text, limit)) <= limit
