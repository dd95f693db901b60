"""Markdown becomes HTML that is safe, fits the page, and does not take long."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from threading import Thread
from time import thread_time

import pytest
from django.utils.safestring import SafeString

from conderis.web import markdown
from conderis.web.markdown import MOST_CHARACTERS, render, render_outlined

pytestmark = pytest.mark.no_database

HANDED = Path(__file__).parents[3] / "shared" / "cases" / "files" / "tricky-strings-handed.json"

ATTACKS = [
    "<script>alert(1)</script>",
    "<ScRiPt src=//evil.example></sCrIpT>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<style>*{background:url(//evil.example)}</style>",
    '<p style="background:url(//evil.example)">x</p>',
    "<iframe src='javascript:alert(1)'></iframe>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<!--<img src='--><img src=x onerror=alert(1)>",
    "<a href='javascript:alert(1)' onclick=alert(1)>x</a>",
    "<form action=//evil.example><input name=csrfmiddlewaretoken></form>",
    "<base href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "[x](javascript:alert(1))",
    "[x]( javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#x09;script:alert(1))",
    "[x](java&Tab;script:alert&lpar;1&rpar;)",
    "[x](&#106;avascript:alert(1))",
    "[x](<java\tscript:alert(1)>)",
    "[x](\x01javascript:alert(1))",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](file:///etc/passwd)",
    "[x](blob:https://evil.example/1)",
    "[x](//evil.example)",
    "[x](/settings/keys/)",
    "[x](\\\\evil.example)",
    "[x]\n\n[x]: javascript:alert(1)",
    "[x][y]\n\n[y]: <javascript:alert(1)> 'title'",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "![x](javascript:alert(1))",
    "![x](data:image/svg+xml,<svg onload=alert(1)>)",
    "![x](https://evil.example/pixel.png)",
    "![x](//evil.example/pixel.png)",
    '![x](https://evil.example/p.png "onerror=alert(1)")',
    '[x](https://ok.example "\\" onmouseover=alert(1) ")',
    '[x](https://ok.example/"onmouseover=alert(1))',
    "[![x](javascript:alert(1))](javascript:alert(2))",
    '```html" onmouseover=alert(1)\n<script>alert(1)</script>\n```',
    "`<script>alert(1)</script>`",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "| <script>alert(1)</script> |\n|-|\n| <img src=x onerror=alert(1)> |",
    "# <img src=x onerror=alert(1)>",
    "# main\n\n[x](#main)",
    "[[wiki|javascript:alert(1)]]",
    "\0<script>alert(1)</script>",
    "\ud83d<script>alert(1)</script>",
]

TAGS = {
    "a", "blockquote", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li",
    "ol", "p", "pre", "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
VALUES = {
    "class": r"r|prose-scroll|meta|kept source",
    "href": r"https?://[^\s\"<>]*|mailto:[^\s\"<>]*|#h-[^\s\"<>]*",
    "id": r"h-[\w-]+",
    "rel": r"nofollow noopener ugc",
    "start": r"\d+",
    "tabindex": r"0",
}


class Seen(HTMLParser):
    """Every tag and attribute that a browser would find."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def assert_harmless(html: str) -> None:
    for tag, attributes in Seen(html).tags:
        assert tag in TAGS
        for name, value in attributes.items():
            assert name in VALUES, (tag, name)
            assert re.fullmatch(VALUES[name], value or ""), (tag, name, value)


def links(html: str) -> list[str | None]:
    return [attributes.get("href") for tag, attributes in Seen(html).tags if tag == "a"]


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

    assert html == "<p>[press](javascript:alert(1)) and [there](docs/deploy.md)</p>\n"


def test_links_lead_to_the_web_to_mail_and_to_headings_of_the_text() -> None:
    html = render("# Über uns\n\n[a](HTTPS://x.example) <me@x.example> [b](#über-uns)")

    assert links(html) == ["HTTPS://x.example", "mailto:me@x.example", "#h-%C3%BCber-uns"]
    assert 'id="h-über-uns"' in html


def test_an_image_is_a_link_that_loads_nothing() -> None:
    html = render("![the plan](https://x.example/plan.png)")

    assert html == (
        '<p><a href="https://x.example/plan.png" rel="nofollow noopener ugc">'
        "Image: the plan</a></p>\n"
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
    assert re.findall(r"<(h\d) id", rendered.html) == ["h2", "h3", "h6"]
    assert '<h4 id="h-a">' in render("# A", base_level=4)


def test_headings_with_the_same_words_have_ids_of_their_own() -> None:
    anchors = [each.anchor for each in render_outlined("# A\n# A\n# !?\n# A").headings]

    assert anchors == ["h-a", "h-a-2", "h-section", "h-a-3"]


def test_tables_scroll_and_align_numbers_without_styles() -> None:
    html = render("| name | size |\n|---|---:|\n| a | 1 |")

    assert html.startswith('<div class="prose-scroll" tabindex="0"><table>')
    assert '<th class="r">size</th>' in html
    assert "style" not in html


def test_code_is_shown_as_it_is() -> None:
    html = render("```py\nif a < b:\n    pass\n```\n\n~~old~~ `x & y`")

    assert '<pre tabindex="0"><code>if a &lt; b:\n    pass\n</code></pre>' in html
    assert "<s>old</s> <code>x &amp; y</code>" in html


def test_the_html_is_marked_as_safe_and_keeps_nothing_of_another_text() -> None:
    first, second = render_outlined("# A\n\n[x]: https://x.example"), render_outlined("[x]")

    assert isinstance(first.html, SafeString)
    assert links(second.html) == []
    assert second.headings == ()


def test_a_long_text_is_shown_as_source_with_the_reason() -> None:
    html = render("<b>" + "a" * MOST_CHARACTERS)

    assert "over 65,536 characters" in html
    assert '<pre class="kept source" tabindex="0">&lt;b&gt;aaa' in html
    assert "kept source" not in render("a" * MOST_CHARACTERS)


def test_a_text_that_takes_too_long_is_shown_as_source_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(markdown, "MOST_SECONDS", 0.02)

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
}


@pytest.mark.parametrize("shape", DEAR)
def test_no_text_takes_much_longer_than_it_may(shape: str) -> None:
    assert len(DEAR[shape]) <= MOST_CHARACTERS
    before = thread_time()

    html = render(DEAR[shape])

    # One rule may run on over the limit, and sanitising comes after it.
    assert thread_time() - before < 2 * markdown.MOST_SECONDS
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

    assert all(html == render_alone(number) for number, html in found.items())
    assert len(found) == 8


def render_alone(number: int) -> str:
    return render(f"# Heading {number}\n\n" + f"- item *{number}*\n" * 50)
