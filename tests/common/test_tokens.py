from concurrent.futures import ThreadPoolExecutor

import pytest
from tiktoken_ext import openai_public

from conderis.common import tokens
from conderis.common.tokens import count_tokens

pytestmark = pytest.mark.no_database


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("hello world", 2),
        ("tiktoken is great!", 6),
        ("<|endoftext|>", 7),
        ("äöü 漢字 🎉", 8),
    ],
)
def test_tokens_are_counted_as_the_model_counts_them(text: str, count: int) -> None:
    assert count_tokens(text) == count


def test_half_a_surrogate_pair_is_counted_and_breaks_nothing() -> None:
    assert count_tokens("half \ud83d here") > 0


def test_a_text_is_cut_as_the_encoding_itself_cuts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: {})

    assert openai_public.o200k_base()["pat_str"] == tokens.PATTERN


def test_threads_count_at_once() -> None:
    with ThreadPoolExecutor(8) as threads:
        counts = list(threads.map(count_tokens, ["hello world"] * 50))

    assert counts == [2] * 50
