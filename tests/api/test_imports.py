"""Import and export over REST: the same rights, refusals and secrecy as in the browser."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from conderis.accounts.models import Person
from conderis.common.caller import Scope
from exchange import running
from exchange.models import Import
from items.models import Item
from projects.models import Project
from tests.api.calling import PROBLEM, Api, by_key, by_session
from tests.exchange.jobs_world import beads, ended_import
from tests.factories import make_project
from tests.privacy.locked_world import WORD, locked_world

IMPORTS = "/projects/alice/shop/imports"
EXPORT = "/api/v1/projects/alice/shop/export"
TEA = beads("Pour the tea", "Wash up")
SECRET = beads("Tidy up", description="The key is AKIAIOSFODNN7EXAMPLE.")


def send(api: Api, content: bytes = TEA, query: str = "?name=a.jsonl", path: str = IMPORTS) -> Any:
    """The answer to a body that is the file itself."""
    return _sent(api, path + query, content, "application/octet-stream")


def send_form(api: Api, query: str = "", **parts: Any) -> Any:
    headers = {"Authorization": f"Bearer {api.key}"}
    return api.client.post(f"/api/v1{IMPORTS}{query}", parts, headers=headers)


def _sent(api: Api, path: str, content: bytes, media: str) -> Any:
    headers = {"Authorization": f"Bearer {api.key}"} if api.key else {}
    return api.client.generic("POST", f"/api/v1{path}", content, media, headers=headers)


def checked(api: Api, content: bytes = TEA, query: str = "?name=a.jsonl") -> str:
    """The path of an import that was checked."""
    answer = send(api, content, query)
    assert answer.status_code == 202, answer.content
    running.work_off()
    return str(answer["Location"]).removeprefix("/api/v1")


def test_a_file_is_checked_then_started_and_known_the_second_time(owner: Api) -> None:
    begun = send(owner)
    place = begun["Location"].removeprefix("/api/v1")
    assert (begun.status_code, begun.json()["state"]) == (202, "checking")
    assert place == f"{IMPORTS}/{begun.json()['import']}"

    running.work_off()
    waits = owner.get(place).json
    assert (waits["state"], waits["made"], waits["name"]) == ("checked", {"task": 2}, "a.jsonl")
    assert not Item.objects.exists()

    assert owner.post(f"{place}/start", {}).json["state"] == "running"
    running.work_off()
    done = owner.get(place).json
    assert (done["state"], done["done"], done["report"]["made"]) == ("done", 2, {"task": 2})
    assert Item.objects.count() == 2

    again = owner.get(checked(owner)).json
    assert (again["report"]["made"], again["report"]["known"]) == ({}, 2)


def test_a_form_brings_the_name_of_its_file(owner: Api) -> None:
    answer = send_form(owner, "?importer=beads", file=SimpleUploadedFile("tea.jsonl", TEA))

    assert (answer.status_code, answer.json()["name"]) == (202, "tea.jsonl")
    assert answer.json()["importer"] == "beads"


def test_the_name_of_a_file_is_kept_without_its_folders(owner: Api) -> None:
    assert send(owner, query="?name=../../etc/a.jsonl").json()["name"] == "a.jsonl"


@pytest.mark.parametrize(("query", "field"), [
    ("", "name"), ("?name=", "name"), ("?name=/", "name"), ("?name=a.jsonl&importer=x", "importer"),
    ("?name=a.jsonl&storeAnyway=maybe", "storeAnyway"), ("?name=a.jsonl&what=1", "what"),
    ("?name=a.jsonl&name=b.jsonl", "name"), ("?name=broken.zip", "file"),
])  # fmt: skip
def test_what_is_said_of_a_file_wrongly_is_400(owner: Api, query: str, field: str) -> None:
    answer = send(owner, query=query)

    assert (answer.status_code, answer["Content-Type"]) == (400, PROBLEM)
    assert answer.json()["field"] == field
    assert not Import.objects.exists()


def test_a_body_without_the_one_file_is_400(owner: Api) -> None:
    file = SimpleUploadedFile("a.jsonl", TEA)
    boundary = "multipart/form-data; boundary="
    answers = [
        send(owner, b""),
        send_form(owner),
        send_form(owner, file=file, importer="beads"),
        send_form(owner, file="text"),
        send_form(owner, file=[file, SimpleUploadedFile("b.jsonl", TEA)]),
        _sent(owner, IMPORTS, b"--x", boundary),
        _sent(owner, IMPORTS, b"", boundary + "x"),
    ]

    assert [each.status_code for each in answers] == [400] * len(answers)
    assert {each["Content-Type"] for each in answers} == {PROBLEM}


@pytest.mark.parametrize("media", ["application/json", "text/csv",
                                   "application/x-www-form-urlencoded"])  # fmt: skip
def test_a_body_that_is_neither_form_nor_file_is_415(owner: Api, media: str) -> None:
    answer = _sent(owner, f"{IMPORTS}?name=a.jsonl", TEA, media)

    assert (answer.status_code, answer["Content-Type"]) == (415, PROBLEM)
    assert "application/octet-stream" in answer.json()["message"]


def test_a_file_is_taken_at_no_other_address(owner: Api) -> None:
    assert send(owner, path="/projects/alice/shop/items").status_code == 415


def test_a_file_may_be_larger_than_4_mb_and_is_413_above_the_limit(
    owner: Api, settings: Settings
) -> None:
    large = beads("Large", description="x" * 100).ljust(5 * 1024 * 1024)
    form = SimpleUploadedFile("b.jsonl", large)
    assert send(owner, large).status_code == 202

    settings.IMPORT_MAX_BYTES = 4 * 1024 * 1024
    for answer in (send(owner, large), send_form(owner, file=form)):
        assert (answer.status_code, answer.json()["error"]) == (413, "too_large")
        assert answer.json()["limit"] == 4 * 1024 * 1024


def test_only_a_person_stores_what_looks_like_a_secret(alice: Person, owner: Api) -> None:
    refused = send(owner, SECRET, "?name=a.jsonl&storeAnyway=true")
    assert (refused.status_code, refused.json()["missing"]) == (403, "person")

    place = checked(by_session(alice), SECRET, "?name=a.jsonl&storeAnyway=true")
    assert by_session(alice).get(place).json["made"] == {"task": 1}


def test_a_session_needs_the_token_for_a_file_too(alice: Person, project: Project) -> None:
    answer = send(by_session(alice, checks=True))

    assert (answer.status_code, answer.json()["missing"]) == (403, "X-CSRFToken")
    assert not Import.objects.exists()


def test_the_same_file_is_the_same_import_and_another_choice_a_conflict(owner: Api) -> None:
    first, same = send(owner), send(owner)
    other = send(owner, query="?name=a.jsonl&only=one&only=two")

    assert first.json()["import"] == same.json()["import"]
    assert (other.status_code, other.json()["error"]) == (409, "conflict")


def test_an_import_is_stopped_and_thrown_away(owner: Api) -> None:
    place = checked(owner)

    stopped = owner.post(f"{place}/stop", {})
    started = owner.post(f"{place}/start", {})
    gone = owner("DELETE", place)

    assert stopped.json["state"] == "canceled"
    assert (started.status, started.json["error"]) == (409, "conflict")
    assert (gone.status, gone.json["outcome"]) == (200, "deleted")
    assert owner.get(place).status == owner("DELETE", place).status == 404


@pytest.mark.usefixtures("project")
def test_who_may_import_is_who_may_publish(
    alice: Person, bob: Person, carol: Person, rita: Person, mallory: Person
) -> None:
    callers = [
        (by_key(mallory), 404), (by_key(rita), 403), (by_key(bob), 403), (by_key(carol), 202),
        (by_key(alice, "reads", scopes=(Scope.READ,)), 403),
        (by_key(alice, "careful", always_review=True), 403),
        (by_key(alice, "elsewhere", projects=(make_project(alice, "other"),)), 404),
    ]  # fmt: skip
    for api, expected in callers:
        assert send(api).status_code == expected
        assert api.get(IMPORTS).status == (200 if expected == 202 else expected)


def test_others_see_that_there_is_an_import_and_nothing_of_its_file(
    alice: Person, carol: Person, project: Project
) -> None:
    place = f"{IMPORTS}/{ended_import(alice, project)}"
    other = by_key(carol)

    [seen] = other.get(IMPORTS).json["items"]
    assert (seen["state"], seen["made"]) == ("done", {"task": 3})
    assert not {"name", "only", "storeAnyway", "report"} & set(seen)
    for heard in (other.get(place), other.post(f"{place}/start", {}), other("DELETE", place),
                  other.post(f"{place}/stop", {})):  # fmt: skip
        assert heard.status == 404
        assert heard.json == other.get(f"{IMPORTS}/{'0' * 12}").json


def test_imports_are_listed_in_pages_newest_first(
    alice: Person, owner: Api, project: Project
) -> None:
    made = [ended_import(alice, project) for _ in range(5)]
    seen: list[str] = []
    query = "?limit=2"
    while query:
        page = owner.get(IMPORTS + query).json
        seen += [each["import"] for each in page["items"]]
        query = f"?limit=2&cursor={page['nextCursor']}" if page["hasMore"] else ""

    assert seen == made[::-1]
    assert owner.get(f"{IMPORTS}?limit=0").status == 400


def test_a_list_of_many_asks_the_database_no_more(
    alice: Person, owner: Api, project: Project
) -> None:
    counts = []
    for _ in range(2):
        for _ in range(3):
            ended_import(alice, project)
        with CaptureQueriesContext(connection) as queries:
            owner.get(IMPORTS)
        counts.append(len(queries))

    assert counts[0] == counts[1]


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
def test_an_export_says_its_type_and_name_and_comes_in_pieces(owner: Api, form: str) -> None:
    owner.post("/projects/alice/shop/items", {"kind": "task", "fields": {"title": "Ship"}})

    answer = owner.client.get(
        f"{EXPORT}?format={form}", headers={"Authorization": f"Bearer {owner.key}"}
    )

    media, ending = {"jsonl": ("application/x-ndjson", 'jsonl"'),
                     "markdown": ("application/zip", 'zip"')}[form]  # fmt: skip
    assert (answer.status_code, answer["Content-Type"], answer.streaming) == (200, media, True)
    assert answer["Content-Disposition"].startswith('attachment; filename="alice-shop-')
    assert answer["Content-Disposition"].endswith(ending)
    assert answer["Cache-Control"] == "no-store"
    assert answer.getvalue()


def lines(api: Api, query: str = "") -> list[Any]:
    text = exported(api, query)
    return [json.loads(line) for line in text.splitlines()]


def exported(api: Api, query: str = "") -> str:
    headers = {"Authorization": f"Bearer {api.key}"} if api.key else {}
    return str(api.client.get(EXPORT + query, headers=headers).getvalue().decode())


def test_private_memories_are_left_out_on_asking(owner: Api) -> None:
    fields = {"title": "Mine alone", "content": "x", "visibility": "private"}
    owner.post("/projects/alice/shop/items", {"kind": "memory", "fields": fields})

    assert "Mine alone" in exported(owner)
    assert "Mine alone" not in exported(owner, "?private=false")
    assert lines(owner, "?private=false")[-1]["type"] == "end"


def test_an_export_is_of_what_its_reader_may_read(
    alice: Person, bob: Person, carol: Person, rita: Person, project: Project
) -> None:
    locked_world(project, alice, bob, carol)

    for person in (alice, bob, carol, rita):
        assert WORD not in exported(by_key(person)).lower()
        assert WORD not in exported(by_session(person)).lower()


def test_a_hidden_project_is_exported_like_one_that_never_was(stranger: Api) -> None:
    hidden, missing = (stranger.get(f"/projects/alice/{name}/export") for name in ("shop", "ship"))

    assert (hidden.status, hidden.json) == (404, missing.json)
    assert Api().get("/projects/alice/shop/export").status == 401


def test_an_unknown_format_is_refused_with_those_that_there_are(owner: Api) -> None:
    heard = owner.get("/projects/alice/shop/export?format=xml")

    assert (heard.status, heard.json["allowed"]) == (400, ["jsonl", "markdown"])
