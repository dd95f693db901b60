from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.internal.flows.login import record_authentication
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.http import HttpRequest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish
from conderis.accounts.models import Person, SignInLink
from conderis.accounts.sign_in import create_sign_in_link
from conderis.common.caller import Caller
from conderis.web.signing_in import urls as signing_in
from items.requests import Address, DeletionCall
from privacy.requesting import request_deletion
from projects.capabilities import Role
from projects.invitations import MadeInvitation, create_invitation, revoke_invitation
from projects.keys import create_agent_key
from projects.models import Project
from proposals.organization_instructions import store_organization_instructions
from proposals.undoing import agent_run
from tests.exchange.jobs_world import ended_import
from tests.factories import agent_caller, join, make_person, make_project, person_caller
from tests.items.calls import change, create
from tests.projects.making import make_organization, make_organization_project
from tests.surfaces import web_permission_table as table
from tests.surfaces.web_permission_table import GET, HIDDEN, LED, POST, ROWS, SIGN_IN, Row
from tests.web.reading import without_tokens
from tests.web.signing_in_steps import BACKEND, use

WHO = {
    "stranger": "mallory",
    "visitor": "mallory",
    "person": "mallory",
    "admin": "root",
    "reader": "rita",
    "contributor": "bob",
    "moderator": "carol",
    "co-owner": "dave",
    "member": "bob",
    "owner": "alice",
    "holder": "alice",
}
ROLES = {
    "bob": Role.CONTRIBUTOR,
    "carol": Role.MODERATOR,
    "rita": Role.READER,
    "frank": Role.READER,
    "dave": Role.OWNER,
}
NO_DATA = (Session, UserSession)


@dataclass(frozen=True, slots=True)
class World:
    """What the rows name."""

    shop: Project
    names: dict[str, str]

    def path(self, row: Row, absent: dict[str, str] | None = None) -> str:
        """The row's address; `absent` are names of what never was."""
        names = self.names | (absent or {})
        at = {key: names.get(str(value), value) for key, value in row.at.items()}
        return reverse(row.route, kwargs=at)

    def ask(self, row: Row, browser: Client, absent: dict[str, str] | None = None) -> Any:
        """The answer to the row's request."""
        names = self.names | (absent or {})
        sent = {key: names.get(value, value) for key, value in row.sent.items()}
        path = self.path(row, absent)
        return browser.get(path) if row.method == GET else browser.post(path, sent)

    def open_up(self, row: Row, caller: str) -> None:
        """Let the project be as the row has it for this caller."""
        is_public = caller in {"visitor", table.PASSER_BY} or row.is_public or row.takes_proposals
        Project.objects.filter(pk=self.shop.pk).update(
            is_public=is_public and caller not in {"stranger", table.LIKE_A_STRANGER},
            open_proposals=row.takes_proposals,
        )


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """The project with all that a row names, the organization acme, a key of alice.

    It is made once: what a test changes is undone to a savepoint within this transaction.
    """
    with django_db_blocker.unblock(), undone():
        made = _made()
        SignInLink.objects.update(expires_at=timezone.now() + timedelta(days=1))
        with django_db_blocker.block():
            yield made


@pytest.fixture
def world(made: World, db: None, settings: Settings) -> World:
    """What `made` made, under the settings of the website as it is installed."""
    use(settings)
    return made


def _made() -> World:
    people = {
        handle: make_person(handle)
        for handle in ("alice", "bob", "carol", "rita", "mallory", "dave", "erin", "frank")
    }
    alice = people["alice"]
    people["root"] = make_person("root", is_staff=True, is_superuser=True)
    project = make_project(alice)
    for handle, role in ROLES.items():
        join(project, people[handle], role)
    other, gone, foreign = (
        make_project(alice, "other"),
        make_project(alice, "gone", deleted_at=timezone.now(), is_public=True),
        make_project(people["erin"], "foreign"),
    )
    for member in project.members.all():
        join(gone, member.person, Role(member.role))
    names = {table.OTHER: other.name, table.GONE: gone.public_id}
    return World(project, names | _names(people, project, foreign))


def _names(people: dict[str, Person], shop: Project, foreign: Project) -> dict[str, str]:
    alice, owner = people["alice"], person_caller(people["alice"])
    acme = make_organization(alice, members=(people["bob"], people["frank"]))
    acme.members.create(person=people["dave"], role="owner")
    guild = make_organization(alice, "guild", members=(people["bob"],))
    make_organization_project(guild, member_role=Role.READER)

    invitations = {
        table.INVITATION: create_invitation(owner, project_id=shop.path, role="reader"),
        table.WELCOME: create_invitation(owner, project_id=shop.path, role="reader"),
        table.REVOKED: create_invitation(owner, project_id=shop.path, role="reader"),
        table.TO_ACME: create_invitation(owner, organization="acme", role="member"),
        table.FOREIGN: create_invitation(
            person_caller(people["erin"]), project_id=foreign.path, role="reader"
        ),
    }
    revoke_invitation(owner, invitation_id=invitations[table.REVOKED].invitation.public_id)
    store_organization_instructions(owner, handle="acme", content="Be brief.", version=None)
    key = create_agent_key(owner, person=alice, wish=KeyWish("Codex"), projects=None)
    return {
        table.SHOP: "shop",
        table.SITE: "site",
        table.ACME: "acme",
        table.KEY: key.key.public_id,
        table.MEMORY: _memory(owner),
        table.LINK: create_sign_in_link(Operator(), person=alice),
        **{name: _told(name, made) for name, made in invitations.items()},
        table.IMPORT: ended_import(alice, shop),
        **_proposals(people, shop),
        **_run(people, shop),
        table.ITEM: str(shop.items.filter(number__isnull=False).earliest("pk").number),
        **_deletions(people, shop),
    }


def _memory(owner: Caller) -> str:
    return str(create(owner, None, "memory", title="Mine")["ref"]).partition(":")[2]


def _told(name: str, made: MadeInvitation) -> str:
    by_secret = name in {table.WELCOME, table.REVOKED}
    return made.token if by_secret else made.invitation.public_id


def _proposals(people: dict[str, Person], shop: Project) -> dict[str, str]:
    create(person_caller(people["alice"]), shop, "instructions", content="Test first.")
    bob, carol = person_caller(people["bob"]), person_caller(people["carol"])
    made = {
        table.PROPOSAL: create(bob, shop, "page", title="Bobs", content="text"),
        table.INSTRUCTING: change(bob, shop, "instructions", 1, content="Test last."),
        table.MODERATORS: create(carol, shop, "page", title="Carols", propose=True),
    }
    return {name: str(answer["proposal"]).partition(":")[2] for name, answer in made.items()}


def _deletions(people: dict[str, Person], shop: Project) -> dict[str, str]:
    robo, owner = agent_caller(people["bob"], "asking"), person_caller(people["alice"])
    made, other = (create(owner, shop, "page", title=title)["number"] for title in ("A", "B"))
    private = create(robo, shop, "memory", title="Mine", visibility="private")["number"]
    asked = {
        name: request_deletion(robo, DeletionCall(Address(shop.path, number=at), reason="secret"))
        for name, at in ((table.DELETION, made), (table.ALONE, private))
    }
    refs = {name: str(answer["request"]).partition(":")[2] for name, answer in asked.items()}
    return refs | {table.ERASABLE: f"{shop.path}#{other}", table.UNLOCKED: str(other)}


def _run(people: dict[str, Person], shop: Project) -> dict[str, str]:
    agent = agent_caller(people["alice"], "rogue")
    create(agent, shop, "page", title="Spam")
    since, until = timezone.now() - timedelta(hours=1), timezone.now()
    run = agent_run(
        person_caller(people["carol"]), shop.path, agent_ref=str(agent.agent_ref),
        since=since, until=until,
    )  # fmt: skip
    return {
        table.AGENT: str(agent.agent_ref),
        table.SINCE: since.isoformat(),
        table.UNTIL: until.isoformat(),
        table.SEEN: run.digest,
    }


def browser_of(caller: str, *, just_now: bool = True) -> Client:
    """A browser in which the caller has signed in. A fault of ours answers 500 there."""
    browser = Client(raise_request_exception=False)
    if caller in WHO:
        person = Person.objects.get(handle=WHO[caller])
        browser.force_login(person, backend=BACKEND)
        if just_now:
            request = HttpRequest()
            request.session = browser.session
            record_authentication(request, person, method="link")
            request.session.save()
    return browser


def stored() -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, but sessions."""
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values_list())
        for model in apps.get_models()
        if not issubclass(model, NO_DATA)
    }


@contextmanager
def writes() -> Iterator[list[str]]:
    """The statements that write something else than sessions, as they are run."""
    seen: list[str] = []
    tables = tuple(model._meta.db_table for model in NO_DATA)

    def note(execute: Any, sql: str, *more: Any) -> Any:
        is_reading = sql.startswith(("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK"))
        if not is_reading and not any(each in sql for each in tables):
            seen.append(sql)
        return execute(sql, *more)

    with connection.execute_wrapper(note):
        yield seen


def word_of(answer: Any, *, changed: bool) -> str:
    """An answer in the table's words."""
    word = str(answer.status_code)
    if word == LED and answer["Location"].startswith("/sign-in/"):
        word = SIGN_IN
    if word == "403":
        word = f"{word} {missing_of(answer)}"
    return f"{word} changed" if changed else word


def missing_of(answer: Any) -> str:
    """What a page says that one lacks."""
    names = {each.name for each in answer.templates}
    if "web/items/resend.html" in names and "refusal" not in answer.context:
        assert b"<h1>Your sign-in has ended</h1>" in answer.content
        return "sign-in"
    return str(answer.context["refusal"].details["missing"])


@contextmanager
def undone() -> Iterator[None]:
    """A block after which the database is as it was before."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def got_by(world: World, row: Row, caller: str) -> str:
    """What the caller gets. The tables are compared only where something was written."""
    with undone():
        world.open_up(row, caller)
        browser = browser_of(caller)
        with undone(), writes() as written:
            answer = world.ask(row, browser)
            after = stored() if written else None
        return word_of(answer, changed=after is not None and after != stored())


@pytest.mark.parametrize("row", [
    pytest.param(row, id=str(row), marks=[pytest.mark.xfail(reason=row.fault)] if row.fault else [])
    for row in ROWS
])  # fmt: skip
def test_each_caller_gets_what_the_table_says(world: World, row: Row) -> None:
    got = {caller: got_by(world, row, caller) for caller, _ in row.cells()}

    assert got == dict(row.cells())


def hidden_cells(row: Row) -> Iterator[str]:
    """The callers for whom it must be as if there were nothing."""
    for caller, answer in row.cells():
        if answer == HIDDEN or (answer == LED and caller in {"visitor", "reader"}):
            yield caller


@pytest.mark.parametrize("row", [row for row in ROWS if any(hidden_cells(row))], ids=str)
def test_what_is_hidden_answers_like_what_never_was(world: World, row: Row) -> None:
    for caller in hidden_cells(row):
        absent = table.NEVER_MADE
        if caller in {"stranger", table.LIKE_A_STRANGER}:
            absent = absent | table.NEVER_MADE_PLACES
        with undone():
            world.open_up(row, caller)
            hidden = seen(world.ask(row, browser_of(caller)))
        with undone():
            world.open_up(row, caller)
            missing = seen(world.ask(row, browser_of(caller), absent))

        assert hidden == missing, caller


def seen(answer: Any) -> tuple[object, ...]:
    """Status, headers and page; of a redirect, where it leads and the page there."""
    drawn_anew = {"Content-Security-Policy", "Content-Length", "Set-Cookie", "Expires"}
    headers = {name: value for name, value in answer.items() if name not in drawn_anew}
    page = answer.client.get(answer["Location"]) if answer.status_code == 302 else answer
    return answer.status_code, headers, without_tokens(page.content.decode())


def routes() -> set[str]:
    """The names of our addresses; allauth, the admin and the API have tables of their own."""
    others = {str(each.name) for each in signing_in.urlpatterns} - {"sign-in", "invitation"}
    return set(_named(get_resolver())) - others


def _named(resolver: URLResolver) -> Iterator[str]:
    for each in resolver.url_patterns:
        if isinstance(each, URLPattern):
            assert each.name, f"{each.pattern} has no name"
            yield each.name
        elif each.namespace not in {"admin", "api-v1"}:
            yield from _named(each)


@pytest.mark.no_database
def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert {row.route for row in ROWS if row.method == GET} == routes()
    assert {row.route for row in ROWS} == routes()


@pytest.mark.no_database
def test_no_request_stands_in_the_table_twice() -> None:
    named = [str(row) for row in ROWS]

    assert sorted(named) == sorted(set(named))


def test_an_address_takes_no_other_method_than_those_of_its_rows(world: World) -> None:
    posted = {row.route for row in ROWS if row.method != GET}
    owner = browser_of("owner")

    with writes() as written:
        for row in {row.route: row for row in ROWS}.values():
            others = ["PUT", "PATCH", "DELETE", *([] if row.route in posted else ["POST"])]
            answers = {each: owner.generic(each, world.path(row)).status_code for each in others}
            assert answers == dict.fromkeys(others, 405), row.route

    assert not written


def test_with_an_old_sign_in_keys_the_address_and_the_account_are_out_of_reach(
    world: World,
) -> None:
    asked = set()
    for row in ROWS:
        with undone():
            answer = world.ask(row, browser_of(row.callers[-1], just_now=False))
        if answer.headers.get("Location", "").startswith("/account/reauthenticate/"):
            asked.add((row.method, row.route))

    assert asked == {(POST, route) for route in table.ASKING_ANEW}


def test_signed_out_everything_but_public_pages_leads_to_the_door(world: World) -> None:
    rows = [row for row in table.PROJECT_ROWS if row.method == GET and row.answers[0] == SIGN_IN]
    for row in rows:
        answers = []
        closed = dict(row.cells())[table.PASSER_BY] == SIGN_IN
        for is_public, absent in ((False, {}), (closed, {}), (False, table.NEVER_MADE_PLACES)):
            Project.objects.filter(pk=world.shop.pk).update(is_public=is_public)
            answers.append(Client().get(world.path(row, absent)))

        doors = [each["Location"].replace("ship", "shop") for each in answers]
        assert len(set(doors)) == 1, str(row)
