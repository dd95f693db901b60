"""Markdown becomes HTML that is safe, fits the page, and does not take long."""

import json
import re
from pathlib import Path
from threading import Thread
from time import thread_time

import pytest
from django.utils.safestring import SafeString

from conderis.web.markdown import MOST_CHARACTERS, MOST_SECONDS, laying_out, render, render_outlined
from conderis.web.markdown.keeping import forget_all
from tests.web.markdown_texts import ATTACKS, Seen, assert_harmless, links

pytestmark = pytest.mark.no_database

HANDED = Path(__file__).parents[3] / "shared" / "cases" / "files" / "tricky-strings-handed.json"


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize(
    "frame", ["{}", "- {}", "> {}", "# {}", "**{}**", "[{}](https://ok.example)"]
)
def test_no_text_becomes_script_or_a_link_that_harms(attack: str, frame: str) -> None:
    assert_harmless(render(frame.format(attack)))


@pytest.mark.skipif(not HANDED.exists(), reason="the handed strings are not beside this repository")
def test_the_handed_strings_do_no_harm() -> None:
    for text in json.loads(HANDED.read_text(encoding="utf-8")).values():
        assert_harmless(render(text))


def test_what_is_no_link_stays_as_it_was_written() -> None:
    html = render("[press](javascript:alert(1)) and [there](docs/deploy.md)")

    assert html == '<p dir="auto">[press](javascript:alert(1)) and [there](docs/deploy.md)</p>\n'


def test_links_lead_to_the_web_to_mail_and_to_headings_of_the_text() -> None:
    html = render("# Über uns\n\n[a](HTTPS://x.example) <me@x.example> [b](#über-uns)")

    assert links(html) == ["HTTPS://x.example", "mailto:me@x.example", "#h-%C3%BCber-uns"]
    assert 'id="h-über-uns"' in html


def test_an_image_is_a_link_that_loads_nothing() -> None:
    html = render("![the plan](https://x.example/plan.png)")

    assert html == (
        '<p dir="auto"><a href="https://x.example/plan.png" '
        'rel="nofollow noopener noreferrer ugc">Image: the plan</a></p>\n'
    )


def test_an_image_inside_a_link_is_its_words() -> None:
    html = render("[![badge](https://x.example/b.svg)](https://ci.example)")

    assert links(html) == ["https://ci.example"]
    assert "Image: badge" in html


def test_headings_fit_below_the_one_of_the_page() -> None:
    rendered = render_outlined("# One\n\n## *Two*\n\n###### Six", base_level=2)

    assert [(each.level, each.text) for each in rendered.headings] == [
        (2, "One"),
        (3, "Two"),
        (6, "Six"),
    ]
    assert re.findall(r"<(h\d) ", rendered.html) == ["h2", "h3", "h6"]
    assert '<h4 dir="auto" id="h-a">' in render("# A", base_level=4)


def test_headings_with_the_same_words_have_ids_of_their_own() -> None:
    anchors = [each.anchor for each in render_outlined("# A\n# A\n# !?\n# A").headings]

    assert anchors == ["h-a", "h-a-2", "h-section", "h-a-3"]
    twice = [each.anchor for each in render_outlined("# a 2\n# a\n# a\n# a 2\n# a").headings]
    assert twice == ["h-a-2", "h-a", "h-a-3", "h-a-2-2", "h-a-4"]


def test_tables_scroll_and_align_numbers_without_styles() -> None:
    html = render("| name | size |\n|---|---:|\n| a | 1 |")

    assert html.startswith('<div class="prose-scroll" tabindex="0"><table dir="auto">')
    assert '<th class="r">size</th>' in html
    assert "style" not in html


def test_code_is_shown_as_it_is() -> None:
    html = render("```\nif a < b:\n    pass\n```\n\n    4 < 5\n\n~~old~~ `x & y`")

    assert '<pre dir="ltr" tabindex="0"><code>if a &lt; b:\n    pass\n</code></pre>' in html
    assert '<pre dir="ltr" tabindex="0"><code>4 &lt; 5\n</code></pre>' in html
    assert '<s>old</s> <code dir="ltr">x &amp; y</code>' in html


def test_tasks_of_a_list_have_boxes_that_say_how_they_are_and_cannot_be_changed() -> None:
    html = render("- [ ] boil\n- [x] pour\n  1. [X] green\n- plain [x]\n\n[ ] no list")

    boxes = [attributes for tag, attributes in Seen(html).tags if tag == "input"]
    assert [(each["aria-label"], "checked" in each) for each in boxes] == [
        ("Not done", False),
        ("Done", True),
        ("Done", True),
    ]
    assert all(each["type"] == "checkbox" and "disabled" in each for each in boxes)
    assert "plain [x]" in html
    assert "[ ] no list" in html


def test_tasks_of_several_paragraphs_have_one_box_each() -> None:
    html = render("- [ ] boil\n\n  slowly\n\n- [x] # Pour\n")

    assert html.count("<input") == 2
    assert re.search(r"<p><input[^>]*> boil</p>\s*<p>slowly</p>", html)


def test_each_outer_block_says_that_it_runs_as_its_own_letters_do() -> None:
    blocks = ["# שלום", "مرحبا", "- שלום\n- hello", "> مرحبا", "1. a", "| ש |\n|---|\n| a |",
              "```\nx\n```"]  # fmt: skip

    seen = Seen(render("\n\n".join(blocks))).tags
    told = [(tag, attributes["dir"]) for tag, attributes in seen if "dir" in attributes]

    # None inside another: a browser looks for the first letter past those that have one.
    assert told == [
        ("h2", "auto"),
        ("p", "auto"),
        ("ul", "auto"),
        ("blockquote", "auto"),
        ("ol", "auto"),
        ("table", "auto"),
        ("pre", "ltr"),
    ]


def test_the_html_is_marked_as_safe_and_keeps_nothing_of_another_text() -> None:
    first, second = render_outlined("# A\n\n[x]: https://x.example"), render_outlined("[x]")

    assert isinstance(first.html, SafeString)
    assert links(second.html) == []
    assert second.headings == ()


def test_a_long_text_is_shown_as_source_with_the_reason() -> None:
    html = render("<b>" + "a" * MOST_CHARACTERS)

    assert "over 65,536 characters" in html
    assert '<pre class="kept source" dir="auto" tabindex="0">&lt;b&gt;aaa' in html
    assert "kept source" not in render("a" * MOST_CHARACTERS)


def test_a_text_that_takes_too_long_is_shown_as_source_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(laying_out, "MOST_SECONDS", 0.02)

    html = render("*a **b " * 9_000)

    assert "take over a second" in html
    assert "<pre" in html
    assert "kept source" not in render("*a*")


N = MOST_CHARACTERS - 10
DEAR = {
    "brackets in a row": "[" * N,
    "rows of brackets": "\n".join("[" * 900 for _ in range(N // 901)),
    "paragraphs of brackets": "\n\n".join("[" * 900 for _ in range(N // 902)),
    "brackets between words": "[a " * (N // 3),
    "images that never end": "![" * (N // 2),
    "links inside links": "[a](" * (N // 4),
    "references": "[x][y " * (N // 6),
    "stars": "*a **a " * (N // 7),
    "triple stars": "***a" * (N // 4),
    "strikes": "~~a " * (N // 4),
    "backticks": "".join("a" + "`" * each for each in range(1, 300)),
    "quotes": "\n".join(">" * each + "a" for each in range(1, 350)),
    "lists": "\n".join(" " * (2 * each) + "- a" for each in range(240)),
    "a wide table": "|" + "a|" * 1000 + "\n|" + "-|" * 1000 + "\n" + "a\n" * 30_000,
    "a table of missing cells": "|" + "a|" * 250 + "\n|" + "-|" * 250 + "\n" + "|\n" * 30_000,
    "headings of the same words": "# a\n" * (N // 4),
    "titles that never end": '[a]: b "' + '\n"a' * (N // 3 - 9),
    "angle brackets": "<a" * (N // 2),
    "entities": "&a" * (N // 2),
    "lines": "a\n" * (N // 2),
    "numbers": "a/b#1 " * (N // 6),
    "what looks like numbers": "a/b" * (N // 3),
    "what looks like projects": "a-." * (N // 3),
    "tasks": "- [x] a\n" * (N // 8),
    "tasks inside tasks": "\n".join(" " * (2 * each) + "- [x] a" for each in range(230)),
    "many short codes": "```py\n1\n```\n" * (N // 12),
    "one long code": "```py\n" + "a=1\n" * ((N - 10) // 4),
}


@pytest.mark.parametrize("shape", DEAR)
def test_no_text_takes_much_longer_than_it_may(shape: str) -> None:
    assert len(DEAR[shape]) <= MOST_CHARACTERS
    before = thread_time()

    html = render(DEAR[shape])

    # One rule may run on over the limit, and sanitising comes after it.
    assert thread_time() - before < 2 * MOST_SECONDS
    assert_harmless(html)


def test_texts_rendered_at_once_do_not_meet() -> None:
    found: dict[int, str] = {}

    def work(number: int) -> None:
        found[number] = render(f"# Heading {number}\n\n" + f"- item *{number}*\n" * 50)

    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    forget_all()
    assert all(html == render_alone(number) for number, html in found.items())
    assert len(found) == 8


def render_alone(number: int) -> str:
    return render(f"# Heading {number}\n\n" + f"- item *{number}*\n" * 50)
