"""What no page of the admin shows: secrets, digests, texts, private memories."""

import re

import pytest
from django.db.models import Q
from django.test import Client

from conderis.accounts.models import AgentKey, AuditEvent, Person, SignInLink
from items.models import Item, ItemEvent, ItemTag, Relation
from privacy.models import DeletionRequest
from projects.models import Invitation, Project
from tests.administration.pages import (
    HIDDEN_ROW,
    addresses,
    admin_browser,
    crawl,
    list_of,
    models,
    page_at,
    page_of,
)
from tests.administration.world import MARK, PRIVATE, TOLD, World, fill
from tests.web.settings_pages import shown


@pytest.fixture
def world(alice: Person, project: Project) -> World:
    return fill(alice, project)


def pages(client: Client) -> dict[str, str]:
    """Every page, as text."""
    found = crawl(client, addresses())
    return {address: shown(text.encode()) for address, text in found.items()}


def test_no_page_holds_a_secret_or_a_digest(world: World) -> None:
    client = admin_browser()

    found = pages(client)

    assert len(found) > 60
    for address, text in found.items():
        assert [secret for secret in world.secrets if secret in text] == [], address
        assert re.findall(r"\b[0-9a-f]{64}\b", text) == [], address
        assert re.findall(r"cndr_\w{8,}|pbkdf2_|argon2|md5\$", text) == [], address


def test_no_page_holds_content_nor_anything_of_private_and_locked_items(world: World) -> None:
    client = admin_browser()

    found = pages(client)

    assert TOLD in found[list_of(Item)]
    assert [address for address, text in found.items() if MARK in text] == []
    assert [address for address, text in found.items() if PRIVATE in text] == []
    names = (world.personal.public_id, world.private.public_id)
    assert [address for address, text in found.items() for name in names if name in text] == []


def test_private_and_personal_memories_answer_like_what_never_was(world: World) -> None:
    client = admin_browser()
    alone = [world.private, world.personal]
    hidden = [
        *alone,
        *ItemEvent.objects.filter(item__in=alone),
        *ItemTag.objects.filter(item__in=alone),
        *Relation.objects.filter(Q(source__in=alone) | Q(target__in=alone)),
        *DeletionRequest.objects.filter(item__visibility="private"),
        *AuditEvent.objects.filter(Q(subject="#4") | Q(subject__startswith="memory:")),
    ]
    assert {type(row) for row in hidden} == {
        Item, ItemEvent, ItemTag, Relation, DeletionRequest, AuditEvent,
    }  # fmt: skip

    for row in hidden:
        there, missing = client.get(page_of(row)), client.get(page_at(type(row), HIDDEN_ROW))
        assert there.status_code == missing.status_code == 404, row
        assert shown(there.content) == shown(missing.content), row


def test_lists_count_no_private_and_personal_memories(world: World) -> None:
    client = admin_browser()
    alone = Q(visibility="private") | Q(project__isnull=True)

    for model, hidden in (
        (Item, Item.objects.filter(alone)),
        (ItemEvent, ItemEvent.objects.filter(item__in=Item.objects.filter(alone))),
        (DeletionRequest, DeletionRequest.objects.filter(item__in=Item.objects.filter(alone))),
    ):
        paginator = client.get(list_of(model)).context["cl"].paginator

        assert hidden.count() > 0
        assert paginator.count == model._default_manager.count() - hidden.count()


def test_no_search_finds_what_somebody_wrote(world: World) -> None:
    client = admin_browser()

    for model in models():
        for term in (MARK, PRIVATE, TOLD):
            assert client.get(f"{list_of(model)}?q={term}").context["cl"].result_count == 0, model


def test_a_private_memory_is_found_by_no_search(world: World) -> None:
    client = admin_browser()
    path = world.project.path

    for term in (world.private.public_id, f"{path}%23{world.private.number}"):
        for model in (Item, ItemEvent, ItemTag, Relation, DeletionRequest):
            assert client.get(f"{list_of(model)}?q={term}").context["cl"].result_count == 0
    assert client.get(f"{list_of(AuditEvent)}?q=%234").context["cl"].result_count == 0
    assert client.get(f"{list_of(AuditEvent)}?q=%231").context["cl"].result_count > 0


def test_a_locked_item_is_named_by_its_number_alone(world: World) -> None:
    client = admin_browser()

    page = client.get(page_of(world.locked))

    assert page.status_code == 200
    assert "#3" in page.content.decode()
    assert MARK not in page.content.decode()


@pytest.mark.parametrize(
    ("model", "lookup"),
    [
        (AgentKey, "digest__startswith=0"),
        (AgentKey, "lookup__startswith=0"),
        (SignInLink, "digest__startswith=0"),
        (Invitation, "digest__gte=0"),
        (Person, "password__startswith=p"),
        (Item, "content__contains=a"),
        (Item, "visibility__exact=private"),
        (Item, "title__startswith=a"),
        (ItemEvent, "item__content__contains=a"),
        (ItemEvent, "at__year=2020"),
        (DeletionRequest, "reason__startswith=a"),
        (Project, "items__content__contains=a"),
    ],
)
def test_no_column_can_be_guessed_by_the_address(
    db: None, model: type[AgentKey], lookup: str
) -> None:
    response = admin_browser().get(f"{list_of(model)}?{lookup}")

    assert response.status_code == 400


def test_pages_of_many_show_no_email_address_but_those_of_people(world: World) -> None:
    client = admin_browser()

    found = {address for address, text in pages(client).items() if "canary@" in text}

    assert found
    assert {address.split("/")[3] for address in found} <= {"person", "emailaddress"}
