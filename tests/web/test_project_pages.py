"""Every page of a project, for everybody: what opens, what is refused, what is not there."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from projects.capabilities import Role
from projects.models import Project
from projects.services import change_project
from tests.factories import join, make_person, make_project, person_caller
from tests.projects.making import make_organization, make_organization_project
from tests.web.reading import without_tokens

BACKEND = "django.contrib.auth.backends.ModelBackend"
READ = ["", "activity/", "settings/instructions/", "settings/instructions/history/"]
OF_MEMBERS = ["settings/members/"]
EDIT = "settings/instructions/edit/"  # for all who write: what they send may be a proposal
OF_OWNERS = [
    "settings/",
    "settings/members/bob/",
    EDIT,
    "settings/policies/",
    "settings/visibility/",
    "settings/visibility/private/",
    "settings/ending/",
    "activity/log/",
]
POSTED = [
    "settings/invitations/",
    "settings/invitations/abc/revoke/",
    "settings/members/bob/remove/",
    "settings/transfer/",
    "settings/delete/",
]


def opened(client: Client, person: Person | None, path: str) -> Any:
    client.logout()
    if person is not None:
        client.force_login(person, backend=BACKEND)
    return client.get(path)


def shown(answer: Any) -> str:
    """The page without what differs from one request to the next."""
    return without_tokens(answer.content.decode())


@pytest.mark.parametrize("page", [*READ, *OF_MEMBERS, *OF_OWNERS])
def test_each_page_opens_for_whom_it_is(
    client: Client, project: Project, mallory: Person, page: str
) -> None:
    path = f"/alice/shop/{page}"
    found = {each.handle: opened(client, each, path).status_code for each in Person.objects.all()}
    asked = opened(client, None, path)

    members = 403 if page in OF_OWNERS else 200
    writers = 200 if page == EDIT else members
    assert found == {
        "alice": 200,
        "carol": writers,
        "bob": writers,
        "rita": members,
        "mallory": 404,
    }
    assert asked.status_code == 302
    assert asked["Location"] == f"/sign-in/?next={path}"


@pytest.mark.parametrize("page", [page for page in OF_OWNERS if page != EDIT])
def test_who_may_not_manage_is_told_who_may(
    client: Client, project: Project, carol: Person, page: str
) -> None:
    answer = opened(client, carol, f"/alice/shop/{page}")

    assert "Owners may do it." in answer.content.decode()


@pytest.mark.parametrize("page", [*READ, *OF_MEMBERS, *OF_OWNERS])
def test_what_is_hidden_reads_like_what_is_not_there(
    client: Client, project: Project, mallory: Person, page: str
) -> None:
    hidden = opened(client, mallory, f"/alice/shop/{page}")
    missing = opened(client, mallory, f"/alice/none/{page}")

    assert shown(hidden) == shown(missing)
    assert hidden.status_code == missing.status_code == 404
    assert hidden.headers.keys() == missing.headers.keys()


@pytest.mark.parametrize("page", POSTED)
def test_forms_of_owners_change_nothing_for_others(
    client: Client, project: Project, carol: Person, mallory: Person, page: str
) -> None:
    client.force_login(carol, backend=BACKEND)
    assert client.post(f"/alice/shop/{page}").status_code == 403
    assert client.get(f"/alice/shop/{page}").status_code == 405

    client.force_login(mallory, backend=BACKEND)
    hidden = client.post(f"/alice/shop/{page}")
    missing = client.post(f"/alice/none/{page}")
    assert hidden.status_code == missing.status_code == 404
    assert shown(hidden) == shown(missing)

    project.refresh_from_db()
    assert project.deleted_at is None
    assert project.members.count() == 3


def test_a_public_project_opens_for_everybody_who_is_signed_in(
    client: Client, alice: Person, mallory: Person
) -> None:
    make_project(alice, is_public=True)

    for page in READ:
        assert opened(client, mallory, f"/alice/shop/{page}").status_code == 200
    assert opened(client, mallory, "/alice/shop/settings/members/").status_code == 403
    for page in OF_OWNERS:
        assert opened(client, mallory, f"/alice/shop/{page}").status_code == 403


def test_a_stranger_to_a_public_project_is_shown_no_member(
    client: Client, alice: Person, bob: Person, mallory: Person
) -> None:
    join(make_project(alice, is_public=True), bob, Role.CONTRIBUTOR)

    text = opened(client, mallory, "/alice/shop/").content.decode()

    assert "Bob" not in text
    assert "/settings/members/" not in text


def test_a_former_name_leads_to_the_present_one_for_whom_may_read_it(
    client: Client, project: Project, alice: Person, rita: Person, mallory: Person
) -> None:
    change_project(person_caller(alice), project.public_id, fields={"name": "store"})

    answer = opened(client, rita, "/alice/shop/settings/members/?x=1")
    assert answer.status_code == 302
    assert answer["Location"] == "/alice/store/settings/members/?x=1"
    hidden = opened(client, mallory, "/alice/shop/")
    missing = opened(client, mallory, "/alice/none/")
    assert hidden.status_code == 404
    assert shown(hidden) == shown(missing)


def test_a_name_in_other_letters_leads_to_its_spelling(client: Client, alice: Person) -> None:
    make_project(alice, "Shop")

    assert opened(client, alice, "/alice/shop/")["Location"] == "/alice/Shop/"


def test_the_head_names_the_project_and_the_current_tab(
    client: Client, project: Project, rita: Person
) -> None:
    text = opened(client, rita, "/alice/shop/").content.decode()

    assert "<title>Overview · alice/shop · Conderis</title>" in text
    assert text.count("<h1>") == 1
    assert re.search(r'href="/alice/shop/" aria-current="page">', text)
    assert "Private" in text
    assert 'href="/connect/?project=alice%2Fshop"' in text


def test_the_settings_lead_everybody_to_a_page_that_opens(
    client: Client, project: Project, alice: Person, rita: Person, mallory: Person
) -> None:
    Project.objects.filter(pk=project.pk).update(is_public=True)

    for person in (alice, rita, mallory):
        text = opened(client, person, "/alice/shop/").content.decode()
        found = re.search(r'href="([^"]*)"[^>]*><svg[^>]*><use [^>]*#settings"/></svg>Sett', text)
        assert found is not None
        assert opened(client, person, found[1]).status_code == 200
        section = opened(client, person, found[1]).content.decode()
        nav = section.partition('class="sidenav"')[2].partition("</nav>")[0]
        for href in re.findall(r'href="([^"]*)"', nav):
            assert opened(client, person, href).status_code == 200


def test_only_what_was_written_by_people_is_escaped_into_the_page(
    client: Client, alice: Person
) -> None:
    make_project(alice, description="<script>alert(1)</script>")

    text = opened(client, alice, "/alice/shop/").content.decode()

    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_no_page_shows_an_email_address(client: Client, project: Project, alice: Person) -> None:
    for page in [*READ, *OF_MEMBERS, *OF_OWNERS]:
        text = opened(client, alice, f"/alice/shop/{page}").content.decode()
        assert "canary@example.org" not in text


@pytest.mark.parametrize("page", ["", "settings/members/", "activity/", "activity/log/"])
def test_pages_cost_the_same_for_two_and_for_twelve_members(
    client: Client, alice: Person, page: str
) -> None:
    project = make_project(alice)
    counts = []
    for wanted in (2, 12):
        while project.members.count() < wanted:
            client.force_login(alice, backend=BACKEND)
            person = make_person()
            client.post(
                "/alice/shop/settings/members/",
                {"add-handle": person.handle, "add-role": "reader"},
            )
        client.get("/alice/shop/")  # the sentence of the last form
        client.get(f"/alice/shop/{page}")
        with CaptureQueriesContext(connection) as found:
            assert client.get(f"/alice/shop/{page}").status_code == 200
        counts.append(len(found))

    assert counts[0] == counts[1]


def test_a_project_of_an_organization_names_where_roles_come_from(
    client: Client, alice: Person, bob: Person
) -> None:
    make_organization_project(make_organization(alice, members=(bob,)))

    text = opened(client, bob, "/acme/site/settings/members/").content.decode()

    assert "The organization" in text
    assert '<a href="/organizations/acme/">acme</a>' in text
