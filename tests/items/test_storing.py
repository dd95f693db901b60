import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.errors import Conflict, Invalid, NotFound, TooLarge
from items.models import Item, ItemEvent
from items.requests import Address, StoreRequest
from projects.models import Project
from proposals import writing
from tests.factories import agent_caller, make_project, person_caller
from tests.items.calls import change, create, item_at

CASES = ("memory", "page", "task")


def fields_of(kind: str, title: str = "A title", **more: object) -> dict[str, object]:
    visible = {"visibility": "shared"} if kind == "memory" else {}
    return {"title": title, **visible, **more}


@pytest.mark.parametrize("kind", CASES)
def test_creating_gives_the_next_number_a_first_version_and_one_event(
    alice: Person, project: Project, kind: str
) -> None:
    caller = agent_caller(alice)

    first = create(caller, project, kind, **fields_of(kind, "One"))
    second = create(caller, project, kind, **fields_of(kind, "Two"))

    assert (first["outcome"], first["number"], first["version"]) == ("published", 1, 1)
    assert second["number"] == 2
    event = ItemEvent.objects.get(item__number=2)
    assert (event.event, event.version, event.author_agent_id) == ("created", 1, caller.agent_id)
    assert (event.state or {})["title"] == "Two"
    assert AuditEvent.objects.filter(action="item.created", subject="#2").count() == 1


def test_a_refused_creation_gives_its_number_back(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)

    with pytest.raises(NotFound):
        create(caller, project, "task", title="Waits", dependsOn=[77])
    stored = create(caller, project, "task", title="Does not")

    assert stored["number"] == 1
    assert Item.objects.count() == 1


@pytest.mark.parametrize("kind", CASES)
def test_an_unknown_field_is_refused_with_the_allowed_ones(
    alice: Person, project: Project, kind: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        create(agent_caller(alice), project, kind, **fields_of(kind, colour="red"))

    answer = refusal.value.as_answer()
    assert answer["field"] == "colour"
    assert "title" in answer["allowed"]
    assert "append" in answer["allowed"]
    assert Item.objects.count() == 0


@pytest.mark.parametrize(
    ("kind", "fields", "field"),
    [
        ("memory", {"visibility": "shared"}, "title"),
        ("memory", {"title": " ", "visibility": "shared"}, "title"),
        ("memory", {"title": "No visibility"}, "visibility"),
        ("memory", {"title": "x", "visibility": "public"}, "visibility"),
        ("memory", {"title": "x", "visibility": "shared", "type": "note"}, "type"),
        ("memory", {"title": "x", "visibility": "shared", "weight": None}, "weight"),
        ("memory", {"title": "x", "visibility": "shared", "expiresAt": "soon"}, "expiresAt"),
        ("memory", {"title": "x", "visibility": "shared", "verifiedAgainst": "abc"},
         "verifiedAgainst"),
        ("page", {"title": None}, "title"),
        ("page", {"title": "two\nlines"}, "title"),
        ("page", {"title": "x", "position": 0}, "position"),
        ("page", {"title": 5}, "title"),
        ("task", {"title": "x", "priority": "top"}, "priority"),
        ("task", {"title": "x", "due": ""}, "due"),
        ("task", {"title": "x", "due": "2026-02-30"}, "due"),
        ("task", {"title": "x", "assignee": "null"}, "assignee"),
        ("task", {"title": "x", "tags": "a,b"}, "tags"),
        ("task", {"title": "x", "tags": ["a", 1]}, "tags[1]"),
        ("task", {"title": "x", "commits": ["abc"]}, "commits"),
        ("task", {"title": "x", "dependsOn": "next"}, "dependsOn"),
        ("task", {"title": "x", "status": "blocked"}, "reason"),
        ("task", {"title": "x", "edits": [{"find": "a", "replace": "b"}]}, "edits"),
        ("task", {"title": "x", "content": "a", "append": "b"}, "content"),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused_by_the_name_of_its_field_and_stores_nothing(
    alice: Person, project: Project, kind: str, fields: dict[str, object], field: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        create(agent_caller(alice), project, kind, **fields)

    assert refusal.value.as_answer()["field"] == field
    assert Item.objects.count() == 0


@pytest.mark.parametrize("bad", ["a\x00b", "bad \ud83d end", "\udfff"])
@pytest.mark.parametrize("field", ["title", "summary", "content", "tags"])
def test_nul_and_lone_surrogates_are_refused_by_field(
    alice: Person, project: Project, bad: str, field: str
) -> None:
    sent = fields_of("memory") | {field: [bad] if field == "tags" else bad}

    with pytest.raises(Invalid) as refusal:
        create(agent_caller(alice), project, "memory", **sent)

    assert refusal.value.as_answer()["field"].startswith(field)
    refusal.value.message.encode()  # can be sent
    assert Item.objects.count() == 0


def test_too_long_texts_are_refused_with_their_limit(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)

    with pytest.raises(TooLarge) as refusal:
        create(caller, project, "memory", **fields_of("memory", "x" * 81))
    create(caller, project, "memory", **fields_of("memory", "😀" * 80))

    assert refusal.value.as_answer()["limit"] == 80


def test_text_is_kept_as_sent_with_line_ends_as_lf(alice: Person, project: Project) -> None:
    create(agent_caller(alice), project, "page", title=" Trimmed ", content="  a\r\nb\rc\n ")

    item = item_at(project, 1)
    assert (item.title, item.content) == ("Trimmed", "  a\nb\nc\n ")


def test_a_list_sent_as_json_text_is_read_and_never_one_tag(
    alice: Person, project: Project
) -> None:
    create(agent_caller(alice), project, "task", title="T", tags='["a", "b"]')

    assert item_at(project, 1).tags == ["a", "b"]


def test_a_title_that_looks_like_json_stays_text(alice: Person, project: Project) -> None:
    create(agent_caller(alice), project, "task", title='{"a": 1}')

    assert item_at(project, 1).title == '{"a": 1}'


@pytest.mark.parametrize("kind", CASES)
def test_a_change_needs_the_version_that_was_read(
    alice: Person, project: Project, kind: str
) -> None:
    caller = agent_caller(alice)
    create(caller, project, kind, **fields_of(kind))

    with pytest.raises(Invalid) as missing:
        change(caller, project, 1, title="New")
    changed = change(caller, project, 1, 1, title="New")

    assert missing.value.as_answer()["currentVersion"] == 1
    assert (changed["version"], changed["changed"]) == (2, ["title"])


@pytest.mark.parametrize("kind", CASES)
def test_a_change_of_an_older_version_is_refused_and_changes_nothing(
    alice: Person, bob: Person, project: Project, kind: str
) -> None:
    caller = agent_caller(alice)
    create(caller, project, kind, **fields_of(kind))
    change(caller, project, 1, 1, content="newer text")

    with pytest.raises(Conflict) as refusal:
        change(caller, project, 1, 1, content="based on the old")

    answer = refusal.value.as_answer()
    assert answer["currentVersion"] == 2
    assert answer["changed"][0] | {"agent": "robo"} == {
        "version": 2,
        "by": "Alice",
        "agent": "robo",
        "event": "changed",
        "fields": ["content"],
    }
    assert item_at(project, 1).content == "newer text"
    assert "newer text" not in refusal.value.message


def test_what_already_stands_is_unchanged_whatever_the_version(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    create(caller, project, "task", title="T", tags=["a"])
    change(caller, project, 1, 1, content="more")

    same = change(caller, project, 1, 1, tags=["a"])
    empty = change(caller, project, 1)

    assert (same["outcome"], same["version"]) == ("unchanged", 2)
    assert empty["outcome"] == "unchanged"
    assert ItemEvent.objects.count() == 2


def test_kind_may_be_left_out_with_a_number_and_must_fit_when_sent(
    alice: Person, project: Project
) -> None:
    caller = agent_caller(alice)
    create(caller, project, "task", title="T")
    address = Address(project.path, number=1)

    with pytest.raises(Invalid) as refusal:
        writing.store(caller, StoreRequest(address, kind="page", version=1, fields={"title": "x"}))

    assert refusal.value.as_answer()["allowed"] == ["task"]


def test_neither_kind_nor_number_is_refused_with_the_kinds(alice: Person, project: Project) -> None:
    with pytest.raises(Invalid) as refusal:
        writing.store(agent_caller(alice), StoreRequest(Address(project.path), fields={}))

    assert refusal.value.as_answer()["allowed"] == ["memory", "page", "task", "instructions"]


def test_the_instructions_are_one_and_keep_versions(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)

    first = create(caller, project, "instructions", content="Test first.")
    again = create(caller, project, "instructions", content="Test first.")
    with pytest.raises(Invalid) as refusal:
        create(caller, project, "instructions", content="Other.")
    second = change(caller, project, "instructions", 1, content="Other.")

    assert (first["ref"], first["version"]) == ("instructions", 1)
    assert again["outcome"] == "unchanged"
    assert refusal.value.as_answer()["currentVersion"] == 1
    assert second["version"] == 2
    assert Item.objects.filter(kind="instructions").count() == 1


def test_a_personal_memory_has_a_reference_and_is_private(alice: Person) -> None:
    caller = agent_caller(alice)

    stored = create(caller, None, "memory", title="Mine")
    with pytest.raises(Invalid) as refusal:
        create(caller, None, "memory", title="Shared?", visibility="shared")
    changed = change(caller, None, stored["ref"], 1, summary="Short")

    assert stored["ref"].startswith("memory:")
    assert "number" not in stored
    assert refusal.value.as_answer()["allowed"] == ["private"]
    assert changed["version"] == 2
    assert Item.objects.get(title="Mine").visibility == "private"


@pytest.mark.parametrize("kind", ["page", "task"])
def test_pages_and_tasks_need_a_project(alice: Person, kind: str) -> None:
    with pytest.raises(Invalid) as refusal:
        create(agent_caller(alice), None, kind, title="x")

    assert refusal.value.as_answer()["field"] == "projectId"


def test_visibility_is_fixed_and_the_refusal_says_the_way(alice: Person, project: Project) -> None:
    caller = agent_caller(alice)
    create(caller, project, "memory", title="M", visibility="private")

    with pytest.raises(Invalid) as refusal:
        change(caller, project, 1, 1, visibility="shared")

    assert "archive" in refusal.value.message


def test_another_projects_numbers_are_as_unknown_as_any(
    alice: Person, mallory: Person, project: Project
) -> None:
    create(agent_caller(alice), project, "task", title="Hidden")
    other = make_project(mallory, "mine")
    mine = agent_caller(mallory)
    create(mine, other, "task", title="Mine")

    messages = []
    for number, version in ((1, 1), (999, 1)):
        with pytest.raises(NotFound) as refusal:
            change(mine, project, number, version, title="Taken over")
        messages.append(refusal.value.message)
    with pytest.raises(NotFound):
        change(mine, other, 1, parent=2)
    with pytest.raises(NotFound):
        change(mine, other, 1, dependsOn=[2])

    assert messages[0] == messages[1]
    assert item_at(project, 1).title == "Hidden"


def test_a_person_in_the_browser_is_the_author_without_an_agent(
    alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "page", title="By hand")

    item = item_at(project, 1)
    assert (item.author_id, item.author_agent_id) == (alice.pk, None)
