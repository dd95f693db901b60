"""The export of one's own data, and the deletion of the account."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from conderis.accounts.agent_keys import KeyWish
from conderis.accounts.authentication import NotAuthenticated, caller_of_key
from conderis.accounts.models import Person
from conderis.common.caller import Surface
from conderis.web.settings.download import Download
from projects.keys import create_agent_key
from projects.models import Project
from projects.organizations import create_organization
from tests.factories import person_caller
from tests.web.settings_pages import shown, signed_in_long_ago, signed_in_now

DELETE = "/settings/account/delete/"
CONFIRMED = {"name": "keep", "typed_handle": "bob"}


def test_the_export_is_a_file_with_ones_own_data_alone(
    alice: Person, bob: Person, project: Project
) -> None:
    answer = signed_in_long_ago(bob).post("/settings/account/export/")

    content = answer.getvalue().decode()
    exported: dict[str, Any] = json.loads(content)
    assert answer["Content-Disposition"] == 'attachment; filename="conderis-bob.json"'
    assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "no-store"
    assert exported["account"]["handle"] == "bob"
    assert exported["account"]["email"] == "bob.canary@example.org"
    assert "alice.canary" not in content


def test_the_export_holds_no_text_and_no_digest_of_a_key(bob: Person) -> None:
    made = create_agent_key(person_caller(bob), person=bob, wish=KeyWish(name="Codex"))

    answer = signed_in_long_ago(bob).post("/settings/account/export/")

    content = answer.getvalue().decode()
    assert "Codex" in content
    assert made.text not in content
    assert made.key.digest not in content


def test_the_export_is_sent_for_a_form_alone_and_to_nobody_who_is_not_in(
    client: Client, bob: Person
) -> None:
    assert client.post("/settings/account/export/")["Location"].startswith("/sign-in/")
    assert signed_in_long_ago(bob).get("/settings/account/export/").status_code == 405


@pytest.mark.no_database
def test_under_asgi_a_download_is_sent_piece_by_piece() -> None:
    made: list[str] = []

    def pieces() -> Iterator[str]:
        for piece in ("a", "", "c"):
            made.append(piece)
            yield piece

    async def take() -> tuple[bytes, int, list[bytes]]:
        taken = aiter(Download(pieces(), name="x.json", kind="application/json"))
        first = await anext(taken)
        return first, len(made), [piece async for piece in taken]

    assert asyncio.run(take()) == (b"a", 1, [b"", b"c"])


def test_the_deletion_says_what_goes_and_what_stays(bob: Person, project: Project) -> None:
    content = shown(signed_in_long_ago(bob).get(DELETE).content)

    for words in (
        "Delete the account “bob”",
        "0 personal memories",
        "0 items that you shared",
        "Your handle stays taken",
    ):
        assert words in content
    assert "In the way" not in content


def test_a_deleted_account_is_signed_out_and_its_keys_are_refused(
    bob: Person, project: Project
) -> None:
    made = create_agent_key(person_caller(bob), person=bob, wish=KeyWish(name="Codex"))
    client = signed_in_now(bob)

    answer = client.post(DELETE, CONFIRMED, follow=True)

    bob.refresh_from_db()
    assert answer.redirect_chain == [("/settings/account/deleted/", 302)]
    assert "Your account is deleted" in shown(answer.content)
    assert bob.left_at is not None
    assert bob.display_name == "Bob"
    assert client.get("/settings/")["Location"].startswith("/sign-in/")
    with pytest.raises(NotAuthenticated):
        caller_of_key(made.text, surface=Surface.MCP)


def test_the_page_that_says_it_is_done_is_shown_once(bob: Person) -> None:
    client = signed_in_now(bob)
    client.post(DELETE, CONFIRMED, follow=True)

    assert client.get("/settings/account/deleted/")["Location"] == "/"
    assert Client().get("/settings/account/deleted/")["Location"] == "/"


def test_the_name_can_be_taken_away_with_the_account(bob: Person) -> None:
    signed_in_now(bob).post(DELETE, {"name": "remove", "typed_handle": "bob"})

    bob.refresh_from_db()
    assert bob.display_name == "Former member"


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"name": "keep", "typed_handle": "alice"}, "typed_handle", "Type bob to confirm."),
        ({"name": "keep", "typed_handle": ""}, "typed_handle", "This field is required."),
        ({"name": "burn", "typed_handle": "bob"}, "name", "Select a valid choice"),
        ({"typed_handle": "bob"}, "name", "This field is required."),
    ],
)
def test_a_deletion_that_is_not_confirmed_deletes_nothing(
    bob: Person, fields: dict[str, str], field: str, said: str
) -> None:
    answer = signed_in_now(bob).post(DELETE, fields)

    _, _, beside = shown(answer.content).partition(f'id="id_{field}_error"')
    bob.refresh_from_db()
    assert answer.status_code == 400
    assert said in beside.partition("</div>")[0]
    assert bob.left_at is None


def test_who_owns_projects_or_organizations_alone_is_told_which_and_stays(
    alice: Person, project: Project
) -> None:
    create_organization(person_caller(alice), handle="halyard", name="Halyard", owner="alice")
    client = signed_in_now(alice)

    page = shown(client.get(DELETE).content)
    answer = client.post(DELETE, {"name": "keep", "typed_handle": "alice"})

    alice.refresh_from_db()
    assert 'href="/organizations/halyard/"' in page
    assert 'href="/alice/shop/"' in page
    assert "for good</button>" not in page
    assert answer.status_code == 409
    assert "Nothing was changed." in shown(answer.content)
    assert alice.left_at is None


def test_the_last_admin_is_told_so_and_stays(alice: Person) -> None:
    Person.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    client = signed_in_now(alice)

    page = shown(client.get(DELETE).content)
    answer = client.post(DELETE, {"name": "keep", "typed_handle": "alice"})

    alice.refresh_from_db()
    assert "last admin of this server" in page
    assert answer.status_code == 409
    assert alice.left_at is None


def test_a_deletion_needs_a_recent_sign_in(bob: Person) -> None:
    answer = signed_in_long_ago(bob).post(DELETE, CONFIRMED)

    bob.refresh_from_db()
    assert answer["Location"].startswith("/account/reauthenticate/")
    assert bob.left_at is None
