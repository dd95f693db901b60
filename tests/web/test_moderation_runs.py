"""What one agent did in a span of time, and undoing all of it, in the browser."""

import html
import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from projects.capabilities import Role
from projects.models import Project
from tests.factories import agent_caller, join, make_project, person_caller
from tests.items.calls import act, change, create, item_at
from tests.proposals.reviews import page, proposal_at, propose_new
from tests.web.reading import without_tokens

BACKEND = "django.contrib.auth.backends.ModelBackend"
RUNS = "/alice/shop/moderation/runs/"
UNDO = f"{RUNS}undo/"


@pytest.fixture
def rogue(alice: Person, project: Project) -> Caller:
    """An agent of alice, who owns the project."""
    return agent_caller(alice, "rogue")


@pytest.fixture
def moderator(client: Client, project: Project, carol: Person) -> Client:
    """A browser in which carol is signed in."""
    client.force_login(carol, backend=BACKEND)
    return client


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


def words_of(answer: Any) -> str:
    bare = re.sub(r"<[^>]*>", "", text_of(answer))
    return html.unescape(re.sub(r"\s+", " ", bare))


def query(agent: Caller, since: str = "2000-01-01T00:00") -> dict[str, str]:
    return {"agent": str(agent.agent_ref), "since": since, "until": ""}


def undo_form(answer: Any) -> dict[str, str]:
    """What the form that undoes sends."""
    form = text_of(answer).partition(UNDO)[2]
    names = ("agent", "since", "until", "seen")
    found = {name: re.search(rf'name="{name}" value="([^"]*)"', form) for name in names}
    return {name: html.unescape(each[1]) for name, each in found.items() if each is not None}


def test_the_list_says_what_undoing_does_and_what_stays(
    moderator: Client, project: Project, alice: Person, rogue: Caller
) -> None:
    number, other = page(project, alice), page(project, alice, "Other")
    change(rogue, project, number, 1, title="Spoiled")
    change(rogue, project, other, 1, title="Spoiled too")
    change(person_caller(alice), project, other, 2, title="Mended")
    create(rogue, project, "page", title="Spam", content="Buy.")
    propose_new(rogue, project, "page", title="More spam", propose=True)

    words = words_of(moderator.get(RUNS, query(rogue)))

    assert "goes back to version 1, as version 3" in words
    assert "is archived" in words
    assert "Stays as it is: changed since by Alice (version 3)" in words
    assert "1 pending proposal of it is rejected." in words
    assert "Undo 2 changes, reject 1 proposal" in words
    assert "One item stays as it is" in words


def test_the_button_names_what_there_is_to_undo_and_no_more(
    client: Client, project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    propose_new(rogue, project, "page", title="Spam", propose=True)
    propose_new(rogue, project, "page", title="More spam", propose=True)

    client.force_login(carol, backend=BACKEND)
    of_carol = words_of(client.get(RUNS, query(rogue)))
    client.force_login(alice, backend=BACKEND)
    of_alice = words_of(client.get(RUNS, query(rogue)))

    assert "Reject 2 proposals" in of_carol
    assert "Withdraw 2 proposals" in of_alice
    assert "2 pending proposals of it are withdrawn." in of_alice
    assert "Undo 0" not in of_carol + of_alice


def test_what_undoing_does_not_touch_is_said_in_words(
    moderator: Client, project: Project, alice: Person, rogue: Caller
) -> None:
    number, other = page(project, alice), page(project, alice, "Other")
    change(rogue, project, number, 1, title="Spoiled")
    act(rogue, project, number, "relate", target=other, relation="relates")

    words = words_of(moderator.get(RUNS, query(rogue)))

    assert f"Relation added: #{number}" in words
    assert "item.relate" not in words


def test_all_of_it_is_undone_as_one_action(
    moderator: Client, project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    number = page(project, alice)
    change(rogue, project, number, 1, title="Spoiled")
    ref = propose_new(rogue, project, "page", title="More spam", propose=True)
    shown = moderator.get(RUNS, query(rogue))

    done = moderator.post(UNDO, undo_form(shown) | {"reason": "It ran wild"}, follow=True)

    assert done.status_code == 200
    assert "Undone: 1 item. 1 proposal taken back." in words_of(done)
    assert item_at(project, number).title == "Deploying"
    assert (proposal_at(ref).state, proposal_at(ref).decision_reason) == ("rejected", "It ran wild")
    assert AuditEvent.objects.filter(action="run.undone", person_id=carol.pk).count() == 1

    again = moderator.post(UNDO, undo_form(shown), follow=True)
    assert "Nothing was changed." in words_of(again)


def test_a_list_that_is_not_what_was_seen_is_shown_anew(
    moderator: Client, project: Project, alice: Person, rogue: Caller
) -> None:
    number, other = page(project, alice), page(project, alice, "Other")
    change(rogue, project, number, 1, title="Spoiled")
    change(rogue, project, other, 1, title="Spoiled too")
    form = undo_form(moderator.get(RUNS, query(rogue)))
    change(person_caller(alice), project, other, 2, title="Mended")

    answer = moderator.post(UNDO, form | {"reason": "Wild"})

    assert answer.status_code == 409
    assert "Nothing was undone" in words_of(answer)
    assert "Wild</textarea>" in text_of(answer)
    assert item_at(project, number).title == "Spoiled"
    done = moderator.post(UNDO, undo_form(answer), follow=True)
    assert "Undone: 1 item. 1 stays as it is." in words_of(done)


def test_only_moderators_come_here_and_only_a_form_undoes(
    client: Client, bob: Person, rita: Person, mallory: Person, rogue: Caller
) -> None:
    for person, status in ((bob, 403), (rita, 403), (mallory, 404)):
        client.force_login(person, backend=BACKEND)
        assert client.get(RUNS, query(rogue)).status_code == status
        assert client.post(UNDO, query(rogue)).status_code == status
        assert "What an agent did" not in text_of(client.get("/alice/shop/moderation/"))
    hidden = client.get(RUNS)
    missing = client.get("/alice/none/moderation/runs/")
    assert without_tokens(text_of(hidden)) == without_tokens(text_of(missing))
    assert client.get(UNDO).status_code == 405


def test_agents_of_other_projects_cannot_be_asked_for(
    moderator: Client, project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    elsewhere = make_project(alice, "store")
    stranger = agent_caller(alice, "elsewhere")
    create(stranger, elsewhere, "page", title="Page", content="x")
    page(project, alice)
    create(rogue, project, "page", title="Here", content="x")

    of_another = moderator.get(RUNS, query(stranger))
    of_nobody = moderator.get(RUNS, query(rogue) | {"agent": "agent:none"})

    assert of_another.status_code == of_nobody.status_code == 400
    shown = [without_tokens(text_of(each)) for each in (of_another, of_nobody)]
    refs = (str(stranger.agent_ref), "agent:none")
    assert shown[0].replace(refs[0], "") == shown[1].replace(refs[1], "")
    assert "elsewhere" not in text_of(moderator.get(RUNS))


def test_private_memories_of_others_are_in_no_list(
    client: Client, project: Project, carol: Person, bob: Person
) -> None:
    secretive = agent_caller(bob, "secretive")
    create(secretive, project, "memory", title="Mine", content="x", visibility="private")
    client.force_login(carol, backend=BACKEND)

    assert "secretive" not in text_of(client.get(RUNS))


@pytest.mark.parametrize(
    "sent",
    [
        {"since": "yesterday"},
        {"since": "2030-01-01T00:00", "until": "2020-01-01T00:00"},
        {"since": ""},
        {"agent": "agent:x", "since": "2000-01-01T00:00"},
    ],
)
def test_a_span_that_is_none_is_said_beside_its_field(
    moderator: Client, project: Project, rogue: Caller, sent: dict[str, str]
) -> None:
    create(rogue, project, "page", title="Here", content="x")

    answer = moderator.get(RUNS, query(rogue) | sent)

    assert answer.status_code == 400
    assert 'class="err"' in text_of(answer)


def test_a_broken_form_undoes_nothing(
    moderator: Client, project: Project, alice: Person, rogue: Caller
) -> None:
    number = page(project, alice)
    change(rogue, project, number, 1, title="Spoiled")
    form = undo_form(moderator.get(RUNS, query(rogue)))

    for name in form:
        broken = {**form, name: "x"}
        assert moderator.post(UNDO, broken).status_code in (400, 404, 409), name
    assert moderator.post(UNDO, {}).status_code == 400
    assert item_at(project, number).title == "Spoiled"


def test_times_are_those_of_whoever_asks(
    moderator: Client, project: Project, alice: Person, carol: Person, rogue: Caller
) -> None:
    Person.objects.filter(pk=carol.pk).update(time_zone="Asia/Tokyo")
    local = timezone.localtime(timezone.now(), timezone=ZoneInfo("Asia/Tokyo"))
    create(rogue, project, "page", title="Here", content="x")

    shown = moderator.get(RUNS, query(rogue, local.strftime("%Y-%m-%dT%H:%M")))

    assert "Here" in words_of(shown)


def test_hostile_names_are_text(client: Client, alice: Person, carol: Person) -> None:
    project = make_project(alice)
    join(project, carol, Role.MODERATOR)
    hostile = agent_caller(alice, "<img src=x onerror=alert(1)>")
    create(hostile, project, "page", title="<script>alert(1)</script>", content="x")
    client.force_login(carol, backend=BACKEND)

    text = text_of(client.get(RUNS, query(hostile)))

    assert "<img src=x" not in text
    assert "<script>alert" not in text
