"""What a stored memory is answered with: those that say nearly the same, as a hint."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import Denied, NotFound
from conderis.common.json import JsonObject
from items import similar
from items.models import Item
from items.similar import similar_to
from projects.models import Project
from tests.factories import agent_caller, make_project, person_caller
from tests.items.calls import act, change, create
from tests.items.rows import make_item, make_personal
from tests.items.test_similar_words import DIFFERENT, EDITS

TITLE, SUMMARY = EDITS[0][0]
AGAIN: dict[str, Any] = {
    "title": EDITS[0][1][0],
    "summary": EDITS[0][1][1],
    "visibility": "shared",
}
PAST = datetime(2020, 1, 1, tzinfo=UTC)


def keep(project: Project, kind: str = "memory", **columns: Any) -> Item:
    """An item by a direct row, after which services go on numbering."""
    item = make_item(project, kind, **columns)
    Project.objects.filter(pk=project.pk).update(last_number=item.number or 0)
    return item


def numbers(answer: JsonObject) -> list[int]:
    return [entry["number"] for entry in answer.get("similar", [])]


def test_a_memory_stored_again_is_answered_with_the_older_one(
    project: Project, alice: Person
) -> None:
    caller = agent_caller(alice)
    first = create(caller, project, "memory", title=TITLE, summary=SUMMARY, visibility="shared")

    second = create(caller, project, "memory", **AGAIN)

    assert "similar" not in first
    assert (second["outcome"], second["number"]) == ("published", 2)
    assert second["similar"] == [{"number": 1, "title": TITLE, "summary": SUMMARY}]


def test_every_near_edit_finds_its_memory_and_no_other(project: Project, bob: Person) -> None:
    for title, summary in (one for one, _ in (*EDITS, *DIFFERENT[:6])):
        keep(project, title=title, summary=summary)
    caller = person_caller(bob)

    for place, (_, (title, summary)) in enumerate(EDITS, start=1):
        answer = create(
            caller, project, "memory", title=title, summary=summary, visibility="private"
        )
        assert numbers(answer) == [place]


def test_at_most_three_are_shown_the_nearest_first_and_then_by_number(
    project: Project, alice: Person
) -> None:
    for title in ("Same words here", "Same words there", "Same words here", "Same words here"):
        keep(project, title=title, summary=SUMMARY)
    keep(project, title="Same words here again", summary=SUMMARY)

    answer = create(
        agent_caller(alice), project, "memory",
        title="Same words here again", summary=SUMMARY, visibility="shared",
    )  # fmt: skip

    assert numbers(answer) == [5, 1, 3]


def test_only_a_change_of_the_words_asks_again(project: Project, alice: Person) -> None:
    caller = agent_caller(alice)
    keep(project, title=TITLE, summary=SUMMARY)
    keep(project, title="Something else entirely", weight="normal")

    tagged = change(caller, project, 2, 1, tags=["ops"], type="gotcha")
    worded = change(caller, project, 2, 2, title=TITLE, summary=SUMMARY)
    unchanged = change(caller, project, 2, 3, title=TITLE)
    longer = change(caller, project, 2, append="More of it.")

    assert "similar" not in tagged
    assert numbers(worded) == [1]
    assert "similar" not in unchanged
    assert numbers(longer) == [1]


def test_private_memories_of_others_are_never_shown_and_own_ones_are(
    project: Project, alice: Person, bob: Person
) -> None:
    for _ in range(25):
        keep(project, title=TITLE, summary=SUMMARY, visibility="private")  # alice's
    own = keep(project, title=TITLE, summary=SUMMARY, visibility="private", author=bob)

    answer = create(agent_caller(bob), project, "memory", **{**AGAIN, "visibility": "private"})

    assert numbers(answer) == [own.number]


@pytest.mark.parametrize(
    "columns",
    [
        {"archived_at": PAST},
        {"locked_at": PAST, "locked_by": "x"},
        {"expires_at": PAST},
        {"category": "session", "changed": PAST},
    ],
)
def test_what_is_put_away_is_never_shown(
    project: Project, alice: Person, columns: dict[str, Any]
) -> None:
    keep(project, title=TITLE, summary=SUMMARY, **columns)

    assert "similar" not in create(agent_caller(alice), project, "memory", **AGAIN)


def test_a_session_memory_is_shown_for_as_long_as_the_project_keeps_them(
    alice: Person,
) -> None:
    project = make_project(alice, "long", session_days=60)
    old = timezone.now() - timedelta(days=45)
    keep(project, title=TITLE, summary=SUMMARY, category="session", changed=old)

    assert numbers(create(agent_caller(alice), project, "memory", **AGAIN)) == [1]


def test_neither_its_bag_nor_what_is_in_it_is_shown(project: Project, alice: Person) -> None:
    caller = agent_caller(alice)
    bag = keep(project, title=TITLE, summary=SUMMARY)
    keep(project, title=TITLE, summary=SUMMARY, parent=bag)

    inside = create(caller, project, "memory", **AGAIN, parent=1)
    around = change(caller, project, 1, 1, summary=f"{SUMMARY} Always.")

    assert numbers(inside) == [2]
    assert "similar" not in around


def test_another_place_and_another_kind_are_not_compared(
    project: Project, alice: Person, bob: Person
) -> None:
    keep(make_project(alice, "other"), title=TITLE, summary=SUMMARY)
    make_personal(alice, title=TITLE, summary=SUMMARY)
    keep(project, "page", title=TITLE, content=SUMMARY)
    caller = agent_caller(alice)

    assert "similar" not in create(caller, project, "memory", **AGAIN)
    assert "similar" not in create(caller, project, "page", title=TITLE + "!", content=SUMMARY)
    assert "similar" not in create(caller, project, "task", title=TITLE)


def test_personal_memories_are_compared_with_own_personal_ones(
    project: Project, alice: Person, bob: Person
) -> None:
    keep(project, title=TITLE, summary=SUMMARY)
    make_personal(bob, title=TITLE, summary=SUMMARY)
    own = make_personal(alice, title=TITLE, summary=SUMMARY)
    fields = {name: AGAIN[name] for name in ("title", "summary")}

    answer = create(agent_caller(alice), None, "memory", **fields)

    assert answer["similar"] == [
        {"ref": f"memory:{own.public_id}", "title": TITLE, "summary": SUMMARY}
    ]


def test_without_a_summary_the_beginning_of_the_content_counts_and_is_shown(
    project: Project, alice: Person
) -> None:
    beginning = "Every night the orders are exported to the warehouse by a job of the queue. " * 5
    rest = "".join(f" word{place}" for place in range(1000))
    keep(project, title="Export", content=f"# Export\n{beginning}{rest}")
    keep(project, title="Export", content="")

    answer = create(
        agent_caller(alice), project, "memory",
        title="Export", content=beginning, visibility="shared",
    )  # fmt: skip

    (entry,) = answer["similar"]
    assert entry["number"] == 1
    assert entry["summary"].startswith("Every night the orders")
    assert len(entry["summary"]) <= 160
    bare = create(agent_caller(alice), project, "memory", title="Export", visibility="shared")
    assert bare["similar"] == [{"number": 2, "title": "Export"}]


@pytest.mark.parametrize("title", ["?!", "the", '" OR *', "NEAR(a b)", "%s {}", "日", "…" * 80])
def test_titles_of_any_signs_are_stored_and_compared(
    project: Project, alice: Person, title: str
) -> None:
    for _ in range(2):
        answer = create(agent_caller(alice), project, "memory", title=title, visibility="shared")
        assert answer["outcome"] == "published"
        json.dumps(answer)


def test_restoring_and_archiving_say_nothing_of_it(project: Project, alice: Person) -> None:
    caller = agent_caller(alice)
    keep(project, title=TITLE, summary=SUMMARY)
    create(caller, project, "memory", **AGAIN)

    assert "similar" not in act(caller, project, 2, "archive", 1)
    assert "similar" not in act(caller, project, 2, "restore", 2)


def test_it_costs_three_statements_at_most(
    project: Project, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = agent_caller(alice)
    keep(project, title=TITLE, summary=SUMMARY)

    def statements() -> int:
        with CaptureQueriesContext(connection) as heard:
            create(caller, project, "memory", **AGAIN)
        return len(heard)

    statements()
    compared = statements()
    monkeypatch.setattr("items.publishing.similar_after", lambda _change: {})
    assert 2 <= compared - statements() <= 3


def test_one_like_memory_among_many_of_the_same_words_is_found(
    project: Project, alice: Person
) -> None:
    words = f"{TITLE} {SUMMARY}".split()
    for place in range(60):
        keep(
            project,
            title=f"Note {place}",
            summary=f"About {words[place % len(words)]} and {words[place * 7 % len(words)]}.",
            content=" ".join(words[place % 5 :: 2]),
        )
    like = keep(project, title=TITLE, summary=SUMMARY)

    answer = create(agent_caller(alice), project, "memory", **AGAIN)

    assert numbers(answer) == [like.number]
    assert similar.CANDIDATES < 60


def asked(caller: Caller, project: Project | None, **more: Any) -> list[int]:
    found = similar_to(
        caller, project.path if project else None, title=TITLE, summary=SUMMARY, **more
    )
    return [entry["number"] for entry in found]


def test_a_text_that_is_not_stored_yet_is_answered_alike(project: Project, alice: Person) -> None:
    for _ in range(5):
        keep(project, title=TITLE, summary=SUMMARY)

    shown = similar_to(person_caller(alice), project.path, title=TITLE, summary=SUMMARY)

    assert shown == [{"number": n, "title": TITLE, "summary": SUMMARY} for n in (1, 2, 3)]
    assert Item.objects.count() == 5


def test_a_text_of_a_memory_is_not_answered_with_itself_or_its_kin(
    project: Project, alice: Person
) -> None:
    caller = person_caller(alice)
    bag = keep(project, title=TITLE, summary=SUMMARY)
    keep(project, title=TITLE, summary=SUMMARY, parent=bag)
    keep(project, title=TITLE, summary=SUMMARY)

    assert asked(caller, project) == [1, 2, 3]
    assert asked(caller, project, number=1) == [3]
    assert asked(caller, project, number=2) == [3]


@pytest.mark.parametrize(
    "columns",
    [
        {"visibility": "private"},
        {"archived_at": PAST},
        {"locked_at": PAST, "locked_by": "x"},
        {"expires_at": PAST},
    ],
)
def test_a_text_is_never_answered_with_what_is_hidden_or_put_away(
    project: Project, alice: Person, bob: Person, columns: dict[str, Any]
) -> None:
    keep(project, title=TITLE, summary=SUMMARY, **columns)
    keep(make_project(alice, "other"), title=TITLE, summary=SUMMARY)

    assert asked(agent_caller(bob), project) == []


def test_a_text_is_compared_only_where_the_caller_may_read(
    project: Project, alice: Person, mallory: Person
) -> None:
    with pytest.raises(NotFound):
        asked(person_caller(mallory), project)
    with pytest.raises(Denied):
        asked(agent_caller(alice, projects=[project]), None)
