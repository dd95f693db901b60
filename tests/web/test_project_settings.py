"""Settings of a project in the browser: general, policies, visibility, ending, log."""

import pytest
from django.test import Client

from conderis.accounts.models import Person
from projects.capabilities import OrganizationRole, Role
from projects.models import Project, ProjectMember
from tests.factories import join, make_project, person_caller
from tests.items.calls import create
from tests.projects.making import make_organization, make_organization_project

BACKEND = "django.contrib.auth.backends.ModelBackend"
HERE = "/alice/shop/settings/"
GENERAL = {
    "name": "shop",
    "initial-name": "shop",
    "description": "",
    "initial-description": "",
    "remote": "",
    "initial-remote": "",
    "upstream": "",
    "initial-upstream": "",
}
POLICIES = {
    "secrets": "refuse",
    "initial-secrets": "refuse",
    "session_days": "30",
    "initial-session_days": "30",
    "recall_mode": "default",
    "initial-recall_mode": "default",
    "initial-unreviewed": "False",
    "initial-accept_proposals": "False",
}


@pytest.fixture
def owner(client: Client, project: Project, alice: Person) -> Client:
    """A browser in which alice is signed in."""
    client.force_login(alice, backend=BACKEND)
    return client


def test_general_changes_what_was_changed_and_leads_to_the_new_name(
    owner: Client, project: Project
) -> None:
    sent = {**GENERAL, "name": "store", "description": "Sells", "remote": "git@h.example:a/b.git"}

    answer = owner.post(HERE, sent)
    project.refresh_from_db()

    assert answer["Location"] == "/alice/store/settings/"
    assert (project.name, project.description) == ("store", "Sells")
    assert project.remote == "h.example/a/b"
    assert "Changes saved." in owner.get("/alice/store/settings/").content.decode()


def test_a_form_that_was_open_for_long_brings_nothing_old_back(
    owner: Client, project: Project
) -> None:
    Project.objects.filter(pk=project.pk).update(description="by somebody else")

    owner.post(HERE, {**GENERAL, "remote": "h.example/a/b"})
    project.refresh_from_db()

    assert project.description == "by somebody else"
    assert project.remote == "h.example/a/b"


def test_an_upstream_that_the_owner_may_not_read_is_not_cleared_by_saving(
    owner: Client, project: Project, mallory: Person
) -> None:
    hidden = make_project(mallory, "secret-base")
    Project.objects.filter(pk=project.pk).update(upstream=hidden)

    page = owner.get(HERE).content.decode()
    owner.post(HERE, {**GENERAL, "description": "x"})
    project.refresh_from_db()

    assert "secret-base" not in page
    assert project.upstream == hidden


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "a/b", "is the project&#x27;s own name"),
        ("name", "", "This field is required."),
        ("remote", "not a remote", "no address of a git repository"),
        ("upstream", "mallory/none", "names no project that you may read"),
        ("upstream", "alice/shop", "circle"),
    ],
)
def test_a_refused_field_is_said_beside_it_and_keeps_what_was_typed(
    owner: Client, project: Project, field: str, value: str, said: str
) -> None:
    answer = owner.post(HERE, {**GENERAL, field: value})
    page = answer.content.decode()

    assert answer.status_code == 400
    assert said in page
    assert f'value="{value}"' in page or not value
    assert f'id="id_{field}_error"' in page


def test_policies_are_changed_and_others_kept(owner: Client, project: Project) -> None:
    owner.post(
        f"{HERE}policies/", {**POLICIES, "unreviewed": "on", "session_days": "7", "secrets": "warn"}
    )
    project.refresh_from_db()

    assert project.memories_unreviewed
    assert not project.open_proposals
    assert (project.session_days, project.secrets_policy) == (7, "warn")
    assert project.recall_mode == ""


def test_the_role_of_members_is_a_policy_of_organizations_projects_alone(
    owner: Client, alice: Person
) -> None:
    site = make_organization_project(make_organization(alice))

    assert 'name="member_role"' not in owner.get(f"{HERE}policies/").content.decode()
    page = owner.get("/acme/site/settings/policies/").content.decode()
    assert "The organization&#x27;s default: Contributor" in page
    owner.post(
        "/acme/site/settings/policies/",
        {**POLICIES, "member_role": "reader", "initial-member_role": "default"},
    )
    assert Project.objects.get(pk=site.pk).member_role == Role.READER
    owner.post(
        "/acme/site/settings/policies/",
        {**POLICIES, "member_role": "default", "initial-member_role": "reader"},
    )
    assert Project.objects.get(pk=site.pk).member_role == ""


def test_a_wrong_policy_is_said_beside_its_field(owner: Client, project: Project) -> None:
    answer = owner.post(f"{HERE}policies/", {**POLICIES, "session_days": "0"})

    assert answer.status_code == 400
    assert 'id="id_session_days_error"' in answer.content.decode()


def test_the_page_says_what_becomes_readable_before_it_is(
    owner: Client, project: Project, alice: Person
) -> None:
    caller = person_caller(alice)
    create(
        caller, project, "memory", title="Whom to ask", visibility="shared",
        content="ops@example.net",
    )  # fmt: skip
    create(caller, project, "memory", title="Only mine", visibility="private")

    page = owner.get(f"{HERE}visibility/").content.decode()

    assert "<dd>1</dd><dt>Shared memory</dt>" in page
    assert "holds an email address" in page
    assert "Whom to ask" in page
    assert "ops@example.net" not in page
    assert "Only mine" not in page
    assert "Private memories" in page


def test_a_large_project_is_looked_through_on_asking_before_it_can_be_made_public(
    owner: Client, project: Project, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("items.exposure.QUICK_TEXTS", 2)
    for title, text in (("One", "Tea."), ("Two", "Milk."), ("Three", "Ask ops@example.net.")):
        create(person_caller(alice), project, "page", title=title, content=text)

    first = owner.get(f"{HERE}visibility/").content.decode()
    whole = owner.get(f"{HERE}visibility/?all=1").content.decode()

    assert "2 texts were looked through so far" in first
    assert 'href="?all=1"' in first
    assert "typed_name" not in first
    assert "No text looks like it holds" not in first
    assert "holds an email address" in whole
    assert "typed_name" in whole
    assert "were looked through so far" not in whole


def test_only_the_typed_name_makes_a_project_public(
    owner: Client, project: Project, mallory: Person
) -> None:
    wrong = owner.post(f"{HERE}visibility/", {"typed_name": "alice/other"})
    assert wrong.status_code == 400
    assert "Type alice/shop to confirm." in wrong.content.decode()
    assert not Project.objects.get(pk=project.pk).is_public

    right = owner.post(f"{HERE}visibility/", {"typed_name": " Alice/Shop "}, follow=True)
    assert Project.objects.get(pk=project.pk).is_public
    assert "This project is public" in right.content.decode()
    owner.force_login(mallory, backend=BACKEND)
    assert owner.get("/alice/shop/").status_code == 200


def test_private_again_takes_a_page_that_says_what_ends(
    owner: Client, project: Project, mallory: Person
) -> None:
    Project.objects.filter(pk=project.pk).update(is_public=True)

    page = owner.get(f"{HERE}visibility/private/").content.decode()
    owner.post(f"{HERE}visibility/private/")
    project.refresh_from_db()

    assert "Forks no longer see it" in page
    assert not project.is_public
    owner.force_login(mallory, backend=BACKEND)
    assert owner.get("/alice/shop/").status_code == 404


def test_a_project_is_transferred_to_an_organization_by_its_typed_name(
    owner: Client, project: Project, alice: Person
) -> None:
    make_organization(alice)
    sent = {"transfer-owner": "acme", "transfer-typed_name": "alice/shop"}

    wrong = owner.post(f"{HERE}transfer/", {**sent, "transfer-typed_name": "shop"})
    answer = owner.post(f"{HERE}transfer/", sent, follow=True)

    assert wrong.status_code == 400
    assert "This is not its name." in wrong.content.decode()
    assert "alice/shop is now acme/shop." in answer.content.decode()
    assert owner.get("/alice/shop/")["Location"] == "/acme/shop/"


def test_nobody_can_be_given_a_project_who_has_not_agreed(
    owner: Client, project: Project, bob: Person
) -> None:
    page = owner.get(f"{HERE}ending/").content.decode()
    answer = owner.post(
        f"{HERE}transfer/", {"transfer-owner": "bob", "transfer-typed_name": "alice/shop"}
    )
    project.refresh_from_db()

    assert "There is nobody to transfer it to" in page
    assert answer.status_code == 400
    assert project.owner_handle == "alice"


def test_an_owner_by_role_deletes_but_does_not_transfer(
    client: Client, project: Project, carol: Person
) -> None:
    ProjectMember.objects.filter(person=carol).update(role=Role.OWNER)
    client.force_login(carol, backend=BACKEND)

    page = client.get(f"{HERE}ending/").content.decode()
    sent = {"transfer-owner": "carol", "transfer-typed_name": "alice/shop"}

    assert "Only alice can transfer this project" in page
    assert "Delete alice/shop" in page
    assert client.post(f"{HERE}transfer/", sent).status_code == 403


def test_a_deleted_project_is_gone_and_comes_back_from_the_list(
    owner: Client, project: Project, rita: Person
) -> None:
    wrong = owner.post(f"{HERE}delete/", {"delete-typed_name": "shop"})
    answer = owner.post(f"{HERE}delete/", {"delete-typed_name": "alice/shop"}, follow=True)
    page = answer.content.decode()

    assert wrong.status_code == 400
    assert "Type alice/shop to confirm." in wrong.content.decode()
    assert "14 days" in wrong.content.decode()
    assert "alice/shop is deleted." in page
    assert "Bring back" in page
    assert owner.get("/alice/shop/").status_code == 404
    back = owner.post("/projects/restore/", {"project": project.public_id}, follow=True)
    assert "alice/shop is back as it was." in back.content.decode()
    owner.force_login(rita, backend=BACKEND)
    assert owner.get("/alice/shop/").status_code == 200


def test_only_owners_bring_a_project_back(
    owner: Client, project: Project, carol: Person, mallory: Person
) -> None:
    owner.post(f"{HERE}delete/", {"delete-typed_name": "alice/shop"})

    for person in (carol, mallory):
        owner.force_login(person, backend=BACKEND)
        assert "Bring back" not in owner.get("/projects/").content.decode()
        answer = owner.post("/projects/restore/", {"project": project.public_id})
        unknown = owner.post("/projects/restore/", {"project": "none"})
        assert answer.status_code == unknown.status_code == 404


ACTIVITY = "/alice/shop/activity/log/"


def test_the_log_says_who_changed_which_rights(owner: Client, project: Project) -> None:
    owner.post(f"{HERE}members/carol/", {"role": "reader"})
    owner.post(f"{HERE}policies/", {**POLICIES, "unreviewed": "on"})

    page = owner.get(ACTIVITY).content.decode()

    assert 'Role changed: <span class="kept">Carol</span>' in page
    assert "<span>Reader</span>" in page
    assert "memories without review" in page
    assert "by Alice" in page


def test_the_log_goes_on_page_by_page(owner: Client, project: Project) -> None:
    for number in range(22):
        owner.post(f"{HERE}members/carol/", {"role": ["reader", "contributor"][number % 2]})

    first = owner.get(ACTIVITY)
    before = first.context["before"]

    assert f"?before={before}" in first.content.decode()
    assert owner.get(ACTIVITY, {"before": before}).content.decode().count("Role changed") == 2
    assert owner.get(ACTIVITY, {"before": "x"}).status_code == 404


def test_a_form_sent_to_a_former_name_is_answered(owner: Client, project: Project) -> None:
    owner.post(HERE, {**GENERAL, "name": "store"})

    answer = owner.post(f"{HERE}members/", {"add-handle": "bob", "add-role": "reader"})

    assert answer["Location"] == "/alice/store/settings/members/"


def test_an_owner_of_the_organization_manages_its_projects_and_a_member_does_not(
    client: Client, alice: Person, bob: Person, carol: Person
) -> None:
    organization = make_organization(alice, members=(bob,))
    organization.members.create(person=carol, role=OrganizationRole.OWNER)
    join(make_organization_project(organization), bob, Role.MODERATOR)

    client.force_login(carol, backend=BACKEND)
    assert client.get("/acme/site/settings/").status_code == 200
    client.force_login(bob, backend=BACKEND)
    assert client.get("/acme/site/settings/").status_code == 403


def test_an_owner_of_the_organization_transfers_its_project_to_herself(
    client: Client, alice: Person
) -> None:
    make_organization_project(make_organization(alice))
    client.force_login(alice, backend=BACKEND)
    sent = {"transfer-owner": "alice", "transfer-typed_name": "acme/site"}

    page = client.get("/acme/site/settings/ending/").content.decode()
    answer = client.post("/acme/site/settings/transfer/", sent, follow=True)

    assert "to an organization that you own, to yourself, or to a person" in page
    assert "acme/site is now alice/site." in answer.content.decode()


def test_the_list_of_members_counts_people_and_not_the_sources_of_their_roles(
    client: Client, alice: Person, bob: Person
) -> None:
    site = make_organization_project(make_organization(alice, members=(bob,)))
    join(site, bob, Role.MODERATOR)
    client.force_login(alice, backend=BACKEND)

    answer = client.get("/acme/site/settings/members/")

    assert len(answer.context["members"]) == 3
    assert 'Members <span class="count">2</span>' in answer.content.decode()


def test_a_members_page_is_found_by_the_handle_in_any_case(owner: Client, project: Project) -> None:
    assert owner.get(f"{HERE}members/Carol/").status_code == 200
