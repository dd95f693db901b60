"""No email address leaves its owner's settings: every page, file and tool answer is read."""

import base64
import hashlib
import json
from urllib.parse import quote

import pytest
from django.test import Client

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish
from conderis.accounts.models import Person
from conderis.common.caller import Surface
from items.requests import Address, StoreRequest
from mcp_surface.dispatch import call_tool
from projects.invitations import create_invitation
from projects.keys import create_agent_key
from projects.models import Project
from projects.organizations import create_organization, set_organization_member
from projects.services import create_project
from proposals.writing import store
from tests.factories import make_person, make_project, person_caller
from tests.web.crawling import body, crawl

BACKEND = "django.contrib.auth.backends.ModelBackend"
WHO = ("nobody", "alice", "carol", "bob", "rita", "mallory", "adam")


def forms_of(address: str) -> list[bytes]:
    """The address as it could stand in an answer."""
    raw = address.encode()
    return [
        raw,
        raw.upper(),
        quote(address).encode(),
        base64.b64encode(raw).rstrip(b"="),
        hashlib.md5(raw).hexdigest().encode(),  # noqa: S324 - as some services show addresses
        hashlib.sha256(raw).hexdigest().encode(),
        address.partition("@")[0].encode() + b"&#64;",
    ]


@pytest.fixture
def world(project: Project, mallory: Person, alice: Person) -> dict[str, Person]:
    """Everybody, an organization, a public project, items, keys, an invitation."""
    adam = make_person("adam", is_staff=True, is_superuser=True)
    caller = person_caller(alice)
    create_organization(caller, handle="guild", name="The Guild", owner="alice")
    set_organization_member(caller, handle="guild", person="bob", role="member")
    create_project(caller, fields={"name": "handbook", "owner": "guild"})
    public = make_project(alice, "commons", is_public=True)
    for place in (project, public):
        for kind, fields in (
            ("page", {"title": "Home", "content": "# Home\n\nText."}),
            ("task", {"title": "Water the plants", "assignee": "me"}),
            ("memory", {"title": "A fact", "content": "It is so.", "visibility": "shared"}),
        ):
            store(
                caller,
                StoreRequest(Address(project_id=place.public_id), kind=kind, fields=fields),
            )
    for handle in ("alice", "bob"):
        person = Person.objects.get(handle=handle)
        create_agent_key(Operator(), person=person, wish=KeyWish(name=f"Agent of {handle}"))
    create_invitation(caller, project_id=project.public_id, role="reader")
    return {person.handle: person for person in Person.objects.all()} | {"adam": adam}


@pytest.mark.parametrize("who", WHO)
def test_no_page_and_no_file_shows_an_address_but_its_owners_settings(
    client: Client, world: dict[str, Person], who: str
) -> None:
    if who != "nobody":
        client.force_login(world[who], backend=BACKEND)

    pages = crawl(client, "/", "/settings/", "/alice/shop/", "/organizations/guild/")

    others = [person.email for handle, person in world.items() if handle != who]
    found = {
        (address, email)
        for address, answer in pages.items()
        if not address.startswith("/admin/")
        for email in others
        for form in forms_of(email)
        if form in body(answer)
    }
    assert found == set()
    broken = {address: answer.status_code for address, answer in pages.items()
              if answer.status_code >= 500}  # fmt: skip
    assert broken == {}
    assert len(pages) > (10 if who == "nobody" else 40)
    if who != "nobody":
        own = {each for each, answer in pages.items() if world[who].email.encode() in body(answer)}
        assert "/settings/" in own
        settings = ("/settings/", "/account/", "/admin/")
        assert {each for each in own if not each.startswith(settings)} == set()


def test_the_summary_of_a_project_names_people_without_addresses(
    world: dict[str, Person], project: Project
) -> None:

    caller = person_caller(world["bob"], Surface.MCP)
    calls = [
        ("project_get", {"projectId": project.public_id}),
        ("recall", {"projectId": project.public_id}),
        ("item_list", {"kind": "task", "projectId": project.public_id}),
        ("item_get", {"projectId": project.public_id, "number": 2, "history": True}),
    ]
    said = json.dumps([str(call_tool(caller, name, arguments)) for name, arguments in calls])

    assert "canary" not in said
