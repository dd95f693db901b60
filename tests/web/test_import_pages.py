"""Import and export in the browser: the form, the check, the progress, the report, the file."""

import asyncio
import io
import json
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from conderis.accounts.models import Person
from conderis.common.json import JsonObject
from conderis.web.bodies import held_to_limit
from exchange import running
from exchange.models import Import
from items.models import Item
from projects.models import Project
from tests.exchange.jobs_world import beads
from tests.factories import person_caller
from tests.items.calls import create

SECRET = "The key is AKIAIOSFODNN7EXAMPLE."


@pytest.fixture
def browser(client: Client, alice: Person) -> Client:
    client.force_login(alice)
    return client


def at(route: str = "project-exchange", **more: str) -> str:
    return reverse(route, kwargs={"owner": "alice", "name": "shop", **more})


def content_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


def upload(browser: Client, content: bytes, name: str = "issues.jsonl", **more: str) -> Any:
    file = SimpleUploadedFile(name, content)
    return browser.post(at("project-imports"), {"file": file, "importer": "", **more})


def page_of(browser: Client, content: bytes) -> str:
    """The address of an import whose file has been checked."""
    answer = upload(browser, content)
    assert answer.status_code == 302, answer.content.decode()
    running.work_off()
    return str(answer["Location"])


def do(browser: Client, page: str, deed: str, **more: Any) -> Any:
    answer = browser.post(f"{page}do/", {"do": deed, **more}, follow=True)
    running.work_off()
    return answer


def shown(browser: Client, page: str) -> str:
    answer = browser.get(page)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_a_file_is_checked_looked_at_and_then_imported(browser: Client, project: Project) -> None:
    page = page_of(browser, beads("Pour the tea") + b"no json\n")

    looked_at = shown(browser, page)
    before = Item.objects.filter(project=project).count()
    do(browser, page, "start")
    ended = shown(browser, page)

    assert "Nothing is stored yet" in looked_at
    assert "line 2" in looked_at
    assert before == 0
    assert "What was made" in ended
    assert f'href="{reverse("project-tasks", args=["alice", "shop"])}?sort=created"' in ended
    assert Item.objects.get(project=project).title == "Pour the tea"


def test_a_second_import_of_the_same_file_says_that_nothing_is_new(
    browser: Client, project: Project
) -> None:
    do(browser, page_of(browser, beads("Pour the tea")), "start")

    again = shown(browser, page_of(browser, beads("Pour the tea")))

    assert "There is nothing new to import" in again
    assert 'value="start"' not in again
    assert Item.objects.filter(project=project).count() == 1


def test_a_form_that_is_sent_twice_leads_to_one_import(browser: Client, project: Project) -> None:
    first, second = (upload(browser, beads("Pour the tea")) for _ in range(2))

    assert first["Location"] == second["Location"]
    assert Import.objects.count() == 1


def test_while_the_server_works_the_page_shows_how_far_it_is(
    browser: Client, project: Project
) -> None:
    page = str(upload(browser, beads("Pour the tea"))["Location"])
    checking = shown(browser, page)
    Import.objects.update(state="running", done=30, total=120)

    asked = {"HX-Request": "true", "HX-Target": "import-working"}
    part = browser.get(page, headers=asked)
    Import.objects.update(state="done")
    at_the_end = browser.get(page, headers=asked)

    assert "The file is being checked" in checking
    assert "<progress" in checking
    assert "<html" not in part.content.decode()
    assert 'value="25"' in part.content.decode()
    assert (at_the_end["HX-Refresh"], at_the_end.content) == ("true", b"")


def test_an_unknown_format_is_refused_beside_the_file_in_peoples_words(
    browser: Client, project: Project
) -> None:
    answer = upload(browser, b"\xff\xd8\xff\xe0", "holiday.jpg")

    assert answer.status_code == 400
    assert "The format of this file is not known." in answer.content.decode()
    assert "<dt>beads</dt>" in answer.content.decode()


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (("empty.json", b""), "The file is empty."),
        (("broken.zip", b"PK\x03\x04"), "The file is no zip archive that can be read."),
        (("large.json", b"[" * 2**20 + b"]"), "The file is larger than 1 MB."),
    ],
    ids=["empty", "broken", "large"],
)
def test_a_file_that_is_none_is_refused_beside_its_field(
    browser: Client, project: Project, settings: Settings, file: tuple[str, bytes], said: str
) -> None:
    settings.IMPORT_MAX_BYTES = 2**20

    answer = upload(browser, file[1], file[0])

    assert answer.status_code in (400, 413)
    assert said in answer.content.decode()
    assert Import.objects.count() == 0


def test_a_body_that_says_to_be_too_long_is_refused_by_its_length(
    browser: Client, project: Project, settings: Settings
) -> None:
    settings.IMPORT_MAX_BYTES = 2**20

    answer = upload(browser, b"x" * 3 * 2**20)

    assert answer.status_code == 413
    assert "The file is larger than 1 MB." in answer.content.decode()


def test_a_body_that_is_too_long_is_not_read(settings: Settings) -> None:
    settings.IMPORT_MAX_BYTES = 0
    piece = {"type": "http.request", "body": b"x" * 2**19, "more_body": True}

    def told(headers: list[tuple[bytes, bytes]], *sent: JsonObject) -> list[JsonObject]:
        coming = iter((*sent, {"type": "http.disconnect"}))

        async def receive() -> JsonObject:
            return next(coming)

        async def events() -> list[JsonObject]:
            give, found = held_to_limit(headers, receive), [dict[str, Any]()]
            while found[-1].get("type") != "http.disconnect":
                found.append(dict(await give()))
            return found[1:]

        return asyncio.run(events())

    nothing = {"type": "http.request", "body": b"", "more_body": False}
    gone = {"type": "http.disconnect"}
    assert told([(b"content-length", b"9999999")], piece, piece, piece) == [nothing, gone]
    assert told([], piece, piece, piece, piece) == [piece, piece, gone]
    assert told([(b"content-length", b"524288")], piece) == [piece, gone]


def test_three_unfinished_imports_are_told_in_the_form(browser: Client, project: Project) -> None:
    for title in ("one", "two", "three"):
        upload(browser, beads(title))

    answer = upload(browser, beads("four"))

    assert answer.status_code == 429
    assert "You have 3 unfinished imports." in answer.content.decode()


def test_secrets_are_asked_about_where_some_were_found_alone(
    browser: Client, project: Project
) -> None:
    plain = shown(browser, page_of(browser, beads("Pour the tea")))
    page = page_of(browser, beads("Sign in", description=SECRET))
    held = shown(browser, page)

    do(browser, page, "check", store_anyway="on")
    again = shown(browser, page)
    do(browser, page, "start")

    assert "store_anyway" not in plain
    assert "store_anyway" in held
    assert "AKIA" not in held
    assert "Nothing is stored yet" in again
    assert Item.objects.get(project=project).title == "Sign in"


def test_a_file_can_be_thrown_away_before_it_is_imported(browser: Client, project: Project) -> None:
    page = page_of(browser, beads("Pour the tea"))

    answer = do(browser, page, "delete")

    assert "thrown away" in answer.content.decode()
    assert Import.objects.count() == 0
    assert browser.get(page).status_code == 404


def test_a_deed_of_a_page_that_is_old_is_told_and_does_nothing(
    browser: Client, project: Project
) -> None:
    page = page_of(browser, beads("Pour the tea"))
    do(browser, page, "stop")

    answer = do(browser, page, "start")

    assert "This import has ended." in answer.content.decode()
    assert Item.objects.filter(project=project).count() == 0


def test_what_a_file_holds_is_shown_to_whoever_sent_it_alone(
    browser: Client, carol: Person, project: Project
) -> None:
    page = str(upload(browser, beads("Pour the tea") + b"no json\n", "of-alice.jsonl")["Location"])
    running.work_off()
    other = Client()
    other.force_login(carol)

    listed = other.get(at()).content.decode()

    assert [other.get(f"{page}{more}").status_code for more in ("", "report/")] == [404, 404]
    assert other.post(f"{page}do/", {"do": "start"}).status_code == 404
    assert "Checked, waits for you" in listed
    assert "of-alice.jsonl" not in listed
    assert "of-alice.jsonl" in shown(browser, page)


def test_the_whole_report_is_a_text_that_names_every_row(browser: Client, project: Project) -> None:
    page = page_of(browser, beads("Pour the tea") + b"no json\n" * 30)

    answer = browser.get(f"{page}report/")
    lines = content_of(answer).decode().splitlines()

    assert "10 more are in the whole report." in shown(browser, page)
    assert [line for line in lines if line.startswith("- line ")] == [
        line for line in lines if "no JSON" in line
    ]
    assert len([line for line in lines if line.startswith("- line ")]) == 30
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert "no-store" in answer["Cache-Control"]


def test_names_and_places_of_a_file_are_texts_and_no_markup(
    browser: Client, project: Project
) -> None:
    hostile = '<img src=x onerror="alert(1)">'
    answer = upload(browser, beads(hostile, hostile, description=SECRET), f"{hostile}.jsonl")
    running.work_off()

    page = shown(browser, str(answer["Location"]))

    assert "&lt;img" in page
    assert "<img" not in page


def test_who_may_not_publish_is_shown_the_export_alone(rita: Person, project: Project) -> None:
    reader = Client()
    reader.force_login(rita)

    page = reader.get(at()).content.decode()

    assert 'type="file"' not in page
    assert "Download the export" in page


def test_an_empty_list_leads_those_who_may_import_there(
    browser: Client, rita: Person, project: Project
) -> None:
    reader = Client()
    reader.force_login(rita)
    tasks = reverse("project-tasks", args=["alice", "shop"])

    assert f'href="{at()}"' in browser.get(tasks).content.decode()
    assert f'href="{at()}"' not in reader.get(tasks).content.decode()


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
def test_an_export_is_a_download_that_no_cache_keeps(
    browser: Client, project: Project, form: str, alice: Person
) -> None:
    create(person_caller(alice), project, "task", title="Pour the tea")

    answer = browser.post(at("project-export"), {"form": form, "private": "on"})
    content = content_of(answer)

    assert answer["Content-Disposition"].startswith('attachment; filename="alice-shop-')
    assert "no-store" in answer["Cache-Control"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    if form == "markdown":
        texts = zipfile.ZipFile(io.BytesIO(content))
        assert any(b"Pour the tea" in texts.read(name) for name in texts.namelist())
    else:
        assert json.loads(content.splitlines()[-1])["type"] == "end"
        assert b"Pour the tea" in content


def test_the_own_private_memories_are_exported_where_that_is_asked_for_alone(
    browser: Client, project: Project, alice: Person
) -> None:
    create(person_caller(alice), project, "memory", title="Mine alone", visibility="private")

    def exported(**sent: str) -> bytes:
        answer = browser.post(at("project-export"), {"form": "jsonl", **sent})
        return content_of(answer)

    assert b"Mine alone" in exported(private="on")
    assert b"Mine alone" not in exported()


def test_another_form_of_an_export_is_refused_on_the_page(
    browser: Client, project: Project
) -> None:
    answer = browser.post(at("project-export"), {"form": "pdf"})

    assert answer.status_code == 400
    assert "Download the export" in answer.content.decode()
