"""The lists of deletion requests: who sees which, filters, pages, counts."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from privacy.deciding import refuse
from projects.models import Project
from tests.factories import agent_caller, make_person, make_project, person_caller
from tests.proposals.reviews import propose_new, robo
from tests.web.deletion_pages import (
    LIST,
    MARK,
    OF_SHOP,
    REASON,
    asked,
    asked_for_new,
    at,
    listed,
    many,
    opened,
    stored,
    text_of,
    words_of,
)
from tests.web.settings_pages import signed_in_long_ago


@pytest.mark.usefixtures("mallory")
def test_a_request_is_there_for_who_made_it_and_for_who_decides_it(
    project: Project, alice: Person, bob: Person
) -> None:
    made = asked_for_new(bob, alice, project)

    found = {each.handle: listed(opened(each)) for each in Person.objects.all()}

    assert found == {"alice": [made], "bob": [made], "carol": [made], "rita": [], "mallory": []}
    assert "/sign-in/" in opened(None)["Location"]


def test_a_row_says_who_asked_for_what_and_why_and_nothing_of_the_content(
    project: Project, alice: Person, bob: Person
) -> None:
    made = asked(agent_caller(bob, "Codex on laptop"), project, stored(alice, project))

    page = opened(alice)

    words = words_of(page)
    for said in ("Page #1", "alice/shop", "Bob", "Codex on laptop", REASON, "You decide"):
        assert said in words
    assert "You decide" not in words_of(opened(bob))
    assert f'value="{made}"' in text_of(page)
    assert f'value="{made}"' not in text_of(opened(bob))
    assert MARK not in text_of(page)


def test_the_list_of_a_project_has_its_own_requests_alone(
    project: Project, alice: Person, bob: Person, mallory: Person
) -> None:
    here = asked_for_new(bob, alice, project)
    other = make_project(alice, "other")
    there = asked(person_caller(alice), other, stored(alice, other))
    personal = asked(person_caller(alice), None, stored(alice, None, "memory"))

    assert listed(opened(alice, OF_SHOP)) == [here]
    assert listed(opened(alice)) == [personal, there, here]
    assert listed(opened(bob, OF_SHOP)) == [here]
    assert opened(mallory, OF_SHOP).status_code == 404


def test_the_request_for_a_private_memory_is_there_for_its_author_alone(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    admin = make_person("root", is_staff=True, is_superuser=True)
    where = stored(bob, project, "memory", visibility="private")
    made = asked(agent_caller(bob), project, where)
    personal = asked(person_caller(bob), None, stored(bob, None, "memory"))

    assert listed(opened(bob)) == [personal, made]
    assert "only you see it" in words_of(opened(bob))
    for other in (alice, carol, admin):
        assert listed(opened(other)) == []
        assert "Deletions to decide" not in words_of(opened(other, "/"))
    for other in (alice, carol):
        page = words_of(opened(other, OF_SHOP))
        assert "No deletion waits" in page
        assert "Moderation 0 waiting" in page
    assert "Deletions to decide 2" in words_of(opened(bob, "/"))


def test_the_lists_part_what_waits_from_what_is_decided_and_ones_own_from_others(
    project: Project, alice: Person, bob: Person
) -> None:
    waits, decided = (asked_for_new(bob, alice, project) for _ in range(2))
    own = asked(person_caller(alice), project, stored(alice, project))
    refuse(person_caller(alice), f"deletion:{decided}", reason="It is public")

    assert listed(opened(alice)) == [own, waits]
    assert listed(opened(alice, f"{LIST}?state=decided")) == [decided]
    assert listed(opened(alice, f"{LIST}?state=all")) == [own, decided, waits]
    assert listed(opened(alice, f"{LIST}?state=all&mine=1")) == [own]
    assert listed(opened(bob, f"{LIST}?state=decided&mine=1")) == [decided]
    assert "It is public" in words_of(opened(bob, f"{LIST}?state=decided"))
    assert listed(opened(alice, f"{LIST}?state=nonsense&mine=x")) == [own, waits]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "No deletion waits"),
        ("?state=decided", "No deletion has been decided"),
        ("?state=all", "No deletion was asked for"),
        ("?mine=1", "None of your requests waits"),
        ("?state=decided&mine=1", "None of your requests has been decided"),
        ("?state=all&mine=1", "You have asked for no erasure"),
    ],
)
def test_an_empty_list_says_what_is_so_and_what_to_do(
    project: Project, alice: Person, query: str, said: str
) -> None:
    for path in (LIST, OF_SHOP):
        page = opened(alice, f"{path}{query}")

        assert said in words_of(page)
        assert 'href="/deletions/new/"' in text_of(page)


def test_a_long_list_goes_on_on_another_page(project: Project, alice: Person, bob: Person) -> None:
    many(project, bob, alice, 27)
    client = signed_in_long_ago(alice)

    first = client.get(OF_SHOP)
    way = re.findall(r'class="btn" href="(\?[^"]*cursor=[^"]*)"', text_of(first))
    second = client.get(f"{OF_SHOP}{way[0].replace('&amp;', '&')}")

    assert "1 to 25 of 27" in words_of(first)
    assert "26 to 27 of 27" in words_of(second)
    assert len(set(listed(first) + listed(second))) == 27
    assert client.get(f"{OF_SHOP}?cursor=nonsense").status_code == 400


@pytest.mark.parametrize("path", [LIST, OF_SHOP, "/", "/alice/shop/moderation/"])
def test_pages_cost_the_same_for_two_and_for_twelve_requests(
    project: Project, alice: Person, bob: Person, path: str
) -> None:
    client = signed_in_long_ago(alice)
    counts = []
    for more in (2, 10):
        many(project, bob, alice, more)
        client.get(path)
        with CaptureQueriesContext(connection) as found:
            assert client.get(path).status_code == 200
        counts.append(len(found))

    assert counts[0] == counts[1]


def test_the_tab_counts_proposals_and_the_deletions_that_wait_for_the_caller(
    project: Project, alice: Person, bob: Person
) -> None:
    propose_new(robo(bob), project, "page", title="Brewing", content="Text.")
    asked_for_new(bob, alice, project)

    assert "Moderation 2 waiting" in words_of(opened(alice, "/alice/shop/"))
    assert "Moderation 1 waiting" in words_of(opened(bob, "/alice/shop/"))
    views = words_of(opened(alice, OF_SHOP))
    assert "Proposals 1 waiting" in views
    assert "Deletions 1 waiting" in views
    assert "Agents' runs" in views
    assert "Agents' runs" not in words_of(opened(bob, OF_SHOP))


def test_signs_that_nobody_sees_are_marked_in_reasons(
    project: Project, alice: Person, bob: Person, client: Client
) -> None:
    made = asked_for_new(bob, alice, project)
    refuse(person_caller(alice), f"deletion:{made}", reason="Not\u200b secret <b>")

    page = text_of(opened(bob, f"{LIST}?state=decided"))

    assert "U+200B" in page
    assert "\u200b" not in page
    assert "secret &lt;b&gt;" in page
    assert "U+200B" in text_of(opened(bob, at(made)))
