"""Compared texts on a page: escaped, isolated, told without colour, marks linked to."""

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from django.template.loader import render_to_string

from conderis.web.comparing.fields import changed_list, changed_moment, changed_text, changed_value
from conderis.web.comparing.finding import findings_of
from conderis.web.comparing.source import source_view
from conderis.web.comparing.texts import compare
from tests.web.markdown_texts import ATTACKS

pytestmark = pytest.mark.no_database

OURS = {
    "a", "b", "bdi", "caption", "code", "col", "colgroup", "del", "details", "div", "h3", "ins",
    "li", "p", "section", "span", "summary", "svg", "table", "tbody", "td", "th", "thead", "time",
    "tr", "ul", "use",
}  # fmt: skip
TAG = re.compile(r"<([a-z0-9]+)((?:\s+[a-zA-Z-]+(?:=\"[^\"]*\")?)*)\s*/?>")


def pages(old: str, new: str) -> list[str]:
    heads = {"left": old[:80], "right": new[:80], "caption": new[:80]}
    comparison = compare(old, new)
    fields = [
        changed_text(new[:80], old, new),
        changed_value("Type", old, new),
        changed_list("Tags", [old], [new]),
    ]
    return [
        render_to_string("components/diff_split.html", {"comparison": comparison, **heads}),
        render_to_string("components/diff_inline.html", {"comparison": comparison, **heads}),
        render_to_string("components/diff_fields.html", {"fields": fields, **heads}),
        render_to_string("components/source.html", {"source": source_view(new)}),
        render_to_string("components/diff_findings.html", {"findings": findings_of(new)}),
    ]


def split(old: str, new: str) -> str:
    return pages(old, new)[0]


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_was_written_never_becomes_markup(attack: str) -> None:
    written = f"Some words. {attack} More words that stay."
    for page in (*pages("Some words. More words that stay.", written), *pages(written, "Other.")):
        bare = TAG.sub("", re.sub(r"</[a-z0-9]+>", "", page))

        assert "<" not in bare
        assert {name for name, _ in TAG.findall(page)} <= OURS
        assert not re.search(r'<[^>]*\s(?:on\w+|style|src)="', page)
        assert all(link.startswith("#") for link in re.findall(r'<a[^>]*href="([^"]*)"', page))


def test_hidden_and_directing_characters_never_reach_the_page() -> None:
    text = "a\u200b \u202eb\u202c \U000e0064\U000e0065 c\u2060 <!-- \u2066 -->"

    for page in pages("before", text):
        body = page.replace("before", "")
        cells = re.sub(r'<(?:caption|th|td)[^>]*(?:data-l="[^"]*")?[^>]*>(?=<bdi>)', "", body)
        shown = re.findall(r'class="txt"[^>]*>(.*?)</(?:div|bdi)>', cells, re.DOTALL)
        assert not set("\u200b\u202e\u202c\u2060\u2066\U000e0064") & set("".join(shown))


def test_every_finding_has_its_place_in_both_views() -> None:
    old = "\n\n".join(f"Paragraph {number} with a\u200bb stays." for number in range(9))
    new = old.replace("8 with", "8 with p\u0430ypal, \u202e and <!-- words -->, and")
    findings = findings_of(new, since=old)

    for page in pages(old, new)[:2]:
        ids = re.findall(r' id="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        told = [*findings.unseen, *findings.mixed, *findings.comments]
        assert {each.anchor for each in told} <= set(ids)


def test_each_text_is_isolated_so_that_it_cannot_turn_another() -> None:
    page = split("שלום one", "שלום two")

    assert page.count('<div class="txt" dir="auto">') == 2
    assert "<bdi>שלום one</bdi>" in page


def test_changes_are_told_in_words_and_signs_beside_colour() -> None:
    page = split("One word here stays.\n\nGone for good.", "One term here stays.")

    assert '<del><span class="vh">removed </span>word</del>' in page
    assert '<ins><span class="vh">added </span>term</ins>' in page
    assert '<span class="word">Removed</span>' in page
    assert "<b>−</b>" in page
    assert "<b>+</b>" in page


def test_a_fold_opens_without_script_and_holds_the_text() -> None:
    old = "\n\n".join(f"Paragraph {number}." for number in range(9))

    page = split(old, old + "\n\nAnother.")

    assert "<details" in page
    assert "8 unchanged paragraphs" in page
    assert "Paragraph 3." in page


def test_blanks_that_change_are_made_visible() -> None:
    page = split("a  b c d", "a b c d")

    assert '<span class="blanks">·</span>' in page or '<span class="blanks">··</span>' in page


def test_the_source_is_shown_whole_with_numbers_and_folded_blanks() -> None:
    text = "# Title\n\n<!-- agents: skip -->\n" + "\n" * 14 + "[x]: https://a.example 'title'\n"

    page = render_to_string("components/source.html", {"source": source_view(text)})

    assert "14 blank lines" in page
    shown = unescape(re.sub(r"<[^>]+>", "", page))
    for line in ("# Title", "<!-- agents: skip -->", "[x]: https://a.example 'title'"):
        assert line in shown


def test_fields_show_what_went_what_came_and_what_was_none() -> None:
    fields = [
        changed_list("Tags", ["kept", "gone"], ["kept", "come"]),
        changed_value("Commit", "", "4f0c2a1"),
        changed_moment("End", None, datetime(2030, 1, 2, tzinfo=UTC)),
    ]

    page = render_to_string(
        "components/diff_fields.html", {"fields": fields, "left": "a", "right": "b", "caption": "c"}
    )

    assert page.count("kept") == 2
    for shown in ("gone</del>", "come</ins>", "4f0c2a1</ins>"):
        assert shown in page
    assert page.count(">none<") == 2
    assert 'datetime="2030-01-02T00:00:00Z"' in page
