"""What was typed stays: where the sign-in has ended, and where the role was lowered."""

from typing import Any

import pytest
from django.test import Client

from conderis.accounts.models import Person
from items.models import Item
from projects.capabilities import Role
from projects.models import Project, ProjectMember
from tests.factories import person_caller
from tests.items.calls import create, item_at
from tests.proposals.reviews import proposal_at, propose_new, robo
from tests.web.moderation_pages import DECIDE, QUEUE
from tests.web.test_item_resending import ORIGIN, again, opened, send, sign_in
from tests.web.test_item_saving import at, form_of

INSTRUCTIONS = "/alice/shop/settings/instructions/edit/"
pytestmark = pytest.mark.usefixtures("guide")


@pytest.fixture
def browser() -> Client:
    """One that checks tokens, as browsers are checked."""
    return Client(enforce_csrf_checks=True)


@pytest.fixture
def guide(alice: Person, project: Project) -> None:
    create(person_caller(alice), project, "page", title="Guide", content="one")


def lower(project: Project, person: Person) -> None:
    ProjectMember.objects.filter(project=project, person=person).update(role=Role.READER)


def after_signing_in(browser: Client, person: Person, path: str, out: Any) -> Any:
    """What comes of signing in anew and sending what the page shows, twice as people have to."""
    assert out.status_code == 403
    assert "Your sign-in has ended" in out.content.decode()
    sign_in(browser, person)
    old = again(browser, path, out)
    assert "Send it once more" in old.content.decode()
    return again(browser, path, old)


def test_instructions_of_a_project_outlive_the_sign_in(browser: Client, alice: Person) -> None:
    sign_in(browser, alice)
    form = opened(browser, INSTRUCTIONS)
    browser.logout()

    out = send(browser, INSTRUCTIONS, form, content="Typed at length", reason="why")
    stored = after_signing_in(browser, alice, INSTRUCTIONS, out)

    assert form_of(out)["reason"] == "why"
    assert "Typed at length" in stored.content.decode()
    assert stored.status_code == 200


def test_instructions_of_an_organization_outlive_the_sign_in(
    browser: Client, alice: Person
) -> None:
    sign_in(browser, alice)
    form = opened(browser, "/organizations/new/")
    send(browser, "/organizations/new/", form, handle="guild", name="Guild")
    path = "/organizations/guild/instructions/edit/"
    form = opened(browser, path)
    browser.logout()

    stored = after_signing_in(browser, alice, path, send(browser, path, form, content="Be kind"))

    assert stored.status_code == 200
    assert "Be kind" in stored.content.decode()


def test_a_decision_with_its_reason_outlives_the_sign_in(
    browser: Client, project: Project, alice: Person, bob: Person
) -> None:
    proposal = propose_new(robo(bob), project, "page", title="Pour over")
    page = f"{QUEUE}{proposal.removeprefix('proposal:')}/"
    sign_in(browser, alice)
    form = opened(browser, page)
    browser.logout()

    path = f"{page}reject/"
    out = send(browser, path, form, reason="Too long by far", next="on")
    stored = after_signing_in(browser, alice, path, out)

    assert form_of(out)["reason"] == "Too long by far"
    assert 'name="next" value="on"' in out.content.decode()
    assert stored.status_code == 200
    assert proposal_at(proposal).state == "rejected"
    assert proposal_at(proposal).decision_reason == "Too long by far"


@pytest.mark.parametrize("htmx", [False, True])
def test_several_decisions_outlive_the_sign_in_with_what_was_ticked(
    browser: Client, project: Project, alice: Person, bob: Person, *, htmx: bool
) -> None:
    two = [propose_new(robo(bob), project, "page", title=title) for title in ("One", "Two")]
    sign_in(browser, alice)
    browser.get(QUEUE)
    browser.logout()
    sent = {"proposal": two, "reason": "Both too long", "do": "reject"}
    more = {"hx-request": "true"} if htmx else {}

    out = browser.post(DECIDE, sent, headers={"origin": ORIGIN, **more})

    shown = out.content.decode()
    assert out.status_code == (200 if htmx else 403)
    assert ("HX-Retarget" in out) is htmx
    for each in two:
        assert f'name="proposal" value="{each}"' in shown
    assert 'name="do" value="reject"' in shown
    assert form_of(out)["reason"] == "Both too long"
    assert {proposal_at(each).state for each in two} == {"pending"}


def test_a_move_outlives_the_sign_in(
    browser: Client, project: Project, alice: Person, carol: Person
) -> None:
    create(person_caller(alice), project, "page", title="Above", content="")
    sign_in(browser, carol)
    path = at("item-move", number=1)
    form = opened(browser, path)
    browser.logout()

    out = send(browser, path, form, where="under", target="2")
    stored = after_signing_in(browser, carol, path, out)

    assert stored.status_code == 200
    assert item_at(project, 1).parent == item_at(project, 2)


@pytest.mark.parametrize("route", ["item-edit", "item-new"])
def test_whose_role_was_lowered_meanwhile_reads_so_above_what_they_typed(
    browser: Client, project: Project, carol: Person, route: str
) -> None:
    sign_in(browser, carol)
    path = at(route, number=1) if route == "item-edit" else at(route, kind="page")
    form = opened(browser, path)
    lower(project, carol)

    answer = send(browser, path, form, title="Mine", content="<b>Typed</b> at length")

    shown = answer.content.decode()
    assert answer.status_code == 403
    assert "Contributors, moderators and owners may do it." in shown
    assert "nothing that you typed is lost" in shown
    assert "Your sign-in has ended" not in shown
    assert form_of(answer)["content"] == "<b>Typed</b> at length"
    assert "<b>Typed" not in shown
    assert "no-store" in answer["Cache-Control"]
    assert Item.objects.count() == 1

    ProjectMember.objects.filter(project=project, person=carol).update(role=Role.MODERATOR)
    assert again(browser, path, answer).status_code == 200
    assert Item.objects.filter(content="<b>Typed</b> at length").exists()


def test_who_may_not_even_read_it_any_more_keeps_the_text_and_learns_nothing(
    browser: Client, project: Project, carol: Person
) -> None:
    sign_in(browser, carol)
    path = at("item-edit", number=1)
    form = opened(browser, path)
    ProjectMember.objects.filter(project=project, person=carol).delete()

    hidden = send(browser, path, form, content="Typed")
    missing = send(browser, "/alice/none/items/1/edit/", form, content="Typed")

    for answer in (hidden, missing):
        assert answer.status_code == 404
        assert form_of(answer)["content"] == "Typed"
        assert "There is nothing at this address" in answer.content.decode()


def test_a_refusal_without_typed_text_has_its_plain_page(
    browser: Client, project: Project, carol: Person
) -> None:
    sign_in(browser, carol)
    form = opened(browser, at("item", number=1))
    lower(project, carol)
    bare = {"csrfmiddlewaretoken": form["csrfmiddlewaretoken"], "version": "1"}

    answer = send(browser, at("item-act", number=1), bare, action="archive")

    assert answer.status_code == 403
    assert "nothing that you typed is lost" not in answer.content.decode()
