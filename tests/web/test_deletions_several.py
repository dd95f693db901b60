"""Deciding several deletion requests at once."""

import re

import pytest

from conderis.accounts.models import Person
from privacy.deciding import refuse, withdraw
from privacy.models import DeletionRequest
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.web.deletion_pages import (
    LIST,
    MARK,
    OF_SHOP,
    asked,
    asked_for_new,
    at,
    listed,
    many,
    opened,
    recorded,
    request_of,
    stored,
    text_of,
    words_of,
)
from tests.web.settings_pages import signed_in_long_ago, signed_in_now

DECIDE, ERASE = f"{LIST}decide/", f"{LIST}erase/"
IN_SHOP = f"{OF_SHOP}decide/"


@pytest.mark.parametrize(("place", "back"), [(DECIDE, LIST), (IN_SHOP, OF_SHOP)])
def test_several_are_erased_after_a_page_that_says_that_it_cannot_be_undone(
    project: Project, alice: Person, bob: Person, place: str, back: str
) -> None:
    made = [asked_for_new(bob, alice, project) for _ in range(3)]
    client = signed_in_now(alice)

    page = client.post(place, {"request": made[:2], "do": "erase"})
    waits = [request_of(each).state for each in made]
    done = client.post(ERASE, {"request": made[:2], "back": back}, follow=True)

    assert "Erase 2 for good?" in words_of(page)
    assert "This cannot be undone" in words_of(page)
    assert "Page #1" in words_of(page)
    assert "Page #3" not in words_of(page)
    assert f'name="back" value="{back}"' in text_of(page)
    assert waits == ["pending"] * 3
    assert [request_of(each).state for each in made] == ["erasing", "erasing", "pending"]
    assert "Erased 2 for good. 1 is left." in words_of(done)
    assert done.redirect_chain == [(back, 302)]
    assert listed(done) == [made[2]]


def test_erasing_several_needs_a_recent_sign_in_and_refusing_does_not(
    project: Project, alice: Person, bob: Person
) -> None:
    made = [asked_for_new(bob, alice, project) for _ in range(2)]
    client = signed_in_long_ago(alice)

    door = client.post(ERASE, {"request": made})
    done = client.post(DECIDE, {"request": made, "do": "refuse", "reason": "Public"}, follow=True)

    assert door["Location"].startswith("/account/reauthenticate/")
    assert "Refused 2 requests. None is left." in words_of(done)
    assert [request_of(each).decision_reason for each in made] == ["Public", "Public"]


def test_what_cannot_be_decided_is_listed_and_the_rest_is_done(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    fine, refused, withdrawn = (asked_for_new(bob, alice, project) for _ in range(3))
    private = asked(
        agent_caller(bob), project, stored(bob, project, "memory", visibility="private")
    )
    refuse(person_caller(alice), f"deletion:{refused}", reason="No")
    withdraw(person_caller(bob), f"deletion:{withdrawn}")
    client = signed_in_now(carol)
    sent = [fine, refused, withdrawn, private, "abcdefghijkm", "NON/SENSE", ""]

    done = client.post(ERASE, {"request": sent, "back": OF_SHOP}, follow=True)

    words = words_of(done)
    assert "Erased 1 for good. None is left." in words
    assert "4 were not decided" in words
    assert "is decided already: it is refused" in words
    assert request_of(private).state == "pending"
    because = re.findall(r'deletion:(\w+)</a>: <span translate="no">', text_of(done))
    assert because == [refused, withdrawn]
    assert text_of(done).count('A request that is gone: <span translate="no">There is none.') == 2
    assert "were not decided" not in words_of(client.get(OF_SHOP))
    assert MARK not in text_of(done)


def test_a_second_click_says_that_it_was_decided_before(
    project: Project, alice: Person, bob: Person
) -> None:
    made = [asked_for_new(bob, alice, project) for _ in range(2)]
    client = signed_in_now(alice)

    client.post(ERASE, {"request": made})
    again = client.post(ERASE, {"request": made}, follow=True)

    assert "Erased 0 for good." in words_of(again)
    assert "It was decided so before." in words_of(again)
    assert recorded("erased") == 2


@pytest.mark.parametrize("place", [DECIDE, IN_SHOP])
def test_what_decides_nothing_is_said_and_keeps_what_was_selected(
    project: Project, alice: Person, bob: Person, place: str
) -> None:
    made = asked_for_new(bob, alice, project)
    client = signed_in_long_ago(alice)

    for sent, said in (
        ({"do": "erase"}, "Select at least one request."),
        ({"request": made, "do": ""}, "Press a button"),
        ({"request": made, "do": "refuse", "reason": " "}, "Refusing needs a reason"),
        ({"request": made, "do": "refuse", "reason": "x" * 2001}, "at most 2000 characters"),
    ):
        answer = client.post(place, sent)
        assert answer.status_code == 400
        assert said in words_of(answer)
        assert ("checked" in text_of(answer)) is ("request" in sent)
    assert request_of(made).state == "pending"


def test_who_decides_nothing_can_decide_nothing_from_the_list(
    project: Project, alice: Person, bob: Person, rita: Person
) -> None:
    made = asked_for_new(bob, alice, project)

    assert "Erase selected" not in words_of(opened(bob))
    for person in (bob, rita):
        client = signed_in_now(person)
        client.post(ERASE, {"request": [made]})
        client.post(DECIDE, {"request": [made], "do": "refuse", "reason": "x"})
        assert request_of(made).state == "pending"


def test_the_way_back_leads_to_no_other_site(project: Project, alice: Person, bob: Person) -> None:
    made = asked_for_new(bob, alice, project)
    client = signed_in_now(alice)

    answer = client.post(ERASE, {"request": made, "back": "https://evil.example/"})

    assert answer["Location"] == LIST
    assert client.get(at(made)).status_code == 200


def test_of_many_that_wait_exactly_the_selected_ones_are_named_and_sent(
    project: Project, alice: Person, bob: Person
) -> None:
    many(project, bob, alice, 105)
    made = list(DeletionRequest.objects.order_by("created", "public_id"))
    oldest, newest = made[0], made[-1]
    client = signed_in_now(alice)

    page = client.post(DECIDE, {"request": [oldest.public_id, newest.public_id], "do": "erase"})
    sent = re.findall(r'name="request" value="(\w+)"', text_of(page))

    assert sent == [oldest.public_id, newest.public_id]
    assert f'<a href="{at(oldest.public_id)}">Task #1</a>' in text_of(page)
    assert "Erase 2 for good?" in words_of(page)
    assert "left out" not in words_of(page)


def test_what_cannot_be_decided_is_neither_named_nor_counted_nor_sent_on_and_that_is_said(
    project: Project, alice: Person, bob: Person
) -> None:
    waits, refused = (asked_for_new(bob, alice, project) for _ in range(2))
    refuse(person_caller(alice), f"deletion:{refused}", reason="No")
    client = signed_in_now(alice)
    selected = [waits, refused, "abcdefghijkm", "NON/SENSE"]

    page = client.post(DECIDE, {"request": selected, "do": "erase"})
    none = client.post(DECIDE, {"request": selected[1:], "do": "erase"})

    assert re.findall(r'name="request" value="(\w+)"', text_of(page)) == [waits]
    assert "Erase 1 for good?" in words_of(page)
    assert "3 of the selected requests are left out" in words_of(page)
    assert none.status_code == 400
    assert "None of the selected requests waits for your decision." in words_of(none)
