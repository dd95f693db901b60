"""Relating two items in the browser, and taking a relation away."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from conderis.accounts.models import Person
from items.models import Relation
from items.requests import Address, DeletionCall
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import make_project, person_caller
from tests.items.calls import act, create, item_at
from tests.web.signing_in_steps import BACKEND


def at(route: str, **more: int | str) -> str:
    return reverse(route, kwargs={"owner": "alice", "name": "shop", **more})


RELATE = "item-relate"


def page(client: Client, person: Person, number: int = 1, **asked: str) -> Any:
    client.force_login(person, backend=BACKEND)
    return client.get(at(RELATE, number=number), asked)


def send(client: Client, person: Person, number: int = 1, **sent: str) -> Any:
    client.force_login(person, backend=BACKEND)
    return client.post(at(RELATE, number=number), sent, follow=True)


@pytest.fixture
def tasks(alice: Person, project: Project) -> None:
    for title in ("Subject", "Walrus shelf", "Zebra crossing"):
        create(person_caller(alice), project, "task", title=title)
    create(person_caller(alice), project, "page", title="Walrus manual")


@pytest.mark.usefixtures("tasks")
def test_an_item_is_found_by_words_and_related_with_one_press_and_the_other_side_shows_it(
    client: Client, bob: Person, rita: Person, project: Project
) -> None:
    found = page(client, bob, relation="blocks", q="walrus").content.decode()
    stored = send(client, bob, action="relate", relation="blocks", target="2").content.decode()
    client.force_login(rita, backend=BACKEND)
    other = client.get(at("item", number=2)).content.decode()

    assert "Walrus shelf" in found
    assert '<button class="btn" name="target" value="2">' in found
    assert "Walrus manual" not in found
    assert "Zebra crossing" not in found
    assert "the relation is stored" in stored
    assert "Blocked by" in other
    assert "Subject" in other
    assert item_at(project, 1).version == 1


@pytest.mark.usefixtures("tasks")
@pytest.mark.parametrize(("typed", "said"), [
    ("999", "There is no #999 that you may read."),
    ("#5", "There is no #5 that you may read."),  # another person's private memory
    ("1", "An item cannot be related to itself."),
    ("carol/attic#1", "There is no carol/attic#1 that you may read."),
    ("alice/other#1", "another project"),
    ("unicorn", "No title here has one of these words."),
    ("", "This field is required."),
])  # fmt: skip
def test_what_cannot_be_related_is_said_at_the_field(
    client: Client, alice: Person, bob: Person, carol: Person, project: Project,
    *, typed: str, said: str,
) -> None:  # fmt: skip
    create(person_caller(carol), project, "memory", title="Mine", visibility="private")
    create(person_caller(carol), make_project(carol, "attic"), "page", title="Hidden")
    other = make_project(alice, "other")
    other.is_public = True
    other.save()
    create(person_caller(alice), other, "page", title="Elsewhere")

    answer = page(client, bob, relation="relates", q=typed)

    assert answer.status_code == 400
    (error,) = answer.context["form"].errors["q"]
    assert said in error
    assert 'aria-invalid="true"' in answer.content.decode()


@pytest.mark.usefixtures("tasks")
def test_a_relation_that_cannot_be_is_refused_at_the_field_and_one_that_stands_is_said_so(
    client: Client, bob: Person
) -> None:
    send(client, bob, action="relate", relation="blocks", target="2")

    again = send(client, bob, action="relate", relation="blocks", target="2")
    circle = send(client, bob, number=2, action="relate", relation="blocks", target="1")
    kinds = send(client, bob, action="relate", relation="blocks", target="4")
    odd = send(client, bob, action="relate", relation="likes", target="2")
    long = send(client, bob, action="relate", relation="relates", target="9" * 5000)

    assert "they are related so already" in again.content.decode()
    assert "already" in circle.context["form"].errors["q"][0]
    assert kinds.context["form"].errors["relation"]
    assert odd.context["form"].errors["relation"]
    assert long.context["form"].errors["q"]
    assert [each.status_code for each in (again, circle, kinds, odd)] == [200, 400, 400, 400]
    assert Relation.objects.count() == 1


@pytest.mark.usefixtures("tasks")
def test_a_relation_is_taken_away_from_either_side(client: Client, bob: Person) -> None:
    send(client, bob, action="relate", relation="blocks", target="2")
    send(client, bob, action="relate", relation="relates", target="4")

    shown = page(client, bob, number=2).content.decode()
    gone = send(client, bob, number=2, action="unrelate", relation="blockedBy", target="1")
    again = send(client, bob, number=2, action="unrelate", relation="blockedBy", target="1")

    assert "Take away" in shown
    assert "taken away" in gone.content.decode()
    assert again.status_code == 200
    assert [each.relation for each in Relation.objects.all()] == ["relates"]


@pytest.mark.usefixtures("tasks")
def test_who_may_not_work_here_neither_sees_nor_gets_the_page(
    client: Client, rita: Person, mallory: Person, project: Project
) -> None:
    client.force_login(rita, backend=BACKEND)
    shown = client.get(at("item", number=1)).content.decode()

    assert at(RELATE, number=1) not in shown
    assert page(client, rita).status_code == 403
    assert send(client, rita, action="relate", relation="relates", target="2").status_code == 403
    assert page(client, mallory).status_code == 404
    assert not Relation.objects.exists()


@pytest.mark.usefixtures("tasks")
def test_of_a_locked_item_no_relation_is_changed_and_of_a_locked_end_no_title_is_shown(
    client: Client, alice: Person, bob: Person, project: Project
) -> None:
    owner = person_caller(alice)
    act(owner, project, 1, "relate", relation="blocks", target=2)
    request_deletion(owner, DeletionCall(Address(project.path, number=2), reason="x"))

    shown = page(client, bob).content.decode()
    locked = page(client, bob, number=2)
    sent = send(client, bob, number=2, action="relate", relation="relates", target="3")
    away = send(client, bob, action="unrelate", relation="blocks", target="2")

    assert "Walrus shelf" not in shown
    assert "Take away" not in shown
    assert locked.status_code == 302
    assert sent.status_code == away.status_code == 423
    assert Relation.objects.count() == 1


def test_the_instructions_have_no_page_and_a_number_that_never_was_none_either(
    client: Client, bob: Person, project: Project
) -> None:
    assert page(client, bob, number=7).status_code == 404


@pytest.mark.usefixtures("tasks")
def test_the_page_of_relations_looks_for_no_mentions(
    client: Client, bob: Person, alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "page", title="Plan", content="see #1")

    with CaptureQueriesContext(connection) as around:
        client.force_login(bob, backend=BACKEND)
        client.get(at("item", number=1))
    with CaptureQueriesContext(connection) as asked:
        page(client, bob)

    looked = ["#1" in str(each.captured_queries) for each in (around, asked)]
    assert looked == [True, False]
