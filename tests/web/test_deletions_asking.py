"""Asking for an erasure in the browser, and the links that lead there."""

import pytest

from conderis.accounts.models import Person
from conderis.web.deletions.forms import Target, read_target
from items.models import Item
from items.requests import Address
from projects.models import Project
from proposals.organization_instructions import store_organization_instructions
from tests.factories import person_caller
from tests.items.calls import change, create, item_at
from tests.projects.making import make_organization
from tests.proposals.reviews import propose_new, robo
from tests.web.deletion_pages import (
    LIST,
    MARK,
    asked_for_new,
    opened,
    request_of,
    stored,
    text_of,
    words_of,
)
from tests.web.settings_pages import shown, signed_in_long_ago

NEW = f"{LIST}new/"
WHY = {"reason": "It names a customer"}


@pytest.mark.no_database
def test_an_address_names_items_memories_proposals_and_instructions() -> None:
    assert read_target(" alice/shop#12 ") == Target(Address(ref="alice/shop#12"))
    assert read_target("memory:abc") == Target(Address(ref="memory:abc"))
    assert read_target("proposal:abc") == Target(Address(ref="proposal:abc"))
    assert read_target("alice/shop#instructions") == Target(
        Address(project_id="alice/shop", ref="instructions")
    )
    assert read_target("@acme#instructions") == Target(Address(), organization="acme")
    assert read_target("a/b#instructions2") == Target(Address(ref="a/b#instructions2"))


def test_the_form_is_filled_in_from_the_address_and_says_what_happens(alice: Person) -> None:
    page = opened(alice, f"{NEW}?what=alice/shop%2312&version=3")

    assert 'value="alice/shop#12"' in text_of(page)
    assert 'value="3"' in text_of(page)
    assert "It is locked at once, for everybody" in words_of(page)
    assert "A person decides" in words_of(page)
    assert opened(alice, f"{NEW}?what=%3Cb%3E&version=nonsense").status_code == 200


def test_a_contributor_asks_and_it_is_locked_at_once(
    project: Project, alice: Person, bob: Person
) -> None:
    stored(alice, project)

    done = signed_in_long_ago(bob).post(NEW, {"what": "alice/shop#1", **WHY}, follow=True)

    item = item_at(project, 1)
    assert "Locked. Nobody reads it until a person has decided." in words_of(done)
    assert done.redirect_chain == [(f"{LIST}{item.locked_by}/", 302)]
    assert request_of(item.locked_by).requester == bob
    assert request_of(item.locked_by).requester_agent is None


def test_one_version_alone_is_asked_for(project: Project, alice: Person) -> None:
    stored(alice, project)
    change(person_caller(alice), project, 1, 1, content="Clean", complete=True)

    signed_in_long_ago(alice).post(NEW, {"what": "alice/shop#1", "version": "1", **WHY})

    item = item_at(project, 1)
    assert item.locked_at is None
    assert item.events.get(version=1).locked_by


def test_a_personal_memory_a_proposal_and_instructions_are_asked_for(
    project: Project, alice: Person, bob: Person
) -> None:
    make_organization(alice)
    store_organization_instructions(
        person_caller(alice), handle="acme", content="Be brief.", version=None
    )
    create(person_caller(alice), project, "instructions", content="Test first.")
    proposal = propose_new(robo(bob), project, "page", title="Mine", content="text")
    personal = stored(bob, None, "memory")

    asked = [
        signed_in_long_ago(person).post(NEW, {"what": what, **WHY})
        for person, what in (
            (bob, personal),
            (bob, proposal),
            (bob, "alice/shop#instructions"),
            (alice, "@acme#instructions"),
        )
    ]

    assert [answer.status_code for answer in asked] == [302] * 4
    requests = [request_of(answer["Location"].split("/")[2]) for answer in asked]
    assert requests[0].item is not None
    assert requests[0].item.visibility == "private"
    assert requests[1].proposal is not None
    assert [each.item.kind for each in requests[2:] if each.item] == ["instructions"] * 2
    assert Item.objects.get(organization__handle="acme").locked_at is not None


def test_asking_twice_is_harmless_and_leads_to_the_list(
    project: Project, alice: Person, bob: Person
) -> None:
    stored(alice, project)
    client = signed_in_long_ago(bob)
    client.post(NEW, {"what": "alice/shop#1", **WHY})

    again = client.post(NEW, {"what": "alice/shop#1", **WHY}, follow=True)

    assert "It is locked already. A person decides that request." in words_of(again)
    assert again.redirect_chain == [(LIST, 302)]
    assert item_at(project, 1).deletion_requests.count() == 1


@pytest.mark.parametrize(
    ("sent", "status", "beside"),
    [
        ({"what": "alice/shop#1", "reason": " "}, 400, "id_reason_error"),
        ({"what": "", "reason": "x"}, 400, "id_what_error"),
        ({"what": "12", "reason": "x"}, 400, "id_what_error"),
        ({"what": "alice/shop#1", "version": "7", "reason": "x"}, 400, "id_version_error"),
        ({"what": "alice/shop#1", "version": "0", "reason": "x"}, 400, "id_version_error"),
        ({"what": "alice/shop#99", "reason": "x"}, 400, "note-stop"),
        ({"what": "alice/shop", "reason": "x"}, 400, "id_what_error"),
    ],
)
def test_a_wrong_form_says_so_beside_its_field_and_locks_nothing(
    project: Project, alice: Person, sent: dict[str, str], status: int, beside: str
) -> None:
    stored(alice, project)

    answer = signed_in_long_ago(alice).post(NEW, sent)

    assert answer.status_code == status
    assert beside in text_of(answer)
    assert item_at(project, 1).locked_at is None


def test_who_may_not_write_is_refused_and_what_is_hidden_is_as_if_it_were_not_there(
    project: Project, alice: Person, bob: Person, rita: Person, mallory: Person
) -> None:
    stored(alice, project)
    private = stored(bob, project, "memory", visibility="private")

    denied = signed_in_long_ago(rita).post(NEW, {"what": "alice/shop#1", **WHY})
    of_stranger = signed_in_long_ago(mallory)
    of_owner = signed_in_long_ago(alice)

    assert denied.status_code == 403
    for client, hidden, missing in (
        (of_stranger, "alice/shop#1", "alice/ship#1"),
        (of_owner, f"alice/shop#{private}", "alice/shop#9"),
    ):
        pages = [client.post(NEW, {"what": what, **WHY}) for what in (hidden, missing)]
        assert [page.status_code for page in pages] == [400, 400]
        texts = [
            shown(page.content).replace("ship", "shop").replace("#9", f"#{private}")
            for page in pages
        ]
        assert texts[0] == texts[1]
    assert Item.objects.filter(locked_at__isnull=False).count() == 0


def test_instructions_and_proposals_lead_to_the_form(
    project: Project, alice: Person, bob: Person, rita: Person
) -> None:
    make_organization(alice, members=(bob,))
    store_organization_instructions(
        person_caller(alice), handle="acme", content="Be brief.", version=None
    )
    create(person_caller(alice), project, "instructions", content="Test first.")
    change(person_caller(alice), project, "instructions", 1, content="Test last.", complete=True)
    ref = propose_new(robo(bob), project, "page", title="Mine", content="text")
    here = "/alice/shop/settings/instructions/"
    what = "/deletions/new/?what=alice%2Fshop%23instructions"

    assert f'href="{what}"' in text_of(opened(bob, here))
    assert f'href="{what}&amp;version=1"' in text_of(opened(bob, f"{here}versions/1/"))
    history = text_of(opened(bob, f"{here}history/"))
    assert all(f'href="{what}&amp;version={n}"' in history for n in (1, 2))
    assert "/deletions/new/" not in text_of(opened(rita, here))
    acme = "/organizations/acme/instructions/"
    assert "?what=%40acme%23instructions" in text_of(opened(alice, acme))
    assert "?what=%40acme%23instructions" in text_of(opened(alice, f"{acme}history/"))
    assert "/deletions/new/" not in text_of(opened(bob, acme))
    review = f"/alice/shop/moderation/{ref.removeprefix('proposal:')}/"
    for person in (alice, bob):
        assert f"?what=proposal%3A{ref.removeprefix('proposal:')}" in text_of(
            opened(person, review)
        )


def test_a_locked_text_offers_no_second_request(
    project: Project, alice: Person, bob: Person
) -> None:
    create(person_caller(alice), project, "instructions", content=MARK)
    signed_in_long_ago(bob).post(NEW, {"what": "alice/shop#instructions", **WHY})

    page = opened(alice, "/alice/shop/settings/instructions/")

    assert "A deletion request has locked this text." in words_of(page)
    assert "/deletions/new/" not in text_of(page)
    assert MARK not in text_of(page)


def test_the_menu_and_the_start_page_lead_to_the_deletions(
    project: Project, alice: Person, bob: Person
) -> None:
    quiet = opened(alice, "/")
    asked_for_new(bob, alice, project)

    waits = opened(alice, "/")

    assert "Deletions to decide" not in words_of(quiet)
    assert 'href="/deletions/"' in text_of(quiet)
    assert "Deletions to decide 1" in words_of(waits)
    assert "Deletions to decide" not in words_of(opened(bob, "/"))
