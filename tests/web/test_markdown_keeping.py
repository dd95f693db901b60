"""What was laid out is kept for some minutes in memory, and gives nothing away."""

from collections.abc import Iterator

import pytest
from cachetools import TTLCache
from django.test import Client
from django.utils import translation
from pytest_django import DjangoCaptureOnCommitCallbacks

from conderis.accounts.models import Person
from conderis.web.markdown import keeping, laying_out, render, render_outlined
from conderis.web.markdown.keeping import Key
from conderis.web.markdown.values import Rendered
from projects.models import Project
from tests.factories import person_caller
from tests.items.calls import create
from tests.privacy.deletions import ask, erase
from tests.web.moderation_pages import opened


@pytest.fixture(autouse=True)
def laid_out(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The texts that were laid out, and not taken from memory."""
    texts: list[str] = []
    lay_out = laying_out._lay_out

    def noted(text: str, base_level: int) -> Rendered:
        texts.append(text)
        return lay_out(text, base_level)

    monkeypatch.setattr(laying_out, "_lay_out", noted)
    keeping.forget_all()
    yield texts
    keeping.forget_all()


@pytest.mark.no_database
def test_a_text_is_laid_out_once_for_each_level_and_language(laid_out: list[str]) -> None:
    for _ in range(2):
        first = render_outlined("# A\n\n![x](https://x.example)")
        assert render("# A\n\n![x](https://x.example)", base_level=3) != first.html
        with translation.override("de"):
            render("# A\n\n![x](https://x.example)")
    render("# B")

    assert len(laid_out) == 4
    assert render_outlined("# A\n\n![x](https://x.example)") == first


@pytest.mark.no_database
def test_it_is_kept_for_five_minutes_and_then_gone(
    laid_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    made: TTLCache[Key, Rendered] = TTLCache(
        keeping.MOST_KEPT, ttl=keeping.KEPT_SECONDS, timer=lambda: now[0], getsizeof=keeping.size_of
    )
    monkeypatch.setattr(keeping, "_kept", made)

    render("zanzibar")
    now[0] = 299
    render("zanzibar")
    assert len(laid_out) == 1
    now[0] = 301
    render("another")

    assert [each.html for each in made.values()] == ['<p dir="auto">another</p>\n']


@pytest.mark.no_database
def test_what_is_kept_stays_within_its_limit(
    laid_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: TTLCache[Key, Rendered] = TTLCache(10_000, ttl=300, getsizeof=keeping.size_of)
    monkeypatch.setattr(keeping, "_kept", made)

    for number in range(50):
        render(f"{number} " * 300)
    render("a" * 20_000)

    assert made.currsize <= 10_000
    assert 0 < len(made) < 10


def test_a_kept_text_is_shown_to_nobody_whom_its_door_refuses(
    client: Client, project: Project, alice: Person, mallory: Person, laid_out: list[str]
) -> None:
    rita = Person.objects.get(handle="rita")
    owner = person_caller(alice)
    create(owner, project, "page", title="Guide", content="zanzibar")
    path = "/alice/shop/items/1/"

    for _ in range(2):
        assert "zanzibar" in opened(client, rita, path).content.decode()
    stranger = opened(client, mallory, path)
    ref = ask(owner, project, 1)
    locked = opened(client, rita, path).content.decode()
    erase(alice, ref)
    erased = opened(client, rita, path).content.decode()

    assert laid_out == ["zanzibar"]
    assert stranger.status_code == 404
    assert "zanzibar" not in stranger.content.decode() + locked + erased


def test_what_is_erased_leaves_the_memory_of_the_process_that_erased_it(
    project: Project, alice: Person, laid_out: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:  # fmt: skip
    owner = person_caller(alice)
    create(owner, project, "page", title="Guide", content="zanzibar")
    ref = ask(owner, project, 1)
    render("zanzibar")
    assert len(keeping._kept) == 1

    with django_capture_on_commit_callbacks(execute=True):
        erase(alice, ref)

    assert len(keeping._kept) == 0
