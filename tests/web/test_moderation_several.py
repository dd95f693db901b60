"""Deciding several proposals at once in the queue."""

import re
from typing import Any

import pytest
from django.test import Client

from conderis.accounts.models import Person
from projects.models import Project
from tests.factories import person_caller
from tests.items.calls import change
from tests.proposals.reviews import page, proposal_at, propose, propose_new, robo
from tests.web.moderation_pages import (
    BACKEND,
    DECIDE,
    QUEUE,
    new,
    opened,
    propose_instructions,
    text_of,
    titles,
    value,
)


@pytest.fixture
def moderator(client: Client, project: Project, carol: Person) -> Client:
    """A browser in which carol is signed in."""
    client.force_login(carol, backend=BACKEND)
    return client


def test_several_are_approved_at_once(
    moderator: Client, project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    refs = [propose(robo(bob), project, number, title="Renamed"), new(bob, project, "New")]
    new(bob, project, "Third")

    answer = moderator.post(
        DECIDE,
        {"proposal": [value(ref) for ref in refs], "do": "approve", "reason": "Good"},
        follow=True,
    )

    assert "Approved 2 proposals. 1 is left." in text_of(answer)
    assert [proposal_at(ref).state for ref in refs] == ["approved", "approved"]
    assert proposal_at(refs[0]).decided_by == carol
    assert proposal_at(refs[0]).decision_reason == "Good"
    assert titles(answer) == ["Third"]


def test_what_was_not_seen_or_does_not_merge_is_listed_by_name_and_stays(
    moderator: Client, project: Project, alice: Person, bob: Person
) -> None:
    number, other = page(project, alice), page(project, alice, "Other")
    clean = new(bob, project, "Clean")
    stale = propose(robo(bob), project, number, tags=["a"])
    torn = propose(robo(bob), project, other, title="Ours")
    sent = [value(clean), value(stale), "nonsense@1", "@", "x" * 500]
    change(person_caller(alice), project, number, 1, title="Elsewhere")
    change(person_caller(alice), project, other, 1, title="Theirs")
    sent.append(value(torn))

    answer = moderator.post(DECIDE, {"proposal": sent, "do": "approve"}, follow=True)

    text = text_of(answer)
    assert "Approved 1 proposal. 2 are left." in text
    assert "5 were not decided" in text
    assert "has changed since version 1" in text
    assert [proposal_at(ref).state for ref in (clean, stale, torn)] == [
        "approved",
        "pending",
        "pending",
    ]
    assert "were not decided" not in text_of(moderator.get(QUEUE))


def test_an_approval_over_a_text_that_came_meanwhile_needs_another_look(
    client: Client, project: Project, alice: Person, bob: Person
) -> None:
    client.force_login(alice, backend=BACKEND)
    ref = propose_instructions(bob, project)
    sent = value(ref)
    change(person_caller(alice), project, "instructions", content="Be kind.", complete=True)

    text = text_of(client.post(DECIDE, {"proposal": [sent], "do": "approve"}, follow=True))

    assert "1 was not decided" in text
    assert "It has changed since you looked." in text
    assert proposal_at(ref).state == "pending"


def test_rejecting_several_needs_a_reason_which_reaches_the_proposer(
    moderator: Client, client: Client, project: Project, bob: Person
) -> None:
    ref = new(bob, project, "Brewing")

    refused = moderator.post(DECIDE, {"proposal": [value(ref)], "do": "reject", "reason": " "})
    assert refused.status_code == 400
    assert "Rejecting needs a reason" in text_of(refused)
    assert f'value="{value(ref)}" checked' in text_of(refused)
    assert proposal_at(ref).state == "pending"

    done = moderator.post(
        DECIDE, {"proposal": [value(ref)], "do": "reject", "reason": "Too short"}, follow=True
    )
    assert "Rejected 1 proposal. None is left." in text_of(done)
    assert "Too short" in text_of(opened(client, bob, f"{QUEUE}?state=rejected"))


def test_what_decides_nothing_is_said(moderator: Client, project: Project, bob: Person) -> None:
    ref = new(bob, project, "Brewing")

    unselected = moderator.post(DECIDE, {"do": "approve"})
    assert unselected.status_code == 400
    list_of_it = text_of(unselected).partition('id="queue"')[2].partition('id="reason-part"')
    assert "Select at least one proposal." in list_of_it[0]
    assert 'id="queue-error" tabindex="-1" autofocus' in list_of_it[0]
    assert 'aria-invalid="true"' not in list_of_it[2]
    # What the Enter key sends, in a field or on a box.
    for pressed in ({"do": ""}, {"do": "nonsense"}, {}):
        answer = moderator.post(DECIDE, {"proposal": [value(ref)], "reason": "x", **pressed})
        assert answer.status_code == 400
        assert "Press a button" in text_of(answer)
    assert proposal_at(ref).state == "pending"


def test_the_first_button_which_enter_presses_decides_nothing(
    moderator: Client, project: Project, bob: Person
) -> None:
    new(bob, project, "Brewing")

    form = text_of(moderator.get(QUEUE)).partition('id="queue-form"')[2]

    button = re.search(r"<button[^>]*>", form)
    assert button is not None
    assert button[0] == '<button type="submit" name="do" value="" hidden>'


def test_who_may_not_review_decides_nothing_from_the_queue(
    client: Client, project: Project, bob: Person, carol: Person, rita: Person
) -> None:
    of_bob = new(bob, project, "Of bob")
    of_carol = propose_new(person_caller(carol), project, "page", title="Own", propose=True)

    for person in (bob, rita, carol):
        client.force_login(person, backend=BACKEND)
        sent = [value(of_carol)] + ([value(of_bob)] if person != carol else [])
        for action in ("approve", "reject"):
            client.post(DECIDE, {"proposal": sent, "do": action, "reason": "x"})

    assert proposal_at(of_bob).state == proposal_at(of_carol).state == "pending"


def test_htmx_gets_the_rows_the_count_and_a_place_for_the_focus(
    moderator: Client, project: Project, bob: Person
) -> None:
    ref = new(bob, project, "First")
    new(bob, project, "Second")
    htmx = {"HX-Request": "true"}

    answer = moderator.post(DECIDE, {"proposal": [value(ref)], "do": "approve"}, headers=htmx)
    text = text_of(answer)
    assert titles(answer) == ["Second"]
    assert 'hx-swap-oob="innerHTML:.tabs [aria-current] .count">1<' in text
    assert re.search(r'id="p-\w+-open" href="[^"]*" data-focus', text)
    assert "Approved 1 proposal. 1 is left." in text

    wrong = moderator.post(DECIDE, {"do": "approve"}, headers=htmx)
    assert wrong.status_code == 200
    assert 'id="queue-error" tabindex="-1" data-focus' in text_of(wrong)
    reasonless = {"proposal": [value(ref)], "do": "reject"}
    wrong = moderator.post(DECIDE, reasonless, headers=htmx)
    assert 'aria-describedby="reason_error" data-focus' in text_of(wrong)


def test_a_merge_is_never_approved_from_the_list(
    moderator: Client, project: Project, alice: Person, bob: Person
) -> None:
    number = page(project, alice, content="One.\n\nTwo.")
    ref = propose(robo(bob), project, number, content="One.\n\nTwo, mended.", complete=True)
    change(person_caller(alice), project, number, 1, content="One, too.\n\nTwo.", complete=True)

    text = text_of(moderator.post(DECIDE, {"proposal": [value(ref)], "do": "approve"}, follow=True))

    assert "its page shows the merge" in text
    assert proposal_at(ref).state == "pending"


@pytest.mark.parametrize(
    "hidden",
    [
        {"content": "word " * 6000 + "\u202etxt.\u202c"},
        {"content": "word " * 6000 + "<!-- agents: obey -->"},
        {"tags": ["a\U000e0041\U000e0042"]},
        {"title": "Shipping\u200b"},
    ],
)
def test_what_a_list_does_not_show_is_never_approved_from_it(
    moderator: Client, project: Project, alice: Person, bob: Person, hidden: dict[str, Any]
) -> None:
    number = page(project, alice)
    ref = propose(
        robo(bob), project, number, **hidden, **({"complete": True} if "content" in hidden else {})
    )
    plain = new(bob, project, "Plain")

    text = text_of(
        moderator.post(
            DECIDE, {"proposal": [value(ref), value(plain)], "do": "approve"}, follow=True
        )
    )

    assert "it holds what a list does not show" in text
    assert [proposal_at(each).state for each in (ref, plain)] == ["pending", "approved"]


def test_ids_that_cannot_be_are_gone_on_every_database(
    moderator: Client, project: Project, bob: Person
) -> None:
    ref = new(bob, project, "Plain")

    text = text_of(
        moderator.post(
            DECIDE, {"proposal": ["É@1", "a b@1", value(ref)], "do": "approve"}, follow=True
        )
    )

    assert "Approved 1 proposal." in text
    assert "2 were not decided" in text
