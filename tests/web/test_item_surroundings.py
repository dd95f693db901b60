"""What the page of an item shows around it."""

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from conderis.accounts.models import Person
from conderis.web.items.commits import commit_url
from conderis.web.items.words import ACTIONS
from items.kinds.registry import all_kinds
from items.requests import Address, DeletionCall
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create
from tests.web.signing_in_steps import BACKEND

SHA = "0123456789abcdef0123456789abcdef01234567"


def at(route: str, **more: int | str) -> str:
    return reverse(route, kwargs={"owner": "alice", "name": "shop", **more})


def page(client: Client, person: Person, number: int = 1, query: str = "") -> str:
    client.force_login(person, backend=BACKEND)
    answer = client.get(at("item", number=number) + query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.no_database
@pytest.mark.parametrize(("repository", "url"), [
    ("github.com/acme/shop", f"https://github.com/acme/shop/commit/{SHA}"),
    ("github.acme.example/a/b", f"https://github.acme.example/a/b/commit/{SHA}"),
    ("gitlab.com/acme/group/shop", f"https://gitlab.com/acme/group/shop/-/commit/{SHA}"),
    ("codeberg.org/acme/shop", f"https://codeberg.org/acme/shop/commit/{SHA}"),
    ("gitea.acme.example:3000/a/b", f"https://gitea.acme.example:3000/a/b/commit/{SHA}"),
    ("bitbucket.org/acme/shop", f"https://bitbucket.org/acme/shop/commits/{SHA}"),
    ("git.sr.ht/~acme/shop", f"https://git.sr.ht/~acme/shop/commit/{SHA}"),
    ("git.acme.example/a/b", ""), ("", ""), ("javascript:alert(1)", ""),
    ("github.com/a/b?x#y", ""), ("github.com", ""),
])  # fmt: skip
def test_a_commit_is_linked_to_the_hosts_that_are_known(repository: str, url: str) -> None:
    assert commit_url(repository, SHA) == url


@pytest.mark.no_database
def test_every_action_of_every_kind_has_a_word_on_the_page() -> None:
    for kind in all_kinds():
        assert set(kind.action_names) <= set(ACTIONS), kind.name


def test_commits_of_a_project_with_a_known_remote_are_links_and_others_are_none(
    client: Client, rita: Person, alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "task", title="Before", commits=[SHA])
    Project.objects.filter(pk=project.pk).update(remote="github.com/acme/shop")
    create(person_caller(alice), project, "task", title="After", commits=[SHA])

    assert "/commit/" not in page(client, rita, 1)
    assert f'href="https://github.com/acme/shop/commit/{SHA}" rel="noopener' in page(
        client, rita, 2
    )


def test_the_path_children_relations_and_mentions_are_shown_with_their_states(
    client: Client, rita: Person, alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    create(owner, project, "task", title="Top")
    create(owner, project, "task", title="Middle", parent=1)
    create(owner, project, "task", title="Subject", parent=2)
    create(owner, project, "task", title="Inside", parent=3)
    create(owner, project, "task", title="Before it")
    create(owner, project, "memory", title="Remember", content="of #3", visibility="shared")
    act(owner, project, 5, "relate", relation="blocks", target=3)
    act(owner, project, 5, "claim", 1)
    act(owner, project, 4, "complete", 1)

    shown = page(client, rita, 3)
    crumbs, _, rest = shown.partition("<h1>")
    below, _, rest = rest.partition('id="mentions-h"')
    mentions, _, aside = rest.partition("<aside")

    assert crumbs.index("Top") < crumbs.index("Middle") < crumbs.index("#3")
    assert "Inside" in below
    assert "<span>Done</span>" in below
    assert "Remember" in mentions
    assert "Blocked by" in aside
    assert aside.index("Before it") < aside.index("<span>In progress</span>")


@pytest.mark.parametrize(("zone", "moment", "overdue"), [
    ("Etc/GMT+8", datetime(2027, 1, 1, 7, 30, tzinfo=UTC), False),
    ("Etc/GMT+8", datetime(2027, 1, 1, 8, 30, tzinfo=UTC), True),
    ("Etc/GMT-13", datetime(2026, 12, 31, 10, 30, tzinfo=UTC), False),
    ("Etc/GMT-13", datetime(2026, 12, 31, 11, 30, tzinfo=UTC), True),
])  # fmt: skip
def test_a_day_is_the_same_for_every_reader_and_overdue_when_it_has_ended_for_this_one(
    client: Client, rita: Person, alice: Person, project: Project,
    *, zone: str, moment: datetime, overdue: bool,
) -> None:  # fmt: skip
    create(person_caller(alice), project, "task", title="Pour", due="2026-12-31")
    Person.objects.filter(pk=rita.pk).update(time_zone=zone)

    with time_machine.travel(moment, tick=False):
        shown = page(client, rita)

    assert '<time datetime="2026-12-31">2026-12-31</time>' in shown
    assert ("Overdue" in shown) is overdue


def test_proposals_that_wait_are_linked_for_who_may_see_them(
    client: Client, rita: Person, alice: Person, bob: Person, project: Project
) -> None:
    carol = Person.objects.get(handle="carol")
    create(person_caller(alice), project, "page", title="Guide", content="one")
    agent = agent_caller(bob, "robo")
    ref = str(change(agent, project, 1, 1, content="two")["proposal"]).partition(":")[2]
    link = at("moderation-proposal", proposal=ref)

    for who in (alice, bob, carol):
        shown = page(client, who)
        assert "1 proposal waits" in shown
        assert link in shown
        assert "robo" in shown
    assert link not in page(client, rita)
    assert "waits" not in page(client, rita)


def test_after_storing_the_page_names_at_most_three_memories_that_say_nearly_the_same(
    client: Client, carol: Person, bob: Person, project: Project
) -> None:
    text = "The walrus shelf is cleaned on Monday mornings"
    owner = person_caller(carol)
    for number in range(4):
        create(owner, project, "memory", title=f"{text}", summary=f"{text} {'again ' * number}",
               visibility="shared")  # fmt: skip
    create(person_caller(bob), project, "memory", title=text, summary=text, visibility="private")
    client.force_login(carol, backend=BACKEND)

    new = {"title": text, "summary": text, "type": "fact", "weight": "normal",
           "visibility": "shared"}  # fmt: skip
    answer = client.post(at("item-new", kind="memory"), new)
    shown = client.get(answer["Location"]).content.decode()

    assert answer["Location"] == at("item", number=6) + "?similar"
    said = shown.partition("These say nearly the same")[2].partition("</ul>")[0]
    assert said.count("<li>") == 3
    assert at("item", number=5) not in said
    assert "These say nearly the same" not in page(client, carol, 6)


def test_a_refused_action_shows_the_reason_again_even_where_nothing_can_be_done_any_more(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "page", title="Guide")
    client.force_login(carol, backend=BACKEND)
    sent = {"action": "archive", "version": "1", "reason": "typed at length"}
    change(person_caller(alice), project, 1, 1, title="Guides")

    stale = client.post(at("item-act", number=1), sent)
    request_deletion(person_caller(alice), DeletionCall(Address(project.path, 1), reason="x"))
    locked = client.post(at("item-act", number=1), sent)

    assert (stale.status_code, locked.status_code) == (409, 423)
    assert 'value="typed at length"' in stale.content.decode()
    assert "typed at length" in locked.content.decode()


def test_more_around_it_takes_no_more_queries(
    client: Client, rita: Person, alice: Person, project: Project,
    django_assert_max_num_queries: Any,
) -> None:  # fmt: skip
    owner = person_caller(alice)
    create(owner, project, "page", title="Subject")

    def more(first: int, last: int) -> None:
        for number in range(first, last):
            made = create(owner, project, "page", title=f"P{number}", content="of #1", parent=1)
            act(owner, project, 1, "relate", relation="relates", target=int(str(made["number"])))

    more(0, 2)
    page(client, rita)
    with django_assert_max_num_queries(60) as few:
        page(client, rita)
    more(2, 12)
    with django_assert_max_num_queries(60) as many:
        page(client, rita)

    assert len(many) == len(few)
