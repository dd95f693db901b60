"""A file goes in: looked at, imported, known when it comes again; and the project comes out."""

import time

import pytest
from playwright.sync_api import FilePayload, expect

from tests.e2e.hands import Way, every_way
from tests.e2e.journeys import heading
from tests.e2e.visits import Visits
from tests.e2e.works import Work, work_of
from tests.exchange.jobs_world import beads
from tests.running import START_SECONDS

pytestmark = [pytest.mark.browser, pytest.mark.no_database]

TITLES = ("Oil the hinges", "Paint the fence", "Mow around the pond")


def send_file(work: Work) -> None:
    """Choose the file, and send it to be checked."""
    work.open("settings/exchange/")
    file = FilePayload(name="garden.jsonl", mimeType="application/json", buffer=beads(*TITLES))
    work.hands.tab.get_by_label("File", exact=True).set_input_files(file)
    work.hands.send("Check the file")


def wait_for(work: Work, name: str) -> None:
    """Wait for this heading on the page of the import, which comes by itself with a script."""
    found = work.hands.main.get_by_role("heading", name=name, exact=True)
    deadline = time.monotonic() + START_SECONDS
    while work.hands.way is Way.PLAIN and not found.is_visible():
        assert time.monotonic() < deadline
        work.hands.follow(work.link("Look again"))
    expect(found).to_be_visible(timeout=START_SECONDS * 1000)


@every_way
def test_a_file_is_looked_at_imported_and_known_when_it_comes_again(
    visits: Visits, way: Way
) -> None:
    with work_of(visits, way, "importing") as work:
        hands, tab = work.hands, work.hands.tab
        work.open("tasks/")
        hands.follow(work.link("Import from Trello, GitHub, a folder of Markdown …"))
        heading(tab, "Import")

        send_file(work)
        wait_for(work, "Nothing is stored yet")
        hands.send("Import")
        wait_for(work, "What was made")
        hands.follow(work.link("Tasks"))
        for title in TITLES:
            expect(work.link(title)).to_be_visible()

        send_file(work)
        wait_for(work, "There is nothing new to import")
        hands.send("Throw the file away")
        work.open("tasks/")
        expect(hands.main.get_by_role("heading", name="Tasks")).to_contain_text("3 tasks")
        assert work.read(1)["author"]["name"] == "Lea"

        work.open("settings/exchange/")
        with tab.expect_download() as coming:
            hands.press(hands.main.get_by_role("button", name="Download the export"))
        file = coming.value
        assert file.suggested_filename.endswith(".jsonl")
        exported = file.path().read_text()
        assert all(title in exported for title in TITLES)
