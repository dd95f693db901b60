"""What was erased does not come back: by a restored database, by other words, by the journal."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from conderis.accounts.models import Person
from conderis.common.errors import NotFound
from items.models import ItemEvent
from items.requests import Address, DeletionCall
from privacy import erasures
from privacy.access import access_request
from privacy.deciding import erase
from privacy.erasures import Entry, all_entries, append, append_or_log, read_journal
from privacy.models import DeletionRequest, Erasure
from privacy.reapplying import apply_entries, keep_journal
from privacy.requesting import request_deletion, request_organization_deletion
from privacy.showing import show_request
from projects.models import Project
from proposals.models import Proposal
from proposals.organization_instructions import store_organization_instructions
from proposals.reviewing import approve
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at
from tests.privacy.tables import places_of
from tests.projects.making import make_organization
from tests.proposals.reviews import page, proposal_at, propose, propose_new, robo


def ask(person: Person, project: Project, number: int, version: int | None = None) -> str:
    call = DeletionCall(Address(project.path, number=number), version, "holds it")
    return str(request_deletion(person_caller(person), call)["request"])


def entry(target: str, version: int | None = None, *, what: str = "version") -> Entry:
    return Entry("abcdefghijkm", what, target, version, timezone.now(), "")


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.DATA_FOLDER = tmp_path
    return tmp_path


def test_proposals_that_went_along_are_known_to_a_restored_database(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    changed = propose(robo(bob), project, number, content="zanzibarsecret", complete=True)
    made = propose_new(robo(bob), project, "page", title="New zanzibarsecret")
    backed_up = list(Proposal.objects.values())
    for ref in (changed, made):
        approve(person_caller(carol), ref)
    erase(person_caller(alice), ask(alice, project, number, 2))
    new = proposal_at(made).item
    assert new is not None
    erase(person_caller(alice), ask(alice, project, new.number or 0))
    entries = list(all_entries())

    Erasure.objects.all().delete()
    for row in backed_up:
        Proposal.objects.filter(pk=row["id"]).update(**{**row, "item_id": None})
    applied = apply_entries(entries)

    assert applied == len(entries)
    assert places_of("zanzibarsecret") <= {"items_search_data.block"}
    assert {each.state for each in Proposal.objects.all()} == {"rejected"}


@pytest.mark.parametrize(
    ("old", "new", "reason", "proposed", "holds"),
    [
        ("Passphrase: correct horse battery", "The horse and the battery are correct: Passphrase",
         None, "Use correct horse battery", True),
        ("It is zanzibarsecret", "See vault", "Took zanzibarsecret out", "zanzibarsecret!", True),
        ("It is zanzibarsecret", "See vault", None, "the _zanzibarsecret_", True),
        ("The code is 4711x", "See vault", None, "code=4711x", True),
        ("The password is here", "See vault", None, "Deploying is done by make release", False),
    ],
)  # fmt: skip
def test_a_proposal_goes_with_a_version_that_it_repeats_and_stays_else(
    project: Project, alice: Person, bob: Person, *, old: str, new: str, reason: str | None,
    proposed: str, holds: bool,
) -> None:  # fmt: skip
    owner = person_caller(alice)
    number = int(create(owner, project, "page", title="Safe", content=old)["number"])
    change(owner, project, number, 1, reason=reason, content=new, complete=True)
    ref = propose(robo(bob), project, number, content=proposed, complete=True)
    request = ask(alice, project, number, 1)

    shown = show_request(owner, request).affected
    erase(owner, request)

    assert shown.proposals_pending == int(holds)
    assert (proposal_at(ref).erased_at is not None) is holds
    assert (proposal_at(ref).state == "rejected") is holds


def test_an_erased_proposal_leaves_its_reason_in_no_history(
    project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    number = page(project, alice)
    ref = propose(robo(bob), project, number, title="New", reason="since zanzibarsecret")
    approve(person_caller(carol), ref)
    call = DeletionCall(Address(ref=ref), reason="holds it")

    erase(person_caller(carol), str(request_deletion(person_caller(bob), call)["request"]))

    assert places_of("zanzibarsecret") == set()


def test_a_torn_last_line_of_the_journal_stops_no_start(folder: Path, db: None) -> None:
    append([entry("aaaaaaaaaaaa", 1)])
    with (folder / erasures.JOURNAL).open("a") as file:
        file.write('{"cause": "half')

    for target in ("bbbbbbbbbbbb", "cccccccccccc"):
        keep_journal()
        append([Entry("abcdefghijkn", "item", target, None, timezone.now(), "")])

    assert [each.target for each in read_journal()] == [
        "aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        '"version": -1',
        '"version": true',
        '"at": "2026-11-30T10:00:00"',
        '"target": "x123456789012"',
    ],
)
def test_a_line_that_says_no_erasure_is_named(folder: Path, db: None, wrong: str) -> None:
    line = entry("aaaaaaaaaaaa", 1).as_line()
    (folder / erasures.JOURNAL).write_text(f"{line[:-1]},{wrong}}}\n{line}\n")

    with pytest.raises(ValueError, match=r"Line 1 of erasures\.jsonl"):
        keep_journal()


def test_an_entry_touches_no_text_that_was_written_after_it(
    project: Project, alice: Person
) -> None:
    owner = person_caller(alice)
    number = int(create(owner, project, "page", title="Page", content="one")["number"])
    change(owner, project, number, 1, content="good")
    create(owner, project, "instructions", content="good")
    item, rules = item_at(project, number), project.items.get(kind="instructions")
    long_ago = timezone.now() - timedelta(days=30)

    apply_entries([
        Entry("abcdefghijkm", "version", item.public_id, 2, long_ago, ""),
        Entry("abcdefghijkn", "item", rules.public_id, None, long_ago, ""),
    ])  # fmt: skip

    assert item_at(project, number).content == "good"
    assert project.items.get(kind="instructions").content == "good"


def test_what_waits_for_a_decision_stays_locked_when_another_version_is_erased_again(
    project: Project, alice: Person
) -> None:
    owner = person_caller(alice)
    number = int(create(owner, project, "page", title="Page", content="zanzibar")["number"])
    change(owner, project, number, 1, content="two", complete=True)
    request = ask(alice, project, number, 1)

    apply_entries([entry(item_at(project, number).public_id, 2)])

    item = item_at(project, number)
    assert item.locked_by == request.removeprefix("deletion:")
    assert DeletionRequest.objects.get().version is None
    assert not ItemEvent.objects.filter(item=item, version=2, state__isnull=False).exists()


def test_a_key_with_chosen_projects_finds_no_request_of_an_organization(
    project: Project, alice: Person
) -> None:
    make_organization(alice)
    owner = person_caller(alice)
    store_organization_instructions(owner, handle="acme", content="Be brief.", version=None)
    ref = request_organization_deletion(owner, "acme", version=None, reason="old")["request"]

    assert access_request(agent_caller(alice), str(ref)).is_own
    with pytest.raises(NotFound):
        access_request(agent_caller(alice, "narrow", projects=[project]), str(ref))


def test_what_becomes_current_again_keeps_the_rules_of_bags_and_titles(
    project: Project, alice: Person
) -> None:
    owner = person_caller(alice)
    shared = {"visibility": "shared"}
    create(owner, project, "memory", title="Bag", content="x", **shared)
    create(owner, project, "memory", title="Rule", content="x", weight="critical", **shared)
    change(owner, project, 2, 1, weight="normal")
    change(owner, project, 2, parent=1)
    for title in ("A", "A (#5)"):
        create(owner, project, "page", title=title)
    create(owner, project, "page", title="A", parent=3)
    act(owner, project, 3, "archive", 1)
    act(owner, project, 3, "restore", 2)
    change(owner, project, 3, 3, title="Above")
    create(owner, project, "page", title="A")

    erase(owner, ask(alice, project, 2, 2))
    erase(owner, ask(alice, project, 3))

    assert item_at(project, 2).weight == "normal"
    titles = list(project.items.filter(kind="page", erased_at=None).values_list("title", flat=True))
    assert len(titles) == len(set(titles)) == 3


@pytest.mark.no_database
def test_a_journal_that_cannot_be_written_leaves_the_decision_standing(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / erasures.JOURNAL).mkdir()

    append_or_log([entry("aaaaaaaaaaaa", 1)])

    assert "The journal of erasures could not be written" in caplog.text
