"""One agent key: changed, replaced, revoked."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from conderis.accounts.agent_keys import KeyWish, MadeKey
from conderis.accounts.authentication import NotAuthenticated, caller_of_key
from conderis.accounts.models import AgentKey, Person
from conderis.common.caller import Surface
from projects.keys import create_agent_key
from projects.members import remove_member
from projects.models import Project
from tests.factories import make_project, person_caller
from tests.web.settings_pages import (
    has_key,
    key_text,
    shown,
    signed_in_long_ago,
    signed_in_now,
)


@pytest.fixture
def made(alice: Person, project: Project) -> MadeKey:
    return create_agent_key(
        person_caller(alice), person=alice, wish=KeyWish(name="Codex"), projects=["alice/shop"]
    )


def path_of(made: MadeKey, *more: str) -> str:
    return "/".join(["/settings/keys", made.key.public_id, *more, ""])


def limits(**changed: Any) -> dict[str, Any]:
    return {
        "scopes": ["read", "write", "delete"],
        "reach": "chosen",
        "projects": ["alice/shop"],
        "ends": "keep",
        **changed,
    }


def works(text: str) -> bool:
    try:
        caller_of_key(text, surface=Surface.MCP)
    except NotAuthenticated:
        return False
    return True


def test_the_page_shows_the_limits_as_they_are(alice: Person, made: MadeKey) -> None:
    content = signed_in_long_ago(alice).get(path_of(made)).content.decode()

    assert "As it is: never" in content
    assert 'value="alice/shop" aria-describedby' in content or 'value="alice/shop"' in content
    assert not has_key(content.encode())


def test_limits_are_changed_and_count_from_the_next_call(alice: Person, made: MadeKey) -> None:
    client = signed_in_now(alice)

    answer = client.post(
        path_of(made),
        limits(scopes=["read"], always_review="on", reach="all", ends="30d"),
        follow=True,
    )

    agent = caller_of_key(made.text, surface=Surface.MCP)
    key = AgentKey.objects.get()
    assert agent.key is not None
    assert (sorted(agent.key.scopes), agent.key.all_projects) == (["read"], True)
    assert agent.always_reviewed
    assert key.expires_at is not None
    assert answer.redirect_chain == [("/settings/keys/", 302)]
    assert "Key for “Codex” changed." in shown(answer.content)


def test_a_form_that_is_sent_as_it_was_shown_changes_nothing(
    alice: Person, bob: Person, made: MadeKey
) -> None:
    before = AgentKey.objects.values().get()

    signed_in_now(alice).post(path_of(made), limits())

    assert AgentKey.objects.values().get() == before


def test_projects_that_the_owner_cannot_read_now_stay_chosen(
    alice: Person, bob: Person, project: Project
) -> None:
    make_project(bob, "own")
    made = create_agent_key(
        person_caller(bob), person=bob, wish=KeyWish(name="Codex"),
        projects=["alice/shop", "bob/own"],
    )  # fmt: skip
    remove_member(person_caller(alice), project_id="alice/shop", handle="bob")

    signed_in_now(bob).post(path_of(made), limits(projects=["bob/own"], scopes=["read"]))

    assert made.key.chosen_projects.count() == 2
    assert AgentKey.objects.get().scopes == ["read"]


def test_review_of_a_key_that_is_always_reviewed_is_refused_beside_the_scopes(
    alice: Person, made: MadeKey
) -> None:
    answer = signed_in_now(alice).post(
        path_of(made), limits(scopes=["read", "review"], always_review="on")
    )

    _, _, beside = shown(answer.content).partition('id="id_scopes_error"')
    assert answer.status_code == 400
    assert "cannot have the scope review" in beside.partition("</div>")[0]
    assert AgentKey.objects.get().scopes == ["read", "write", "delete"]


def test_an_end_in_the_past_is_refused_beside_the_date(alice: Person, made: MadeKey) -> None:
    answer = signed_in_now(alice).post(path_of(made), limits(ends="date", until="2001-01-01"))

    _, _, beside = shown(answer.content).partition('id="id_until_error"')
    assert answer.status_code == 400
    assert "Date must be in the future" in beside.partition("</div>")[0]


def test_a_replaced_key_ends_now_and_its_successor_is_shown_once(
    alice: Person, made: MadeKey
) -> None:
    client = signed_in_now(alice)

    answer = client.post(path_of(made, "replace"), {"overlap": "0"})

    text = key_text(answer.content)
    successor = caller_of_key(text, surface=Surface.MCP)
    assert "no-store" in answer["Cache-Control"]
    assert text != made.text
    assert successor.agent_name == "Codex"
    assert successor.key is not None
    assert not successor.key.all_projects
    assert not works(made.text)
    assert not has_key(client.get("/settings/keys/").content)


@pytest.mark.parametrize(("overlap", "hours"), [("1", 1), ("24", 24)])
def test_with_an_overlap_both_keys_work_until_the_old_one_ends(
    alice: Person, made: MadeKey, overlap: str, hours: int
) -> None:
    client = signed_in_now(alice)

    text = key_text(client.post(path_of(made, "replace"), {"overlap": overlap}).content)

    old = AgentKey.objects.get(pk=made.key.pk)
    assert works(text)
    assert works(made.text)
    assert old.expires_at is not None
    left = old.expires_at - timezone.now()
    assert timedelta() <= timedelta(hours=hours) - left < timedelta(minutes=1)
    assert "replaced, ends" in shown(client.get("/settings/keys/").content)
    assert "A newer key has replaced this one" in shown(client.get(path_of(made)).content)


def test_a_key_is_replaced_once(alice: Person, made: MadeKey) -> None:
    client = signed_in_now(alice)
    client.post(path_of(made, "replace"), {"overlap": "24"})

    again = client.post(path_of(made, "replace"), {"overlap": "24"})

    assert again.status_code == 409
    assert "has been replaced" in shown(again.content)
    assert not has_key(again.content)
    assert AgentKey.objects.count() == 2


def test_an_overlap_that_is_not_offered_is_refused(alice: Person, made: MadeKey) -> None:
    answer = signed_in_now(alice).post(path_of(made, "replace"), {"overlap": "48"})

    assert answer.status_code == 400
    assert works(made.text)
    assert AgentKey.objects.count() == 1


def test_revoking_has_a_page_of_its_own_and_ends_the_key_for_the_next_call(
    alice: Person, made: MadeKey
) -> None:
    client = signed_in_long_ago(alice)
    assert "cannot be undone" in shown(client.get(path_of(made, "revoke")).content)
    assert works(made.text)

    answer = client.post(path_of(made, "revoke"), follow=True)

    assert not works(made.text)
    assert "Key for “Codex” revoked." in shown(answer.content)


def test_a_key_that_has_ended_offers_nothing_but_a_new_one(alice: Person, made: MadeKey) -> None:
    client = signed_in_now(alice)
    client.post(path_of(made, "revoke"))

    page = shown(client.get(path_of(made)).content)
    changed = client.post(path_of(made), limits(scopes=["read"]))
    replaced = client.post(path_of(made, "replace"), {"overlap": "0"})

    assert "This key has ended." in page
    assert "Save limits" not in page
    assert (changed.status_code, replaced.status_code) == (409, 409)
    assert "has ended already" in shown(client.get(path_of(made, "revoke")).content)
    assert AgentKey.objects.count() == 1


@pytest.mark.parametrize("more", [[], ["replace"], ["revoke"]])
@pytest.mark.parametrize("method", ["get", "post"])
def test_anothers_key_is_answered_as_one_that_there_is_not(
    carol: Person, made: MadeKey, more: list[str], method: str
) -> None:
    client = signed_in_now(carol)

    hidden = getattr(client, method)(path_of(made, *more), limits(overlap="0"))
    missing = getattr(client, method)("/".join(["/settings/keys/none", *more, ""]),
                                      limits(overlap="0"))  # fmt: skip

    assert (hidden.status_code, missing.status_code) == (404, 404)
    assert shown(hidden.content) == shown(missing.content)
    assert works(made.text)
    assert AgentKey.objects.count() == 1


def test_the_text_of_a_key_is_no_address(alice: Person, made: MadeKey) -> None:
    answer = signed_in_now(alice).get(f"/settings/keys/{made.text}/")

    assert answer.status_code == 404


@pytest.mark.parametrize("more", [[], ["replace"]])
def test_changing_and_replacing_need_a_recent_sign_in(
    alice: Person, made: MadeKey, more: list[str]
) -> None:
    client = signed_in_long_ago(alice)

    answer = client.post(path_of(made, *more), limits(scopes=["read"], overlap="0"))

    assert answer["Location"].startswith("/account/reauthenticate/")
    assert AgentKey.objects.get().scopes == ["read", "write", "delete"]
    assert works(made.text)
