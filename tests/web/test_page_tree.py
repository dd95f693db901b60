"""The tree of a project's pages, and moving a page in it."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from conderis.accounts.models import Person
from items.models import Item
from projects.models import Project
from proposals.models import Proposal
from tests.factories import person_caller
from tests.items.calls import act, change, create, item_at
from tests.privacy.deletions import ask
from tests.web.signing_in_steps import BACKEND

DOCS = reverse("project-docs", kwargs={"owner": "alice", "name": "shop"})


def move_path(number: int) -> str:
    return reverse("item-move", kwargs={"owner": "alice", "name": "shop", "number": number})


@pytest.fixture
def tree(project: Project, alice: Person) -> Project:
    """1 Guide (2 Install (4 Windows), 3 Use), 5 Reference, 6 History."""
    owner = person_caller(alice)
    for title, parent in (("Guide", None), ("Install", 1), ("Use", 1), ("Windows", 2),
                          ("Reference", None), ("History", None)):  # fmt: skip
        create(owner, project, "page", title=title, parent=parent)
    return project


def shown(client: Client, person: Person, query: str = "") -> list[int]:
    """The numbers of the rows, in their order."""
    client.force_login(person, backend=BACKEND)
    answer = client.get(DOCS + query)
    assert answer.status_code == 200
    return [int(number) for number in re.findall(r'id="p-(\d+)"', answer.content.decode())]


def move(client: Client, person: Person, number: int, **sent: object) -> Any:
    client.force_login(person, backend=BACKEND)
    return client.post(move_path(number), sent)


def below(project: Project, parent: int | None) -> list[int | None]:
    """The numbers that stand under a page, in their order."""
    rows = Item.objects.filter(project=project, parent__number=parent, archived_at=None)
    return list(rows.order_by("rank", "number").values_list("number", flat=True))


def test_pages_stand_under_their_parents_in_their_order(
    client: Client, rita: Person, alice: Person, tree: Project
) -> None:
    change(person_caller(alice), tree, 6, position=1)

    assert shown(client, rita) == [6, 1, 2, 4, 3, 5]


def test_a_branch_is_folded_and_opened_by_its_link(
    client: Client, rita: Person, tree: Project
) -> None:
    assert shown(client, rita, "?open=none") == [1, 5, 6]
    assert shown(client, rita, "?open=1") == [1, 2, 3, 5, 6]
    assert shown(client, rita, "?open=1,2") == [1, 2, 4, 3, 5, 6]
    page = client.get(DOCS + "?open=1").content.decode()
    assert re.search(r'href="[^"]*open=1,2#p-2" aria-expanded="false"', page)
    assert re.search(r'href="[^"]*open=none#p-1" aria-expanded="true"', page)


def test_what_is_sent_for_branches_is_read_as_far_as_it_makes_sense(
    client: Client, rita: Person, tree: Project
) -> None:
    for odd in ("x", "1,,2,x", "99", "-1", "1;2", ",".join(map(str, range(1, 900)))):
        assert shown(client, rita, f"?open={odd}&at={odd}")[0] == 1


def test_the_path_to_a_page_is_open_and_the_page_is_marked(
    client: Client, rita: Person, tree: Project
) -> None:
    assert shown(client, rita, "?open=none&at=4") == [1, 2, 4, 3, 5, 6]
    page = client.get(DOCS + "?open=none&at=4").content.decode()
    assert re.search(r'id="p-4"[^>]*>\s*<div class="entry" aria-current="true"', page)


def test_a_large_tree_shows_its_top_alone_until_a_branch_is_opened(
    client: Client, rita: Person, alice: Person, tree: Project
) -> None:
    owner = person_caller(alice)
    for number in range(50):
        create(owner, tree, "page", title=f"Leaf {number}", parent=5)

    assert shown(client, rita) == [1, 5, 6]
    assert len(shown(client, rita, "?open=5")) == 53


def test_a_branch_of_very_many_shows_a_hundred_and_leads_to_the_rest(
    client: Client, rita: Person, alice: Person, tree: Project
) -> None:
    guide = item_at(tree, 1)
    Item.objects.bulk_create(
        Item(project=tree, kind="page", number=1000 + each, title=f"Leaf {each}", parent=guide,
             author=alice, rank=(1 << 40) + each)
        for each in range(120)
    )  # fmt: skip

    page = shown(client, rita, "?open=1")
    body = client.get(DOCS + "?open=1").content.decode()

    assert len(page) == 103
    assert "22 more pages under #1" in body
    assert f'href="{DOCS}?parent=1"' in body
    assert "Leaf 119" not in body


def test_words_and_filters_make_a_list_of_it(client: Client, rita: Person, tree: Project) -> None:
    client.force_login(rita, backend=BACKEND)

    found = client.get(DOCS, {"q": "windows"}).content.decode()
    sorted_ = client.get(DOCS, {"q": "", "sort": "position", "tags": ""}).content.decode()

    assert 'id="tree"' not in found
    assert "Windows" in found
    assert "Reference" not in found
    assert 'id="tree"' in sorted_


def test_the_queries_of_the_tree_do_not_grow_with_it(
    client: Client, rita: Person, alice: Person, tree: Project
) -> None:
    owner = person_caller(alice)
    shown(client, rita, "?open=1,2,5")
    with CaptureQueriesContext(connection) as few:
        client.get(DOCS + "?open=1,2,5")
    for number in range(30):
        create(owner, tree, "page", title=f"More {number}", parent=(1, 2, 5)[number % 3])

    with CaptureQueriesContext(connection) as many:
        client.get(DOCS + "?open=1,2,5")

    assert len(many) == len(few)


def test_a_locked_page_is_a_number_over_what_stands_below_it_and_else_is_not_there(
    client: Client, rita: Person, alice: Person, tree: Project
) -> None:
    owner = person_caller(alice)
    ask(owner, tree, 2)
    ask(owner, tree, 6)

    assert shown(client, rita) == [1, 2, 4, 3, 5]
    page = client.get(DOCS).content.decode()
    assert "Install" not in page
    assert ">History<" not in page
    assert "4 pages" in page
    ask(owner, tree, 4)
    assert shown(client, rita) == [1, 3, 5]


def test_archived_pages_are_not_in_the_tree(
    client: Client, rita: Person, alice: Person, tree: Project
) -> None:
    act(person_caller(alice), tree, 1, "archive", 1)

    assert shown(client, rita) == [5, 6]


@pytest.mark.parametrize(
    ("number", "where", "parent", "after"),
    [
        (3, "up", 1, [3, 2]),
        (2, "down", 1, [3, 2]),
        (6, "up", None, [1, 6, 5]),
        (1, "down", None, [5, 1, 6]),
        (3, "in", 2, [4, 3]),
        (2, "out", None, [1, 2, 5, 6]),
        (4, "out", 1, [2, 4, 3]),
        (4, "top", None, [1, 5, 6, 4]),
    ],
)
def test_a_step_moves_a_page_by_one_place_or_level(
    client: Client, carol: Person, tree: Project, *, number: int, where: str,
    parent: int | None, after: list[int],
) -> None:  # fmt: skip
    answer = move(client, carol, number, where=where)

    assert answer.status_code == 302
    assert answer["Location"].endswith(f"#p-{number}")
    assert below(tree, parent) == after
    assert item_at(tree, number).version == 1
    assert f"#{number} is moved." in client.get(answer["Location"]).content.decode()


@pytest.mark.parametrize(
    ("number", "where", "target", "parent", "after"),
    [
        (6, "under", "2", 2, [4, 6]),
        (6, "before", "#3", 1, [2, 6, 3]),
        (6, "after", "3", 1, [2, 3, 6]),
        (4, "before", "1", None, [4, 1, 5, 6]),
        (1, "after", "6", None, [5, 6, 1]),
        (1, "before", "6", None, [5, 1, 6]),
    ],
)
def test_the_form_puts_a_page_under_before_or_after_another(
    client: Client, carol: Person, tree: Project, *, number: int, where: str, target: str,
    parent: int | None, after: list[int],
) -> None:  # fmt: skip
    answer = move(client, carol, number, where=where, target=target)

    assert answer.status_code == 302
    assert below(tree, parent) == after


def test_a_step_passes_a_locked_neighbour_that_nobody_sees(
    client: Client, carol: Person, alice: Person, tree: Project
) -> None:
    ask(person_caller(alice), tree, 5)

    move(client, carol, 6, where="up")

    assert shown(client, carol) == [6, 1, 2, 4, 3]


@pytest.mark.parametrize(
    ("number", "sent", "status", "says"),
    [
        (1, {"where": "under", "target": "4"}, 400, "stands below this item"),
        (1, {"where": "under", "target": "1"}, 400, "no place beside or below itself"),
        (1, {"where": "under", "target": "99"}, 400, "There is no #99 that you may read"),
        (1, {"where": "before", "target": "99"}, 400, "There is no #99 that you may read"),
        (1, {"where": "under", "target": "7"}, 400, "#7 is of another kind"),
        (1, {"where": "under", "target": "8"}, 409, "#8 is archived"),
        (1, {"where": "after", "target": "8"}, 409, "#8 is archived"),
        (1, {"where": "under", "target": ""}, 400, "Name the other page by its number"),
        (1, {"where": "under", "target": "two"}, 400, "Name the other page by its number"),
        (1, {"where": "sideways", "target": "2"}, 400, "Select a valid choice"),
        (1, {}, 400, "This field is required"),
        (1, {"where": "up"}, 409, "#1 is the first of its branch already"),
        (6, {"where": "down"}, 409, "#6 is the last of its branch already"),
        (1, {"where": "out"}, 409, "#1 stands on the top level already"),
        (1, {"where": "in"}, 409, "#1 has nothing before it"),
        (5, {"where": "under", "target": "9"}, 423, "locked by a deletion request"),
    ],
)
def test_a_move_that_cannot_be_is_refused_in_words_and_moves_nothing(
    client: Client, carol: Person, alice: Person, tree: Project, *, number: int,
    sent: dict[str, str], status: int, says: str,
) -> None:  # fmt: skip
    owner = person_caller(alice)
    create(owner, tree, "task", title="A task")
    create(owner, tree, "page", title="Shelved")
    act(owner, tree, 8, "archive", 1)
    create(owner, tree, "page", title="Secret")
    ask(owner, tree, 9)
    before = list(Item.objects.order_by("pk").values_list("pk", "parent", "rank"))

    answer = move(client, carol, number, **sent)

    assert answer.status_code == status
    assert says in answer.content.decode()
    assert list(Item.objects.order_by("pk").values_list("pk", "parent", "rank")) == before


def test_pages_go_ten_levels_deep_and_no_deeper(
    client: Client, carol: Person, alice: Person, tree: Project
) -> None:
    owner = person_caller(alice)
    for level in range(7):
        create(owner, tree, "page", title=f"Deep {level}", parent=4 if not level else 6 + level)

    answer = move(client, carol, 1, where="under", target="5")

    assert answer.status_code == 400
    assert "10 levels deep; here it would be 11" in answer.content.decode()
    assert shown(client, carol, "?at=13")[-3:] == [3, 5, 6]


def test_a_contributors_move_waits_as_a_proposal_and_says_so(
    client: Client, bob: Person, tree: Project
) -> None:
    answer = move(client, bob, 6, where="under", target="1")

    assert answer.status_code == 302
    assert "a moderator decides it" in client.get(answer["Location"]).content.decode()
    assert below(tree, None) == [1, 5, 6]
    proposal = Proposal.objects.get()
    assert (proposal.action, proposal.fields) == ("move", {"parent": 1})


def test_readers_see_the_tree_without_the_way_to_move(
    client: Client, rita: Person, bob: Person, mallory: Person, tree: Project
) -> None:
    client.force_login(rita, backend=BACKEND)
    seen = client.get(DOCS).content.decode()

    assert move_path(2) not in seen
    assert "data-move" not in seen
    assert client.get(move_path(2)).status_code == 403
    assert move(client, rita, 2, where="up").status_code == 403
    assert move(client, mallory, 2, where="up").status_code == 404
    client.force_login(bob, backend=BACKEND)
    assert f"{move_path(2)}?" in client.get(DOCS).content.decode()


def test_only_what_has_places_and_stands_can_be_moved(
    client: Client, carol: Person, alice: Person, tree: Project
) -> None:
    owner = person_caller(alice)
    create(owner, tree, "task", title="A task")
    act(owner, tree, 5, "archive", 1)
    ask(owner, tree, 6)
    client.force_login(carol, backend=BACKEND)

    assert client.get(move_path(7)).status_code == 404
    assert client.get(move_path(99)).status_code == 404
    assert client.get(move_path(5)).status_code == 409
    assert client.get(move_path(6)).status_code == 423
    shown_ = client.get(move_path(3)).content.decode()
    assert "at place 2 of 2" in shown_
    assert '<option value="4">Windows</option>' in shown_


def test_the_branches_that_were_open_are_open_after_the_move(
    client: Client, carol: Person, tree: Project
) -> None:
    client.force_login(carol, backend=BACKEND)

    answer = client.post(move_path(6) + "?open=1", {"where": "up"})

    assert answer["Location"] == f"{DOCS}?at=6&open=1#p-6"


@pytest.mark.usefixtures("tree")
def test_the_page_of_an_item_with_a_place_leads_to_moving_it_for_who_may(
    client: Client, project: Project, alice: Person, bob: Person, rita: Person
) -> None:
    create(person_caller(alice), project, "task", title="Pour")
    act(person_caller(alice), project, 6, "archive", 1)

    def leads(person: Person, number: int) -> bool:
        client.force_login(person, backend=BACKEND)
        path = reverse("item", kwargs={"owner": "alice", "name": "shop", "number": number})
        return f'href="{move_path(number)}"' in client.get(path).content.decode()

    assert leads(bob, 2)
    assert not leads(rita, 2)
    assert not leads(alice, 6)  # archived
    assert not leads(alice, 7)  # a task has no place


def test_a_page_far_down_its_branch_is_shown_with_those_around_it(
    client: Client, rita: Person, alice: Person, tree: Project
) -> None:
    guide = item_at(tree, 1)
    Item.objects.bulk_create(
        Item(project=tree, kind="page", number=1000 + each, title=f"Leaf {each}", parent=guide,
             rank=10_000 + each, author=alice)
        for each in range(150)
    )  # fmt: skip

    rows = shown(client, rita, "?at=1130")

    assert [each for each in rows if each > 1090] == [*range(1091, 1100), *range(1120, 1141)]
    page = client.get(DOCS + "?at=1130").content.decode()
    assert "20 pages between are not shown" in page
    assert "31 more pages under #1" in page
    assert 1130 not in shown(client, rita, "?open=1")
