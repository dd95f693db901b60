"""Values at the edge of what fields hold: times, tags, titles, and fields that are not sent."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from conderis.accounts.models import Person
from conderis.common.errors import Invalid
from conderis.web.preferences import local
from items.kinds.values import Moment
from items.models import Item
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, create, item_at
from tests.web.signing_in_steps import BACKEND
from tests.web.test_item_saving import opened, save

ENDS = (datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC))
ZONES = ("Europe/Berlin", "Pacific/Kiritimati", "America/New_York", "UTC")
UNSEEN = ("\u2060", "\u3164", "\u202e", "\u00ad", "\u200b", "\u2060 \u3164")


def at(route: str, **more: int | str) -> str:
    return reverse(route, kwargs={"owner": "alice", "name": "shop", **more})


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("moment", ENDS)
def test_a_memory_that_expires_at_an_end_of_the_calendar_is_shown_in_every_time_zone(
    client: Client, alice: Person, project: Project, zone: str, moment: datetime
) -> None:
    create(person_caller(alice), project, "memory", title="Ends", visibility="shared")
    Item.objects.update(expires_at=moment)
    Person.objects.filter(pk=alice.pk).update(time_zone=zone)
    client.force_login(alice, backend=BACKEND)

    for path in (
        at("item", number=1), at("item-edit", number=1), at("item-history", number=1),
        at("project-memories") + "?includeExpired=true",
    ):  # fmt: skip
        assert client.get(path).status_code == 200, path
    shown = client.get(at("item", number=1)).content.decode()
    assert f'datetime="{moment.replace(tzinfo=None).isoformat()}Z"' in shown


@pytest.mark.no_database
def test_a_moment_past_the_calendar_of_a_zone_is_said_in_utc() -> None:
    with timezone.override("Pacific/Kiritimati"):
        assert local(ENDS[0]) == ENDS[0]
        assert local(datetime(2026, 12, 31, 12, tzinfo=UTC)).isoformat().startswith("2027-01-01")


@pytest.mark.parametrize("sent", ["9999-12-31", "0001-01-01T00:00:00Z", "1899-12-31"])
def test_a_year_that_not_every_zone_has_is_not_stored(
    client: Client, alice: Person, project: Project, sent: str
) -> None:
    with pytest.raises(Invalid, match="1900 to 9998"):
        create(
            person_caller(alice),
            project,
            "memory",
            title="Ends",
            visibility="shared",
            expiresAt=sent,
        )
    client.force_login(alice, backend=BACKEND)
    typed = {"title": "Ends", "visibility": "shared", "type": "fact", "weight": "normal"}

    answer = client.post(at("item-new", kind="memory"), typed | {"expiresAt": sent})

    assert answer.status_code == 400
    assert "must be in the years 1900 to 9998" in answer.content.decode()
    assert not Item.objects.exists()


@pytest.mark.no_database
@pytest.mark.parametrize("sent", ["1900-01-01", "9998-12-31"])
def test_the_first_and_the_last_year_are_taken(sent: str) -> None:
    assert Moment().take(sent, "expiresAt").isoformat() == f"{sent}T23:59:59+00:00"


@pytest.mark.parametrize("tags", [["a,b", "c"], ['"x"', 'y"z'], ['a, "b"'], ["plain", "two words"]])
def test_a_form_gives_back_the_tags_that_it_shows_and_takes_one_more(
    client: Client, alice: Person, project: Project, tags: list[str]
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="x", tags=tags)
    form = opened(client, alice)

    save(client, form, title="Guides", tags=f"{form['tags']}, new, e,f")

    assert item_at(project, 1).tags == [*tags, "new", "e", "f"]
    assert "Nothing was changed" in save(client, opened(client, alice)).content.decode()


@pytest.mark.parametrize("typed", ['"open', "a\nb", '"' + "x" * 200_000, '""', ",,"])
def test_tags_of_every_form_are_answered(
    client: Client, alice: Person, project: Project, typed: str
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="x", tags=["a"])

    assert save(client, opened(client, alice), tags=typed).status_code in {200, 400, 413}


@pytest.mark.parametrize("title", UNSEEN)
def test_a_title_of_which_nothing_is_seen_is_none(
    client: Client, alice: Person, project: Project, title: str
) -> None:
    client.force_login(alice, backend=BACKEND)

    answer = client.post(at("item-new", kind="page"), {"title": title, "content": "typed"})

    assert answer.status_code == 400
    assert "Title is needed." in answer.content.decode()
    with pytest.raises(Invalid, match="required"):
        create(person_caller(alice), project, "page", title=title)
    with pytest.raises(Invalid, match="empty tag"):
        create(person_caller(alice), project, "page", title="Seen", tags=[title])
    assert not Item.objects.exists()


@pytest.mark.parametrize("title", ["😀", "\u202eשלום", "é", "№", "…", "می\u200cخواهم"])
def test_a_title_of_which_something_is_seen_is_kept(
    alice: Person, project: Project, title: str
) -> None:
    create(person_caller(alice), project, "page", title=title)

    assert item_at(project, 1).title == title


def test_fields_that_are_not_sent_stay_as_they_are(
    client: Client, alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="long", tags=["a"])
    client.force_login(alice, backend=BACKEND)

    named = client.post(at("item-edit", number=1), {"version": "1", "title": "Guides"})
    emptied = client.post(at("item-edit", number=1), {"version": "2", "tags": ""})

    assert (named.status_code, emptied.status_code) == (302, 302)
    item = item_at(project, 1)
    assert (item.title, item.content, item.tags) == ("Guides", "long", [])


def test_fields_of_a_personal_memory_that_are_not_sent_stay_too(
    client: Client, alice: Person
) -> None:
    create(person_caller(alice), None, "memory", title="Mine", content="long", tags=["a"])
    memory = Item.objects.get()
    client.force_login(alice, backend=BACKEND)
    path = reverse("memory-edit", args=[memory.public_id])

    assert client.post(path, {"version": "1", "title": "Ours"}).status_code == 302

    memory.refresh_from_db()
    assert (memory.title, memory.content, memory.tags) == ("Ours", "long", ["a"])


def claims(client: Client, person: Person) -> bool:
    client.force_login(person, backend=BACKEND)
    shown = client.get(at("item", number=1)).content.decode()
    return 'value="claim"' in shown


def test_claim_is_offered_unless_somebody_else_holds_the_task(
    client: Client, alice: Person, carol: Person, project: Project
) -> None:
    create(person_caller(alice), project, "task", title="Pour")
    assert claims(client, carol)
    act(person_caller(alice), project, 1, "claim", 1)

    assert not claims(client, carol)
    assert claims(client, alice)


def test_what_an_agent_holds_is_not_offered_to_its_person(
    client: Client, alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "task", title="Pour")
    act(agent_caller(alice), project, 1, "claim", 1)

    assert not claims(client, alice)


@pytest.mark.parametrize("asked", ["x" * 600, "a b", "@alice", "\u2060"])
@pytest.mark.usefixtures("project")
def test_a_search_in_what_is_no_project_says_so_for_people(
    client: Client, alice: Person, asked: str
) -> None:
    client.force_login(alice, backend=BACKEND)

    with translation.override("en"):
        shown = client.get("/search/", {"q": "word", "project": asked}).content.decode()

    assert "rojectId" not in shown
