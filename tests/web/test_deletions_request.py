"""The page of a deletion request: what it says, revealing, erasing, refusing, withdrawing."""

import pytest
from django.test import Client

from conderis.accounts.models import AuditEvent, Person
from conderis.common.errors import NotFound
from items.reading import read_item
from items.requests import Address, ReadRequest
from privacy.deciding import erase, refuse, withdraw
from privacy.models import DeletionRequest
from projects.models import Project
from tests.factories import agent_caller, make_person, person_caller
from tests.items.calls import act, change, create, item_at
from tests.proposals.reviews import propose, propose_new, robo
from tests.web.deletion_pages import (
    MARK,
    OF_SHOP,
    REASON,
    asked,
    asked_for_new,
    at,
    listed,
    opened,
    recorded,
    request_of,
    stored,
    text_of,
    words_of,
)
from tests.web.settings_pages import shown, signed_in_long_ago, signed_in_now

ERASING = DeletionRequest.State.ERASING
ERASED = DeletionRequest.State.ERASED


@pytest.fixture
def made(project: Project, alice: Person, bob: Person) -> str:
    """The id of a request that bob's agent has made for page #1 of alice."""
    return asked_for_new(bob, alice, project)


def test_the_page_says_who_asked_when_why_and_what_is_affected(
    project: Project, alice: Person, bob: Person
) -> None:
    where = stored(alice, project)
    create(person_caller(alice), project, "page", title="Child", parent=where)
    create(person_caller(alice), project, "task", title="Task")
    act(person_caller(alice), project, 1, "relate", target=3, relation="relates")
    change(person_caller(alice), project, where, 1, title=f"Two {MARK}")
    propose(robo(bob), project, where, title=f"Three {MARK}")
    made = asked(agent_caller(bob, "Codex"), project, where)

    page = opened(alice, at(made))

    words = words_of(page)
    for said in (
        "Erase page #1?", "Pending", "alice/shop", "Bob", "Codex", REASON,
        "Versions 2", "Pending proposals 1", "Relations 1", "Children 1",
        "Backups, replicas and files that were exported before keep a copy",
        "Erase for good", "Refuse and unlock",
    ):  # fmt: skip
        assert said in words, said
    assert MARK not in text_of(page)
    assert "no-store" in page["Cache-Control"]


def test_of_one_version_it_says_which_others_hold_the_same_text(
    project: Project, alice: Person, bob: Person
) -> None:
    long = "The same words, long enough to be told apart from what everybody writes."
    where = stored(alice, project, content=long)
    for version in (1, 2):
        change(person_caller(alice), project, where, version, title=f"Title {version}")
    made = asked(agent_caller(bob), project, where, version=2)

    for path in (at(made), at(made, "erase")):
        words = words_of(opened(alice, path))
        assert "Erasing version 2 alone leaves it in versions 1, 3." in words
        assert "Erase version 2 of page #1" in words
        assert "?what=alice%2Fshop%231" in text_of(opened(alice, path))


def test_who_asked_but_does_not_decide_reads_the_request_and_may_withdraw_it(
    made: str, project: Project, bob: Person
) -> None:
    words = words_of(opened(bob, at(made)))

    assert REASON in words
    assert "Whoever may moderate here decides this request." in words
    assert "Withdraw and unlock" in words
    for denied in ("Reveal content", "Refuse and unlock", "Erase for good"):
        assert denied not in words
    client = signed_in_now(bob)
    for action in ("reveal", "erase", "refuse"):
        answer = client.post(at(made, action), {"reason": "x"})
        assert answer.status_code == 403, action
    assert client.get(at(made, "erase"))["Location"] == at(made)
    assert request_of(made).state == "pending"
    assert recorded("revealed") == 0


def test_revealing_shows_the_content_in_this_answer_alone_and_is_recorded(
    project: Project, alice: Person, bob: Person
) -> None:
    hidden = f"a\u200bb \u202etxt\u202c <b>{MARK}</b>\nline two"
    made = asked(agent_caller(bob), project, stored(alice, project, content=hidden))
    client = signed_in_now(alice)

    page = client.post(at(made, "reveal"))

    text = text_of(page)
    assert page.status_code == 200
    assert f"Title {MARK}" in text
    assert f"&lt;b&gt;{MARK}&lt;/b&gt;" in text
    assert "U+200B" in text
    assert "U+202E" in text
    assert "\u200b" not in text
    assert "\u202e" not in text
    assert "no-store" in page["Cache-Control"]
    event = AuditEvent.objects.get(action="deletion.revealed")
    assert (event.person_id, event.subject) == (alice.pk, "#1")
    assert MARK not in str(event.detail)
    assert MARK not in text_of(client.get(at(made)))
    assert client.get(at(made, "reveal"))["Location"] == at(made)
    assert recorded("revealed") == 1


def test_other_versions_can_be_revealed_each_on_record(
    project: Project, alice: Person, bob: Person
) -> None:
    where = stored(alice, project)
    change(person_caller(alice), project, where, 1, content="Clean", complete=True)
    made = asked(agent_caller(bob), project, where)
    client = signed_in_now(alice)

    now = text_of(client.post(at(made, "reveal")))
    before = text_of(client.post(at(made, "reveal"), {"version": "1"}))

    assert f"Content {MARK}" not in now
    assert '<option value="1">' in now
    assert f"Content {MARK}" in before
    assert recorded("revealed") == 2


@pytest.mark.parametrize("action", ["reveal", "erase"])
def test_revealing_and_erasing_need_a_recent_sign_in(made: str, alice: Person, action: str) -> None:
    answer = signed_in_long_ago(alice).post(at(made, action))

    assert answer["Location"].startswith("/account/reauthenticate/")
    assert request_of(made).state == "pending"
    assert recorded("revealed") == 0


def test_after_a_password_the_reveal_that_was_asked_for_is_shown(made: str, alice: Person) -> None:
    alice.set_password("plum-Harbour-27-slow")
    alice.save()
    client = signed_in_long_ago(alice)

    door = client.post(at(made, "reveal"))
    page = client.post(door["Location"], {"password": "plum-Harbour-27-slow"})

    assert MARK in text_of(page)
    assert "no-store" in page["Cache-Control"]
    assert recorded("revealed") == 1


def test_erasing_takes_a_page_that_says_that_it_cannot_be_undone(
    made: str, project: Project, alice: Person
) -> None:
    client = signed_in_now(alice)
    before = client.get(at(made, "erase"))

    done = client.post(at(made, "erase"), follow=True)

    assert "This cannot be undone" in words_of(before)
    assert "Erase #1 for good" in words_of(before)
    assert request_of(made).state == ERASING
    assert item_at(project, 1).title == ""
    assert "Erased from every table; the files are being cleared. None is left." in words_of(done)
    assert "Still running" in words_of(done)
    assert "What was emptied or removed" in words_of(done)
    assert REASON not in text_of(done)
    assert client.get(at(made, "erase"))["Location"] == at(made)


def test_while_files_are_cleared_the_page_looks_again_until_that_has_ended(
    made: str, alice: Person
) -> None:
    client = signed_in_now(alice)
    client.post(at(made, "erase"))
    htmx = {"HX-Request": "true"}

    waits = client.get(at(made), headers=htmx)
    DeletionRequest.objects.filter(public_id=made).update(state=ERASED)
    over = client.get(at(made), headers=htmx)
    page = words_of(client.get(at(made)))

    assert (waits.status_code, waits.content) == (204, b"")
    assert over["HX-Refresh"] == "true"
    assert "Gone from every table, index and file of this server." in page
    assert "Still running" not in page


@pytest.mark.django_db(transaction=True)
def test_an_erasure_from_the_page_ends_with_the_files_cleared(
    project: Project, alice: Person, bob: Person
) -> None:
    made = asked_for_new(bob, alice, project)
    client = signed_in_now(alice)

    client.post(at(made, "erase"))
    client.get(at(made))

    assert request_of(made).state == ERASED
    assert "Erased" in words_of(client.get(at(made)))


def test_a_double_click_erases_once_and_says_so(made: str, alice: Person) -> None:
    client = signed_in_now(alice)

    client.post(at(made, "erase"), follow=True)
    again = client.post(at(made, "erase"), follow=True)

    assert "It was erased before. Nothing was changed now." in words_of(again)
    assert recorded("erased") == 1


def test_refusing_needs_a_reason_which_reaches_who_asked(
    made: str, project: Project, alice: Person, bob: Person
) -> None:
    client = signed_in_long_ago(alice)

    empty = client.post(at(made, "refuse"), {"reason": " "})
    done = client.post(at(made, "refuse"), {"reason": "It is public anyway"}, follow=True)
    again = client.post(at(made, "refuse"), {"reason": "Once more"}, follow=True)

    assert empty.status_code == 400
    assert "Refusing needs a reason" in words_of(empty)
    assert "Refused, and unlocked. None is left." in words_of(done)
    assert "It was refused before. Nothing was changed now." in words_of(again)
    theirs = words_of(opened(bob, at(made)))
    assert "It is public anyway" in theirs
    assert "The lock is lifted" in theirs
    request = ReadRequest(Address(project.path, number=1))
    assert MARK in read_item(person_caller(bob), request)["title"]


def test_withdrawing_lifts_the_lock_and_is_for_who_asked_alone(
    made: str, project: Project, alice: Person, bob: Person
) -> None:
    foreign = signed_in_long_ago(alice).post(at(made, "withdraw"))
    own = signed_in_long_ago(bob)

    done = own.post(at(made, "withdraw"), follow=True)
    again = own.post(at(made, "withdraw"), follow=True)

    assert foreign.status_code == 403
    assert "Withdrawn, and unlocked." in words_of(done)
    assert "Nothing was changed now." in words_of(again)
    assert item_at(project, 1).locked_at is None
    assert recorded("withdrawn") == 1


def test_a_lone_owner_decides_their_own_request(project: Project, alice: Person) -> None:
    made = asked(agent_caller(alice), project, stored(alice, project))
    words = words_of(opened(alice, at(made)))

    signed_in_now(alice).post(at(made, "erase"))

    assert "It is your own request" in words
    assert request_of(made).state == ERASING


@pytest.mark.parametrize(("first", "second"), [(refuse, "erase"), (erase, "refuse")])
def test_what_another_has_decided_meanwhile_is_said_and_stays(
    made: str, alice: Person, carol: Person, first: object, second: str
) -> None:
    client = signed_in_now(carol)
    client.get(at(made))
    more = {"reason": "No"} if first is refuse else {}
    first(person_caller(alice), f"deletion:{made}", **more)  # type: ignore[operator]
    state = request_of(made).state

    late = client.post(at(made, second), {"reason": "Late"})
    reveal = client.post(at(made, "reveal"))

    assert (late.status_code, reveal.status_code) == (409, 409)
    assert "Nothing was decided now" in words_of(late)
    assert f"is decided already: it is {state}" in words_of(late)
    assert request_of(made).state == state
    assert MARK not in text_of(late) + text_of(reveal)
    assert recorded("revealed") == 0


def test_a_request_that_was_withdrawn_meanwhile_is_not_decided(
    made: str, alice: Person, bob: Person
) -> None:
    withdraw(person_caller(bob), f"deletion:{made}")

    answer = signed_in_now(alice).post(at(made, "erase"))

    assert answer.status_code == 409
    assert request_of(made).state == "withdrawn"


@pytest.mark.usefixtures("mallory")
def test_for_others_it_is_as_if_there_were_none(project: Project, made: str) -> None:
    for handle in ("rita", "mallory"):
        client = signed_in_now(Person.objects.get(handle=handle))
        for method, action in (
            ("get", ""), ("post", "reveal"), ("get", "erase"), ("post", "erase"),
            ("post", "refuse"), ("post", "withdraw"),
        ):  # fmt: skip
            hidden = getattr(client, method)(at(made, action), {"reason": "x"})
            missing = getattr(client, method)(at("abcdefghijkm", action), {"reason": "x"})
            assert hidden.status_code == missing.status_code == 404, (handle, action)
            assert shown(hidden.content) == shown(missing.content)
    assert request_of(made).state == "pending"


def test_a_private_memory_is_decided_by_its_author_alone_and_exists_for_nobody_else(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    admin = make_person("root", is_staff=True, is_superuser=True)
    private = asked(
        agent_caller(bob), project, stored(bob, project, "memory", visibility="private")
    )
    personal = asked(agent_caller(bob), None, stored(bob, None, "memory"))

    for made in (private, personal):
        for other in (alice, carol, admin):
            client = signed_in_now(other)
            for path in (at(made), at(made, "erase")):
                hidden = client.get(path)
                missing = client.get(path.replace(made, "abcdefghijkm"))
                assert hidden.status_code == 404
                assert shown(hidden.content) == shown(missing.content)
            assert client.post(at(made, "reveal")).status_code == 404
            assert client.post(at(made, "erase")).status_code == 404
        own = signed_in_now(bob)
        assert "Only you see it and this request" in words_of(own.get(at(made)))
        assert MARK in text_of(own.post(at(made, "reveal")))
        own.post(at(made, "erase"))
        assert request_of(made).state == ERASING


def test_a_proposal_is_erased_from_its_own_page(
    project: Project, alice: Person, bob: Person
) -> None:
    ref = propose_new(robo(bob), project, "page", title=f"Mine {MARK}", content=MARK)
    made = asked(robo(bob), None, ref)
    client = signed_in_now(alice)

    page = words_of(client.get(at(made)))
    assert MARK in text_of(client.post(at(made, "reveal")))
    client.post(at(made, "erase"))

    assert "Erase the proposal?" in page
    assert "Rejected as erased" in page
    review = client.get(f"/alice/shop/moderation/{ref.removeprefix('proposal:')}/")
    assert "Erased for good" in words_of(review)
    assert MARK not in text_of(review)
    assert "Erased for good" in words_of(client.get("/alice/shop/moderation/?state=rejected"))


def test_signed_out_everything_leads_to_the_door(made: str) -> None:
    for path in ("/deletions/", "/deletions/new/", at(made), at(made, "erase"), OF_SHOP):
        assert Client().get(path)["Location"].startswith("/sign-in/")
    for action in ("reveal", "erase", "refuse", "withdraw"):
        assert Client().post(at(made, action))["Location"].startswith("/sign-in/")
    assert request_of(made).state == "pending"


def test_what_is_gone_leaves_no_row_that_waits(made: str, project: Project, alice: Person) -> None:
    signed_in_now(alice).post(at(made, "erase"))

    assert listed(opened(alice)) == []
    with pytest.raises(NotFound):
        asked(person_caller(alice), project, 1)
