"""Items over REST: the same objects as over the tools, with statuses and addresses."""

import pytest

from conderis.accounts.models import Person
from items.models import Item
from projects.models import Project
from proposals.models import Proposal
from tests.api.calling import Api, by_key, by_session
from tests.factories import person_caller
from tests.items.calls import create

ITEMS = "/projects/alice/shop/items"


def test_an_item_is_made_at_an_address_that_answers_with_it(owner: Api) -> None:
    made = owner.post(ITEMS, {"kind": "task", "fields": {"title": "Ship", "priority": "high"}})

    assert made.status == 201
    assert made.json["outcome"] == "published"
    assert made.headers["location"] == f"/api/v1{ITEMS}/1"
    read = owner.get(made.headers["location"].removeprefix("/api/v1"))
    assert (read.json["title"], read.json["priority"]) == ("Ship", "high")
    assert read.json["author"] == {"name": "Alice", "agent": "robo"}


@pytest.mark.parametrize("named", ["alice/shop", "alice%2Fshop", "Alice/Shop", "ID"])
def test_a_project_is_named_by_its_id_or_by_owner_and_name(
    owner: Api, project: Project, named: str
) -> None:
    found = owner.get(f"/projects/{named.replace('ID', project.public_id)}")

    assert (found.status, found.json["name"]) == (200, "alice/shop")


@pytest.mark.parametrize("name", ["items", "proposals", "recall", "batches"])
def test_a_project_with_the_name_of_a_part_is_reached_by_its_id(owner: Api, name: str) -> None:
    made = owner.post("/projects", {"fields": {"name": name}})

    assert owner.get(made.headers["location"].removeprefix("/api/v1")).json["name"] == (
        f"alice/{name}"
    )
    assert owner.get(f"/projects/alice/{name}/items?kind=task").json["total"] == 0


def test_a_project_is_found_by_its_remote(owner: Api, project: Project) -> None:
    owner.patch("/projects/alice/shop", {"fields": {"remote": "https://git.example/o/n"}})

    found = owner.get("/project?projectId=git@git.example:o/n.git")

    assert found.json["projectId"] == project.public_id


def test_a_stale_change_is_a_conflict_that_says_what_stands(owner: Api) -> None:
    owner.post(ITEMS, {"kind": "task", "fields": {"title": "Ship"}})
    owner.patch(f"{ITEMS}/1", {"version": 1, "fields": {"title": "Ship it"}})

    late = owner.patch(f"{ITEMS}/1", {"version": 1, "fields": {"title": "Ship now"}})

    assert late.status == 409
    assert late.is_problem
    assert late.json["title"] == "Conflict"
    assert late.json["currentVersion"] == 2
    assert owner.get(f"{ITEMS}/1").json["title"] == "Ship it"


def test_what_may_not_be_published_waits_as_a_proposal(owner: Api, bob: Person) -> None:
    page = {"kind": "page", "fields": {"title": "How", "content": "So."}}

    proposed = by_key(bob).post(ITEMS, page)

    assert proposed.status == 202
    ref = proposed.json["proposal"]
    assert owner.get("/projects/alice/shop/proposals").json["total"] == 1
    assert owner.get(f"/proposals/{ref}").json["fields"]["title"] == "How"
    public_id = ref.partition(":")[2]
    approved = owner.post(
        f"/proposals/{public_id}/actions", {"action": "approve", "reason": "Right."}
    )
    assert (approved.status, approved.json["number"]) == (200, 1)
    assert Proposal.objects.get().state == "approved"


def test_an_item_is_locked_at_once_by_a_request_for_its_deletion(owner: Api) -> None:
    owner.post(ITEMS, {"kind": "page", "fields": {"title": "Names"}})

    asked = owner.post(f"{ITEMS}/1/deletion-requests", {"reason": "It names people."})

    assert (asked.status, asked.json["outcome"]) == (201, "locked")
    assert "title" not in owner.get(f"{ITEMS}/1").json
    again = owner.post(f"{ITEMS}/1/deletion-requests", {"reason": "It names people."})
    assert (again.status, again.json["outcome"]) == (200, "unchanged")
    change = owner.patch(f"{ITEMS}/1", {"version": 1, "fields": {"title": "No names"}})
    assert (change.status, change.json["error"]) == (423, "locked")
    request = owner.get(f"/deletion-requests/{asked.json['request']}")
    assert request.json["state"] == "pending"


def test_an_item_is_read_in_parts_as_it_was_and_with_its_history(
    owner: Api, alice: Person, project: Project
) -> None:
    text = "# One\n\nfirst\n\n# Two\n\nsecond"
    create(person_caller(alice), project, "page", title="Page", content=text)
    owner.patch(f"{ITEMS}/1", {"version": 1, "fields": {"title": "Other"}})

    assert owner.get(f"{ITEMS}/1?section=two").json["content"].strip().endswith("second")
    part = owner.get(f"{ITEMS}/1?take=10").json
    assert part["outline"][1]["title"] == "Two"
    rest = owner.get(f"{ITEMS}/1?offset={part['nextOffset']}&version=2")
    assert rest.json["content"].endswith("second")
    assert owner.get(f"{ITEMS}/1?version=1").json["title"] == "Page"
    history = owner.get(f"{ITEMS}/1/history").json
    assert [each["version"] for each in history["events"]] == [2, 1]


def test_lists_are_filtered_sorted_searched_and_paged(owner: Api) -> None:
    for priority, tag in (("low", "a"), ("urgent", "b"), ("high", "a")):
        fields = {"title": f"Do {priority}", "priority": priority, "tags": [tag, "all"]}
        owner.post(ITEMS, {"kind": "task", "fields": fields})

    first = owner.get(f"{ITEMS}?kind=task&limit=2").json
    assert [each["priority"] for each in first["items"]] == ["urgent", "high"]
    rest = owner.get(f"{ITEMS}?kind=task&limit=2&cursor={first['nextCursor']}").json
    assert [each["priority"] for each in rest["items"]] == ["low"]
    assert owner.get(f"{ITEMS}?kind=task&tags=a&tags=all").json["total"] == 2
    assert owner.get(f"{ITEMS}?kind=task&priority=low").json["total"] == 1
    assert owner.get(f"{ITEMS}?kind=task&query=urgent").json["total"] == 1
    assert owner.get(f"{ITEMS}?kind=task&ready=true&sort=title").json["total"] == 3
    assert owner.get("/items?kind=task").json["items"][0]["ref"] == "alice/shop#2"


def test_personal_memories_have_addresses_without_a_project(owner: Api) -> None:
    made = owner.post("/items", {"kind": "memory", "fields": {"title": "Editor"}})

    assert made.status == 201
    place = made.headers["location"].removeprefix("/api/v1")
    assert owner.get(place).json["title"] == "Editor"
    assert owner.patch(place, {"version": 1, "fields": {"append": "Vim."}}).json["version"] == 2
    done = owner.post(f"{place}/actions", {"action": "archive", "version": 2})
    assert done.json["outcome"] == "done"


def test_the_instructions_are_stored_and_read_under_their_name(owner: Api) -> None:
    place = f"{ITEMS}/instructions"
    assert owner.get(place).status == 404

    made = owner.post(ITEMS, {"kind": "instructions", "fields": {"content": "Test first."}})

    assert made.headers["location"] == f"/api/v1{place}"
    assert owner.get(place).json["content"] == "Test first."
    changed = owner.patch(place, {"version": 1, "fields": {"content": "Test."}})
    assert changed.json["version"] == 2


def test_recall_is_markdown_in_json(owner: Api) -> None:
    owner.post(ITEMS, {"kind": "task", "fields": {"title": "Ship"}})

    said = owner.get("/projects/alice/shop/recall?maxChars=2000").json

    assert said["mediaType"] == "text/markdown"
    assert "Ship" in said["text"]
    assert len(said["text"]) <= 2000
    assert owner.get("/recall?guide=true").json["text"].startswith("#")


def test_me_says_who_calls_and_what_the_key_lets_through(
    owner: Api, alice: Person, project: Project
) -> None:
    agent = owner.get("/me").json
    person = by_session(alice).get("/me").json

    assert (agent["name"], agent["person"]["ref"]) == ("robo", alice.ref)
    assert agent["scopes"] == ["read", "write", "delete", "review"]
    assert (person["ref"], "scopes" in person) == (alice.ref, False)


def test_a_batch_of_one_makes_one_item_however_often_it_is_sent(owner: Api, alice: Person) -> None:
    batch = {"idempotencyKey": "k1", "items": [{"kind": "task", "fields": {"title": "Once"}}]}
    place = "/projects/alice/shop/batches"

    first, again = owner.post(place, batch), owner.post(place, batch)

    assert first.status == again.status == 200
    assert first.json["items"] == again.json["items"]
    assert again.json["replayed"] == ["task"]
    assert Item.objects.count() == 1
    other = {**batch, "items": [{"kind": "task", "fields": {"title": "Twice"}}]}
    assert owner.post(place, other).status == 409
    assert by_key(alice, "other").post(place, batch).json["items"][0]["number"] == 2
    unkeyed = {"items": batch["items"]}
    owner.post(place, unkeyed)
    owner.post(place, unkeyed)
    assert Item.objects.count() == 4


def test_a_failed_batch_keeps_nothing_under_its_key(owner: Api) -> None:
    place = "/projects/alice/shop/batches"
    bad = {"idempotencyKey": "k1", "items": [{"kind": "task", "fields": {"due": "never"}}]}

    failed = owner.post(place, bad)

    assert (failed.status, failed.json["outcome"]) == (200, "failed")
    good = {"idempotencyKey": "k1", "items": [{"kind": "task", "fields": {"title": "Once"}}]}
    assert owner.post(place, good).json["outcome"] == "stored"
