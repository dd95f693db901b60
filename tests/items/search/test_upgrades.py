"""The index of an older version is noticed and made anew, however often that is broken off."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from conderis.accounts.models import Person
from items import migrations
from items.search import is_complete, rebuild
from items.search.documents import FORMAT, Document
from items.search.relevance import grades_of
from items.search.stems import stem
from items.search.words import indexed_text
from projects.models import Project
from tests.factories import person_caller
from tests.items.calls import act, change, create
from tests.items.listed import titles
from tests.items.rows import make_item

(NAME,) = Path(migrations.__file__ or "").parent.glob("*_search_format.py")
MIGRATION = import_module(f"items.migrations.{NAME.stem}")
# Texts of every way in which terms are made, and what is made of them in each format.
SAMPLE = [
    "Deploying deploys, deployed! The states of relational databases are conditional.",
    "src/api/http_client.py getUserById HTTPServer MAX_RETRY=3 multi-agent 3.11 v1.2.3",
    "can't GitHub's l'avion O’Brien C++ c# .NET F# ASP.NET node.js --no-verify #12",
    "Café naïve Résumé İzmir Straße ＡＢＣ ﬁne ｶﾞ pass\u200bword ειδοποιήσεις копии",
    "设备清单 サンドボックス 오늘 끝말잇기 步2 重跑gen-itgc后50条 हिन्दी שלום",
]
MADE = {4: "aceae0842fd7505f"}


@contextmanager
def broken_off(after: int) -> Iterator[None]:
    """The connection fails after so many statements that store documents."""
    left = [after]

    def execute(inner: Callable[..., Any], sql: str, *others: Any) -> Any:
        if "INTO items_search" in sql:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
        return inner(sql, *others)

    with connection.execute_wrapper(execute):
        yield


def upgrade() -> None:
    """As the migration does in a database of the version before it."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE items_searchformat")
    MIGRATION.create(apps, connection.schema_editor())


@pytest.mark.no_database
def test_whoever_makes_other_terms_raises_the_format() -> None:
    made = indexed_text(SAMPLE) + " ".join(map(stem, ["relational", "hopping", "happy", "sky"]))
    texts = [indexed_text(SAMPLE[:count]) for count in (1, 2, 5)]
    made += "".join(grades_of(Document(1, "", *texts)).values())

    assert hashlib.sha256(made.encode()).hexdigest()[:16] == MADE[FORMAT], (
        "Texts are indexed otherwise than before. Raise items.search.documents.FORMAT, so that "
        "the next start rebuilds every index, and note what is made now in MADE."
    )


def test_an_upgrade_with_items_asks_for_a_rebuild_and_one_without_does_not(
    project: Project,
) -> None:
    upgrade()
    assert is_complete()

    make_item(project, title="walrus")
    upgrade()
    assert not is_complete()

    rebuild()
    assert is_complete()


def test_an_index_of_an_older_format_is_not_complete(project: Project) -> None:
    make_item(project, title="walrus")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE items_searchformat SET format = %s", [FORMAT - 1])

    assert not is_complete()
    assert rebuild() == 1
    assert is_complete()


def test_an_interrupted_rebuild_leaves_the_old_index_and_the_next_one_ends_it(
    project: Project, bob: Person
) -> None:
    for place in range(450):
        make_item(project, title=f"walrus {place}")
    upgrade()

    with broken_off(2), pytest.raises(KeyboardInterrupt):
        rebuild()

    assert not is_complete()
    assert len(titles(person_caller(bob), project, "memory", query="walrus", limit=100)) == 100
    assert rebuild() == rebuild() == 450
    assert is_complete()


def test_after_an_upgrade_old_and_new_words_are_right(
    project: Project, alice: Person, bob: Person
) -> None:
    caller = person_caller(alice)
    shared = {"visibility": "shared", "summary": "Animals."}
    numbers = [
        create(caller, project, "memory", title=title, content="x", **shared)["number"]
        for title in ("walrus", "otter", "badger")
    ]
    for _ in range(2):
        upgrade()
        rebuild()

    create(caller, project, "memory", title="stoat", content="x", **shared)
    change(caller, project, numbers[0], 1, title="ferret")
    act(caller, project, numbers[1], "archive", 1)

    def found(query: str) -> list[str]:
        return titles(person_caller(bob), project, "memory", query=query)

    assert (found("walrus"), found("ferret"), found("stoat")) == ([], ["ferret"], ["stoat"])
    assert (found("otter"), found("badger")) == ([], ["badger"])
    assert is_complete()


def test_a_long_rebuild_says_how_far_it_is(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("items.search.index.SAID", 200)
    for place in range(401):
        make_item(project, title=f"walrus {place}")
    said: list[int] = []

    assert rebuild(said.append) == 401
    assert said == [200, 400]
