"""A shared copy of a private memory."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from conderis.accounts.models import Person
from items.models import Item, Relation
from items.requests import Address, DeletionCall
from privacy.requesting import request_deletion
from projects.models import Project
from proposals.models import Proposal
from tests.factories import person_caller
from tests.items.calls import create, item_at
from tests.web.signing_in_steps import BACKEND
from tests.web.test_item_saving import form_of


def at(route: str, **more: int | str) -> str:
    return reverse(route, kwargs={"owner": "alice", "name": "shop", **more})


def opened(client: Client, person: Person, number: int = 1) -> Any:
    client.force_login(person, backend=BACKEND)
    return client.get(at("item-share", number=number))


def send(client: Client, form: dict[str, str], number: int = 1, **typed: str) -> Any:
    return client.post(at("item-share", number=number), {**form, **typed}, follow=True)


def private(person: Person, project: Project, **fields: Any) -> None:
    values = {"title": "Walrus", "summary": "Fat", "content": "one\ntwo", "tags": ["a", "b"],
              "type": "gotcha", "weight": "critical"}  # fmt: skip
    create(person_caller(person), project, "memory", visibility="private", **{**values, **fields})


def test_the_page_shows_what_the_copy_says_and_the_private_one_stays(
    client: Client, carol: Person, rita: Person, project: Project
) -> None:
    private(carol, project, expiresAt="2100-01-01T00:00:00Z")

    shown = opened(client, carol)
    stored = send(client, form_of(shown))

    page = shown.content.decode()
    assert "Everyone with access to this project" in page
    assert "visibility" not in form_of(shown)
    copy, first = item_at(project, 2), item_at(project, 1)
    assert (copy.visibility, copy.title, copy.summary, copy.content, copy.tags) == (
        "shared", "Walrus", "Fat", "one\ntwo", ["a", "b"])  # fmt: skip
    assert (copy.category, copy.weight, copy.author_id) == ("gotcha", "critical", carol.pk)
    assert copy.expires_at == first.expires_at
    assert (first.visibility, first.archived_at, first.version) == ("private", None, 1)
    assert "#1 stays as it is" in stored.content.decode()
    assert not Relation.objects.exists()
    client.force_login(rita, backend=BACKEND)
    assert client.get(at("item", number=2)).status_code == 200
    assert client.get(at("item", number=1)).status_code == 404


def test_what_is_not_for_others_is_taken_out_before(
    client: Client, carol: Person, project: Project
) -> None:
    private(carol, project)

    send(client, form_of(opened(client, carol)), content="one", visibility="private")

    assert (item_at(project, 2).content, item_at(project, 2).visibility) == ("one", "shared")
    assert item_at(project, 1).content == "one\ntwo"


def test_a_contributors_copy_is_a_proposal(client: Client, bob: Person, project: Project) -> None:
    private(bob, project)

    shown = opened(client, bob)
    stored = send(client, form_of(shown))

    assert "A moderator decides it first." in shown.content.decode()
    assert "a moderator decides it" in stored.content.decode()
    assert Item.objects.count() == 1
    assert Proposal.objects.get().fields["visibility"] == "shared"


@pytest.mark.parametrize("direct", ["setting", "moderator"])
def test_where_the_copy_counts_at_once_no_moderator_is_announced(
    client: Client, bob: Person, carol: Person, project: Project, *, direct: str
) -> None:
    project.memories_unreviewed = direct == "setting"
    project.save()
    person = bob if direct == "setting" else carol
    private(person, project)

    shown = opened(client, person)
    send(client, form_of(shown))

    assert "moderator" not in shown.content.decode().partition("<main")[2]
    assert item_at(project, 2).visibility == "shared"


def test_of_a_public_project_the_page_says_that_the_world_reads_it(
    client: Client, carol: Person, project: Project
) -> None:
    project.is_public = True
    project.save()
    private(carol, project)

    shown = opened(client, carol).content.decode()
    new = client.get(at("item-new", kind="memory")).content.decode()

    assert "everyone in the world can read the copy" in shown
    assert "everyone in the world can read what is shared" in new


def test_only_what_is_private_has_a_copy_to_share_and_its_author_alone_shares_it(
    client: Client, alice: Person, carol: Person, project: Project
) -> None:
    private(carol, project)
    create(person_caller(carol), project, "memory", title="Open", visibility="shared")
    create(person_caller(carol), project, "task", title="Pour")

    assert opened(client, alice).status_code == 404
    for number in (2, 3):
        assert opened(client, carol, number).status_code == 302
        send(client, {"title": "x", "type": "fact", "weight": "normal"}, number)
    assert Item.objects.count() == 3
    assert at("item-share", number=1) in client.get(at("item", number=1)).content.decode()
    assert at("item-share", number=2) not in client.get(at("item", number=2)).content.decode()


def test_a_wrong_form_is_shown_again_with_all_that_was_typed(
    client: Client, carol: Person, project: Project
) -> None:
    private(carol, project)
    form = form_of(opened(client, carol))

    answer = send(client, form, title="", content="typed at length")
    secret = send(client, form, content="-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0Z3VS5JJ"
                                        "\n-----END RSA PRIVATE KEY-----")  # fmt: skip

    assert answer.status_code == secret.status_code == 400
    assert form_of(answer)["content"] == "typed at length"
    assert Item.objects.count() == 1


@pytest.mark.usefixtures("project")
def test_a_locked_one_is_not_shared(client: Client, carol: Person, project: Project) -> None:
    private(carol, project)
    form = form_of(opened(client, carol))
    call = DeletionCall(Address(project.path, number=1), reason="x")
    request_deletion(person_caller(carol), call)

    answer = send(client, form)

    assert answer.redirect_chain
    assert Item.objects.count() == 1
