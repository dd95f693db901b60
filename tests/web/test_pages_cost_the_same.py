"""No page asks the database more often when there is more of everything."""

import html
from collections import Counter, deque
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

from django.db import connection
from django.test import Client
from django.urls import resolve

from conderis.accounts.models import Person
from projects.capabilities import Role
from projects.models import Project
from tests.factories import agent_caller, join, make_person, make_project, person_caller
from tests.items.calls import act, change, create
from tests.privacy.deletions import ask
from tests.proposals.reviews import propose, propose_new, robo
from tests.web.crawling import LINK
from tests.web.signing_in_steps import BACKEND

SHOP = "/alice/shop/"
MOST_ALIKE = 1  # pages of one view, with the same names in the query
SHA = "0123456789abcdef0123456789abcdef01234567"


def more_of_everything(project: Project, owner: Person, other: Person, *, start: int) -> None:
    """One of each round: items with all that stands around them, what waits, and who is there."""
    caller = person_caller(owner)
    word = f"{start:02}"
    first = create(caller, project, "task", title=f"Pour {word}", tags=["tea"], assignee="me",
                   due="2020-02-29", commits=[SHA])["number"]  # fmt: skip
    create(caller, project, "task", title=f"Stir {word}", parent=first)
    page = create(caller, project, "page", title=f"Page {word}", content=f"See #{first}.")["number"]
    change(caller, project, page, 1, content=f"See #{first} and alice/shop#1.", complete=True)
    act(caller, project, page, "relate", relation="documents", target=first)
    act(caller, project, 1, "relate", relation="relates", target=first) if first != 1 else None
    create(caller, project, "page", title=f"Below {word}", parent=page)
    bag = create(caller, project, "memory", title=f"Bag {word}", content="Tea.",
                 visibility="shared")["number"]  # fmt: skip
    create(caller, project, "memory", title=f"Inside {word}", content=f"Of {word}.",
           visibility="shared", parent=bag)  # fmt: skip
    create(caller, None, "memory", title=f"Mine {word}", content="Alone.")
    propose_new(robo(other), project, "page", title=f"New {word}", content="Hot.")
    propose(robo(other), project, page, content=f"Other {word}", complete=True)
    gone = create(caller, project, "page", title=f"Gone {word}", content="Text.")["number"]
    ask(person_caller(other), project, gone, reason="Mistaken")
    join(project, make_person(f"member{word}"), Role.READER)
    make_project(owner, f"more-{word}")
    agent_caller(owner, f"agent {word}")


def some_of_each(client: Client, *starts: str) -> list[str]:
    """Addresses of pages that links lead to from these: a few of each view."""
    waiting, found = deque(starts), list[str]()
    walked, alike = set[str](), Counter[tuple[str, ...]]()
    while waiting:
        address = waiting.popleft()
        parts = urlsplit(address)
        if address in walked or parts.path.startswith("/static/"):
            continue
        walked.add(address)
        like = (resolve(parts.path).view_name, *sorted(name for name, _ in parse_qsl(parts.query)))
        alike[like] += 1
        if address not in starts and alike[like] > MOST_ALIKE:
            continue
        answer = client.get(address)
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        found.append(address)
        links = (urldefrag(html.unescape(link))[0] for link in LINK.findall(answer.text))
        inside = (urljoin(address, link) for link in links)
        waiting.extend(link for link in inside if link.startswith("/"))
    return found


def costs(client: Client, paths: Iterable[str]) -> dict[str, int]:
    """How often each page asks, once what is judged anew after a change has been judged."""
    asked = Counter[str]()
    for path in paths:
        client.get(path)

        def count(execute: Any, *call: Any, path: str = path) -> Any:
            asked[path] += 1
            return execute(*call)

        with connection.execute_wrapper(count):  # capturing writes down each one, which takes long
            client.get(path)
    return asked


def test_no_page_that_links_lead_to_asks_more_often_for_more_rows(
    project: Project, alice: Person, bob: Person
) -> None:
    for start in range(2):
        more_of_everything(project, alice, bob, start=start)
    client = Client()
    client.force_login(alice, backend=BACKEND)
    items = (f"{SHOP}items/{number}/" for number in range(1, 8))
    tabs = (f"{SHOP}{tab}" for tab in ("", "tasks/", "memories/", "docs/", "moderation/"))
    paths = some_of_each(client, "/", "/search/?q=tea", *tabs, *items)
    before = costs(client, paths)

    for start in range(2, 6):
        more_of_everything(project, alice, bob, start=start)
    after = costs(client, paths)

    views = {resolve(urlsplit(path).path).view_name for path in paths}
    assert {"project-tasks", "item-history", "moderation-proposal", "deletion", "search"} <= views
    grown = {path: (before[path], after[path]) for path in paths if after[path] > before[path]}
    assert grown == {}
