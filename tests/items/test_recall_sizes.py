"""A recall counts all that it answers: every kind of item, every script, every length."""

import re

import pytest

from conderis.accounts.models import Person
from projects.models import Project
from tests.factories import agent_caller, make_project, person_caller
from tests.items.listed import listed
from tests.items.recall_rows import (
    make_item,
    make_memory,
    make_page,
    make_task,
    recalled,
    section,
)

pytestmark = pytest.mark.django_db

LATIN = "The deploy window of the shop is closed on Fridays. "
CJK = "部署窗口在星期五关闭。サンドボックス修正テスト、設備清単。"
LINE = re.compile(r"- (?:#|memory:|alice/upstream#)\w+ v[0-9]+ ")
COUNT = re.compile(r"[A-Z][\w /]*: ([0-9]+) of 50 \(rest: \w+ ")


def fill(project: Project, alice: Person, words: str) -> None:
    """Fifty long items for every section, with as many tags as there may be."""
    project.upstream = make_project(alice, "upstream")
    project.save()
    tags = [f"{words[:20]} {number}" for number in range(20)]
    for number in range(50):
        title = f"{number} {words * 3}"[:80]
        for owner in (project, project.upstream, None):
            make_memory(owner, alice, title, content=words * 160, tags=tags)
        make_memory(project, alice, title, summary=(words * 10)[:300], tags=tags, weight="critical")
        make_task(
            project, alice, f"{title} {words * 3}"[:200], tags=tags, status="blocked",
            blocked_reason=(words * 40)[:2_000],
        )  # fmt: skip
        make_page(project, alice, f"{title} {words * 3}"[:200], content=words * 200, tags=tags)
    make_item(project, alice, "instructions", content=f"# {words}\n\n{words * 100}")


@pytest.mark.parametrize("words", [LATIN, CJK], ids=["latin", "cjk"])
@pytest.mark.parametrize("length", [1_000, 2_000, 8_000, 60_000])
@pytest.mark.parametrize("focus", [None, "deploy 部署窗口"], ids=["plain", "focus"])
def test_long_items_of_every_kind_stay_inside_and_are_counted_with_the_way_to_the_rest(
    alice: Person, project: Project, *, words: str, length: int, focus: str | None
) -> None:
    fill(project, alice, words)

    text = recalled(person_caller(alice), project, max_chars=length, focus=focus)

    assert 0.85 * length < len(text) <= length
    for name in ("Critical memories", "Memories", "Tasks", "Pages", "Personal memories",
                 "Upstream alice/upstream"):  # fmt: skip
        heading, *lines = section(text, name).split("\n")
        entries = [line for line in lines if LINE.match(line)]
        assert entries == lines
        shown = f"{name}: {len(entries)} of 50" if len(entries) < 50 else f"{name}: all 50"
        assert heading.startswith(shown)
        if length >= 2_000 and len(entries) < 50:
            assert COUNT.match(heading)


@pytest.mark.parametrize("words", [LATIN, CJK], ids=["latin", "cjk"])
@pytest.mark.parametrize(
    "ask",
    [
        {"query": "deploy 部署窗口", "limit": 10},
        {"limit": 100},
    ],
    ids=["search", "list"],
)
def test_lists_of_long_items_carry_no_content_and_say_how_many_there_are(
    alice: Person, project: Project, words: str, ask: dict[str, object]
) -> None:
    for number in range(50):
        make_memory(
            project, alice, f"{number} {words}"[:80], content=words * 160,
            tags=[f"{words[:20]} {tag}" for tag in range(20)],
        )  # fmt: skip

    answer = listed(agent_caller(alice), project, "memory", **ask)

    assert answer["total"] == 50
    assert len(answer["items"]) == min(50, int(str(ask["limit"])))
    assert all("content" not in entry for entry in answer["items"])
    assert all(len(str(entry)) < 2_000 for entry in answer["items"])


@pytest.mark.parametrize("focus", [None, "deploy window"])
def test_the_same_state_gives_the_same_text(
    alice: Person, project: Project, focus: str | None
) -> None:
    fill(project, alice, LATIN)
    caller = person_caller(alice)

    texts = {recalled(caller, project, focus=focus, max_chars=3_000) for _ in range(3)}

    assert len(texts) == 1
