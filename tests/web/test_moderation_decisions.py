"""Deciding one proposal on its page: approving, rejecting, withdrawing."""

import re

from django.test import Client

from conderis.accounts.models import Person
from projects.capabilities import Role
from projects.models import Project
from proposals.reviewing import approve, reject
from tests.factories import join, make_project, person_caller
from tests.items.calls import change, item_at
from tests.proposals.reviews import TEXT, made, page, proposal_at, propose, propose_new, robo
from tests.web.moderation_pages import BACKEND, QUEUE, at, opened, post, text_of, words_of


def test_approving_goes_on_with_the_next_one(
    client: Client, project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    later = propose_new(robo(bob), project, "page", title="Later one")
    ref = propose(robo(bob), project, number, title="Renamed")

    answer = post(client, carol, at(ref, "approve"), version=1, reason="Right", next="on")

    assert answer.redirect_chain == [(at(later), 302)]
    assert "Approved as version 2. 1 is left." in words_of(answer)
    item = item_at(project, number)
    assert (item.title, item.version) == ("Renamed", 2)
    assert made(item) == {
        "event": "changed",
        "version": 2,
        "author": "bob",
        "agent": "robo",
        "approver": "carol",
    }


def test_without_the_tick_one_comes_back_to_the_queue(
    client: Client, project: Project, bob: Person, carol: Person
) -> None:
    ref = propose_new(robo(bob), project, "page", title="New")
    propose_new(robo(bob), project, "page", title="Another")

    answer = post(client, carol, at(ref, "approve"))

    assert answer.redirect_chain == [(QUEUE, 302)]
    assert re.search(r"Approved as #\d+\. 1 is left\.", words_of(answer))


def test_rejecting_needs_a_reason_which_the_proposer_reads(
    client: Client, project: Project, bob: Person, carol: Person
) -> None:
    ref = propose_new(robo(bob), project, "page", title="New")

    refused = post(client, carol, at(ref, "reject"), reason="  ")
    assert refused.status_code == 400
    assert "Rejecting needs a reason" in words_of(refused)
    assert proposal_at(ref).state == "pending"

    done = post(client, carol, at(ref, "reject"), reason="We have one <already>")
    assert "Rejected. None is left." in words_of(done)
    shown = words_of(opened(client, bob, at(ref)))
    assert "Rejected" in shown
    assert "Carol" in shown
    assert "We have one <already>" in shown


def test_a_reason_that_is_too_long_is_refused_and_kept(
    client: Client, project: Project, bob: Person, carol: Person
) -> None:
    ref = propose_new(robo(bob), project, "page", title="New")

    answer = post(client, carol, at(ref, "reject"), reason="z" * 2001)

    assert answer.status_code == 400
    assert "z" * 2001 in text_of(answer)


def test_over_another_version_the_new_merge_is_shown_and_asked_again(
    client: Client, project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    ref = propose(
        robo(bob), project, number, content=TEXT.replace("Ship it.", "Ship at noon."), complete=True
    )
    change(
        person_caller(alice),
        project,
        number,
        1,
        content=TEXT.replace("Build the image.", "Build both images."),
        complete=True,
    )

    asked = post(client, carol, at(ref, "approve"), version=1, reason="Fine")

    assert asked.status_code == 409
    words = words_of(asked)
    assert "It has changed since you looked" in words
    assert "Version 2 by Alice: content" in words
    assert "Build both images." in words
    assert "Approve as version 3" in words
    assert ">Fine</textarea>" in text_of(asked)
    assert 'name="version" value="2"' in text_of(asked)
    assert proposal_at(ref).state == "pending"
    done = post(client, carol, at(ref, "approve"), version=2)
    assert "Approved as version 3." in words_of(done)
    content = item_at(project, number).content
    assert "Build both images." in content
    assert "Ship at noon." in content


def test_without_the_version_it_is_asked_again(
    client: Client, project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    ref = propose(robo(bob), project, page(project, alice), title="Renamed")

    answer = post(client, carol, at(ref, "approve"))

    assert answer.status_code == 409
    assert proposal_at(ref).state == "pending"


def test_a_version_that_never_was_and_words_for_one_are_refused(
    client: Client, project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    ref = propose(robo(bob), project, page(project, alice), title="Renamed")

    for version in ("99", "0", "-1", "x", "9" * 30):
        answer = post(client, carol, at(ref, "approve"), version=version)
        assert answer.status_code in (400, 409), version
    assert proposal_at(ref).state == "pending"


def test_one_reviewer_decides_and_the_other_reads_who_did(
    client: Client, project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    ref = propose_new(robo(bob), project, "page", title="New")
    approve(person_caller(alice), ref)

    answer = post(client, carol, at(ref, "reject"), reason="No")

    assert answer.status_code == 409
    assert "Alice has already decided this" in words_of(answer)
    assert ">Reject</button>" not in text_of(answer)


def test_ones_own_is_another_moderators(client: Client, project: Project, carol: Person) -> None:
    by_agent = propose_new(robo(carol), project, "page", title="By agent", propose=True)
    by_hand = propose_new(person_caller(carol), project, "page", title="By hand", propose=True)

    said = {
        by_agent: "Your own agent made this. Another moderator has to approve it.",
        by_hand: "You made this. Another moderator has to approve it.",
    }
    for ref, words in said.items():
        shown = opened(client, carol, at(ref))
        assert words in words_of(shown)
        assert 'aria-disabled="true" aria-describedby="own-why"' in text_of(shown)
        assert post(client, carol, at(ref, "approve")).status_code == 403
        assert post(client, carol, at(ref, "reject"), reason="x").status_code == 403
        assert proposal_at(ref).state == "pending"
    done = post(client, carol, at(by_agent, "withdraw"), reason="Changed my mind")
    assert "Withdrawn." in words_of(done)
    assert proposal_at(by_agent).decision_reason == "Changed my mind"


def test_the_only_one_who_could_may_and_the_page_says_so(client: Client, alice: Person) -> None:
    project = make_project(alice)
    ref = propose_new(robo(alice), project, "page", title="Alone", propose=True)

    shown = opened(client, alice, at(ref))
    done = post(client, alice, at(ref, "approve"))

    assert "Nobody else here can approve it, so you may." in words_of(shown)
    assert re.search(r"Approved as #\d+\.", words_of(done))


def test_a_proposer_withdraws_and_decides_nothing(
    client: Client, project: Project, bob: Person
) -> None:
    ref = propose_new(robo(bob), project, "page", title="New")

    shown = text_of(opened(client, bob, at(ref)))
    assert "A moderator decides this. You can withdraw it." in shown
    assert "Approve" not in re.sub(r"<nav.*?</nav>", "", shown, flags=re.DOTALL)
    assert ">Reject</button>" not in shown
    for action in ("approve", "reject"):
        assert post(client, bob, at(ref, action), reason="x").status_code == 403
    assert proposal_at(ref).state == "pending"

    done = post(client, bob, at(ref, "withdraw"))
    assert "Withdrawn." in words_of(done)
    assert proposal_at(ref).state == "withdrawn"


def test_a_stranger_reads_and_withdraws_their_own(
    client: Client, alice: Person, bob: Person, mallory: Person
) -> None:
    project = make_project(alice, is_public=True, open_proposals=True)
    join(project, bob, Role.CONTRIBUTOR)
    mine = propose_new(robo(mallory), project, "page", title="Mine")
    others = propose_new(robo(bob), project, "page", title="Of bob")

    assert "Mine" in words_of(opened(client, mallory, at(mine)))
    assert opened(client, mallory, at(others)).status_code == 404
    reject(person_caller(alice), mine, reason="Not ours")
    assert "Not ours" in words_of(opened(client, mallory, at(mine)))


def test_nothing_changes_by_reading(
    client: Client, project: Project, bob: Person, carol: Person
) -> None:
    ref = propose_new(robo(bob), project, "page", title="New")
    client.force_login(carol, backend=BACKEND)

    for action in ("approve", "reject", "withdraw"):
        assert client.get(at(ref, action)).status_code == 405
    assert client.get(f"{QUEUE}decide/").status_code == 405
    assert proposal_at(ref).state == "pending"
