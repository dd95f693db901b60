"""Whatever is stored, a recall shows nothing that is put away, low, or somebody else's."""

import random
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conderis.accounts.models import Person
from items.models import Item, Relation
from projects.models import Project
from tests.factories import agent_caller, make_project
from tests.items.recall_rows import (
    clear_items,
    days_ago,
    make_memory,
    make_page,
    make_task,
    recalled,
    section,
)

pytestmark = pytest.mark.django_db

WORDS = ("deploy", "window", "cache", "漢字", "retry", "tenant", "to")
ROOM = 60_000


@dataclass(frozen=True)
class Places:
    """The project of the recall, and others whose memories are not its own."""

    project: Project
    alice: Person
    bob: Person
    other: Project
    upstream: Project

    def state(self, rng: random.Random) -> tuple[dict[str, Any], bool]:
        """The fields of a memory, and whether it must not be shown."""
        gone: list[dict[str, Any]] = [
            {"expires_at": days_ago(1)},
            {"archived_at": days_ago(1)},
            {"locked_at": days_ago(1)},
            {"weight": "low"},
            {"visibility": "private", "author": self.bob},
            {"category": "session", "changed": days_ago(90)},
            {"weight": "critical", "archived_at": days_ago(1)},
            {"weight": "critical", "visibility": "private", "author": self.bob},
            {"project": self.other},
            {"project": self.other, "weight": "critical"},
            {"project": self.upstream, "author": self.bob},
            {"project": None, "author": self.bob},
        ]
        alive: list[dict[str, Any]] = [
            {},
            {"visibility": "private"},
            {"author": self.bob},
            {"category": "session"},
            {"expires_at": days_ago(-5)},
            {"changed": days_ago(200)},
        ]
        hidden = rng.random() < 0.5
        return dict(rng.choice(gone if hidden else alive)), hidden


def store_shown_and_gone(places: Places, seed: int) -> int:
    """Memories of every state, those that must not be shown called Gone; how many are shown.

    Some are related to tasks in work, and some are in bags, so that they have every reason
    to be shown.
    """
    rng = random.Random(seed)
    tasks = [
        make_task(places.project, places.alice, f"Deploy {number}", status="in_progress")
        for number in range(2)
    ]
    bag = make_memory(places.project, places.alice, "Bag of the deploy window")
    shown = 1
    for number in range(rng.randint(1, 25)):
        fields, hidden = places.state(rng)
        words = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 6)))
        project = fields.pop("project", places.project)
        author = fields.pop("author", places.alice)
        parent = bag if project == places.project and not fields and rng.random() < 0.3 else None
        made = make_memory(
            project, author, f"{'Gone ' if hidden else ''}{words} {number}"[:80],
            summary=f"{'Gone ' if hidden else ''}{words}", parent=parent, **fields,
        )  # fmt: skip
        shown += not hidden and parent is None
        if project == places.project and rng.random() < 0.5:
            relate(rng, made, rng.choice(tasks))
    return shown


def relate(rng: random.Random, memory: Item, task: Item) -> None:
    source, target = (memory, task) if rng.random() < 0.5 else (task, memory)
    Relation.objects.create(source=source, target=target, relation="relates")


@pytest.fixture
def places(project: Project, alice: Person, bob: Person) -> Places:
    """Of the upstream alice may read nothing."""
    project.upstream = make_project(bob, "upstream")
    return Places(project, alice, bob, make_project(alice, "other"), project.upstream)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    seed=st.integers(0, 100_000),
    focus=st.sampled_from([None, "gone", "deploy window", "漢字 cache gone retry"]),
    mode=st.sampled_from(["", "flat", "grouped"]),
)
def test_nothing_hidden_is_shown_or_counted_with_a_focus_or_without(
    places: Places, *, seed: int, focus: str | None, mode: str
) -> None:
    project, alice = places.project, places.alice
    Relation.objects.all().delete()
    clear_items()
    project.recall_mode = mode
    project.save()
    total = store_shown_and_gone(places, seed)

    text = recalled(agent_caller(alice), project, max_chars=ROOM, focus=focus)

    assert "Gone" not in text
    assert "upstream" not in text
    assert section(text, "Memories").startswith(f"Memories: all {total}")


def test_no_page_or_task_that_is_put_away_is_shown(alice: Person, project: Project) -> None:
    for number, put_away in enumerate(("archived_at", "locked_at")):
        make_page(project, alice, f"Gone {number}", **{put_away: days_ago(1)})
        make_task(project, alice, f"Gone {number}", **{put_away: days_ago(1)})
    make_task(project, alice, "Gone done", status="done")

    text = recalled(agent_caller(alice), project, focus="gone")

    assert "Gone" not in text
    assert section(text, "Tasks") == "Tasks: all 0"
    assert section(text, "Pages") == "Pages: all 0"
