"""Every page of an organization, for owners, members, strangers and nobody."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from projects.models import Organization, Project
from projects.organizations import change_organization
from tests.factories import make_person, make_project, person_caller
from tests.projects.making import make_organization, make_organization_project
from tests.web.reading import without_tokens

BACKEND = "django.contrib.auth.backends.ModelBackend"
OF_MEMBERS = ["", "leave/", "instructions/", "instructions/history/"]
OF_OWNERS = ["members/bob/", "instructions/edit/", "settings/", "log/"]
POSTED = ["members/bob/remove/", "invitations/", "invitations/abc/revoke/", "delete/"]


@pytest.fixture
def acme(alice: Person, bob: Person) -> Organization:
    """alice owns it, bob is a member; it has acme/site."""
    made = make_organization(alice, members=(bob,))
    make_organization_project(made)
    return made


def opened(client: Client, person: Person | None, path: str) -> Any:
    client.logout()
    if person is not None:
        client.force_login(person, backend=BACKEND)
    return client.get(path)


@pytest.mark.parametrize("page", [*OF_MEMBERS, *OF_OWNERS])
def test_each_page_opens_for_whom_it_is(
    client: Client, acme: Organization, mallory: Person, page: str
) -> None:
    path = f"/organizations/acme/{page}"
    found = {each.handle: opened(client, each, path).status_code for each in Person.objects.all()}
    asked = opened(client, None, path)

    members = 403 if page in OF_OWNERS else 200
    assert found == {"alice": 200, "bob": members, "mallory": 404}
    assert asked["Location"] == f"/sign-in/?next={path}"


@pytest.mark.parametrize("page", [*OF_MEMBERS, *OF_OWNERS])
def test_what_is_hidden_reads_like_what_is_not_there(
    client: Client, acme: Organization, mallory: Person, page: str
) -> None:
    hidden = opened(client, mallory, f"/organizations/acme/{page}")
    missing = opened(client, mallory, f"/organizations/none/{page}")

    assert without_tokens(hidden.content.decode()) == without_tokens(missing.content.decode())
    assert hidden.status_code == missing.status_code == 404


@pytest.mark.parametrize("page", POSTED)
def test_forms_of_owners_change_nothing_for_others(
    client: Client, acme: Organization, bob: Person, mallory: Person, page: str
) -> None:
    client.force_login(bob, backend=BACKEND)
    assert client.post(f"/organizations/acme/{page}").status_code == 403
    assert client.get(f"/organizations/acme/{page}").status_code == 405
    client.force_login(mallory, backend=BACKEND)
    assert client.post(f"/organizations/acme/{page}").status_code == 404
    assert acme.members.count() == 2


def test_members_are_told_what_they_lack(client: Client, acme: Organization, bob: Person) -> None:
    answer = opened(client, bob, "/organizations/acme/settings/")

    assert "Owners may do it." in answer.content.decode()


def test_the_first_page_shows_members_and_the_projects_that_may_be_read(
    client: Client, acme: Organization, alice: Person, bob: Person
) -> None:
    make_project(alice, "elsewhere", description="not acme/ but near")

    page = opened(client, bob, "/organizations/acme/").content.decode()

    assert 'href="/acme/site/"' in page
    assert "elsewhere" not in page
    assert "Alice" in page
    assert "Change" not in page
    assert "Invite by link" not in page
    assert "canary@example.org" not in page


def test_a_former_handle_leads_to_the_present_one_for_members(
    client: Client, acme: Organization, alice: Person, bob: Person, mallory: Person
) -> None:
    change_organization(person_caller(alice), handle="acme", fields={"handle": "apex"})

    answer = opened(client, bob, "/organizations/acme/instructions/")
    hidden = opened(client, mallory, "/organizations/acme/")

    assert answer["Location"] == "/organizations/apex/instructions/"
    assert hidden.status_code == 404
    assert opened(client, bob, "/acme/site/")["Location"] == "/apex/site/"


def test_the_list_holds_the_organizations_that_the_person_is_in(
    client: Client, acme: Organization, bob: Person, mallory: Person
) -> None:
    make_organization(mallory, "secluded")

    page = opened(client, bob, "/organizations/").content.decode()

    assert 'href="/organizations/acme/"' in page
    assert "Member" in page
    assert "secluded" not in page
    assert (
        "You are in no organization"
        in opened(client, make_person("nina"), "/organizations/").content.decode()
    )
    assert opened(client, None, "/organizations/").status_code == 302


def test_a_person_makes_an_organization_and_owns_it(client: Client, bob: Person) -> None:
    client.force_login(bob, backend=BACKEND)

    answer = client.post("/organizations/new/", {"handle": "nova", "name": "Nova"}, follow=True)

    assert answer.redirect_chain == [("/organizations/nova/", 302)]
    assert "Invite by link" in answer.content.decode()


@pytest.mark.parametrize(
    ("handle", "status"), [("acme", 409), ("alice", 409), ("new", 400), ("A b", 400), ("", 400)]
)
def test_a_handle_that_cannot_be_had_is_said_beside_it(
    client: Client, acme: Organization, bob: Person, handle: str, status: int
) -> None:
    client.force_login(bob, backend=BACKEND)

    answer = client.post("/organizations/new/", {"handle": handle, "name": "Nova"})

    assert answer.status_code == status
    assert 'id="id_handle_error"' in answer.content.decode()
    assert 'value="Nova"' in answer.content.decode()


def test_settings_change_what_was_changed_and_lead_to_the_new_handle(
    client: Client, acme: Organization, alice: Person
) -> None:
    client.force_login(alice, backend=BACKEND)
    sent = {
        "name": "Acme", "initial-name": "Acme",
        "handle": "apex", "initial-handle": "acme",
        "member_role": "reader", "initial-member_role": "contributor",
    }  # fmt: skip

    answer = client.post("/organizations/acme/settings/", sent)
    acme.refresh_from_db()

    assert answer["Location"] == "/organizations/apex/settings/"
    assert (acme.name, acme.handle, acme.member_role) == ("Acme", "apex", "reader")


def test_an_organization_with_projects_is_not_deleted(
    client: Client, acme: Organization, alice: Person
) -> None:
    client.force_login(alice, backend=BACKEND)
    path = "/organizations/acme/delete/"

    wrong = client.post(path, {"delete-typed": "acne"})
    kept = client.post(path, {"delete-typed": "acme"})
    Project.objects.all().delete()
    gone = client.post(path, {"delete-typed": "acme"}, follow=True)

    assert wrong.status_code == 400
    assert "This is not its handle." in wrong.content.decode()
    assert kept.status_code == 409
    assert "still has projects" in kept.content.decode()
    assert "Acme is deleted." in gone.content.decode()
    assert not Organization.objects.exists()


def test_the_log_is_of_the_organization_and_its_projects(
    client: Client, acme: Organization, alice: Person
) -> None:
    client.force_login(alice, backend=BACKEND)
    client.post("/organizations/acme/members/bob/", {"role": "owner"})
    client.post("/acme/site/settings/visibility/", {"typed_name": "acme/site"})

    page = client.get("/organizations/acme/log/").content.decode()

    assert 'Role in the organization changed: <span class="kept">Bob</span>' in page
    assert "Visibility changed" in page
    assert "<span>acme/site</span>" in page


def test_the_page_costs_the_same_for_two_and_for_twelve(
    client: Client, alice: Person, bob: Person
) -> None:
    acme = make_organization(alice, members=(bob,))
    client.force_login(alice, backend=BACKEND)
    counts = []
    for wanted in (2, 12):
        for number in range(Project.objects.count(), wanted):
            make_organization_project(acme, f"p{number}")
        while acme.members.count() < wanted:
            acme.members.create(person=make_person(), role="member")
        with CaptureQueriesContext(connection) as found:
            assert client.get("/organizations/acme/").status_code == 200
        counts.append(len(found))

    assert counts[0] == counts[1]
