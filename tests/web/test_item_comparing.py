"""Two versions of an item beside each other, and what a comparison must not get wrong.

The difference of texts is the same on the page of a proposal, so that both are walked here.
"""

import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from items.requests import Address, DeletionCall
from privacy.deciding import erase
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import person_caller
from tests.items.calls import act, change, create
from tests.proposals.reviews import robo
from tests.web.moderation_pages import at as proposal_path
from tests.web.test_item_history import versions, words_of
from tests.web.test_item_pages import at, page

COMPARE = "/alice/shop/items/1/history/compare/"
SENTENCE = "The relay sends every delivery again until its receiver answers in time. "
PARAGRAPH = (SENTENCE * 45)[:3000]
TABLE = "| leaf | heat |\n| --- | --- |\n| green | 70 |\n| black | 95 |\n"
VIEWS = ("split", "inline", "lines")


def seen(client: Client, person: Person, old: int, new: int, view: str = "inline") -> str:
    return page(client, person, f"{COMPARE}?from={old}&to={new}&view={view}")


def cells(shown: str, mark: str) -> list[str]:
    """What stands in `del` or `ins`, but for the example of the legend and said words."""
    body = "".join(re.findall(r"<tbody.*?</tbody>", shown, re.DOTALL))
    bare = re.sub(r'<span class="vh">[^<]*</span>', "", body)
    found = re.findall(rf"<{mark}>(.*?)</{mark}>", bare, re.DOTALL)
    return [unescape(re.sub(r"<[^>]*>", "", each)) for each in found]


def both_pages(
    client: Client, project: Project, alice: Person, bob: Person, *texts: str, view: str
) -> list[str]:
    """The same change of a page's text, as a proposal's review and as a comparison."""
    old, new = texts
    create(person_caller(alice), project, "page", title="Guide", content=old)
    answer: Any = change(robo(bob), project, 1, 1, content=new, complete=True)
    ref = str(answer["proposal"])
    review = page(client, alice, f"{proposal_path(ref)}?view={view}")
    change(person_caller(alice), project, 1, 1, content=new, complete=True)
    return [review.partition("The whole new text")[0], seen(client, alice, 1, 2, view)]


@pytest.mark.parametrize("view", ["split", "inline"])
def test_one_word_of_a_long_paragraph_is_marked_alone(
    client: Client, project: Project, alice: Person, bob: Person, *, view: str
) -> None:
    new = PARAGRAPH[:1500] + PARAGRAPH[1500:].replace("delivery", "message", 1)

    for shown in both_pages(client, project, alice, bob, PARAGRAPH, new, view=view):
        assert cells(shown, "del") == ["delivery"]
        assert cells(shown, "ins") == ["message"]
        assert "+1 −1 words" in shown


@pytest.mark.parametrize("view", ["split", "inline"])
def test_one_changed_cell_of_a_table_is_marked_alone(
    client: Client, project: Project, alice: Person, bob: Person, *, view: str
) -> None:
    new = TABLE.replace("95", "98")

    for shown in both_pages(client, project, alice, bob, TABLE, new, view=view):
        assert cells(shown, "del") == ["95"]
        assert cells(shown, "ins") == ["98"]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("new", [PARAGRAPH, PARAGRAPH + "\n\n\n"])
def test_a_change_of_line_ends_alone_is_called_so(
    client: Client, project: Project, alice: Person, bob: Person, *, new: str, view: str
) -> None:
    old = PARAGRAPH + "\n"

    for shown in both_pages(client, project, alice, bob, old, new, view=view):
        assert "The words are the same. Only blank lines or line ends differ." in shown
        assert "".join(cells(shown, "del") + cells(shown, "ins")).strip("↵\n") == ""
        assert "+0 −0 words" in shown


def test_the_same_text_with_other_line_ends_is_no_new_version(
    client: Client, project: Project, alice: Person
) -> None:
    lines = "one\ntwo\nthree\n"
    create(person_caller(alice), project, "page", title="Guide", content=lines)

    answer = change(person_caller(alice), project, 1, 1, content=lines.replace("\n", "\r\n"))

    assert answer["outcome"] == "unchanged"
    assert answer["version"] == 1


def test_there_is_a_plain_difference_line_by_line(
    client: Client, project: Project, alice: Person, bob: Person
) -> None:
    old = "".join(f"line {number}\n" for number in range(1, 41))
    new = old.replace("line 20\n", "line twenty\nand one more\n")

    for shown in both_pages(client, project, alice, bob, old, new, view="lines"):
        assert cells(shown, "del") == ["line 20"]
        assert cells(shown, "ins") == ["line twenty", "and one more"]
        assert shown.index("line 20<") < shown.index("line twenty<")
        assert "16 unchanged lines" in shown
        assert 'aria-current="true">Line by line' in shown


def test_a_change_of_one_word_shows_both_lines_whole_in_the_plain_difference(
    client: Client, project: Project, alice: Person, bob: Person
) -> None:
    old, new = "alpha beta gamma\n", "alpha delta gamma\n"

    for shown in both_pages(client, project, alice, bob, old, new, view="lines"):
        assert cells(shown, "del") == ["alpha beta gamma"]
        assert cells(shown, "ins") == ["alpha delta gamma"]


@pytest.mark.parametrize("view", VIEWS)
def test_what_nobody_sees_is_made_visible_in_every_view(
    client: Client, project: Project, alice: Person, bob: Person, *, view: str
) -> None:
    new = "Run exe.\u202etxt\u202c and wait\u200b."

    for shown in both_pages(client, project, alice, bob, "Run it and wait.", new, view=view):
        assert not re.search("[\u200b\u202e\u202c]", shown)
        for label in ("U+200B", "U+202E", "U+202C"):
            assert label in shown


@pytest.mark.parametrize("view", VIEWS)
def test_texts_and_titles_of_attackers_are_text(
    client: Client, project: Project, alice: Person, *, view: str
) -> None:
    attack = '</div><script>alert(1)</script><img src=x onerror="alert(1)">{{ 7*7 }}'
    create(person_caller(alice), project, "page", title="Guide", content="x")
    change(person_caller(alice), project, 1, 1, title=attack[:150], content=attack, tags=["<b>"],
           reason=attack)  # fmt: skip

    shown = seen(client, alice, 1, 2, view) + page(client, alice, at("item-history", number=1))

    assert "<script>alert" not in shown
    assert "<img" not in shown
    assert "{{ 7*7 }}" in shown


def test_fields_are_compared_with_their_words(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "task", title="Pour the tea", tags=["red", "kept"], due="2026-12-31",
           priority="high", commits=["a" * 40])  # fmt: skip
    change(owner, project, 1, 1, title="Pour the water", tags=["kept", "blue"], priority="low",
           due=None, commits=["a" * 40, "b" * 40], assignee="me")  # fmt: skip
    act(owner, project, 1, "block", 2, reason="no network")

    shown = seen(client, rita, 1, 3)

    words = words_of(shown)
    for said in ("Title", "Tags", "Priority", "High", "Low", "Due", "2026-12-31", "Assignee",
                 "Alice", "Status", "Open", "Blocked", "Commits", "b" * 40, "Reason of the block",
                 "no network", "Unchanged: content."):  # fmt: skip
        assert said in words, said
    assert cells(shown, "del")[:2] == ["tea", "red"]
    assert "person:" not in shown
    assert "Parent" not in words


def test_without_numbers_the_newest_two_are_compared(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    versions(project, alice, 4)

    shown = page(client, rita, COMPARE)
    to_third = page(client, rita, f"{COMPARE}?to=3")

    assert "Version 3 and version 4" in words_of(shown)
    assert "Version 2 and version 3" in words_of(to_third)


def test_swapped_numbers_show_the_older_one_first(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    versions(project, alice, 4)

    assert words_of(seen(client, rita, 4, 2)) == words_of(seen(client, rita, 2, 4))
    assert cells(seen(client, rita, 4, 2), "del") == ["2"]


def test_versions_that_are_the_same_say_so(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="one")
    change(person_caller(alice), project, 1, 1, content="two")
    change(person_caller(alice), project, 1, 2, content="one")

    assert "The two versions are the same." in words_of(seen(client, rita, 1, 3))
    assert "This is one and the same version." in words_of(seen(client, rita, 2, 2))


def test_an_item_of_one_version_says_that_there_is_nothing_to_compare(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    versions(project, alice, 1)

    assert "There is one version only" in words_of(page(client, rita, COMPARE))


@pytest.mark.parametrize(
    ("query", "status"),
    [("from=9&to=1", 404), ("from=1&to=9", 404), ("from=x", 400), ("to=0", 400),
     (f"from=1&to={'9' * 300}", 400), ("from=-1", 400)],
)  # fmt: skip
def test_numbers_of_no_version_are_refused_as_a_page(
    client: Client, project: Project, alice: Person, rita: Person, *, query: str, status: int
) -> None:
    versions(project, alice, 2)

    page(client, rita, f"{COMPARE}?{query}", status)


def test_the_way_of_comparing_is_kept_and_the_links_keep_the_versions(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    versions(project, alice, 3)

    first = page(client, rita, f"{COMPARE}?from=1&to=3")
    seen(client, rita, 1, 3, "lines")
    after = client.get(f"{COMPARE}?from=1&to=2").content.decode()

    assert 'class="diff diff-split' in first
    assert 'href="?from=1&amp;to=3&amp;view=inline#text-1"' in first
    assert "diff-lines" in after


def test_far_versions_are_offered_beside_the_newest(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    versions(project, alice, 30)

    shown = seen(client, rita, 2, 5)

    offered = [int(number) for number in re.findall(r'name="from" value="(\d+)"', shown)]
    assert offered == [*range(30, 10, -1), 5, 2]
    assert re.findall(r'name="(\w+)" value="(\d+)" checked', shown) == [("to", "5"), ("from", "2")]


@pytest.mark.parametrize("erased", [False, True])
def test_a_version_that_is_locked_or_erased_is_not_compared(
    client: Client, project: Project, alice: Person, rita: Person, *, erased: bool
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="zanzibar")
    change(person_caller(alice), project, 1, 1, content="two", complete=True)
    call = DeletionCall(Address(project.path, number=1), version=1, reason="x")
    ref = str(request_deletion(person_caller(alice), call)["request"])
    if erased:
        erase(person_caller(alice), ref)

    for view in VIEWS:
        shown = seen(client, rita, 1, 2, view)

        assert "zanzibar" not in shown
        assert ("was erased" if erased else "has locked version 1") in words_of(shown)
        assert "<table" not in shown
        assert "/restore/" not in shown


def test_nobody_compares_what_they_may_not_read(
    client: Client, project: Project, alice: Person, bob: Person, mallory: Person
) -> None:
    create(person_caller(bob), project, "memory", title="Own", visibility="private", content="one")
    change(person_caller(bob), project, 1, 1, content="two", complete=True)

    for other in (alice, mallory):
        hidden = page(client, other, f"{COMPARE}?from=1&to=2", 404)
        never = page(client, other, f"{COMPARE.replace('/1/', '/4711/')}?from=1&to=2", 404)
        assert words_of(hidden) == words_of(never)
    assert "one" in seen(client, bob, 1, 2)


def test_a_comparison_costs_the_same_however_many_versions_there_are(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    counts = []
    versions(project, alice, 3)
    seen(client, rita, 1, 2)
    for more in (0, 14):
        for version in range(3, 3 + more):
            change(person_caller(alice), project, 1, version, content=f"words {version + 1}")
        with CaptureQueriesContext(connection) as queries:
            seen(client, rita, 1, 2)
        counts.append(len(queries))

    assert counts[0] == counts[1]
