"""Public projects are read without an account, without a cookie; private ones leave no trace."""

from typing import Any

import pytest
from django.test import Client

from conderis.accounts.models import Person
from conderis.common.caller import Scope, Surface, nobody
from conderis.common.errors import Denied
from projects.access import access_project
from projects.capabilities import Role, Use
from projects.events import project_events
from projects.members import project_members
from projects.models import Project
from projects.services import change_project
from tests.factories import agent_caller, join, make_person, make_project, person_caller
from tests.items.calls import act, change, create
from tests.privacy import locked_world as locked
from tests.proposals.reviews import propose_new
from tests.web.crawling import body, crawl
from tests.web.reading import without_tokens

HERE = "/alice/commons/"
SECRET = "zanzibarqx"
OPEN = (
    "", "tasks/", "memories/", "docs/", "items/1/", "items/1/history/", "items/1/history/1/",
    "hygiene/", "settings/instructions/", "settings/instructions/history/", "activity/",
    "activity/feed/", "tasks/?q=ship", "docs/?sort=title", "memories/?type=fact",
    "tasks/?assignee=me", "tasks/?ready=true",
)  # fmt: skip
CLOSED = (
    "moderation/", "moderation/deletions/", "moderation/runs/", "settings/", "settings/members/",
    "settings/policies/", "settings/leave/", "activity/log/", "items/new/task/", "items/1/edit/",
    "settings/instructions/edit/", "hygiene/1/archive/", "items/4711/",
)  # fmt: skip


def fill(project: Project, alice: Person, bob: Person) -> None:
    """One of all that a stranger reads, and of what none but others may."""
    owner, robo = person_caller(alice), agent_caller(bob, f"agent {SECRET}")
    create(owner, project, "task", title="Ship", content="Slowly.")
    create(owner, project, "page", title="Guide", content="See #1.")
    create(owner, project, "memory", title="Known", content="x", visibility="shared")
    create(owner, project, "instructions", content="Test first.")
    change(owner, project, 2, 1, title="The guide")
    act(owner, project, 2, "relate", target=1, relation="documents")
    create(robo, project, "memory", title=f"Mine {SECRET}", visibility="private", tags=[SECRET])
    propose_new(robo, project, "page", title=f"Proposed {SECRET}", reason=SECRET)


@pytest.fixture
def commons(alice: Person, bob: Person) -> Project:
    made = make_project(alice, "commons", is_public=True, description="For everybody.")
    join(made, bob, Role.CONTRIBUTOR)
    fill(made, alice, bob)
    return made


@pytest.mark.parametrize("page", OPEN)
def test_nobody_reads_it_and_gets_no_cookie(commons: Project, client: Client, page: str) -> None:
    answer = client.get(HERE + page)

    assert answer.status_code == 200
    assert not answer.cookies
    assert "no-cache" in answer["Cache-Control"]
    text = answer.content.decode()
    assert SECRET not in text
    assert "csrfmiddlewaretoken" not in text
    assert 'method="post"' not in text


def test_pages_offer_the_way_in_and_nothing_that_takes_an_account(
    commons: Project, client: Client
) -> None:
    text = client.get(HERE).content.decode()

    assert '<a class="btn" href="/sign-in/' in text
    for tab in ("tasks", "memories", "docs", "activity"):
        assert f'href="{HERE}{tab}/"' in text
    for tab in ("moderation", "settings"):
        assert f'href="{HERE}{tab}/"' not in text
    assert "Connect an agent" not in text


@pytest.mark.parametrize("page", CLOSED)
def test_what_takes_an_account_leads_to_the_door_and_back(
    commons: Project, client: Client, page: str
) -> None:
    answer = client.get(HERE + page)

    assert answer.status_code == 302
    assert answer["Location"] == f"/sign-in/?next={HERE}{page}"


@pytest.mark.parametrize("page", [*OPEN, *CLOSED])
def test_a_private_project_answers_like_one_that_never_was(
    commons: Project, alice: Person, client: Client, page: str
) -> None:
    make_project(alice, "shut")

    def answer(name: str, **headers: str) -> tuple[Any, ...]:
        got = client.get(f"/alice/{name}/{page}", headers=headers)
        drawn_anew = "Content-Security-Policy"
        said = {key: text.replace(name, "NAME") for key, text in got.items() if key != drawn_anew}
        return got.status_code, said, got.content.replace(name.encode(), b"NAME")

    assert answer("shut") == answer("none")
    assert answer("shut")[0] == 302
    assert answer("shut", **{"HX-Request": "true"}) == answer("none", **{"HX-Request": "true"})
    assert answer("shut", **{"HX-Request": "true"})[0] == 204


@pytest.mark.parametrize("page", ["items/4/", "items/4/history/", "items/4/history/1/"])
def test_anothers_private_memory_answers_like_a_number_never_given(
    commons: Project, client: Client, page: str
) -> None:
    hidden = client.get(HERE + page)
    never = client.get(HERE + page.replace("4", "4711"))

    assert hidden["Location"].replace("4", "4711") == never["Location"]
    assert hidden.content == never.content


def test_lists_and_counts_hold_what_strangers_may_read(commons: Project, client: Client) -> None:
    memories = client.get(f"{HERE}memories/").context["list"]
    counts = dict(client.get(HERE).context["about"].counts)

    assert [row.entry["number"] for row in memories.rows] == [3]
    assert memories.total == counts["Memory"] == 1
    assert counts["Pending proposals"] == 0


@pytest.mark.slow
def test_a_walk_as_nobody_reads_the_public_project_and_not_a_byte_of_a_private_one(
    commons: Project, alice: Person, bob: Person
) -> None:
    shut = make_project(alice, "shut", description=f"Secret {SECRET}")
    join(shut, bob, Role.CONTRIBUTOR)
    fill(shut, alice, bob)
    create(person_caller(alice), shut, "page", title=f"Plan {SECRET}", content=SECRET)
    Person.objects.filter(pk=bob.pk).update(display_name=f"Bob {SECRET}")
    create(person_caller(alice), commons, "page", title="Links", content="alice/shut#1 #4")

    found = crawl(Client(), "/", HERE, "/alice/shut/", "/alice/shut/docs/")

    walked = {address: answer for address, answer in found.items() if address.startswith(HERE)}
    assert len(walked) > 20
    doors = [each for each, got in walked.items() if got.get("Location", "").startswith("/sign-in")]
    assert {each: got.status_code for each, got in walked.items() if each not in doors} == {
        each: 200 for each in walked if each not in doors
    }
    assert [each for each, got in found.items() if SECRET.encode() in body(got).lower()] == []
    assert [each for each, got in walked.items() if got.cookies] == []
    assert [each for each, got in found.items() if b"canary" in body(got)] == []


@pytest.mark.slow
def test_a_walk_as_nobody_shows_no_word_of_what_is_locked_or_erased(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    world = locked.locked_world(project, alice, bob, carol)
    Project.objects.update(is_public=True)

    found = crawl(Client(), *(f"/{world.project.path}/{page}" for page in OPEN if "?" not in page))

    assert len(found) > 20
    assert [each for each, got in found.items() if locked.WORD.encode() in body(got).lower()] == []
    assert [each for each, got in found.items() if got.status_code >= 400] == []


def test_forms_of_nobody_change_nothing(commons: Project, client: Client) -> None:
    Project.objects.update(open_proposals=True)
    before = list(commons.items.values_list("pk", "version"))
    for page in ("items/new/page/", "items/1/edit/", "items/1/act/", "settings/",
                 "settings/instructions/edit/", "moderation/decide/"):  # fmt: skip
        answer = client.post(HERE + page, {"title": "Spam", "action": "complete", "version": "1"})
        assert answer.status_code in (302, 403), page

    assert list(commons.items.values_list("pk", "version")) == before
    assert commons.proposals.count() == 1


def test_nobody_has_no_right_but_reading(commons: Project) -> None:
    Project.objects.update(open_proposals=True)
    caller = nobody(Surface.WEB)
    access = access_project(caller, commons.path)

    assert [use for use in Use if access.may(use)] == [Use.READ]
    assert [scope for scope in Scope if caller.has_scope(scope)] == [Scope.READ]
    for asked in (project_members, project_events):
        with pytest.raises(Denied):
            asked(caller, commons.path)


def test_a_project_that_turns_private_is_gone_at_once(commons: Project, client: Client) -> None:
    assert client.get(f"{HERE}items/1/").status_code == 200

    Project.objects.update(is_public=False)

    assert client.get(f"{HERE}items/1/").status_code == 302


def test_a_former_name_leads_to_the_present_one_if_that_is_public(
    commons: Project, alice: Person, client: Client
) -> None:
    change_project(person_caller(alice), commons.public_id, fields={"name": "green"})

    assert client.get(f"{HERE}docs/?q=x")["Location"] == "/alice/green/docs/?q=x"
    Project.objects.update(is_public=False)
    assert client.get(f"{HERE}docs/")["Location"] == f"/sign-in/?next={HERE}docs/"


def test_a_stranger_who_is_signed_in_reads_the_same_project_page(
    commons: Project, client: Client
) -> None:
    nobodys = client.get(f"{HERE}items/2/")
    client.force_login(make_person("zoe"), backend="django.contrib.auth.backends.ModelBackend")
    strangers = client.get(f"{HERE}items/2/")

    def article(answer: Any) -> str:
        page = without_tokens(answer.content.decode())
        return page.partition("<article>")[2].partition("</main")[0]

    assert article(nobodys) == article(strangers) != ""
