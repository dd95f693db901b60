"""The hygiene page of a project: what it shows to whom, and mending one by one."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.web.projects.hygiene_curve import curve_of
from conderis.web.projects.hygiene_deeds import DEEDS, OF_FOUND, OF_OTHERS
from conderis.web.projects.hygiene_words import WORDS
from items.hygiene import all_checks
from items.hygiene.points import Point
from items.models import HygienePoint, Item
from projects.models import Project
from proposals.models import Proposal
from tests.items.recall_rows import days_ago, make_memory, make_page, make_task
from tests.web.reading import without_tokens

BACKEND = "django.contrib.auth.backends.ModelBackend"
PAGE = "/alice/shop/hygiene/"


def page(client: Client, person: Person | None, path: str = PAGE) -> Any:
    client.logout()
    if person is not None:
        client.force_login(person, backend=BACKEND)
    return client.get(path)


def mend(client: Client, person: Person, item: Item, deed: str, **sent: Any) -> Any:
    client.force_login(person, backend=BACKEND)
    return client.post(f"{PAGE}{item.number}/{deed}/", {"version": item.version, **sent})


def said(answer: Any) -> list[str]:
    return [str(message) for message in answer.wsgi_request._messages]


@pytest.mark.no_database
def test_every_check_has_its_words_and_its_deeds() -> None:
    names = {check.name for check in all_checks()}

    assert set(WORDS) == set(OF_FOUND) == names
    assert set(OF_OTHERS) <= names
    assert {deed for deeds in (*OF_FOUND.values(), *OF_OTHERS.values()) for deed in deeds} == set(
        DEEDS
    )


@pytest.mark.django_db
def test_it_shows_the_score_and_names_what_was_found(
    client: Client, alice: Person, project: Project
) -> None:
    make_memory(project, alice, "Deploy <windows>")
    HygienePoint.objects.create(
        project=project, day=(datetime.now(tz=UTC) - timedelta(days=9)).date(), score=71, found=4
    )

    shown = page(client, alice).content.decode()

    assert '<p class="score-n">90' in shown
    assert "1 memory has no summary" in shown
    assert "Deploy &lt;windows&gt;" in shown
    assert "19 points better than on" in shown
    assert '<td role="cell" class="r num" data-l="Score">71</td>' in shown
    assert "Write the summary of #1" in shown


@pytest.mark.django_db
def test_a_clean_project_says_so(client: Client, alice: Person, project: Project) -> None:
    shown = page(client, alice).content.decode()

    assert '<p class="score-n">100' in shown
    assert "Nothing to mend" in shown


@pytest.mark.django_db
def test_a_reader_sees_it_and_cannot_mend(
    client: Client, rita: Person, alice: Person, project: Project
) -> None:
    gone = make_memory(project, alice, "Gone", expires_at=days_ago(1))

    shown = page(client, rita)
    refused = mend(client, rita, gone, "archive")

    assert "1 memory has expired" in shown.content.decode()
    assert "Archive #1" not in shown.content.decode()
    assert refused.status_code == 403
    assert page(client, rita, f"{PAGE}1/summary/").status_code == 403
    gone.refresh_from_db()
    assert gone.archived_at is None


@pytest.mark.django_db
def test_it_is_not_there_for_strangers_and_asks_who_is_signed_out_to_sign_in(
    client: Client, mallory: Person, project: Project
) -> None:
    hidden = page(client, mallory)
    missing = page(client, mallory, "/alice/ship/hygiene/")

    assert hidden.status_code == missing.status_code == 404
    assert without_tokens(hidden.content.decode()) == without_tokens(missing.content.decode())
    assert page(client, None)["Location"] == f"/sign-in/?next={PAGE}"


@pytest.mark.django_db
def test_what_is_private_is_on_nobodys_page(
    client: Client, bob: Person, alice: Person, project: Project
) -> None:
    make_memory(project, bob, "Secret of bob", visibility="private", expires_at=days_ago(1))

    for person in (alice, bob):
        assert "Secret of bob" not in page(client, person).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "fields", "deed", "column", "value"),
    [
        ("task", {"status": "in_progress"}, "reopen", "status", "open"),
        ("task", {"status": "in_progress"}, "cancel", "status", "canceled"),
        ("task", {"status": "blocked", "blocked_reason": "x"}, "unblock", "status", "open"),
        ("memory", {"weight": "critical"}, "normal", "weight", "normal"),
    ],
)
def test_a_plain_deed_is_done_at_once(
    client: Client, alice: Person, project: Project, *,
    kind: str, fields: dict[str, str], deed: str, column: str, value: str,
) -> None:  # fmt: skip
    make = make_task if kind == "task" else make_memory
    item = make(project, alice, "Item", **fields)

    answer = mend(client, alice, item, deed)

    item.refresh_from_db()
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    assert getattr(item, column) == value
    assert item.version == 2


@pytest.mark.django_db
def test_an_expired_memory_is_archived_and_the_way_leads_back_to_its_finding(
    client: Client, alice: Person, project: Project
) -> None:
    gone = make_memory(project, alice, "Gone", expires_at=days_ago(1))
    client.force_login(alice, backend=BACKEND)

    answer = client.post(f"{PAGE}1/archive/?check=expired", {"version": "1"})

    gone.refresh_from_db()
    assert gone.archived_at is not None
    assert answer["Location"] == f"{PAGE}#expired"
    assert said(answer) == ["#1 is archived."]


@pytest.mark.django_db
def test_a_summary_is_written_in_a_small_form(
    client: Client, alice: Person, project: Project
) -> None:
    memory = make_memory(project, alice, "Deploys", content="Tuesdays, 9 to 15 UTC.")

    form = page(client, alice, f"{PAGE}1/summary/").content.decode()
    empty = mend(client, alice, memory, "summary", summary="")
    answer = mend(client, alice, memory, "summary", summary="On Tuesdays.")

    memory.refresh_from_db()
    assert "Tuesdays, 9 to 15 UTC." in form
    assert "Store as version 2" in form
    assert empty.status_code == 400
    assert answer.status_code == 302
    assert (memory.summary, memory.version) == ("On Tuesdays.", 2)


@pytest.mark.django_db
def test_a_text_is_edited_to_remove_a_reference(
    client: Client, alice: Person, project: Project
) -> None:
    task = make_task(project, alice, "Do it", content="  After #90.")

    answer = mend(client, alice, task, "rewrite", title="Do it", content="  After that.")

    task.refresh_from_db()
    assert answer.status_code == 302
    assert task.content == "  After that."


@pytest.mark.django_db
def test_a_page_gets_a_parent_and_a_wrong_number_is_refused_beside_the_field(
    client: Client, alice: Person, project: Project
) -> None:
    home, lost = make_page(project, alice, "Home"), make_page(project, alice, "Lost")

    refused = mend(client, alice, lost, "parent", parent="99")
    answer = mend(client, alice, lost, "parent", parent=str(home.number))

    lost.refresh_from_db()
    assert refused.status_code == 400
    assert 'aria-invalid="true"' in refused.content.decode()
    assert answer.status_code == 302
    assert (lost.parent, lost.version) == (home, 1)


@pytest.mark.django_db
def test_a_contributors_deed_on_a_shared_memory_becomes_a_proposal(
    client: Client, bob: Person, alice: Person, project: Project
) -> None:
    memory = make_memory(project, alice, "Deploys", content="Tuesdays.")

    form = page(client, bob, f"{PAGE}1/summary/").content.decode()
    answer = mend(client, bob, memory, "summary", summary="On Tuesdays.")

    memory.refresh_from_db()
    assert "Propose the change" in form
    assert memory.summary == ""
    assert Proposal.objects.get().fields == {"summary": "On Tuesdays."}
    assert said(answer) == ["Proposed for #1. It counts once a moderator approves it."]


@pytest.mark.django_db
def test_a_change_meanwhile_is_shown_and_what_was_typed_is_kept(
    client: Client, alice: Person, carol: Person, project: Project
) -> None:
    memory = make_memory(project, alice, "Deploys", content="Tuesdays.")
    mend(client, carol, memory, "summary", summary="Hers, on Tuesdays.")

    answer = mend(client, alice, memory, "summary", summary="Mine, on Tuesdays.")
    shown = answer.content.decode()
    memory.refresh_from_db()
    again = mend(client, alice, memory, "summary", summary="Mine, on Tuesdays.")

    assert answer.status_code == 409
    assert "Somebody else was faster" in shown
    assert "Carol" in shown
    assert "Hers, on Tuesdays." in shown
    assert "Mine, on Tuesdays." in shown
    assert '<input type="hidden" name="version" value="2"' in shown
    assert again.status_code == 302


@pytest.mark.django_db
def test_a_plain_deed_on_an_older_version_asks_again(
    client: Client, alice: Person, carol: Person, project: Project
) -> None:
    memory = make_memory(project, alice, "Deploys", content="Tuesdays.")
    mend(client, carol, memory, "summary", summary="On Tuesdays.")

    answer = mend(client, alice, memory, "archive")

    memory.refresh_from_db()
    assert answer.status_code == 409
    assert "See what stands, then decide again." in answer.content.decode()
    assert memory.archived_at is None


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["99/archive/", "1/erase/", "1/unblock/", "2/summary/"])
def test_what_is_not_there_to_do_is_not_found(
    client: Client, alice: Person, project: Project, path: str
) -> None:
    make_memory(project, alice, "Memory")
    make_task(project, alice, "Task")

    assert page(client, alice, PAGE + path).status_code == 404
    assert client.post(PAGE + path, {"version": "1"}).status_code == 404


@pytest.mark.django_db
def test_a_locked_item_is_shown_without_its_text_and_is_not_mended(
    client: Client, alice: Person, project: Project
) -> None:
    locked = make_memory(project, alice, "Hush", locked_at=days_ago(1), locked_by="abcdefghijkm")

    shown = page(client, alice, f"{PAGE}1/archive/")
    refused = mend(client, alice, locked, "archive")

    assert "Hush" not in shown.content.decode()
    assert refused.status_code == 423


@pytest.mark.django_db
def test_the_number_of_queries_does_not_depend_on_the_number_of_items(
    client: Client, alice: Person, project: Project
) -> None:
    counts = []
    for upto in (2, 12):
        for number in range(project.last_number // 3, upto):
            make_memory(project, alice, f"Memory {number}", content=f"#{number + 900}")
            make_page(project, alice, f"Page {number}")
            make_task(project, alice, f"Task {number}", status="blocked", changed=days_ago(99))
        page(client, alice)
        with CaptureQueriesContext(connection) as queries:
            client.get(PAGE)
        counts.append(len(queries))

    assert counts[0] == counts[1]


@pytest.mark.no_database
def test_the_curve_goes_in_steps_and_needs_two_days() -> None:
    day = datetime(2026, 11, 1, tzinfo=UTC).date()
    points = [Point(day, 100, 0), Point(day + timedelta(days=5), 50, 3),
              Point(day + timedelta(days=10), 75, 1)]  # fmt: skip

    curve = curve_of(points)

    assert curve_of(points[:1]) is None
    assert curve is not None
    assert curve.line == "M54.0 24.0H422.0V99.0H790.0V61.5"
    assert (curve.gained, curve.lowest.score, curve.days) == (-25, 50, 10)
