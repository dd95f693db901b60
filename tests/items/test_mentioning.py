"""Which items mention an item, as its page shows them."""

from typing import Any

import pytest
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from items.models import Item
from items.requests import Address, DeletionCall
from items.surrounding import item_surroundings
from privacy.deciding import erase
from privacy.requesting import request_deletion
from projects.models import Project, ProjectPath
from tests.factories import make_project, person_caller
from tests.items.calls import act, change, create


def mentioning(person: Person, project: Project, number: int = 1) -> list[int]:
    answer = item_surroundings(person_caller(person), project.path, number)
    return [each["number"] for each in answer["mentions"]]


def write(person: Person, project: Project, *texts: str, first: int = 0) -> None:
    for number, text in enumerate(texts, start=first):
        create(person_caller(person), project, "page", title=f"Text {number}", content=text)


@pytest.fixture
def subject(alice: Person, project: Project) -> None:
    create(person_caller(alice), project, "task", title="Subject", content="I am #1.")


@pytest.mark.usefixtures("subject")
@pytest.mark.parametrize("text", [
    "see #1", "#1", "(#1)", "a\n#1.\nb", "#1, #2", "owner alice/shop#1 says", "Alice/Shop#1",
    "x" * 60_000 + " #1",
])  # fmt: skip
def test_a_number_in_a_text_is_a_mention(alice: Person, project: Project, text: str) -> None:
    write(alice, project, text)

    assert mentioning(alice, project) == [2]


@pytest.mark.usefixtures("subject")
@pytest.mark.parametrize("text", [
    "see #12", "1", "no 1", "`#1`", "```\n#1\n```", "bob/other#1", "x#1", "#1-a", "page#1",
    "/alice/shop#1", "my-alice/shop#1", "#11 and 1",
])  # fmt: skip
def test_what_only_looks_like_it_is_no_mention(alice: Person, project: Project, text: str) -> None:
    write(alice, project, text)

    assert mentioning(alice, project) == []


@pytest.mark.usefixtures("subject")
def test_titles_and_summaries_mention_too_and_a_former_name_of_the_project_still_does(
    alice: Person, project: Project
) -> None:
    caller = person_caller(alice)
    ProjectPath.objects.create(path="alice/old-shop", project=project)
    create(caller, project, "task", title="After #1")
    create(caller, project, "memory", title="M", summary="of #1", visibility="shared")
    write(alice, project, "alice/old-shop#1")

    assert mentioning(alice, project) == [4, 3, 2]


@pytest.mark.usefixtures("subject")
def test_the_newest_comes_first_and_twenty_are_shown(alice: Person, project: Project) -> None:
    write(alice, project, *["of #1"] * 20)
    just_all = item_surroundings(person_caller(alice), project.path, 1)
    last = create(person_caller(alice), project, "page", title="Last", content="#1")["number"]
    change(person_caller(alice), project, 2, 1, content="again #1")

    answer = item_surroundings(person_caller(alice), project.path, 1)
    numbers = [each["number"] for each in answer["mentions"]]

    assert (len(just_all["mentions"]), just_all["moreMentions"]) == (20, False)
    assert numbers[:2] == [2, last]
    assert (len(numbers), answer["moreMentions"]) == (20, True)


@pytest.mark.usefixtures("subject")
def test_what_the_reader_may_not_see_is_neither_shown_nor_counted(
    alice: Person, bob: Person, rita: Person, project: Project
) -> None:
    owner = person_caller(alice)
    for number in range(25):
        create(person_caller(bob), project, "memory", title=f"Mine {number}", content="#1",
               visibility="private")  # fmt: skip
    write(alice, project, "locked #1", "erased #1", "open #1")
    for number in (27, 28):
        request = request_deletion(owner, DeletionCall(Address(project.path, number), reason="x"))
        if number == 28:
            erase(owner, str(request["request"]))

    theirs = item_surroundings(person_caller(rita), project.path, 1)
    own = item_surroundings(person_caller(bob), project.path, 1)

    assert [each["number"] for each in theirs["mentions"]] == [29]
    assert theirs["moreMentions"] is False
    assert own["moreMentions"] is True


@pytest.mark.usefixtures("subject")
def test_another_project_is_not_looked_into(alice: Person, project: Project) -> None:
    other = make_project(alice, "other")
    write(alice, other, "#1 and alice/shop#1")

    assert mentioning(alice, project) == []


@pytest.mark.usefixtures("subject")
def test_archived_ones_are_named_as_such(alice: Person, project: Project) -> None:
    write(alice, project, "of #1")
    act(person_caller(alice), project, 2, "archive", 1)

    (entry,) = item_surroundings(person_caller(alice), project.path, 1)["mentions"]

    assert entry == {"number": 2, "kind": "page", "title": "Text 0", "archived": True}


@pytest.mark.usefixtures("subject")
def test_code_that_holds_the_number_hides_no_mention_behind_it(
    alice: Person, project: Project
) -> None:
    write(alice, project, "of #1", *["`#1`"] * 45)

    assert mentioning(alice, project) == [2]


@pytest.mark.usefixtures("subject")
def test_where_very_many_hold_the_number_the_newest_are_looked_at_and_it_says_so(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("items.mentioning.NEWEST", 3)
    write(alice, project, "of #1", "1", "1", "`#1`")

    answer = item_surroundings(person_caller(alice), project.path, 1)

    assert (answer["mentions"], answer["moreMentions"]) == ([], True)


@pytest.mark.usefixtures("subject")
def test_more_mentions_take_no_more_queries(
    alice: Person, project: Project, django_assert_max_num_queries: Any
) -> None:
    write(alice, project, "#1", "#1")
    with django_assert_max_num_queries(20) as few:
        mentioning(alice, project)
    write(alice, project, *["#1"] * 12, first=2)

    with django_assert_max_num_queries(20) as many:
        assert len(mentioning(alice, project)) == 14

    assert isinstance(many, CaptureQueriesContext)
    assert len(many) == len(few)
    assert Item.objects.count() == 15
