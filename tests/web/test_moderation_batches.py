"""A proposed batch in the browser: item by item, approvable with some left out."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from items.models import Item
from projects.models import Project
from proposals.models import ProposedItem
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, create, item_at
from tests.privacy.deletions import ask
from tests.proposals.batches import memory, send
from tests.proposals.reviews import proposal_at
from tests.web.moderation_pages import DECIDE, QUEUE, at, opened, post, text_of, value, words_of


@pytest.fixture
def ref(bob: Person, project: Project) -> str:
    """A batch of a bag with one memory in it, and of one alone."""
    answer = send(
        agent_caller(bob),
        project,
        memory("bag", title="The bag", content="About it."),
        memory("in", title="Inside it", parent="bag", content="<b>bold</b> text", tags=["red"]),
        memory("alone", title="On its own"),
        source="The old notes",
    )
    return str(answer["kinds"]["memory"]["proposal"])


def ticked(answer: object) -> list[str]:
    """The places that are ticked to be left out."""
    boxes = re.findall(r'<input[^>]*name="leave"[^>]*>', text_of(answer))
    return [
        found.group(1)
        for box in boxes
        if " checked" in box and (found := re.search(r'value="(\d+)"', box))
    ]


def test_it_is_shown_item_by_item(client: Client, carol: Person, ref: str) -> None:
    answer = opened(client, carol, at(ref))

    words = words_of(answer)
    for said in ("The old notes", "Batch of 3 new memories", "The bag", "Inside it", "red",
                 "item 1 of these", "<b>bold</b> text", "Leave out"):  # fmt: skip
        assert said in words
    assert "<b>bold</b>" not in text_of(answer)
    assert ticked(answer) == []


def test_approving_makes_all_and_says_how_many(
    client: Client, carol: Person, project: Project, ref: str
) -> None:
    answer = post(client, carol, at(ref, "approve"), reason="Good")

    assert "Approved: 3 are new." in words_of(answer)
    assert item_at(project, 2).parent == item_at(project, 1)
    shown = opened(client, carol, at(ref))
    assert "#2" in words_of(shown)
    assert "Leave out" not in words_of(shown)


def test_what_is_ticked_is_left_out_with_what_stands_under_it(
    client: Client, carol: Person, ref: str
) -> None:
    answer = post(client, carol, at(ref, "approve"), leave=["0"])

    assert "Approved: 1 is new. 2 were left out." in words_of(answer)
    assert [item.title for item in Item.objects.all()] == ["On its own"]
    assert "Left out" in words_of(opened(client, carol, at(ref)))


def test_leaving_out_all_is_refused_and_the_ticks_stay(
    client: Client, carol: Person, ref: str
) -> None:
    answer = post(client, carol, at(ref, "approve"), leave=["0", "2"], reason="typed")

    assert answer.status_code == 400
    assert ticked(answer) == ["0", "2"]
    assert "typed" in text_of(answer)
    assert proposal_at(ref).state == "pending"


@pytest.mark.parametrize("sent", ["x", "-1", "99", "1e3", "\u0661", "0" * 50])
def test_places_that_are_none_change_nothing(
    client: Client, carol: Person, ref: str, sent: str
) -> None:
    answer = post(client, carol, at(ref, "approve"), leave=[sent])

    assert answer.status_code in (200, 400)
    assert not ProposedItem.objects.filter(left_out=True).exists()


def test_what_does_not_fit_is_ticked_and_says_why(
    client: Client, alice: Person, bob: Person, carol: Person, project: Project
) -> None:
    create(person_caller(alice), project, "memory", title="Bag", visibility="shared")
    sent = send(agent_caller(bob), project, memory("a", parent=1), memory("b"))
    act(person_caller(alice), project, 1, "archive", 1)
    ref = str(sent["kinds"]["memory"]["proposal"])

    answer = opened(client, carol, at(ref))
    whole = post(client, carol, at(ref, "approve"))
    rest = post(client, carol, at(ref, "approve"), leave=ticked(answer))

    assert ticked(answer) == ["0"]
    assert "1 of these does not fit any more" in words_of(answer)
    assert whole.status_code == 409
    assert "The first item that does not fit: #1 is archived, so" in words_of(whole)
    assert "Approved: 1 is new. 1 was left out." in words_of(rest)


def test_its_proposer_sees_it_without_boxes(client: Client, bob: Person, ref: str) -> None:
    answer = opened(client, bob, at(ref))

    assert "Inside it" in words_of(answer)
    assert 'name="leave"' not in text_of(answer)


def test_hidden_characters_are_marked_in_each_item(
    client: Client, bob: Person, carol: Person, project: Project
) -> None:
    hidden = memory("a", title="T\u200b", content="x\u202ey", summary="s\u200b")
    ref = str(send(agent_caller(bob), project, hidden, hidden | {"key": "b"})["kinds"]["memory"]
              ["proposal"])  # fmt: skip

    answer = opened(client, carol, at(ref))

    text = text_of(answer)
    assert not {"\u200b", "\u202e"} & set(text)
    assert text.count("U+202E") >= 2
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


def test_one_that_hides_something_is_not_approved_from_the_queue(
    client: Client, bob: Person, carol: Person, project: Project
) -> None:
    ref = str(send(agent_caller(bob), project, memory("a", content="x\u202ey"))["kinds"]["memory"]
              ["proposal"])  # fmt: skip

    answer = post(client, carol, DECIDE, do="approve", proposal=[value(ref)])

    assert "Open it: it holds what a list does not show." in words_of(answer)
    assert proposal_at(ref).state == "pending"


def test_the_queue_lists_its_titles_and_decides_it_whole(
    client: Client, carol: Person, ref: str
) -> None:
    queue = words_of(opened(client, carol))
    answer = post(client, carol, DECIDE, do="approve", proposal=[value(ref)])

    for said in ("The old notes", "Show the 3 titles", "Inside it", "Batch of 3 new memories"):
        assert said in queue
    assert "Approved 1 proposal." in words_of(answer)
    assert Item.objects.count() == 3


def test_the_queue_costs_the_same_for_one_batch_and_for_many(
    client: Client, bob: Person, carol: Person, project: Project, ref: str
) -> None:
    client.force_login(carol, backend="django.contrib.auth.backends.ModelBackend")
    client.get(QUEUE)
    with CaptureQueriesContext(connection) as one:
        client.get(QUEUE)
    for number in range(8):
        send(agent_caller(bob), project, memory("a", title=f"A {number}"), memory("b"))

    with CaptureQueriesContext(connection) as many:
        client.get(QUEUE)

    assert len(many) == len(one)


def test_while_an_item_of_it_is_locked_nothing_of_it_is_shown(
    client: Client, carol: Person, project: Project, ref: str
) -> None:
    post(client, carol, at(ref, "approve"))
    ask(person_caller(carol), project, 2)

    shown = opened(client, carol, at(ref))
    listed = opened(client, carol, f"{QUEUE}?state=approved")

    for answer in (shown, listed):
        assert answer.status_code == 200
        assert not re.search("The bag|Inside it|On its own|The old notes", text_of(answer))
