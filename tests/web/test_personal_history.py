"""The history of a personal memory: versions compared, and one restored, by its owner alone."""

import re

import pytest
from django.test import Client

from conderis.accounts.models import Person
from items.models import Item, ItemEvent
from items.requests import Address, DeletionCall
from privacy.requesting import request_deletion
from tests.factories import person_caller
from tests.items.calls import act, change
from tests.web.test_item_history import words_of
from tests.web.test_personal_memories import browser, get, made, post, ref_of

__all__ = ["browser"]


@pytest.fixture
def path(alice: Person) -> str:
    """A memory with two versions."""
    found = made(alice, "Tabs", content="first words", tags=["old"], type="preference")
    change(person_caller(alice), None, ref_of(found), 1,
           title="Spaces", content="other words", tags=["new"])  # fmt: skip
    return found


def test_two_versions_are_compared(browser: Client, path: str) -> None:
    history = get(browser, f"{path}history/")
    shown = get(browser, f"{path}history/compare/?from=1&to=2&view=inline")

    assert f'action="{path}history/compare/"' in history
    assert "<del>" in shown
    assert "Tabs" in words_of(shown)
    assert "Spaces" in words_of(shown)
    assert f'href="{path}history/1/restore/"' in shown


def test_a_version_is_restored_as_a_new_one(browser: Client, path: str) -> None:
    asked = get(browser, f"{path}history/1/restore/")
    answer = post(browser, f"{path}history/1/restore/", over=2, reason="better")

    item = Item.objects.get()
    assert "Restore version 1 as version 3" in words_of(asked)
    assert "Version 1 is restored as version 3." in answer.content.decode()
    assert answer.redirect_chain[-1][0] == path
    assert (item.version, item.title, item.content, item.tags) == (
        3, "Tabs", "first words", ["old"])  # fmt: skip
    assert ItemEvent.objects.get(version=3).reason == "Version 1 restored: better"


def test_who_was_slower_stores_nothing_and_what_is_archived_is_brought_back_first(
    browser: Client, alice: Person, path: str
) -> None:
    change(person_caller(alice), None, ref_of(path), 2, title="Third")
    slow = post(browser, f"{path}history/1/restore/", over=2, reason="mine")
    act(person_caller(alice), None, ref_of(path), "archive", 3)
    archived = post(browser, f"{path}history/1/restore/", over=4, reason="")

    assert slow.status_code == archived.status_code == 409
    assert "It has changed since you looked" in slow.content.decode()
    assert re.search(r'name="over" value="3"', slow.content.decode())
    assert 'value="mine"' in slow.content.decode()
    assert Item.objects.get().title == "Third"


def test_a_locked_version_is_neither_compared_nor_restored(
    browser: Client, alice: Person, path: str
) -> None:
    call = DeletionCall(Address(ref=ref_of(path)), version=1, reason="x")
    request_deletion(person_caller(alice), call)

    pages = [get(browser, f"{path}history/{more}")
             for more in ("compare/?from=1&to=2", "1/restore/", "1/")]  # fmt: skip
    sent = post(browser, f"{path}history/1/restore/", over=2, reason="")

    assert "first words" not in "".join(pages) + sent.content.decode()
    assert sent.status_code == 409
    assert Item.objects.get().version == 2


@pytest.mark.parametrize("more", ["history/", "history/compare/", "history/1/restore/"])
def test_for_others_there_is_none(client: Client, bob: Person, path: str, more: str) -> None:
    client.force_login(bob)

    get(client, f"{path}{more}", 404)
    assert client.post(f"{path}history/1/restore/", {"over": 2}).status_code == 404
    assert Item.objects.get().version == 2


def test_versions_that_never_were_are_not_found(browser: Client, path: str) -> None:
    for version in (3, 9, 4_000_000_000):
        get(browser, f"{path}history/{version}/restore/", 404)
        sent = post(browser, f"{path}history/{version}/restore/", over=2, reason="")
        assert sent.status_code == 404
