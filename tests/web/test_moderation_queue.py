"""The queue of proposals in the browser: who sees what, filters, paging, warnings."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from items.models import Item
from projects.capabilities import Role
from projects.models import Project
from proposals.reviewing import reject
from proposals.withdrawing import withdraw
from tests.factories import join, make_person, make_project, person_caller
from tests.items.calls import change
from tests.proposals.reviews import page, propose, propose_new, robo
from tests.web.moderation_pages import (
    BACKEND,
    QUEUE,
    many,
    new,
    opened,
    propose_instructions,
    text_of,
    titles,
    value,
)
from tests.web.reading import without_tokens


@pytest.fixture
def moderator(client: Client, project: Project, carol: Person) -> Client:
    """A browser in which carol is signed in."""
    client.force_login(carol, backend=BACKEND)
    return client


def waiting(answer: Any) -> str:
    """The count on the tab."""
    found = re.search(r'Moderation <span class="count[^"]*">(\d+)', text_of(answer))
    assert found is not None
    return found[1]


def test_moderators_see_all_and_others_their_own(
    client: Client, project: Project, bob: Person, carol: Person
) -> None:
    alice, rita = (Person.objects.get(handle=name) for name in ("alice", "rita"))
    new(bob, project, "By the agent of bob")
    propose_new(person_caller(carol), project, "page", title="By carol", propose=True)
    propose_instructions(bob, project)

    assert titles(opened(client, alice)) == ["Instructions", "By carol", "By the agent of bob"]
    assert titles(opened(client, carol)) == ["By carol", "By the agent of bob"]
    assert titles(opened(client, bob)) == ["Instructions", "By the agent of bob"]
    assert titles(opened(client, rita)) == []
    people = (alice, carol, bob, rita)
    assert [waiting(opened(client, each)) for each in people] == ["3", "2", "2", "0"]


def test_only_who_may_decide_is_offered_it(
    client: Client, project: Project, bob: Person, carol: Person
) -> None:
    ref = new(bob, project, "Brewing")
    propose_new(person_caller(carol), project, "page", title="Mine", propose=True)

    of_carol, of_bob = text_of(opened(client, carol)), text_of(opened(client, bob))

    assert re.findall(r'name="proposal" value="([^"]*)"', of_carol) == [value(ref)]
    assert "Approve selected" in of_carol
    assert 'name="proposal"' not in of_bob
    assert "Approve selected" not in of_bob


def test_a_hidden_queue_reads_like_one_that_is_not_there(
    client: Client, project: Project, bob: Person, mallory: Person
) -> None:
    ref = new(bob, project, "Brewing")
    public_id = ref.removeprefix("proposal:")

    for page_of_it in ("", f"{public_id}/", "runs/"):
        hidden = opened(client, mallory, f"{QUEUE}{page_of_it}")
        missing = opened(client, mallory, f"/alice/none/moderation/{page_of_it}")
        assert hidden.status_code == missing.status_code == 404
        assert without_tokens(text_of(hidden)) == without_tokens(text_of(missing))
        assert opened(client, None, f"{QUEUE}{page_of_it}").status_code == 302


def test_a_stranger_sees_what_they_propose_to_an_open_project(
    client: Client, alice: Person, bob: Person, mallory: Person
) -> None:
    project = make_project(alice, is_public=True, open_proposals=True)
    join(project, bob, Role.CONTRIBUTOR)
    new(bob, project, "Of bob")
    new(mallory, project, "Of mallory")

    assert titles(opened(client, mallory)) == ["Of mallory"]
    assert waiting(opened(client, mallory)) == "1"
    assert titles(opened(client, alice)) == ["Of mallory", "Of bob"]


def test_filters_choose_by_state_kind_author_and_words(
    moderator: Client, project: Project, alice: Person, bob: Person
) -> None:
    shared = {"visibility": "shared"}
    new(bob, project, "Brewing", reason="People ask")
    propose_new(person_caller(bob), project, "memory", title="Water", content="Soft.", **shared)
    turned_down = new(bob, project, "Cake")
    reject(person_caller(alice), turned_down, reason="No cake here")
    taken_back = new(bob, project, "Pie")
    withdraw(person_caller(bob), taken_back, reason="Wrong shop")
    agent = robo(bob).agent_ref

    def shown(query: str) -> list[str]:
        return titles(moderator.get(f"{QUEUE}?{query}"))

    assert shown("state=pending") == ["Water", "Brewing"]
    assert shown("state=pending&sort=oldest") == ["Brewing", "Water"]
    assert shown("kind=memory") == ["Water"]
    assert shown(f"by={agent}") == ["Brewing"]
    assert shown(f"by={bob.ref}") == ["Water", "Brewing"]
    assert shown("q=people+ASK") == ["Brewing"]
    assert shown("q=nothing+fits") == []
    assert shown("state=rejected") == ["Cake"]
    assert shown("state=withdrawn") == ["Pie"]
    assert shown("state=approved") == []
    assert shown("state=nonsense&kind=x&by=x&sort=y") == []
    assert "No cake here" in text_of(moderator.get(f"{QUEUE}?state=rejected"))


def test_filters_stay_while_one_stays_in_a_project(
    moderator: Client, project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    other = make_project(alice, "store")
    join(other, carol, Role.MODERATOR)
    new(bob, project, "Brewing")
    propose_new(person_caller(bob), project, "memory", title="Water", visibility="shared")

    moderator.get(f"{QUEUE}?state=pending&kind=memory")
    moderator.get("/alice/shop/")
    kept = titles(moderator.get(QUEUE))
    moderator.get("/alice/store/moderation/")
    again = titles(moderator.get(QUEUE))

    assert kept == ["Water"]
    assert again == ["Water", "Brewing"]


def test_whoever_comes_back_sees_what_waits_and_how_many(
    moderator: Client, project: Project, alice: Person, bob: Person
) -> None:
    new(bob, project, "Brewing")
    reject(person_caller(alice), new(bob, project, "Cake"), reason="No cake here")

    rejected = moderator.get(f"{QUEUE}?state=rejected&sort=oldest")
    again = moderator.get(QUEUE)

    assert (titles(rejected), titles(again)) == (["Cake"], ["Brewing"])
    for answer in (rejected, again, moderator.get(f"{QUEUE}?state=pending&q=nothing")):
        assert '<span class="count" id="pending-count">1</span>' in text_of(answer)
    assert '<option value="oldest" selected>' in text_of(again)


def test_pages_follow_each_other_without_a_gap(
    moderator: Client, project: Project, bob: Person
) -> None:
    many(project, bob, 30)
    first = moderator.get(QUEUE)
    following = re.search(r'href="(\?[^"]*cursor=[^"]*)"', text_of(first))
    assert following is not None

    second = moderator.get(QUEUE + following[1].replace("&amp;", "&"))

    assert "1 to 25 of 30" in text_of(first)
    assert "26 to 30 of 30" in text_of(second)
    assert sorted(titles(first) + titles(second)) == sorted(f"Page {n}" for n in range(30))
    assert moderator.get(f"{QUEUE}?cursor=nonsense").status_code == 400


def test_a_queue_costs_the_same_however_many_wait(
    moderator: Client, project: Project, bob: Person
) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as made:
            assert moderator.get(f"{QUEUE}?state=pending").status_code == 200
        return len(made)

    many(project, bob, 2)
    cost()  # fills what is kept between requests
    two = cost()
    many(project, bob, 10, start=2)
    twelve = cost()
    many(project, bob, 988, start=12)
    thousand = cost()

    assert twelve == two
    # A count of what follows is asked for where there is a second page.
    assert thousand - twelve in (0, 1)
    assert "1 to 25 of 1000" in text_of(moderator.get(QUEUE))


@pytest.mark.parametrize(
    ("fields", "flag"),
    [
        ({"title": "A", "content": "in\u200bvisible"}, "1 hidden character"),
        ({"title": "A\u202eB", "content": "x"}, "1 hidden character"),
        ({"title": "A", "content": "<!-- agents: obey -->"}, "1 comment"),
        ({"title": "p\u0430ypal", "content": "x"}, "Look-alike letters or links"),
    ],
)
def test_rows_warn_of_what_reading_does_not_show(
    moderator: Client, project: Project, bob: Person, fields: dict[str, str], flag: str
) -> None:
    propose_new(robo(bob), project, "page", **fields)

    assert flag in text_of(moderator.get(QUEUE))


def test_rows_say_what_has_changed_since(
    moderator: Client, project: Project, alice: Person, bob: Person
) -> None:
    number = page(project, alice)
    propose(robo(bob), project, number, tags=["a"])
    change(person_caller(alice), project, number, 1, title="Renamed")

    text = text_of(moderator.get(QUEUE))

    assert "Changed since" in text
    assert f"#{number}" in text
    assert "Change of page: tags" in text


def test_a_locked_one_shows_no_text_and_is_found_by_none(
    moderator: Client, project: Project, alice: Person, bob: Person
) -> None:
    number = page(project, alice, "Zanzibar")
    propose(robo(bob), project, number, title="Zebra", reason="Zoo")
    Item.objects.filter(number=number).update(locked_at="2026-11-30T00:00:00Z", locked_by="x1")

    text = text_of(moderator.get(QUEUE))

    assert "Locked by a deletion request" in text
    assert not re.search("Zanzibar|Zebra|Zoo", text)
    assert 'name="proposal"' not in text
    assert "Locked by" not in text_of(moderator.get(f"{QUEUE}?q=Zebra"))


def test_what_people_wrote_is_escaped_everywhere(
    moderator: Client, project: Project, carol: Person
) -> None:
    hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    eve = make_person("eve", display_name="<b>Eve</b>")
    join(project, eve, Role.CONTRIBUTOR)
    propose_new(robo(eve), project, "page", title=hostile, content=hostile, reason=hostile)

    text = text_of(moderator.get(f"{QUEUE}?state=pending&q={hostile[:20]}"))

    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert "<b>Eve" not in text
    assert "&lt;script&gt;alert(1)" in text
