"""Part reading on stored items: pinned to a version, by section, every version readable."""

from typing import Any

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from conderis.common.times import iso
from items.models import ItemEvent
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at
from tests.items.test_reading import read

LINE = "{}.{} are the numbers of a line in a text that is read in parts.\n"


def chapter(number: int) -> str:
    return f"## Chapter {number}\n\n" + "".join(LINE.format(number, line) for line in range(40))


LONG = "\n".join(chapter(number) for number in range(10))


@pytest.fixture
def robo(alice: Person) -> Caller:
    return agent_caller(alice)


@pytest.fixture
def page(robo: Caller, project: Project) -> int:
    number: int = create(robo, project, "page", title="Long", content=LONG)["number"]
    return number


def all_parts(caller: Caller, project: Project, **more: Any) -> list[JsonObject]:
    found = [read(caller, project, 1, **more)]
    while "nextOffset" in found[-1]:
        more |= {"offset": found[-1]["nextOffset"], "version": found[-1]["version"]}
        found.append(read(caller, project, 1, **more))
    return found


def refused(caller: Caller, project: Project, **more: Any) -> JsonObject:
    with pytest.raises(Invalid) as refusal:
        read(caller, project, 1, **more)
    return refusal.value.as_answer()


@pytest.mark.parametrize("take", [None, 20_000, 3_000])
def test_parts_joined_are_the_text(
    robo: Caller, project: Project, page: int, take: int | None
) -> None:
    found = all_parts(robo, project, take=take)

    assert "".join(each["content"] for each in found) == LONG
    assert all(each["length"] == len(LONG) for each in found)
    assert all(len(each["content"]) <= (take or 8_000) for each in found)
    assert [each["offset"] for each in found] == [0] + [each["nextOffset"] for each in found[:-1]]


def test_the_first_part_alone_has_the_fields_and_the_outline(
    robo: Caller, project: Project, page: int
) -> None:
    first, second = all_parts(robo, project)[:2]

    assert first["title"] == "Long"
    assert first["outline"][1] == {
        "level": 2,
        "title": "Chapter 1",
        "offset": LONG.index("## Chapter 1"),
    }
    assert len(first["outline"]) == 10
    assert set(second) == {
        "number", "kind", "version", "content", "offset", "nextOffset", "length"
    }  # fmt: skip


def test_a_text_of_one_part_has_no_word_of_parts(robo: Caller, project: Project) -> None:
    create(robo, project, "page", title="Short", content="# One\n" + "x" * 7_000)

    answer = read(robo, project, 1)

    assert {"offset", "nextOffset", "length", "outline"}.isdisjoint(answer)


def test_reading_on_without_the_version_is_refused_naming_it(
    robo: Caller, project: Project, page: int
) -> None:
    change(robo, project, page, 1, tags=["new"])

    answer = refused(robo, project, offset=500)

    assert (answer["field"], answer["currentVersion"]) == ("version", 2)
    assert '"offset": 500, "version": 2' in answer["message"]


def test_reading_on_stays_at_the_version_of_the_first_part(
    robo: Caller, project: Project, page: int
) -> None:
    first = read(robo, project, page)
    change(robo, project, page, 1, content="Short now.")
    act(robo, project, page, "archive", 2)

    rest = all_parts(robo, project, offset=first["nextOffset"], version=1)

    assert first["content"] + "".join(each["content"] for each in rest) == LONG
    assert {(each["version"], each["currentVersion"]) for each in rest} == {(1, 3)}


@pytest.mark.parametrize("offset", [len(LONG), len(LONG) + 1, 10**9])
def test_an_offset_behind_the_text_is_refused_with_the_range(
    robo: Caller, project: Project, page: int, offset: int
) -> None:
    answer = refused(robo, project, offset=offset, version=1)

    assert (answer["field"], answer["allowed"]) == ("offset", [f"0 to {len(LONG) - 1}"])


def test_a_section_is_read_alone_with_its_place_in_the_whole_text(
    robo: Caller, project: Project, page: int
) -> None:
    answer = read(robo, project, page, section="chapter 3")

    start, end = LONG.index("## Chapter 3"), LONG.index("## Chapter 4")
    assert answer == {
        "number": 1,
        "kind": "page",
        "version": 1,
        "section": "Chapter 3",
        "content": LONG[start:end],
        "offset": start,
        "length": len(LONG),
    }


def test_a_long_section_is_read_on_with_or_without_its_name(
    robo: Caller, project: Project, page: int
) -> None:
    start, end = LONG.index("## Chapter 3"), LONG.index("## Chapter 4")

    found = all_parts(robo, project, section="chapter 3", take=1_000)
    onward = read(robo, project, page, offset=found[0]["nextOffset"], version=1, take=1_000)

    assert len(found) == 3
    assert "".join(each["content"] for each in found) == LONG[start:end]
    assert onward["content"] == found[1]["content"]
    answer = refused(robo, project, section="chapter 3", offset=end, version=1)
    assert answer["allowed"] == [f"{start} to {end - 1}"]


def test_an_unknown_section_is_refused_with_the_headings(
    robo: Caller, project: Project, page: int
) -> None:
    answer = refused(robo, project, section="nothing")

    assert answer["field"] == "section"
    assert answer["candidates"] == [f"Chapter {number}" for number in range(10)]
    assert refused(robo, project, section="chapter")["candidates"] == answer["candidates"]


def test_a_section_of_an_older_version_is_read(robo: Caller, project: Project, page: int) -> None:
    change(robo, project, page, 1, content="# Other\n\nAll new.")

    answer = read(robo, project, page, section="chapter 2", version=1)

    assert (answer["version"], answer["currentVersion"]) == (1, 2)
    assert answer["content"].startswith("## Chapter 2\n")


def test_a_version_shows_the_item_as_it_was_and_who_made_it(
    alice: Person, bob: Person, robo: Caller, project: Project
) -> None:
    create(robo, project, "task", title="First", content="One", tags=["a"], assignee="me")
    change(person_caller(bob), project, 1, 1, title="Second", content=None, tags=["b"])
    act(robo, project, 1, "block", 2, reason="Rain")

    first, second, third, current = (
        read(robo, project, 1, **more)
        for more in ({"version": 1}, {"version": 2}, {"version": 3}, {})
    )

    event = ItemEvent.objects.get(version=1)
    assert first == {
        "number": 1,
        "kind": "task",
        "version": 1,
        "currentVersion": 3,
        "title": "First",
        "content": "One",
        "tags": ["a"],
        "status": "open",
        "priority": "normal",
        "assignee": {"ref": robo.agent_ref, "name": "robo"},
        "changed": iso(event.at),
        "changedBy": {"name": "Alice", "agent": "robo"},
    }
    assert (second["title"], second["tags"], second["changedBy"]) == (
        "Second",
        ["b"],
        {"name": "Bob"},
    )
    assert "content" not in second
    assert third == current
    assert third["blockedReason"] == "Rain"


def test_a_long_older_version_comes_in_parts_too(robo: Caller, project: Project, page: int) -> None:
    change(robo, project, page, 1, content="Short now.")

    found = all_parts(robo, project, version=1)

    assert "".join(each["content"] for each in found) == LONG
    assert len(found[0]["outline"]) == 10
    assert all(each["currentVersion"] == 2 for each in found)


@pytest.mark.parametrize("version", [3, 99, 10**9])
@pytest.mark.parametrize("more", [{}, {"offset": 5}, {"section": "One"}, {"history": True}])
def test_a_version_that_never_was_is_refused_naming_the_current_one(
    robo: Caller, project: Project, page: int, version: int, more: dict[str, Any]
) -> None:
    change(robo, project, page, 1, tags=["new"])

    answer = refused(robo, project, version=version, **more)

    assert (answer["field"], answer["currentVersion"], answer["allowed"]) == (
        "version",
        2,
        ["1 to 2"],
    )


@pytest.mark.parametrize("more", [{}, {"offset": 5}, {"section": "Chapter"}])
def test_an_erased_or_locked_version_says_so_and_nothing_of_it(
    robo: Caller, project: Project, page: int, more: dict[str, Any]
) -> None:
    for version in (1, 2):
        change(robo, project, page, version, tags=[str(version)])
    ItemEvent.objects.filter(version=1).update(state=None, changed=[], reason="")
    ItemEvent.objects.filter(version=2).update(locked_by="request00002")

    erased, locked = (read(robo, project, page, version=version, **more) for version in (1, 2))

    head = {"number": 1, "kind": "page", "currentVersion": 3}
    assert erased == head | {"version": 1, "erased": True}
    assert locked == head | {"version": 2, "locked": {"request": "deletion:request00002"}}


def test_an_empty_text_is_read_whole_and_has_no_parts(robo: Caller, project: Project) -> None:
    create(robo, project, "page", title="Empty")

    assert "content" not in read(robo, project, 1, take=1)
    assert refused(robo, project, section="x")["candidates"] == []
    assert refused(robo, project, offset=1, version=1)["field"] == "offset"


def test_reading_writes_nothing(robo: Caller, project: Project, page: int) -> None:
    before = item_at(project, page).__dict__ | {"_state": None}

    all_parts(robo, project)
    read(robo, project, page, history=True)

    assert item_at(project, page).__dict__ | {"_state": None} == before
    assert ItemEvent.objects.count() == 1


@pytest.mark.parametrize("take", [0, 20_001])
def test_a_part_too_small_or_too_large_is_refused_naming_the_range(
    robo: Caller, project: Project, page: int, take: int
) -> None:
    assert refused(robo, project, take=take)["allowed"] == ["1 to 20000"]


def test_a_text_read_whole_and_written_back_is_unchanged(
    robo: Caller, project: Project, page: int
) -> None:
    whole = "".join(each["content"] for each in all_parts(robo, project))

    assert change(robo, project, page, 1, content=whole)["outcome"] == "unchanged"


def test_a_first_part_written_back_is_refused_unless_it_is_meant(
    robo: Caller, project: Project, page: int
) -> None:
    first = read(robo, project, page)["content"]

    with pytest.raises(Invalid) as refusal:
        change(robo, project, page, 1, content=first)
    kept = item_at(project, page).content
    meant = change(robo, project, page, 1, content=first, complete=True)

    assert refusal.value.details["field"] == "content"
    assert kept == LONG
    assert (meant["outcome"], meant["version"]) == ("published", 2)
