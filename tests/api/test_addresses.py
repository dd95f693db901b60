"""Addresses over REST: what stands elsewhere is not reached by them, and what they take."""

import json
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from conderis.accounts.limits import forget_calls
from conderis.accounts.models import Person
from items.models import Item
from projects.models import Project
from proposals.models import Proposal
from tests.api.calling import Api, by_key, by_session
from tests.factories import make_project, person_caller
from tests.proposals.reviews import propose_new

SHOP = "/projects/alice/shop"
ITEMS = f"{SHOP}/items"


@pytest.fixture
def memory(owner: Api) -> str:
    """A personal memory of the owner, as `memory:<id>`."""
    made = owner.post("/items", {"kind": "memory", "fields": {"title": "Mine"}})
    ref: str = made.json["ref"]
    return ref


@pytest.mark.parametrize("place", ["no%2Fsuch", "alice/shop"])
def test_a_personal_memory_is_neither_read_nor_changed_below_a_project(
    owner: Api, memory: str, place: str
) -> None:
    below = f"/projects/{place}/items/{memory}"

    heard = [
        owner.get(below),
        owner.get(f"{below}/history"),
        owner.patch(below, {"version": 1, "fields": {"title": "Other"}}),
        owner.post(f"{below}/actions", {"action": "archive", "version": 1}),
        owner.post(f"{below}/deletion-requests", {"reason": "No."}),
    ]

    assert [(each.status, each.json["field"]) for each in heard] == [(400, "item")] * 5
    assert Item.objects.get().title == "Mine"
    assert owner.get(f"/items/{memory}").status == 200


@pytest.mark.parametrize("place", ["/projects/alice/secret", "/projects/alice/shop", ""])
def test_a_proposal_is_not_decided_at_the_address_of_an_item(
    owner: Api, alice: Person, bob: Person, project: Project, place: str
) -> None:
    make_project(alice, "secret")
    propose_new(person_caller(bob), project, "page", title="Proposed")
    proposal = Proposal.objects.get()
    below = f"{place}/items/proposal:{proposal.public_id}"

    read = owner.get(below)
    acted = owner.post(f"{below}/actions", {"action": "reject", "reason": "No."})

    assert read.status == acted.status == 400
    assert "/proposals/" in acted.json["message"]
    proposal.refresh_from_db()
    assert proposal.state == "pending"


@pytest.mark.parametrize("path", [
    f"{ITEMS}?kind=task&limit=&cursor=&sort=&query=&tags=&ready=", f"{ITEMS}/1?section=&offset=",
    f"{ITEMS}/1?take=&version=", f"{ITEMS}/1/history?version=", "/recall?maxChars=&guide=&focus=",
    "/projects?limit=&cursor=&sort=&query=", f"{SHOP}/proposals?limit=&cursor=&sort=",
    f"{SHOP}/export?format=&private=",
])  # fmt: skip
def test_an_empty_parameter_is_none(owner: Api, path: str) -> None:
    owner.post(ITEMS, {"kind": "task", "fields": {"title": "Ship"}})

    response = owner.client.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {owner.key}"})

    assert response.status_code == 200


def test_an_empty_kind_of_a_batch_is_none(owner: Api) -> None:
    batch = {"items": [{"kind": "task", "fields": {"title": "Ship"}}]}

    assert owner.post(f"{SHOP}/batches?kind=", batch).json["outcome"] == "stored"


def test_an_empty_parameter_that_is_needed_or_unknown_is_refused(owner: Api) -> None:
    assert owner.get(f"{ITEMS}?kind=").json["field"] == "kind"
    assert owner.get(f"{ITEMS}?kind=task&limt=").json["field"] == "limt"


def test_an_empty_authorization_header_is_sent(alice: Person, project: Project) -> None:
    heard = by_session(alice)("GET", "/me", headers={"Authorization": ""})

    assert heard.status == 401


@pytest.mark.parametrize("target", [True, 1.5, [1], {}])
def test_a_target_of_a_wrong_type_is_named(owner: Api, target: Any) -> None:
    owner.post(ITEMS, {"kind": "task", "fields": {"title": "Ship"}})

    heard = owner.post(
        f"{ITEMS}/1/actions", {"action": "relate", "relation": "related", "target": target}
    )

    assert (heard.status, heard.json["field"]) == (400, "target")
    assert heard.json["message"].startswith("target ")


def test_null_is_absence_in_a_body(owner: Api) -> None:
    made = owner.post(ITEMS, {"kind": "task", "fields": {"title": "A"}, "propose": None,
                              "reason": None})  # fmt: skip
    changed = owner.patch(f"{ITEMS}/1", {"version": 1, "fields": {"due": None}, "propose": None})
    acted = owner.post(f"{ITEMS}/1/actions", {"action": "claim", "version": 1, "fields": None,
                                              "target": None})  # fmt: skip
    without = owner.patch(SHOP, {"fields": None})

    assert (made.status, changed.status, acted.status) == (201, 200, 200)
    assert (without.status, without.json["field"]) == (400, "fields")


@pytest.mark.parametrize("charset", ["utf-16", "latin-1"])
def test_another_charset_than_utf_8_is_415(owner: Api, charset: str) -> None:
    headers: Any = {"Authorization": f"Bearer {owner.key}"}
    media = f"application/json; charset={charset}"

    changed = owner.client.generic("POST", f"/api/v1{ITEMS}", b"{}", media, headers=headers)
    read = owner.client.generic("GET", "/api/v1/me?a=b", headers={**headers, "Content-Type": media})

    assert changed.status_code == read.status_code == 415
    own = owner.client.generic(
        "POST", f"/api/v1{ITEMS}", json.dumps({"kind": "task", "fields": {"title": "é"}}),
        "application/json; charset=UTF-8", headers=headers,
    )  # fmt: skip
    assert own.status_code == 201


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_the_document_takes_get_alone(method: str) -> None:
    answer = Client(enforce_csrf_checks=True).generic(method, "/api/v1/openapi.json")

    assert (answer.status_code, answer["Allow"]) == (405, "GET")


def test_a_key_is_not_refused_for_what_the_session_beside_it_has_called(
    alice: Person, project: Project, settings: Settings
) -> None:
    forget_calls()
    settings.LIMITS = replace(settings.LIMITS, calls_a_minute=3)
    client = Client()
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    session, both = Api(client=client), Api(by_key(alice).key, client)

    heard = [session.get("/me").status for _ in range(5)]

    assert 429 in heard
    assert both.get("/me").status == 200
    assert session.get("/openapi.json").status == 200


def test_refusals_speak_of_addresses_and_parameters_not_of_tools(owner: Api) -> None:
    heard = [
        owner.get("/projects/no/such"),
        owner.get(f"{ITEMS}?kind=task&ready=maybe"),
        owner.get(f"{ITEMS}?kind=task&status=open"),
        owner.get("/items?kind=page"),
        owner.post("/items", {"kind": "page", "fields": {"title": "A"}}),
        owner.post(ITEMS, {"kind": "task", "fields": {"title": "A", "assignee": "Bob"}}),
        owner.get(f"{ITEMS}/instructions"),
    ]

    for each in heard:
        assert each.is_problem
        text = json.dumps(each.json)
        for word in ("project_", "item_", "Send projectId", "filter."):
            assert word not in text, each.json
    assert heard[1].json["field"] == "ready"
