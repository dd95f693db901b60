"""A recall never is longer than asked for, however much there is to say."""

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conderis.accounts.models import Person
from items.models import Item
from projects.models import Project
from tests.factories import agent_caller, make_project, person_caller
from tests.items.recall_rows import (
    block,
    clear_items,
    days_ago,
    make_item,
    make_memory,
    make_organization,
    make_page,
    make_task,
    organization_project,
    recalled,
    section,
)

pytestmark = pytest.mark.django_db

MOST_QUERIES = 16  # the first time, with an upstream and a focus; else 14 at most
BUDGETS = st.integers(1_000, 9_000)


def store_at_random(project: Project, people: list[Person], seed: int) -> None:
    """Items of every kind and state; what recall may never show is called Gone."""
    rng = random.Random(seed)
    words = ["a", "deploy", "漢字漢字漢字", "windows", "x" * 50, "to"]

    def text(most: int) -> str:
        return " ".join(rng.choice(words) for _ in range(rng.randint(1, most)))

    def hidden() -> dict[str, object]:
        ways: list[dict[str, object]] = [
            {"expires_at": days_ago(1)},
            {"archived_at": days_ago(1)},
            {"locked_at": days_ago(1)},
            {"weight": "low"},
            {"visibility": "private", "author": people[1]},
            {"category": "session", "changed": days_ago(90)},
        ]
        return rng.choice(ways) if rng.random() < 0.3 else {}

    bags: list[Item] = []
    for _ in range(rng.randint(0, 60)):
        gone = hidden()
        parent = rng.choice(bags) if bags and rng.random() < 0.4 else None
        critical = parent is None and not gone and rng.random() < 0.2
        fields = {
            "author": people[0],
            "summary": ("Gone " if gone else "") + text(8) if rng.random() < 0.6 else "",
            "content": ("Gone " if gone else "") + text(30),
            "tags": [text(1)] if rng.random() < 0.5 else [],
            "weight": "critical" if critical else "normal",
            "parent": parent,
        } | gone
        author = fields.pop("author")
        title = ("Gone " if gone else "") + text(3)
        made = make_memory(project, author, title[:80], **fields)  # type: ignore[arg-type]
        if parent is None and not gone and rng.random() < 0.3:
            bags.append(made)
    for _ in range(rng.randint(0, 30)):
        status = rng.choice(["open", "in_progress", "blocked", "done"])
        title = ("Gone " if status == "done" else "") + text(8)
        reason = text(60) if status == "blocked" else ""
        make_task(
            project,
            people[0],
            title[:200],
            status=status,
            blocked_reason=reason,
            priority=rng.randrange(4),
        )
    for _ in range(rng.randint(0, 20)):
        make_page(project, people[0], text(6)[:200])
    if rng.random() < 0.5:
        content = "\n".join(rng.choice(["# Head", "## More", text(20), ""]) for _ in range(40))
        make_item(project, people[0], "instructions", content=f"Rules\n{content}")
    for _ in range(rng.randint(0, 12)):
        make_memory(None, people[0], text(3)[:80], summary=text(10)[:300])


def shown_of(text: str) -> dict[str, int]:
    """The characters of entries by section."""
    found = {}
    for part in text.split("\n\n## ")[1:]:
        heading, _, entries = part.partition("\n")
        found[heading.partition(":")[0]] = len(entries)
    return found


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 10_000), budget=BUDGETS, more=st.integers(1, 2_000))
def test_a_recall_keeps_its_length_shows_nothing_hidden_and_more_in_more_room(
    alice: Person, bob: Person, project: Project, *, seed: int, budget: int, more: int
) -> None:
    clear_items()
    project.recall_mode = ("", "grouped")[seed % 2]
    store_at_random(project, [alice, bob], seed)
    caller = person_caller(alice)

    text = recalled(caller, project, max_chars=budget)
    larger = recalled(caller, project, max_chars=budget + more)

    assert len(text) <= budget
    assert len(larger) <= budget + more
    assert "Gone" not in larger
    assert recalled(caller, project, max_chars=budget) == text
    after = shown_of(larger)
    assert all(after[name] >= shown for name, shown in shown_of(text).items())


def test_huge_memories_stay_inside_a_small_budget_and_are_counted(
    alice: Person, project: Project
) -> None:
    for number in range(50):
        make_memory(
            project,
            alice,
            f"Memory {number}",
            content="漢字と仮名。" * 1_300,
            tags=[f"tag {tag} of {number}" for tag in range(20)],
        )

    text = recalled(person_caller(alice), project, max_chars=2_000)

    heading, *lines = section(text, "Memories").split("\n")
    assert 1_700 < len(text) <= 2_000
    assert heading == (
        f"Memories: {len(lines)} of 50 (rest: item_list kind=memory projectId=alice/shop)"
    )
    assert all(line.startswith("- #") for line in lines)
    assert all(line.endswith("…") for line in lines)


def test_critical_memories_take_half_and_say_that_some_had_to_be_left_out(
    alice: Person, project: Project
) -> None:
    for number in range(40):
        make_memory(project, alice, f"Critical {number}", weight="critical", summary="words " * 40)
        make_memory(project, alice, f"Other {number}", summary="words " * 40)

    text = recalled(person_caller(alice), project, max_chars=4_000)

    critical = section(text, "Critical memories")
    assert 1_900 < len(critical) <= 2_000
    assert critical.split("\n")[0].partition(" of 40 ")[2] == (
        '(rest: item_list kind=memory filter={"weight":"critical"} projectId=alice/shop; '
        "more than half of maxChars holds)"
    )
    assert len(section(text, "Memories")) > 1_500


def test_instructions_take_at_most_three_tenths(alice: Person) -> None:
    organization = make_organization(alice)
    project = organization_project(organization, "shop")
    rules = "\n".join(f"# Rule {number}\n\n{'words ' * 20}" for number in range(60))
    make_item(None, alice, "instructions", organization=organization, content=rules)
    make_item(project, alice, "instructions", content=rules)

    for max_chars in (1_000, 4_000, 20_000):
        text = recalled(person_caller(alice), project, max_chars=max_chars)

        shown = section(text, "Instructions")
        assert len(shown) <= max_chars * 0.3
        assert shown.startswith(
            "Instructions: 0 of 2 (rest: recall with a larger maxChars; "
            "item_get ref=instructions projectId=acme/shop)"
        )


def test_personal_memories_keep_to_a_tenth_where_others_want_the_room(
    alice: Person, project: Project
) -> None:
    for number in range(60):
        make_memory(project, alice, f"Memory {number}", summary="words " * 40)
        make_memory(None, alice, f"Personal {number}", summary="words " * 40)

    text = recalled(person_caller(alice), project)

    assert 600 < len(section(text, "Personal memories")) <= 900


def test_sections_pass_on_what_they_do_not_use(alice: Person, project: Project) -> None:
    for number in range(200):
        make_page(project, alice, f"Page {number} with a title of some length")

    text = recalled(person_caller(alice), project)

    assert len(text) > 7_900


def test_the_longest_names_fit_into_the_smallest_recall(alice: Person) -> None:
    organization = make_organization(alice, "o" * 39)
    upstream = organization_project(organization, "u" * 100)
    project = organization_project(organization, "p" * 100, upstream=upstream)
    for owner in (upstream, project, None):
        for number in range(30):
            make_memory(owner, alice, f"Memory {number}", summary="words " * 40)
            make_memory(owner, alice, f"C {number}", summary="words " * 40, weight="critical")
    for number in range(30):
        make_task(project, alice, f"Task {number} " + "words " * 30)
        make_page(project, alice, f"Page {number} " + "words " * 30)
    make_item(None, alice, "instructions", organization=organization, content="words " * 400)
    make_item(project, alice, "instructions", content="words " * 400)
    make_memory(project, alice, "Old", category="session", changed=days_ago(99))

    text = recalled(agent_caller(alice, always_review=True), project, max_chars=1_000)

    assert len(text) <= 1_000
    for title in ("Instructions", "Critical memories", "Memories", "Tasks", "Pages"):
        assert f"## {title}: " in text
    assert f"projectId={project.public_id}" in text


def fill(project: Project, alice: Person, each: int) -> None:
    for number in range(each):
        first = make_task(project, alice, f"First {number}")
        block(first, make_task(project, alice, f"Then {number}", parent=first))
        make_page(project, alice, f"Page {number}")
        for owner in (project, project.upstream, None):
            bag = make_memory(owner, alice, f"Bag {number}")
            make_memory(owner, alice, f"Inside {number}", parent=bag)
            make_memory(owner, alice, f"Critical {number}", weight="critical")
    make_item(project, alice, "instructions", content="Rules.")


@pytest.mark.parametrize("mode", ["flat", "grouped"])
@pytest.mark.parametrize("focus", [None, "bag page first"])
def test_the_number_of_queries_does_not_depend_on_the_number_of_items(
    alice: Person, mode: str, focus: str | None
) -> None:
    counts = []
    for name, each in (("few", 2), ("many", 12)):
        upstream = make_project(alice, f"up-{name}")
        project = make_project(alice, name, upstream=upstream, recall_mode=mode)
        fill(project, alice, each)
        caller = agent_caller(alice)
        with CaptureQueriesContext(connection) as queries:
            recalled(caller, project, focus=focus)
        counts.append(len(queries))

    assert counts[0] == counts[1] <= MOST_QUERIES


def test_of_thousands_of_memories_only_those_with_a_line_are_loaded(
    alice: Person, project: Project
) -> None:
    rows = [
        Item(
            project=project,
            author=alice,
            kind="memory",
            number=number,
            title=f"Memory {number}",
            summary="words " * 20,
            content="content " * 100,
            visibility="shared",
            weight="normal",
        )
        for number in range(1, 3_001)
    ]
    Item.objects.bulk_create(rows, batch_size=500)
    caller = person_caller(alice)

    with CaptureQueriesContext(connection) as queries:
        text = recalled(caller, project)

    assert " of 3000 (rest: item_list kind=memory projectId=alice/shop)" in text
    assert len(text) > 7_800
    rows_asked_for = [each["sql"].rpartition(" LIMIT ")[2] for each in queries.captured_queries]
    assert "200" in rows_asked_for
