"""Whatever a text is made of: what becomes of it holds nothing that is not allowed."""

import re
from collections.abc import Collection
from string import ascii_letters

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conderis.web.markdown import render_outlined
from items.linked_numbers import ItemName
from tests.web.markdown_texts import ATTACKS, LEADING_NOWHERE, Seen, assert_harmless, links

pytestmark = pytest.mark.no_database

SCHEMES = (
    "javascript:", "JaVaScRiPt:", "vbscript:", "data:text/html,", "https://x.example/",
    "java&#x09;script:", "&#106;avascript:", "java\tscript:", "//x.example", "#a", "mailto:",
)  # fmt: skip
MARKS = (
    "[", "]", "(", ")", "![", "](", "]: ", "<", ">", "`", "```", "~~~", "*", "**", "_", "~~",
    "|", "|-|", "\n", "\n\n", "    ", "\t", "- ", "- [ ] ", "- [x] ", "1. ", "> ", "# ", "\\",
    "&", ";", '"', "'", "=", "#1", "a/b#2", "onclick=", "style=", "<script>", "<img src=x ",
    "</p>", "<!--", "&lt;", "&quot;", "{", "}", "py", "html\n", "\u202e", "\u200b", "א", "\0",
    "\ud83d", "\n# a", "\n# a 2",
)  # fmt: skip
PIECES = st.one_of(
    st.sampled_from(MARKS),
    st.sampled_from(SCHEMES),
    st.sampled_from(ATTACKS),
    st.text(ascii_letters, max_size=3),
    st.text(max_size=3),
)
TEXTS = st.lists(PIECES, max_size=25).map("".join)


def everything(names: Collection[ItemName], /) -> dict[ItemName, str]:
    return {name: f"/{name.project or 'alice/shop'}/items/{name.number}/" for name in names}


@given(TEXTS)
def test_only_allowed_tags_and_attributes_come_of_any_text(text: str) -> None:
    rendered = render_outlined(text, linker=everything)

    assert_harmless(rendered.html)
    for address in links(rendered.html):
        assert not re.match(LEADING_NOWHERE, address or "", re.IGNORECASE)


@given(TEXTS)
def test_every_heading_that_is_told_is_there_once(text: str) -> None:
    rendered = render_outlined(text)

    ids = [attributes["id"] for _, attributes in Seen(rendered.html).tags if "id" in attributes]
    assert ids == [heading.anchor for heading in rendered.headings]
    assert len(set(ids)) == len(ids)


@given(TEXTS)
def test_links_to_items_add_nothing_but_themselves(text: str) -> None:
    linked, plain = render_outlined(text, linker=everything), render_outlined(text)

    assert Seen(linked.html).text == Seen(plain.html).text
    assert linked.headings == plain.headings
