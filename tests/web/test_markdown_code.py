"""Code in texts: its language is named, what we know is coloured, and none takes long."""

from html import unescape
from time import thread_time

import pytest

from conderis.web.markdown import MOST_SECONDS, render
from conderis.web.markdown.colouring import (
    LANGUAGES,
    MOST_BLANKS,
    MOST_COLOURED,
    MOST_IN_A_LINE,
    Allowance,
    coloured,
    language_name,
    language_of,
)
from tests.web.markdown_texts import Seen, assert_harmless

pytestmark = pytest.mark.no_database

SAMPLE = """#!/usr/bin/env thing
// note  # note  -- note  ; note  /* more */
class Tea < Drink { let hot = true; int n = 1_000; return "a<b>&'c'" + 0x1F; }
def pour(cup, *, slowly=None):
\tif cup is None: raise ValueError(f"{cup!r}")   # why

<!-- no --> <p class="x" onclick='y'>&amp; {{ z }} {% if %} ${w} $(v)</p>
>>> pour(1)
<?php echo 1; ?>
@@ -1,2 +1,2 @@
-old
+new
key: [1, 2.5, "three"]  \u202e\u200bשלום 👩\u200d👧

"""


def test_code_with_a_language_names_it_and_is_coloured() -> None:
    html = render("```py\nreturn 'a<b'  # why\n```")

    assert "<figcaption>Python</figcaption>" in html
    assert '<span class="code-word">return</span>' in html
    assert '<span class="code-value">&#x27;a&lt;b&#x27;</span>' in html.replace("'", "&#x27;")
    assert '<span class="code-note"># why</span>' in html


def test_code_of_an_unknown_language_is_plain_and_names_it_all_the_same() -> None:
    html = render("```klingon\nreturn 1\n```\n\n``` <b>x</b>\n1\n```")

    assert "<figcaption>klingon</figcaption>" in html
    assert "<code>return 1\n</code>" in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html
    assert "span" not in html


@pytest.mark.parametrize(
    ("word", "language"),
    [("py", "python"), ("YML", "yaml"), ("rust,ignore", "rust"), ("{.yml}", "yaml"),
     ("js{1,3}", "javascript"), ("tsx", "typescript"), ("", ""), ("no-such", "")],
)  # fmt: skip
def test_the_language_is_found_by_the_words_that_people_use(word: str, language: str) -> None:
    name = language_name(language) if language else word

    assert (f"<figcaption>{name}</figcaption>" in render(f"```{word}\nx\n```")) == bool(name)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_of_no_language_is_anything_shown_but_what_was_written(language: str) -> None:
    html = coloured(SAMPLE, language, Allowance())

    assert html is not None
    assert unescape("".join(Seen(html).text)) == unescape(SAMPLE)
    assert_harmless(html)
    assert "<span" in html


def test_long_code_and_what_follows_it_stays_plain() -> None:
    line = "if 1: pass\n"
    short, long = (f"```py\n{line * times}```\n\n" for times in (1, 1_500))
    assert len(long) < MOST_COLOURED < 2 * len(long)

    html = render(long + long + short)

    first, second, third = html.split("</figure>")[:3]
    assert "<span" in first
    assert "<span" not in second
    assert "<span" in third


def test_what_takes_too_long_stays_plain() -> None:
    allowance = Allowance(seconds=0.001)

    assert coloured("if 1: pass\n" * 1_500, "python", allowance) is None
    assert allowance.seconds < 0
    assert coloured("1", "python", allowance) is None


# Lines and runs of blanks as long as may be, and what many rules begin with.
DEAR = (
    " " * MOST_BLANKS + "a", "\n" * MOST_BLANKS + "a", "a" * (MOST_IN_A_LINE - 1) + "\n", "a b\n",
    '"\n', "a(\n",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_no_language_takes_much_longer_than_it_may(language: str) -> None:
    for unit in DEAR:
        code = (unit * MOST_COLOURED)[:MOST_COLOURED]
        before = thread_time()

        coloured(code, language, Allowance())

        assert thread_time() - before < MOST_SECONDS, repr(unit)


def test_code_with_many_blanks_in_a_row_stays_plain() -> None:
    for blank in " \n":
        assert coloured(f"1{blank * MOST_BLANKS}2", "python", Allowance()) is not None
        assert coloured(f"1{blank * MOST_BLANKS} 2", "python", Allowance()) is None


def test_code_with_a_long_line_stays_plain() -> None:
    line = "#" * MOST_IN_A_LINE

    assert coloured(f"1\n{line}\n", "python", Allowance()) is not None
    assert coloured(f"1\n{line}#\n", "python", Allowance()) is None


def test_words_that_mean_no_language_of_ours_are_none() -> None:
    assert language_of("klingon") == ""
    assert language_of("PYTHON") == "python"
